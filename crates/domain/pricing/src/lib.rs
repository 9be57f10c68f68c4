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
//! use pricing::{CapRules, CompleteOutcome, PurchaseStatus};
//!
//! let paid = |status: PurchaseStatus, fits| status.when_paid(|| Ok::<bool, ()>(fits));
//! assert_eq!(paid(PurchaseStatus::Pending, true), Ok(CompleteOutcome::Credited));
//! assert_eq!(paid(PurchaseStatus::Completed, true), Ok(CompleteOutcome::Unchanged), "once");
//! assert_eq!(paid(PurchaseStatus::Canceled, false), Ok(CompleteOutcome::OverCap), "to be refunded");
//!
//! // At most 1,000 bought and free entries in a month, and whoever claims on 28 days gets as many for free.
//! let today = CapRules::DEFAULT.date_at(DateTime::UNIX_EPOCH);
//! assert_eq!([0, 965, 1_000].map(|used| today.free_entries(used)), [36, 35, 0]);
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/pricing.rs`, then at [`PurchaseStatus`].

mod checks;
mod entry_cap;
mod gateway;
mod ids;
mod ledger_rows;
mod outcomes;
mod package;
mod ports;
mod purchase;
mod purchase_status;
mod reversal;

pub use checks::{check_delay, next_check};
pub use entry_cap::{CapDate, CapRules, CapSource, EntryCap, MonthEntries};
pub use gateway::{
    CreatedIntent, EventKind, Intent, IntentStatus, NewIntent, Payments, PaymentsError, ProviderEvent,
    WebhookError, Webhooks,
};
pub use ids::{CustomerId, DisputeId, IntentId, PackageId, PurchaseId, RefundId};
pub use outcomes::{BeginOutcome, CompleteOutcome, FreeOutcome};
pub use package::{EntryCount, NewPackage, Package, PackageText};
pub use ports::{FreeEntries, Packages, PricingSettings, PricingStore, ProviderEvents, Purchases};
pub use purchase::{NewPurchase, Purchase};
pub use purchase_status::PurchaseStatus;
pub use reversal::{
    DisputeStatus, EntryChange, RefundStatus, Reversal, Reversals, Reversed, ReversedEntries,
};
