use crate::PurchaseId;
use chrono::{DateTime, Utc};

/// What became of a purchase that was to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeginOutcome {
    /// It was added.
    Begun(PurchaseId),
    /// There is no such entrant.
    UnknownEntrant,
    /// The entrant is flagged: the entries would not count.
    OnHold,
    /// The entrant has too many open purchases. From this time on there is room for one.
    TooManyOpen(DateTime<Utc>),
    /// Its entries do not fit under the cap. So many still do.
    OverCap(i64),
}

/// What became of a purchase that was paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompleteOutcome {
    /// Its entries were credited now.
    Credited,
    /// It had been canceled, and its entries no longer fit under the cap: it is [`crate::PurchaseStatus::Refunding`] now.
    OverCap,
    /// The buyer has moved to another raffle since it began: it is [`crate::PurchaseStatus::Refunding`] now.
    Moved,
    /// It was credited or refused before, or there is no such purchase.
    Unchanged,
}

/// What became of a claim of free entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreeOutcome {
    /// So many entries were given.
    Given(i64),
    /// The entrant has claimed on this date before.
    AlreadyClaimed,
    /// Nothing fits under the cap.
    OverCap,
    /// There is no such entrant.
    UnknownEntrant,
    /// The entrant is flagged: the entries would not count.
    OnHold,
}
