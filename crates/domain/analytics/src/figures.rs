//! The figures of the console (D11).

use crate::StepName;
use chrono::{DateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, Network, Phone, ReferralCode};
use raffle::RaffleKey;
use std::collections::BTreeMap;

/// The figures of one raffle, or of all pages together (`None`).
pub type Scope = Option<RaffleKey>;

/// The start of the hour that contains `at`, in the time zone.
pub fn hour_of(at: DateTime<Utc>, zone: Tz) -> DateTime<Utc> {
    let local = at.with_timezone(&zone);
    let past = TimeDelta::minutes(local.minute().into())
        + TimeDelta::seconds(local.second().into())
        + TimeDelta::nanoseconds(local.nanosecond().into());
    at - past
}

/// A range of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    /// The start, inclusive.
    pub from: DateTime<Utc>,
    /// The end, exclusive.
    pub until: DateTime<Utc>,
}

/// The dashboard.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dashboard {
    /// Views of any page.
    pub total_page_views: i64,
    /// The raffles that were ever open, in their order.
    pub raffles: Vec<RaffleStats>,
    /// Referral codes with their figures, most sign-ups first.
    pub referral_funnel: Vec<ReferralFunnelRow>,
    /// How soon and how often entrants refer friends.
    pub referral_velocity: ReferralVelocity,
    /// The entrants who referred the most friends.
    pub top_referrers: Vec<TopReferrer>,
    /// Networks with many accounts, most accounts first.
    pub suspicious: Vec<SuspiciousNetwork>,
}

impl Dashboard {
    /// How many rows each list has at most.
    pub const ROWS: u32 = 50;

    /// Entrants of all raffles.
    pub fn total_users(&self) -> i64 {
        self.raffles.iter().map(|page| page.users).sum()
    }

    /// Credited referrals of all raffles.
    pub fn total_referrals(&self) -> i64 {
        self.raffles.iter().map(|page| page.referrals).sum()
    }

    /// Entrants per hundred views; 0 without views.
    pub fn conversion_rate(&self) -> f64 {
        ratio(self.total_users(), self.total_page_views) * 100.0
    }
}

/// `part` divided by `whole`, or 0 if `whole` is 0.
fn ratio(part: i64, whole: i64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// A raffle's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaffleStats {
    /// The raffle.
    pub raffle: RaffleKey,
    /// The number of its entrants.
    pub users: i64,
    /// Friends whom its entrants referred.
    pub referrals: i64,
    /// Views of its sign-up page.
    pub page_views: i64,
}

/// The figures of a referral code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferralFunnelRow {
    /// The code.
    pub referral_code: ReferralCode,
    /// Page views with the code.
    pub views: i64,
    /// Credited referrals, which is also the number of sign-ups with the code.
    pub referrals: i64,
    /// How often the code was shared.
    pub shares: i64,
    /// How many of the sign-ups bought something.
    pub conversions: i64,
}

/// How soon and how often entrants refer friends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReferralVelocity {
    /// Entrants who referred at least one friend.
    pub referrers: i64,
    /// Milliseconds from entering to the first referral, summed over all referrers.
    pub first_referral: i64,
}

impl ReferralVelocity {
    /// Average seconds from entering to the first referral, over referrers only.
    pub fn average_seconds(self) -> f64 {
        ratio(self.first_referral, self.referrers) / 1000.0
    }
}

impl Dashboard {
    /// Average number of referrals per entrant.
    pub fn average_referrals(&self) -> f64 {
        ratio(self.total_referrals(), self.total_users())
    }
}

/// An entrant who referred many friends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopReferrer {
    /// The entrant's referral code.
    pub referral_code: ReferralCode,
    /// The entrant's phone number.
    pub phone: Phone,
    /// The number of referrals.
    pub count: i64,
}

/// A network with many accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuspiciousNetwork {
    /// The network.
    pub network: Network,
    /// The number of entrants on it.
    pub accounts: i64,
    /// The newest of them who is neither flagged nor was cleared by staff.
    pub newest_open: Option<EntrantId>,
}

impl SuspiciousNetwork {
    /// Whether each of its accounts is flagged or was cleared by staff.
    pub const fn is_flagged(&self) -> bool {
        self.newest_open.is_none()
    }
}

/// The sessions that a funnel counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FunnelFilter {
    /// The pages that count.
    pub scope: Scope,
    /// Only sessions that began in this range.
    pub range: Option<DateRange>,
}

