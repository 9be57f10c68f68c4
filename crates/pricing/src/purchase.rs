use crate::{EntryCount, IntentId, PackageId, PurchaseId};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Money};

/// How far a purchase has come (D8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Completed,
        Self::Failed,
        Self::Canceled,
        Self::Refunded,
    ];

    /// Its name in rows and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Refunded => "refunded",
        }
    }

    /// The status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
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

    #[test]
    fn a_purchase_goes_on_only_as_decided() {
        let allowed = [
            (Pending, Completed),
            (Pending, Failed),
            (Pending, Canceled),
            (Failed, Completed),
            (Failed, Canceled),
            (Canceled, Completed),
            (Completed, Refunded),
        ];
        for from in PurchaseStatus::ALL {
            for to in PurchaseStatus::ALL {
                assert_eq!(
                    from.may_become(to),
                    allowed.contains(&(from, to)),
                    "{from:?} to {to:?}"
                );
            }
        }
    }

    #[test]
    fn every_status_is_found_by_its_name() {
        for status in PurchaseStatus::ALL {
            assert_eq!(PurchaseStatus::from_name(status.name()), Some(status));
        }
        assert_eq!(PurchaseStatus::from_name("Pending"), None);
    }
}
