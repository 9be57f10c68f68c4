use crate::{
    Dashboard, DateRange, Event, FlagOutcome, FlaggedEntrant, Funnel, FunnelFilter, NewFlag, NewStep, Trends,
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, PageRequest, StoreError};

/// Where events are stored.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Collection {
    /// Stores events in their order, all or nothing.
    ///
    /// The same session, page and referral code is one view, the same event id one share, and the same session, raffle
    /// and step one step, however often and by however many they are sent. Time is added to the newest view of its
    /// session and page; there is a new view only if there was none.
    fn collect(&mut self, events: &[Event]) -> Result<(), StoreError>;

    /// Stores one step, unless the session took it before.
    fn record_step(&mut self, step: &NewStep) -> Result<(), StoreError>;
}

/// How far every source of events can be folded: nothing at or before these rows is still being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settled {
    /// The last page view.
    pub page_views: i64,
    /// The last report of time.
    pub page_view_times: i64,
    /// The last share.
    pub social_shares: i64,
    /// The last step that is not folded yet.
    pub steps: i64,
    /// The last entrant.
    pub entrants: i64,
    /// The last referral.
    pub referrals: i64,
}

/// What a fold did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folded {
    /// Everything is in the roll-ups.
    All,
    /// Everything that was settled. Views may have made steps, which the next fold takes.
    AllButSteps,
    /// A part of what was settled; there is more.
    Part,
    /// Nothing, because somebody else is folding.
    Busy,
}

/// Figures kept up to date, so that screens need not count.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Rollups {
    /// Waits a moment for what is being written, and says how far all sources can be folded. `None` when that took too
    /// long. To be ended at once: nobody can write meanwhile.
    fn settle(&mut self) -> Result<Option<Settled>, StoreError>;

    /// Folds a bounded number of events that are not folded yet into the roll-ups, each exactly once.
    fn fold(&mut self, settled: &Settled, zone: Tz) -> Result<Folded, StoreError>;

    /// Counts everything that was folded again and says where a roll-up differs: nowhere, or something is broken. Takes
    /// as long as the tables are large. It keeps others from folding until the transaction ends, hence `&mut self`.
    fn differences(&mut self, zone: Tz) -> Result<Vec<String>, StoreError>;

    /// Makes the roll-ups anew from everything that is settled.
    fn rebuild(&mut self, settled: &Settled, zone: Tz) -> Result<(), StoreError>;
}

/// What screens read, from the roll-ups.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Figures {
    /// All at a glance. An address is suspicious from so many accounts on.
    fn dashboard(&self, accounts_per_address: u32) -> Result<Dashboard, StoreError>;

    /// How far sessions went.
    fn funnel(&self, filter: &FunnelFilter) -> Result<Funnel, StoreError>;

    /// Views and sign-ups by the hour.
    fn trends(&self, range: &DateRange) -> Result<Trends, StoreError>;
}

/// Who is kept out of drawings.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Flags {
    /// Flags an entrant.
    fn flag(&mut self, flag: &NewFlag) -> Result<FlagOutcome, StoreError>;

    /// Takes the flag of an entrant, whom detection leaves alone from then on.
    fn unflag(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<FlagOutcome, StoreError>;

    /// Flags every account on addresses with so many accounts, and says how many it flagged. Whom staff unflagged it
    /// leaves alone. Looks only at addresses that got accounts since it last looked.
    fn flag_suspicious(&mut self, accounts_per_address: u32, at: DateTime<Utc>) -> Result<i64, StoreError>;

    /// Who is flagged, newest flag first.
    fn list_flagged(&self, page: PageRequest) -> Result<Vec<FlaggedEntrant>, StoreError>;

    /// How many are flagged.
    fn count_flagged(&self) -> Result<i64, StoreError>;
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

/// What clearing referrals deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReferralCounts {
    /// Referrals.
    pub referrals: i64,
    /// Entries that were given for them.
    pub bonus_entries: i64,
}

/// Deleting what was collected (D13).
///
/// Every method fails with [`StoreError`] when the store does.
pub trait AnalyticsClearing {
    /// How much there is.
    fn count_analytics(&self) -> Result<AnalyticsCounts, StoreError>;

    /// Deletes page views, shares, funnel steps and their roll-ups, and says how much that was. Whoever writes one
    /// meanwhile waits.
    fn clear_analytics(&mut self) -> Result<AnalyticsCounts, StoreError>;
}

/// Deleting who brought whom (D13).
///
/// Every method fails with [`StoreError`] when the store does.
pub trait ReferralClearing {
    /// How much there is.
    fn count_referral_data(&self) -> Result<ReferralCounts, StoreError>;

    /// Deletes referrals and their roll-ups, and takes the entries that were given for them: counters and ledger
    /// together. Whoever enters meanwhile waits.
    fn clear_referrals(&mut self, at: DateTime<Utc>) -> Result<ReferralCounts, StoreError>;
}

/// All store ports of analytics. Every type that implements them implements this.
pub trait AnalyticsStore:
    Collection + Rollups + Figures + Flags + AnalyticsClearing + ReferralClearing
{
}

impl<T: Collection + Rollups + Figures + Flags + AnalyticsClearing + ReferralClearing> AnalyticsStore for T {}
