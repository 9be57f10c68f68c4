//! How a winner claims the prize of a drawing (D41).
//!
//! Each drawn rank gets a claim when its turn comes: the winner first, then, one after the other, the alternates. The
//! claim's secret link goes to the drawn number by text. A code to that number, or one of the other
//! [methods](VerifiedBy), binds a browser; only that browser submits the winner's details or declines. Staff approve or
//! reject.
//!
//! Invariants: a claim ends once; the next rank is asked only when a claim has ended without a prize, and nobody skips a
//! rank; the deadline runs only while the winner has something to do; a rejection names a reason and leaves
//! [`OBJECTION_WINDOW`] to object.
//!
//! The time of a winner, which a dispute pauses for three days:
//!
//! ```
//! use chrono::{DateTime, TimeDelta};
//! use claims::{ClaimStatus, Deadline};
//!
//! let day = |n| DateTime::UNIX_EPOCH + TimeDelta::days(n);
//! let deadline = Deadline::starting(day(0));
//! assert_eq!([6, 7, 12].map(|n| deadline.reminders_due(day(n))), [0, 1, 2]);
//!
//! let paused = deadline.moved(TimeDelta::days(3));
//! assert!(deadline.has_passed(day(14)) && !paused.has_passed(day(14)));
//! assert_eq!(paused.expires_at(), day(17));
//!
//! // A claim that is lost passes to the next rank.
//! assert!(ClaimStatus::Expired.is_lost());
//! ```
//!
//! Start reading at `tests/story.rs`, then at [`Claim`], whose methods are the steps, and at [`Claims`], the port. A flow
//! locks a claim, lets it take a step, and saves it with an event, in one transaction.

mod call_code;
mod calls;
mod claim;
mod deadline;
mod details;
mod event;
mod id;
mod key;
mod ports;
mod public_status;
mod shipment;
mod status;

pub use call_code::{CALL_CODE_LIFE, CallCode};
pub use calls::{may_be_unreachable, may_resend};
pub use claim::{Claim, ClaimRefusal, NewClaim, Objection, PublicWinner, Rejection};
pub use deadline::{CLAIM_PERIOD, Deadline, REMINDERS};
pub use details::{ClaimDetails, ClaimSecrets, DetailsError, State, UnknownState, ZipCode, ZipCodeError};
pub use event::{ClaimEvent, EventKind, NewEvent};
pub use id::ClaimId;
pub use key::{CallCodeHash, ClaimKey, ClaimToken, TokenHash};
pub use ports::{ClaimFilter, ClaimTexts, Claims};
pub use public_status::PublicStatus;
pub use shipment::{Shipment, TrackingNumber, TrackingNumberError};
pub use status::{ClaimStatus, RejectReason, VerifiedBy};

use chrono::TimeDelta;

/// How long a rejected winner may object. The next rank is asked after it.
pub const OBJECTION_WINDOW: TimeDelta = TimeDelta::days(7);
/// How long a winner's details are kept after the claim has ended.
pub const DETAILS_LIFE: TimeDelta = TimeDelta::days(90);
