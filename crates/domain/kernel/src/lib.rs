//! Types that several domains share, and the ports that every flow uses.
//!
//! Nothing here knows a database, a web server or a provider. Invariants:
//! a [`Phone`] is E.164, a [`StoredText`] can be stored,
//! and a [`ReferralCode`] needs no escaping in a link.
//!
//! A number is one value in every spelling, and no log shows it:
//!
//! ```
//! use kernel::Phone;
//!
//! let phone = Phone::parse("(555) 123-4567").unwrap();
//! assert_eq!(Phone::parse("+1 555 123 4567"), Ok(phone.clone()));
//! assert_eq!(phone.as_e164(), "+15551234567");
//! assert_eq!(format!("{phone:?}"), "Phone(***-***-4567)");
//! ```
//!
//! Start reading at [`UnitOfWork`], through which a flow reads and writes the store.

mod as_seen;
mod browser_secret;
mod clock;
mod consent;
mod database_clock;
mod deadline;
mod entropy;
mod event_id;
mod idempotency_key;
mod ids;
pub mod letters;
mod money;
mod network;
mod origin;
mod page_request;
mod person;
mod phone;
mod referral_code;
mod sealer;
mod session;
mod sort_order;
mod staff_name;
mod staff_text;
mod store;
mod stored_text;
mod text_search;
mod write_probe;

pub use as_seen::as_seen;
pub use browser_secret::{BrowserHash, BrowserSecret};
pub use clock::Clock;
pub use consent::{Consent, ConsentAct};
pub use database_clock::DatabaseClock;
pub use deadline::{run_until, time_left};
pub use entropy::{Entropy, pick};
pub use event_id::{EventId, EventIdError};
pub use idempotency_key::IdempotencyKey;
pub use ids::{DrawingId, EntrantId, MessageId};
pub use money::Money;
pub use network::Network;
pub use origin::Origin;
pub use page_request::PageRequest;
pub use person::{PersonSalt, PersonTag};
pub use phone::{Phone, PhoneError};
pub use referral_code::{ReferralCode, ReferralCodeError};
pub use sealer::Sealer;
pub use session::{InvalidSession, Session};
pub use sort_order::SortOrder;
pub use staff_name::StaffName;
pub use staff_text::{holds_phone_number, without_addresses};
pub use store::{StoreError, UniqueKey, UnitOfWork};
pub use stored_text::{StoredText, StoredTextError};
pub use text_search::TextSearch;
pub use write_probe::WriteProbe;
