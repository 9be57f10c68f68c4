use crate::{Dashboard, DateRange, Event, Funnel, FunnelFilter, NewStep, Sharing, Trends};
use chrono_tz::Tz;
use kernel::{EntrantId, StoreError};

/// The events of visitors.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Collection {
    /// Stores events in order, all or nothing.
    ///
    /// Events that are sent more than once are stored once: views by session, page and referral code, shares by event
    /// id, and steps by session, raffle and step. Time is added to the newest view of its session and page; if there is
    /// none, a view is added.
    fn collect(&mut self, events: &[Event]) -> Result<(), StoreError>;

    /// Stores one step, unless the session took it before.
    fn record_step(&mut self, step: &NewStep) -> Result<(), StoreError>;
}

/// Up to which row each source of events can be folded: no transaction is still writing a row at or before these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settled {
    /// The id of the last page view.
    pub page_views: i64,
    /// The id of the last report of time spent.
    pub page_view_times: i64,
    /// The id of the last share.
    pub social_shares: i64,
    /// The id of the last step that is not folded yet.
    pub steps: i64,
    /// The id of the last entrant.
    pub entrants: i64,
    /// The id of the last referral.
    pub referrals: i64,
}

/// The result of [`Rollups::settle_new`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settling {
    /// New events can be folded.
    Settled(Settled),
    /// There are no new events.
    UpToDate,
    /// Another fold runs, or the writers took too long.
    Busy,
}

/// The result of a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Folded {
    /// All settled events are folded.
    All,
    /// All settled events are folded, but folding views may have added steps, which the next fold takes.
    AllButSteps,
    /// Some of the settled events are folded.
    Part,
    /// Nothing is folded, because another transaction is folding.
    Busy,
}

/// The roll-ups: sums of events that are kept up to date, so that screens need not count.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Rollups {
    /// Waits a moment for running writers, and returns up to which rows all sources can be folded. `None` when the
    /// writers took too long. No event can be written until the transaction ends, so it must end at once.
    fn settle(&mut self) -> Result<Option<Settled>, StoreError>;

    /// [`Rollups::settle`] for a caller that folds often: writers wait only if no other fold runs and there are new events.
    fn settle_new(&mut self) -> Result<Settling, StoreError>;

    /// Waits until no other transaction folds. No other one can fold until this one ends.
    fn wait_for_turn(&mut self) -> Result<(), StoreError>;

    /// Folds a bounded number of events that are not folded yet into the roll-ups, each exactly once.
    fn fold(&mut self, settled: &Settled, zone: Tz) -> Result<Folded, StoreError>;

    /// Counts all folded events again and returns the differences from the roll-ups. There are none unless there is a
    /// bug. The time grows with the tables. It locks out other folds until the transaction ends, hence `&mut self`.
    fn differences(&mut self, zone: Tz) -> Result<Vec<String>, StoreError>;

    /// Replaces the roll-ups by the counts of all settled events.
    fn rebuild(&mut self, settled: &Settled, zone: Tz) -> Result<(), StoreError>;
}

/// The figures of the console, read from the roll-ups.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Figures {
    /// The dashboard. A network is suspicious if it has at least this many accounts.
    fn dashboard(&self, accounts_per_network: u32) -> Result<Dashboard, StoreError>;

    /// The funnel.
    fn funnel(&self, filter: &FunnelFilter) -> Result<Funnel, StoreError>;

    /// Views and sign-ups by hour.
    fn trends(&self, range: &DateRange) -> Result<Trends, StoreError>;
}

/// Rows that clearing analytics deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnalyticsCounts {
    /// Page views.
    pub page_views: i64,
    /// Shares.
    pub social_shares: i64,
    /// Steps of the funnel.
    pub funnel_steps: i64,
}

/// Rows and entries that clearing referrals deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReferralCounts {
    /// Referrals.
    pub referrals: i64,
    /// The entries that were given for them.
    pub bonus_entries: i64,
}

/// Deletes analytics.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait AnalyticsClearing {
    /// The number of stored rows.
    fn count_analytics(&self) -> Result<AnalyticsCounts, StoreError>;

    /// Deletes page views, shares, funnel steps and their roll-ups. Returns the number of deleted rows.
    ///
    /// Writers wait until the transaction ends, so it must end soon. `None` when other work held the rows for too long:
    /// then the transaction must end without another statement.
    fn clear_analytics(&mut self) -> Result<Option<AnalyticsCounts>, StoreError>;
}

/// Where clearing referrals has come. The entries of later friends are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferralCut {
    /// The last row of the ledger when the referrals were deleted.
    pub last_row: i64,
    /// The number of the clearing in the ledger.
    pub clearing: i64,
    /// The last entrant whose entries were taken back. 0 before the first.
    pub after: EntrantId,
}

/// Deletes referrals.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait ReferralClearing {
    /// The number of stored rows, and of the entries that were given for them.
    fn count_referral_data(&self) -> Result<ReferralCounts, StoreError>;

    /// Deletes all referrals and their roll-ups. Returns their number, and the cut from which
    /// [`ReferralClearing::take_referral_entries`] begins.
    ///
    /// New entrants wait until the transaction ends, so it must end soon. `None` when other work held the rows for too
    /// long: then the transaction must end without another statement.
    fn cut_referrals(&mut self) -> Result<Option<(i64, ReferralCut)>, StoreError>;

    /// Takes back the entries that the next entrants, at most `limit`, got for referrals before the cut: counters and
    /// ledger together. Moves the cut. Returns the number of entries, or `None` after the last entrant.
    fn take_referral_entries(&mut self, cut: &mut ReferralCut, limit: u32)
    -> Result<Option<i64>, StoreError>;
}

/// All store ports of analytics. Every type that implements them implements this.
pub trait AnalyticsStore:
    Collection + Sharing + Rollups + Figures + AnalyticsClearing + ReferralClearing
{
}

impl<T> AnalyticsStore for T where
    T: Collection + Sharing + Rollups + Figures + AnalyticsClearing + ReferralClearing
{
}