/// The funnel: how many sessions reached each step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Funnel {
    /// The number of sessions.
    pub sessions: i64,
    /// Milliseconds on pages, summed over all sessions.
    pub time_spent: i64,
    /// The figures of each step that occurred.
    pub steps: BTreeMap<StepName, StepFigures>,
}

impl Funnel {
    /// Average seconds on pages per session.
    pub fn average_seconds(&self) -> f64 {
        ratio(self.time_spent, self.sessions) / 1000.0
    }
}

/// The figures of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepFigures {
    /// Sessions that reached the step.
    pub count: i64,
    /// Sessions that ended at the step.
    pub exits: i64,
}

/// Figures over time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trends {
    /// The hours with views or sign-ups, for each raffle.
    pub rows: Vec<TrendsRow>,
    /// The raffles that were ever open, in their order.
    pub raffles: Vec<RaffleKey>,
    /// How soon entrants refer their first friend, over all time.
    pub velocity: Vec<Velocity>,
}

/// The figures of a raffle in one hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendsRow {
    /// The start of the hour.
    pub hour: DateTime<Utc>,
    /// The raffle.
    pub raffle: RaffleKey,
    /// Views of its sign-up page.
    pub views: i64,
    /// New entrants.
    pub sign_ups: i64,
}

/// How many entrants referred their first friend within a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Velocity {
    /// The upper limit in seconds, as in [`REFERRAL_DELAYS`]; `None` for all that took longer.
    pub under: Option<i64>,
    /// The number of entrants.
    pub referrers: i64,
}

/// The limits of the buckets in the histogram of first referrals, in seconds: 1 minute, 10 minutes, 1 hour, 6 hours,
/// 1 day and 1 week.
pub const REFERRAL_DELAYS: [i64; 6] = [60, 600, 3_600, 21_600, 86_400, 604_800];

/// The bucket of the histogram for a delay in milliseconds, from 0.
pub fn delay_bucket(milliseconds: i64) -> usize {
    REFERRAL_DELAYS
        .iter()
        .take_while(|seconds| milliseconds >= **seconds * 1000)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};

    #[test]
    fn hours_begin_in_the_time_zone() {
        let at: DateTime<Utc> = "2025-08-01T12:47:31.5Z".parse().unwrap();
        let hour = |zone: Tz| hour_of(at, zone).to_rfc3339();
        assert_eq!(hour(Tz::UTC), "2025-08-01T12:00:00+00:00");
        assert_eq!(hour(Tz::Asia__Kolkata), "2025-08-01T12:30:00+00:00");
        assert_eq!(hour(Tz::Asia__Kathmandu), "2025-08-01T12:15:00+00:00");
    }

    #[test]
    fn ratios_of_empty_figures_are_0() {
        let empty = Dashboard::default();
        assert_eq!((empty.conversion_rate(), empty.average_referrals()), (0.0, 0.0));
        assert_eq!(empty.referral_velocity.average_seconds(), 0.0);
        assert_eq!(Funnel::default().average_seconds(), 0.0);
    }

    #[test]
    fn a_dashboard_sums_its_raffles() {
        let stats = |raffle, users, referrals| RaffleStats {
            raffle,
            users,
            referrals,
            page_views: 0,
        };
        let dashboard = Dashboard {
            total_page_views: 40,
            raffles: vec![stats(GARDEN_BAG, 7, 2), stats(FRESH_SIPS, 3, 1)],
            ..Dashboard::default()
        };
        assert_eq!((dashboard.total_users(), dashboard.total_referrals()), (10, 3));
        assert_eq!(dashboard.conversion_rate(), 25.0);
        assert_eq!(dashboard.average_referrals(), 0.3);
    }

    #[test]
    fn averages_are_in_seconds() {
        let velocity = ReferralVelocity {
            referrers: 4,
            first_referral: 10_000,
        };
        assert_eq!(velocity.average_seconds(), 2.5);
        let funnel = Funnel {
            sessions: 3,
            time_spent: 4_500,
            ..Funnel::default()
        };
        assert_eq!(funnel.average_seconds(), 1.5);
    }

    #[test]
    fn delays_belong_to_buckets() {
        let cases = [
            (0, 0),
            (59_999, 0),
            (60_000, 1),
            (3_599_999, 2),
            (604_799_999, 5),
            (604_800_000, 6),
        ];
        for (milliseconds, bucket) in cases {
            assert_eq!(delay_bucket(milliseconds), bucket, "{milliseconds}");
        }
    }
}
