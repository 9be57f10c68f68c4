use crate::{BeginOutcome, CapDate, CapUse, EntryCount, IntentId, PackageId, PurchaseId, PurchaseStatus};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, EventId, Money};

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

impl NewPurchase {
    /// Why it cannot begin, if it cannot: the buyer is flagged (D77), its entries do not fit under the cap of its date's
    /// month beside those that the buyer has used, or the buyer has too many open purchases already, which began at these times.
    pub fn refusal(
        &self,
        is_flagged: bool,
        day: CapDate,
        used: CapUse,
        open: impl IntoIterator<Item = DateTime<Utc>>,
        most_open: u32,
    ) -> Option<BeginOutcome> {
        if is_flagged {
            return Some(BeginOutcome::OnHold);
        }
        if !day.has_room(used, self.entries) {
            return Some(BeginOutcome::OverCap(day.room(used)));
        }
        Purchase::room_at(open, most_open, self.at).map(BeginOutcome::TooManyOpen)
    }
}

impl Purchase {
    /// How long a purchase that is not paid stays open. Then its payment is canceled at the provider.
    pub const OPEN_FOR: TimeDelta = TimeDelta::hours(1);

    /// The most open purchases of one entrant (D7).
    pub const MOST_OPEN: u32 = 10;

    /// When a purchase that began at this time is no longer open, unless it ended before.
    pub fn open_until(begun: DateTime<Utc>) -> DateTime<Utc> {
        begun + Self::OPEN_FOR
    }

    /// Whether it counts as open at a time.
    pub fn is_open_at(&self, now: DateTime<Utc>) -> bool {
        self.status.is_open() && Self::open_until(self.sold.at) > now
    }

    /// When there is room for one more open purchase beside those that began at these times: when the oldest of the
    /// `most_open` newest ones is no longer open. `None` if there is room now.
    fn room_at(
        open: impl IntoIterator<Item = DateTime<Utc>>,
        most_open: u32,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let ends = open.into_iter().map(Self::open_until);
        let mut ends: Vec<_> = ends.filter(|end| *end > now).collect();
        ends.sort_unstable();
        let last = ends.len().checked_sub(most_open as usize)?;
        ends.get(last).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntryCap;
    use PurchaseStatus::{Failed, Pending};
    use strum::IntoEnumIterator;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minute)
    }

    /// A purchase of 20 entries.
    fn twenty(minute: i64) -> NewPurchase {
        NewPurchase {
            entrant: EntrantId::new(1),
            package: PackageId::new(1),
            price: Money::from_cents(500).unwrap(),
            entries: EntryCount::new(20).unwrap(),
            event_id: EventId::parse("any").unwrap(),
            at: at(minute),
        }
    }

    #[test]
    fn a_purchase_begins_while_few_are_open_and_its_entries_fit() {
        use BeginOutcome::{OverCap, TooManyOpen};
        let day = CapDate::at(at(0), chrono_tz::Tz::UTC, EntryCap::DEFAULT);
        let open = [2, 0, 1].map(at);
        let refusal = |minute, had, most_open| {
            let used = CapUse { had, reserved: 0 };
            twenty(minute).refusal(false, day, used, open, most_open)
        };
        assert_eq!(refusal(3, 80, 4), None);
        assert_eq!(refusal(3, 81, 4), Some(OverCap(19)));
        assert_eq!(
            refusal(3, 0, 3),
            Some(TooManyOpen(at(60))),
            "the first ends after an hour"
        );
        assert_eq!(refusal(59, 0, 3), Some(TooManyOpen(at(60))));
        assert_eq!(refusal(60, 0, 3), None, "two are open");
        assert_eq!(
            refusal(3, 0, 2),
            Some(TooManyOpen(at(61))),
            "two have to end when two may be open"
        );
        assert_eq!(
            refusal(3, 81, 3),
            Some(OverCap(19)),
            "waiting would not make room for it"
        );
    }

    #[test]
    fn a_purchase_is_open_for_an_hour_unless_it_ends() {
        for status in PurchaseStatus::iter() {
            let purchase = Purchase {
                id: PurchaseId::new(1),
                sold: twenty(0),
                intent: None,
                status,
            };
            let may_be_paid = matches!(status, Pending | Failed);
            assert_eq!(purchase.is_open_at(at(59)), may_be_paid, "{status:?}");
            assert!(!purchase.is_open_at(at(60)), "{status:?}");
        }
    }
}
