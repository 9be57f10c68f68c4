use crate::{CompleteOutcome, EntryCount, IntentId, PackageId, PurchaseId};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, EventId, Money};

/// The status of a purchase.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum PurchaseStatus {
    /// The result of the payment is not known.
    Pending,
    /// It was paid, and its entries were credited.
    Completed,
    /// The payment was declined. It may still succeed with another card.
    Failed,
    /// The payment was canceled. Its entries no longer count toward the cap.
    Canceled,
    /// It was paid after it was canceled, when its entries no longer fitted under the cap. The payment is to be refunded.
    Refunding,
    /// The payment was refunded in full or lost in a dispute, and all its entries were taken back, or it never got any. A
    /// purchase that was refunded in part stays [`PurchaseStatus::Completed`].
    Refunded,
}

impl PurchaseStatus {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What becomes of a purchase with this status whose payment succeeded. A canceled one has released its entries: it is
    /// credited only if they still fit under the cap of the month in which it began, and otherwise the payment is refunded.
    ///
    /// # Errors
    /// Those of `fits`, which is called for a canceled one only.
    pub fn when_paid<E>(self, fits: impl FnOnce() -> Result<bool, E>) -> Result<CompleteOutcome, E> {
        match self {
            Self::Pending | Self::Failed => Ok(CompleteOutcome::Credited),
            Self::Canceled if fits()? => Ok(CompleteOutcome::Credited),
            Self::Canceled => Ok(CompleteOutcome::OverCap),
            Self::Completed | Self::Refunding | Self::Refunded => Ok(CompleteOutcome::Unchanged),
        }
    }

    /// Whether a purchase may change from this status to `next`. A payment that succeeds completes a failed or canceled
    /// purchase too. A refund is final.
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Pending | Self::Failed | Self::Canceled, Self::Completed)
                | (Self::Pending, Self::Failed | Self::Canceled)
                | (Self::Failed, Self::Canceled)
                | (Self::Canceled, Self::Refunding)
                | (Self::Completed | Self::Refunding, Self::Refunded)
        )
    }
}

/// A purchase to be added. It keeps these values when the package changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPurchase {
    /// The buyer.
    pub entrant: EntrantId,
    /// The package.
    pub package: PackageId,
    /// The price.
    pub price: Money,
    /// The number of entries.
    pub entries: EntryCount,
    /// The id by which the ads pixel counts it once.
    pub event_id: EventId,
    /// The time of the purchase.
    pub at: DateTime<Utc>,
}

/// A stored purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// The id.
    pub id: PurchaseId,
    /// The values that it was made with.
    pub sold: NewPurchase,
    /// The payment intent, once it was created and recorded.
    pub intent: Option<IntentId>,
    /// The status.
    pub status: PurchaseStatus,
}

impl Purchase {
    /// How long a purchase that is not paid stays open. Then its payment is canceled at the provider.
    pub const OPEN_FOR: TimeDelta = TimeDelta::hours(1);

    /// The most open purchases of one entrant (D7).
    pub const MOST_OPEN: u32 = 10;
}

#[cfg(test)]
mod tests {
    use super::*;
    use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded, Refunding};
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
            (Canceled, Refunding),
            (Completed, Refunded),
            (Refunding, Refunded),
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
    fn a_payment_that_succeeded_completes_what_is_open_and_a_canceled_purchase_that_still_fits() {
        use CompleteOutcome::{Credited, OverCap, Unchanged};
        let expected = [
            (Pending, Credited, Credited),
            (Failed, Credited, Credited),
            (Canceled, Credited, OverCap),
            (Completed, Unchanged, Unchanged),
            (Refunding, Unchanged, Unchanged),
            (Refunded, Unchanged, Unchanged),
        ];
        for (status, if_it_fits, if_not) in expected {
            assert_eq!(
                status.when_paid(|| Ok::<_, ()>(true)),
                Ok(if_it_fits),
                "{status:?}"
            );
            assert_eq!(status.when_paid(|| Ok::<_, ()>(false)), Ok(if_not), "{status:?}");
        }
    }

    #[test]
    fn names_match_rows_and_responses() {
        let names: Vec<_> = PurchaseStatus::iter().map(PurchaseStatus::as_str).collect();
        assert_eq!(
            names,
            [
                "pending",
                "completed",
                "failed",
                "canceled",
                "refunding",
                "refunded"
            ]
        );
    }
}
