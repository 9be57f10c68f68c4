//! Entry packages, purchases and their states, and the `Payments` gateway port (D7 to D9).
//!
//! Invariants: prices and entries are the server's own, as they were when the purchase began; a purchase is credited
//! exactly once, whoever comes first, and taken back at most once; what a purchase gave or took stands in the entry
//! ledger. Start reading at `tests/story.rs`, then at [`PurchaseStatus`].

mod gateway;
mod ids;
mod package;
mod ports;
mod purchase;

pub use gateway::{
    CreatedIntent, EventKind, Intent, IntentId, IntentStatus, NewIntent, Payments, PaymentsError,
    ProviderEvent, WebhookError, Webhooks,
};
pub use ids::{PackageId, PurchaseId};
pub use package::{EntryCount, NewPackage, Package, PackageText};
pub use ports::{Packages, PricingSettings, PricingStore, ProviderEvents, Purchases};
pub use purchase::{NewPurchase, Purchase, PurchaseStatus};
