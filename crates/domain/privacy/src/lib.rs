//! Requests for data and how long data is kept.
//!
//! What is too old to be kept on a day in November:
//!
//! ```
//! use chrono::{DateTime, Utc};
//! use privacy::retention::Terms;
//!
//! let now = "2026-11-15T03:00:00Z".parse::<DateTime<Utc>>().unwrap();
//! let limits = Terms { days: 90 }.limits(now);
//! assert_eq!(limits.identifying.to_rfc3339(), "2026-08-17T03:00:00+00:00", "addresses and browsers");
//! assert_eq!(limits.views.to_string(), "2024-10", "views");
//! ```
//!
//! Start reading at [`DataRequest`], whose methods are the steps of a request, then at [`Erasure`] and [`retention`].

mod erasure;
mod export;
mod id;
mod journal;
mod number_key;
mod request;
mod request_key;
pub mod retention;

pub use erasure::{Erased, Erasure};
pub use export::{ExportPart, ExportedTable, Exports};
pub use id::DataRequestId;
pub use journal::{Journal, JournalEntry, JournalError, NotAnEntry};
pub use number_key::{NumberHmac, NumberKey, NumberKeys};
pub use request::{
    Asker, DataRequest, DataRequests, EXPORT_LIFE, EXPORTS_PER_DAY, NewDataRequest, RequestStatus,
    RequestType, wait_for_export,
};
pub use request_key::{RequestKey, RequestKeys, RequestToken, RequestTokenHash};
