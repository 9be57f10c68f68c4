use crate::{EntryCount, IntentId, PackageId, PurchaseId};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Money};

/// How far a purchase has come (D8).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum PurchaseStatus {
    /// The provider has not said how it ended.
    Pending,
    /// Paid, and its entries were given.
    Completed,
    /// Declined; it may still succeed with another card.
    Failed,
    /// Given up.
    Canceled,
    /// Paid back, and its entries were taken.
    Refunded,
}

impl PurchaseStatus {
    /// Its name in rows and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a purchase may go on from this status to that one. Success is the provider's word and comes through
    /// whatever we thought before, but nothing comes back from a refund.
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Pending | Self::Failed | Self::Canceled, Self::Completed)
                | (Self::Pending, Self::Failed | Self::Canceled)
                | (Self::Failed, Self::Canceled)
                | (Self::Completed, Self::Refunded)
        )
    }
}

/// A purchase about to begin: as sold, whatever becomes of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPurchase {
    /// Who buys.
    pub entrant: EntrantId,
    /// Which package.
    pub package: PackageId,
    /// What it costs.
    pub price: Money,
    /// How many entries it gives.
    pub entries: EntryCount,
    /// By which name browser and pixel report it once.
    pub event_id: EventId,
    /// When.
    pub at: DateTime<Utc>,
}

/// A purchase that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// Which.
    pub id: PurchaseId,
    /// As it began.
    pub sold: NewPurchase,
    /// The provider's name for the payment, once it has one.
    pub intent: Option<IntentId>,
    /// How far it has come.
    pub status: PurchaseStatus,
}

#[cfg(test)]
mod tests {
    use super::*;
    use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded};
    use strum::IntoEnumIterator;

    #[test]
    fn a_purchase_changes_its_status_only_as_allowed() {
        let allowed = [
            (Pending, Completed),
            (Pending, Failed),
            (Pending, Canceled),
            (Failed, Completed),
            (Failed, Canceled),
            (Canceled, Completed),
            (Completed, Refunded),
        ];
        for from in PurchaseStatus::iter() {
            for to in PurchaseStatus::iter() {
                assert_eq!(
                    from.may_become(to),
                    allowed.contains(&(from, to)),
                    "{from:?} to {to:?}"
                );
            }
        }
    }

    #[test]
    fn names_are_those_of_rows_and_answers() {
        let names: Vec<_> = PurchaseStatus::iter().map(PurchaseStatus::as_str).collect();
        assert_eq!(names, ["pending", "completed", "failed", "canceled", "refunded"]);
    }
}
