//! Requests for data and how long data is kept.

mod erasure;
mod export;
mod journal;
mod number_key;
mod request;
mod request_key;
pub mod retention;

pub use erasure::{Erased, Erasure};
pub use export::{ExportedTable, Exports};
pub use journal::{Journal, JournalEntry, JournalError, NotAnEntry};
pub use number_key::{NumberHmac, NumberKey, NumberKeys};
pub use request::{
    Asker, DataRequest, DataRequestId, DataRequests, EXPORT_LIFE, EXPORTS_PER_DAY, NewDataRequest,
    RequestCode, RequestCodeRefusal, RequestStatus, RequestType, wait_for_export,
};
pub use request_key::{RequestCodeHash, RequestKey, RequestKeys, RequestToken, RequestTokenHash};
