use crate::CompleteOutcome;
use strum::IntoEnumIterator;

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
    /// It was paid too late: after it was canceled, when its entries no longer fitted under the cap, or after the last drawing
    /// of its raffle was sealed. The payment is to be refunded.
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

    /// The names of the statuses that a rule holds for, for queries.
    pub fn names(rule: impl Fn(Self) -> bool) -> Vec<&'static str> {
        Self::iter()
            .filter(|status| rule(*status))
            .map(Self::as_str)
            .collect()
    }

    /// Whether the payment may still succeed without having been canceled.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Failed)
    }

    /// Whether the visitor paid, whatever became of the money.
    pub const fn is_paid(self) -> bool {
        matches!(self, Self::Completed | Self::Refunding | Self::Refunded)
    }

    /// Whether the provider is asked about a purchase with this status: its payment may succeed, or is to be refunded.
    pub const fn is_checked(self) -> bool {
        self.is_open() || matches!(self, Self::Refunding)
    }

    /// What becomes of a purchase with this status whose payment succeeded. If the buyer has moved to another raffle since it
    /// began, the payment is refunded: it was for the raffle of then. A canceled one has released its entries: it is credited
    /// only if they still fit under the cap of the month in which it began, and otherwise the payment is refunded.
    ///
    /// # Errors
    /// Those of `fits`, which is called for a canceled one only.
    pub fn when_paid<E>(
        self,
        has_moved: bool,
        fits: impl FnOnce() -> Result<bool, E>,
    ) -> Result<CompleteOutcome, E> {
        match self {
            Self::Pending | Self::Failed | Self::Canceled if has_moved => Ok(CompleteOutcome::Moved),
            Self::Pending | Self::Failed => Ok(CompleteOutcome::Credited),
            Self::Canceled if fits()? => Ok(CompleteOutcome::Credited),
            Self::Canceled => Ok(CompleteOutcome::OverCap),
            Self::Completed | Self::Refunding | Self::Refunded => Ok(CompleteOutcome::Unchanged),
        }
    }

    /// Whether a purchase with this status that is paid too late becomes [`PurchaseStatus::Refunding`].
    pub const fn may_be_refused(self) -> bool {
        self.may_become(Self::Refunding)
    }

    /// Whether a purchase with this status may end without payment as `next`: declined or canceled.
    pub const fn may_end_as(self, next: Self) -> bool {
        matches!(next, Self::Failed | Self::Canceled) && self.may_become(next)
    }

    /// Whether a purchase may change from this status to `next`. A payment that succeeds completes a failed or canceled
    /// purchase too. A refund can fail, and then the purchase is completed again.
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Pending | Self::Failed | Self::Canceled, Self::Completed)
                | (Self::Pending, Self::Failed | Self::Canceled)
                | (Self::Failed, Self::Canceled)
                | (Self::Pending | Self::Failed | Self::Canceled, Self::Refunding)
                | (Self::Completed | Self::Refunding, Self::Refunded)
                | (Self::Refunded, Self::Completed)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PurchaseStatus::{Canceled, Completed, Failed, Pending, Refunded, Refunding};

    #[test]
    fn a_purchase_changes_its_status_only_as_allowed() {
        let allowed = [
            (Pending, Completed),
            (Pending, Failed),
            (Pending, Canceled),
            (Pending, Refunding),
            (Failed, Completed),
            (Failed, Canceled),
            (Failed, Refunding),
            (Canceled, Completed),
            (Canceled, Refunding),
            (Completed, Refunded),
            (Refunding, Refunded),
            (Refunded, Completed),
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
    fn a_purchase_ends_without_payment_only_as_declined_or_canceled() {
        let allowed = [(Pending, Failed), (Pending, Canceled), (Failed, Canceled)];
        for from in PurchaseStatus::iter() {
            for to in PurchaseStatus::iter() {
                assert_eq!(
                    from.may_end_as(to),
                    allowed.contains(&(from, to)),
                    "{from:?} to {to:?}"
                );
            }
        }
    }

    #[test]
    fn the_provider_is_asked_until_the_payment_is_settled() {
        assert_eq!(
            PurchaseStatus::names(PurchaseStatus::is_checked),
            ["pending", "failed", "refunding"]
        );
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
            let when_paid = |fits| status.when_paid(false, || Ok::<_, ()>(fits));
            assert_eq!(when_paid(true), Ok(if_it_fits), "{status:?}");
            assert_eq!(when_paid(false), Ok(if_not), "{status:?}");
            let if_moved = match if_it_fits {
                Credited => CompleteOutcome::Moved,
                other => other,
            };
            assert_eq!(
                status.when_paid(true, || Ok::<_, ()>(true)),
                Ok(if_moved),
                "{status:?}"
            );
        }
    }

    #[test]
    fn names_match_rows_and_responses() {
        assert_eq!(
            PurchaseStatus::names(|_| true),
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
