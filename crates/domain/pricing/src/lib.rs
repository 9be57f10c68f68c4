//! Entry packages, purchases and their states, and the `Payments` gateway port.
//!
//! Invariants: a purchase has the price and the entries that its package had when the purchase was made; a purchase is
//! credited exactly once and taken back at most once, however many events and confirmations arrive; both have rows in the
//! entry ledger. Refunds and disputes take entries back or hold them, in whatever order they are reported.
//!
//! What a payment that succeeded does to a purchase, and what a free claim gives:
//!
//! ```
//! use chrono::DateTime;
//! use pricing::{CapRules, CapUse, CompleteOutcome, PurchaseStatus};
//!
//! let has_moved = false; // to another raffle
//! let paid = |status: PurchaseStatus, fits| status.when_paid(has_moved, || Ok::<bool, ()>(fits));
//! assert_eq!(paid(PurchaseStatus::Pending, true), Ok(CompleteOutcome::Credited));
//! assert_eq!(paid(PurchaseStatus::Completed, true), Ok(CompleteOutcome::Unchanged), "once");
//! assert_eq!(paid(PurchaseStatus::Canceled, false), Ok(CompleteOutcome::OverCap), "to be refunded");
//!
//! // At most 100 bought and free entries in a month. What is left of them can be had free on the 31 dates of January.
//! let today = CapRules::DEFAULT.free_date_at(DateTime::UNIX_EPOCH, None);
//! let free = |had| today.free_entries(CapUse { had, reserved: 0 });
//! assert_eq!([0, 50, 99, 100].map(free), [4, 2, 1, 0]);
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/pricing.rs`, then at [`PurchaseStatus`].

mod checks;
mod entry_cap;
mod gateway;
mod ids;
mod ledger_rows;
mod listed;
mod outcomes;
mod package;
mod ports;
mod purchase;
mod purchase_status;
mod reversal;

pub use checks::{check_delay, next_check};
pub use entry_cap::{CapDate, CapRules, CapSource, CapUse, EntryCap, FreeDate, MonthEntries};
pub use gateway::{
    CreatedIntent, EventKind, Intent, IntentStatus, NewIntent, Payments, PaymentsError, ProviderEvent,
    WebhookError, Webhooks,
};
pub use ids::{CustomerId, DisputeId, IntentId, PackageId, PurchaseId, RefundId};
pub use listed::{
    ListedPurchase, PurchaseFilter, PurchaseList, PurchaseSearch, PurchaseState, Sales, Sold, SoldLine,
};
pub use outcomes::{BeginOutcome, CompleteOutcome, FreeOutcome};
pub use package::{EntryCount, NewPackage, Package, PackageText};
pub use ports::{FreeEntries, Packages, PricingSettings, PricingStore, ProviderEvents, Purchases};
pub use purchase::{NewPurchase, Purchase};
pub use purchase_status::PurchaseStatus;
pub use reversal::{
    DisputeStatus, EntryChange, RefundStatus, Reversal, Reversals, Reversed, ReversedEntries,
};
