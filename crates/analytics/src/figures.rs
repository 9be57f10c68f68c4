//! What staff read (D11).

use crate::{Scope, StepName};
use chrono::{DateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, Phone, Raffle, ReferralCode};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The start of the hour in which this is, by the zone's clocks.
pub fn hour_of(at: DateTime<Utc>, zone: Tz) -> DateTime<Utc> {
    let local = at.with_timezone(&zone);
    let past = TimeDelta::minutes(local.minute().into())
        + TimeDelta::seconds(local.second().into())
        + TimeDelta::nanoseconds(local.nanosecond().into());
    at - past
}

/// From an instant until before another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    /// The first instant.
    pub from: DateTime<Utc>,
    /// The first instant after it.
    pub until: DateTime<Utc>,
}

/// All at a glance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dashboard {
    /// Views of any page.
    pub total_page_views: i64,
    /// The four raffles in their order.
    pub raffles: Vec<RaffleStats>,
    /// Codes by what they brought, most signups first.
    pub referral_funnel: Vec<ReferralFunnelRow>,
    /// How soon and how often people bring friends.
    pub referral_velocity: ReferralVelocity,
    /// Who brought most friends.
    pub top_referrers: Vec<TopReferrer>,
    /// Addresses with many accounts, most accounts first.
    pub suspicious: Vec<SuspiciousAddress>,
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

/// One number over another, 0 when there is nothing to divide by.
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
    /// Which raffle.
    pub raffle: Raffle,
    /// Its entrants.
    pub users: i64,
    /// Friends whom its entrants brought.
    pub referrals: i64,
    /// Views of its sign-up page.
    pub page_views: i64,
}

/// What a referral code brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferralFunnelRow {
    /// Which code.
    pub referral_code: ReferralCode,
    /// Views that carried it.
    pub views: i64,
    /// Credited referrals, which is also how many entered through it.
    pub referrals: i64,
    /// Times it was shared.
    pub shares: i64,
    /// Of those who entered through it, how many bought something.
    pub conversions: i64,
}

/// How soon and how often people bring friends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReferralVelocity {
    /// People who brought somebody.
    pub referrers: i64,
    /// Milliseconds from entering to the first friend, of all referrers together.
    pub first_referral: i64,
}

impl ReferralVelocity {
    /// Seconds from entering to the first friend, over referrers only.
    pub fn average_seconds(self) -> f64 {
        ratio(self.first_referral, self.referrers) / 1000.0
    }
}

impl Dashboard {
    /// Friends per entrant.
    pub fn average_referrals(&self) -> f64 {
        ratio(self.total_referrals(), self.total_users())
    }
}

/// Somebody who brought many friends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopReferrer {
    /// Their code.
    pub referral_code: ReferralCode,
    /// Their phone number.
    pub phone: Phone,
    /// How many friends.
    pub count: i64,
}

/// An address with many accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuspiciousAddress {
    /// Which address.
    pub address: IpAddr,
    /// How many entered from there.
    pub accounts: i64,
    /// The newest of them.
    pub newest: Option<EntrantId>,
    /// Whether that one is flagged.
    pub flagged: bool,
}

/// Which part of the funnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FunnelFilter {
    /// Whose pages.
    pub scope: Scope,
    /// Sessions that began in this range.
    pub range: Option<DateRange>,
}

/// How far sessions went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Funnel {
    /// Sessions.
    pub sessions: i64,
    /// Milliseconds on pages, of all sessions together.
    pub time_spent: i64,
    /// What happened at each step that occurred.
    pub steps: BTreeMap<StepName, StepFigures>,
}

impl Funnel {
    /// Seconds on pages, for each session.
    pub fn average_seconds(&self) -> f64 {
        ratio(self.time_spent, self.sessions) / 1000.0
    }
}

/// What happened at one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepFigures {
    /// Sessions that took it.
    pub count: i64,
    /// Sessions whose last step it was.
    pub exits: i64,
}

/// Figures over time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trends {
    /// Hours in which anything happened.
    pub rows: Vec<TrendsRow>,
    /// How soon people bring their first friend, of all time.
    pub velocity: Vec<Velocity>,
}

/// A raffle's hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrendsRow {
    /// When it began.
    pub hour: DateTime<Utc>,
    /// Which raffle.
    pub raffle: Raffle,
    /// Views of its sign-up page.
    pub views: i64,
    /// People who entered.
    pub sign_ups: i64,
}

/// How many brought their first friend within a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Velocity {
    /// Seconds, as in [`REFERRAL_DELAYS`]; none for all that took longer.
    pub under: Option<i64>,
    /// How many referrers.
    pub referrers: i64,
}

/// Where the histogram of first referrals is cut, in seconds: a minute, ten, an hour, six, a day, a week.
pub const REFERRAL_DELAYS: [i64; 6] = [60, 600, 3_600, 21_600, 86_400, 604_800];

/// Which part of the histogram a delay of so many milliseconds belongs to, from 0.
pub fn delay_bucket(milliseconds: i64) -> usize {
    REFERRAL_DELAYS
        .iter()
        .take_while(|seconds| milliseconds >= **seconds * 1000)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_begin_by_the_zones_clocks() {
        let at: DateTime<Utc> = "2025-08-01T12:47:31.5Z".parse().unwrap();
        let hour = |zone: Tz| hour_of(at, zone).to_rfc3339();
        assert_eq!(hour(Tz::UTC), "2025-08-01T12:00:00+00:00");
        assert_eq!(hour(Tz::Asia__Kolkata), "2025-08-01T12:30:00+00:00");
        assert_eq!(hour(Tz::Asia__Kathmandu), "2025-08-01T12:15:00+00:00");
    }

    #[test]
    fn nothing_over_nothing_is_0() {
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
            raffles: vec![stats(Raffle::GardenBag, 7, 2), stats(Raffle::FreshSips, 3, 1)],
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
    fn delays_fall_into_their_part() {
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
