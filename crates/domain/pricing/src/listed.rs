//! The purchases as staff see them: a list, and what was sold.

use crate::{EntryCount, IntentId, PackageId, PurchaseId, PurchaseStatus};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, Money, PageRequest, Phone, StoreError};
use raffle::RaffleKey;
use std::collections::BTreeMap;

/// How far a purchase is, as staff see it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum PurchaseState {
    /// It was paid.
    Paid,
    /// A part of the price went back.
    PartlyRefunded,
    /// The whole price went back, or is about to.
    Refunded,
    /// The bank of the buyer asks about it, or disputes it.
    Disputed,
    /// It is not paid yet.
    Waiting,
    /// It was never paid.
    Canceled,
}

impl PurchaseState {
    /// The state of a purchase with this status, of whose price `returned` cents went back. `is_disputed`: an inquiry or a dispute
    /// of it is not decided.
    pub const fn of(status: PurchaseStatus, returned: i64, is_disputed: bool) -> Self {
        match status {
            PurchaseStatus::Pending | PurchaseStatus::Failed => Self::Waiting,
            PurchaseStatus::Canceled => Self::Canceled,
            PurchaseStatus::Refunding | PurchaseStatus::Refunded => Self::Refunded,
            PurchaseStatus::Completed if is_disputed => Self::Disputed,
            PurchaseStatus::Completed if returned > 0 => Self::PartlyRefunded,
            PurchaseStatus::Completed => Self::Paid,
        }
    }
}

/// A purchase with what staff see beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPurchase {
    /// The id.
    pub id: PurchaseId,
    /// The buyer.
    pub entrant: EntrantId,
    /// The buyer's number; `None` once it was erased.
    pub phone: Option<Phone>,
    /// The raffle that the buyer was in when it began.
    pub raffle: RaffleKey,
    /// What was bought.
    pub package: PackageId,
    /// The entries of the package.
    pub entries: EntryCount,
    /// The price.
    pub price: Money,
    /// How much of the price went back, in cents.
    pub returned: i64,
    /// How far it is.
    pub state: PurchaseState,
    /// The payment at the provider, once there is one.
    pub intent: Option<IntentId>,
    /// When it began.
    pub begun_at: DateTime<Utc>,
    /// When it was paid.
    pub paid_at: Option<DateTime<Utc>>,
}

/// Whose purchase, or which one, is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurchaseSearch {
    /// Those of these entrants.
    Buyers(Vec<EntrantId>),
    /// The one with this payment.
    Payment(IntentId),
}

/// Which purchases to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PurchaseFilter {
    /// Only those in this state.
    pub state: Option<PurchaseState>,
    /// Only those of this raffle.
    pub raffle: Option<RaffleKey>,
    /// Only those that are looked for.
    pub search: Option<PurchaseSearch>,
    /// Only those that were paid at this moment or later.
    pub paid_from: Option<DateTime<Utc>>,
    /// Only those that were paid before this moment.
    pub paid_until: Option<DateTime<Utc>>,
    /// Only those after this one, in the order of the list.
    pub after: Option<PurchaseId>,
}

/// How many purchases were paid, and their money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sold {
    /// How many purchases.
    pub purchases: i64,
    /// The sum of their prices, in cents.
    pub gross: i64,
    /// How much of it went back, in cents.
    pub returned: i64,
}

impl Sold {
    /// What is left after refunds and lost disputes, in cents.
    pub const fn net(self) -> i64 {
        self.gross - self.returned
    }

    const fn and(self, more: Self) -> Self {
        Self {
            purchases: self.purchases + more.purchases,
            gross: self.gross + more.gross,
            returned: self.returned + more.returned,
        }
    }
}

/// What was sold of a package in a raffle in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoldLine {
    /// The first day of the month in which it was paid, by the site's calendar.
    pub month: NaiveDate,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The package.
    pub package: PackageId,
    /// How much.
    pub sold: Sold,
}

/// What was sold, in all and apart. What went back counts in the month of the purchase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sales {
    /// In all.
    pub total: Sold,
    /// By the first day of the month, the oldest first.
    pub by_month: BTreeMap<NaiveDate, Sold>,
    /// By raffle.
    pub by_raffle: BTreeMap<RaffleKey, Sold>,
    /// By package.
    pub by_package: BTreeMap<PackageId, Sold>,
}

impl Sales {
    /// The sums of these lines.
    pub fn of(lines: impl IntoIterator<Item = SoldLine>) -> Self {
        let mut all = Self::default();
        for line in lines {
            let parts = [
                &mut all.total,
                all.by_month.entry(line.month).or_default(),
                all.by_raffle.entry(line.raffle).or_default(),
                all.by_package.entry(line.package).or_default(),
            ];
            for part in parts {
                *part = part.and(line.sold);
            }
        }
        all
    }
}

/// The purchases for staff.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait PurchaseList {
    /// A page of the purchases that match, the newest first.
    fn list_purchases(
        &self,
        filter: &PurchaseFilter,
        page: PageRequest,
    ) -> Result<Vec<ListedPurchase>, StoreError>;

    /// The number of purchases that match, but at most `most`: nobody waits for a count of millions.
    fn count_purchases(&self, filter: &PurchaseFilter, most: u32) -> Result<i64, StoreError>;

    /// What was paid from one moment until before another, by month of this time zone, raffle and package. In no order.
    fn sold(
        &self,
        from: Option<DateTime<Utc>>,
        until: Option<DateTime<Utc>>,
        zone: Tz,
    ) -> Result<Vec<SoldLine>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn a_state_says_where_the_money_is() {
        use PurchaseState as State;
        use PurchaseStatus as Status;
        for is_disputed in [false, true] {
            assert_eq!(State::of(Status::Pending, 0, is_disputed), State::Waiting);
            assert_eq!(State::of(Status::Failed, 0, is_disputed), State::Waiting);
            assert_eq!(State::of(Status::Canceled, 0, is_disputed), State::Canceled);
            assert_eq!(State::of(Status::Refunding, 100, is_disputed), State::Refunded);
            assert_eq!(State::of(Status::Refunded, 100, is_disputed), State::Refunded);
        }
        assert_eq!(State::of(Status::Completed, 0, false), State::Paid);
        assert_eq!(State::of(Status::Completed, 1, false), State::PartlyRefunded);
        assert_eq!(State::of(Status::Completed, 0, true), State::Disputed);
        assert_eq!(State::of(Status::Completed, 1, true), State::Disputed);
        assert_eq!(State::iter().count(), 6);
    }

    #[test]
    fn what_was_sold_adds_up_in_each_way() {
        let line = |month, raffle: &str, package, purchases| SoldLine {
            month: NaiveDate::from_ymd_opt(2026, month, 1).unwrap(),
            raffle: raffle.parse().unwrap(),
            package: PackageId::new(package),
            sold: Sold {
                purchases,
                gross: purchases * 500,
                returned: purchases * 10,
            },
        };
        let sales = Sales::of([
            line(11, "bag", 1, 1),
            line(12, "bag", 2, 2),
            line(12, "kit", 1, 4),
        ]);
        assert_eq!(
            (sales.total.purchases, sales.total.gross, sales.total.net()),
            (7, 3500, 3430)
        );
        let counts = |sold: Vec<&Sold>| sold.into_iter().map(|sold| sold.purchases).collect::<Vec<_>>();
        assert_eq!(counts(sales.by_month.values().collect()), [1, 6]);
        assert_eq!(counts(sales.by_raffle.values().collect()), [3, 4]);
        assert_eq!(counts(sales.by_package.values().collect()), [5, 2]);
        assert_eq!(Sales::of([]), Sales::default());
    }
}
