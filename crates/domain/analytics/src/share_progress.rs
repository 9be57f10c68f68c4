use crate::Platform;
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{EntrantId, EventId, StoreError};
use std::collections::BTreeMap;

/// The points of a date on which the link was shared on a platform for the first time.
const XP: i64 = 10;
/// The points of a level.
const XP_OF_LEVEL: i64 = 100;
/// The days in a row of [`Achievement::ThreeDayStreak`].
const STREAK: i64 = 3;
/// The friends of [`Achievement::FiveFriends`].
const FRIENDS: i64 = 5;

/// Something that an entrant has reached by sharing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Achievement {
    /// Shared once.
    FirstShare,
    /// Shared by mail and by text message.
    BothChannels,
    /// Shared on three days in a row.
    ThreeDayStreak,
    /// Five friends entered.
    FiveFriends,
}

impl Achievement {
    /// The name in answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// How far an entrant has come with sharing the link (D47). It grants no entries. Dates are those of the site's calendar.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShareProgress {
    /// The last date on which the link was shared on each platform.
    pub shared_on: BTreeMap<Platform, NaiveDate>,
    /// All shares.
    pub total: i64,
    /// The days in a row that end with the last share.
    pub streak: i64,
    /// The most days in a row so far.
    pub longest_streak: i64,
    /// The points: 10 for each platform and date.
    pub xp: i64,
    /// The client's id of the last share.
    pub last_event: Option<EventId>,
}

impl ShareProgress {
    /// Counts a share. One that is sent again counts once, and a date before the last one counts as the last one. Returns
    /// whether it counts.
    pub fn share(&mut self, platform: Platform, date: NaiveDate, event: Option<&EventId>) -> bool {
        if event.is_some() && event == self.last_event.as_ref() {
            return false;
        }
        let last = self.last_shared_on();
        let date = last.map_or(date, |last| last.max(date));
        if last != Some(date) {
            self.streak = if is_next(last, date) { self.streak + 1 } else { 1 };
            self.longest_streak = self.longest_streak.max(self.streak);
        }
        if self.shared_on.insert(platform, date) != Some(date) {
            self.xp += XP;
        }
        self.total += 1;
        self.last_event = event.cloned();
        true
    }

    /// The last date of all platforms.
    pub fn last_shared_on(&self) -> Option<NaiveDate> {
        self.shared_on.values().max().copied()
    }

    /// The platforms on which the link was shared, email first.
    pub fn platforms(&self) -> impl Iterator<Item = Platform> + '_ {
        self.shared_on.keys().copied()
    }

    /// The days in a row that still go on at this date: those that end with it or with the day before.
    pub fn streak_at(&self, date: NaiveDate) -> i64 {
        let last = self.last_shared_on();
        let goes_on = last.is_some_and(|last| last >= date) || is_next(last, date);
        if goes_on { self.streak } else { 0 }
    }

    /// The level: 1 more for each 100 points.
    pub const fn level(&self) -> i64 {
        1 + self.xp / XP_OF_LEVEL
    }

    /// What the entrant has reached, with this many friends who entered.
    pub fn achievements(&self, friends: i64) -> Vec<Achievement> {
        let reached = [
            (Achievement::FirstShare, self.total > 0),
            (
                Achievement::BothChannels,
                [Platform::Email, Platform::Sms]
                    .iter()
                    .all(|platform| self.shared_on.contains_key(platform)),
            ),
            (Achievement::ThreeDayStreak, self.longest_streak >= STREAK),
            (Achievement::FiveFriends, friends >= FRIENDS),
        ];
        let reached = reached.into_iter().filter(|(_, is_reached)| *is_reached);
        reached.map(|(achievement, _)| achievement).collect()
    }
}

fn is_next(last: Option<NaiveDate>, date: NaiveDate) -> bool {
    last.and_then(|last| last.succ_opt()) == Some(date)
}

/// How far entrants have come with sharing.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Sharing {
    /// The progress of an entrant; `None` for one who has not shared.
    fn find_share_progress(&self, entrant: EntrantId) -> Result<Option<ShareProgress>, StoreError>;

    /// As [`Sharing::find_share_progress`], and locks the entrant until the unit of work ends, so that shares are counted one
    /// after the other. An entrant who has not shared has the default. `None` if there is no such entrant.
    fn lock_share_progress(&mut self, entrant: EntrantId) -> Result<Option<ShareProgress>, StoreError>;

    /// Stores the progress of an entrant.
    fn save_share_progress(
        &mut self,
        entrant: EntrantId,
        progress: &ShareProgress,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use Platform::{Copy, Email, Sms, System};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn day(n: u64) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 2, 27).unwrap() + chrono::Days::new(n)
    }

    fn after(shares: &[(Platform, u64)]) -> ShareProgress {
        let mut progress = ShareProgress::default();
        for (platform, n) in shares {
            assert!(progress.share(*platform, day(*n), None));
        }
        progress
    }

    #[test]
    fn a_platform_earns_points_once_a_day() {
        let progress = after(&[(Email, 0), (Email, 0), (Sms, 0), (Email, 1)]);
        assert_eq!((progress.total, progress.xp, progress.level()), (4, 30, 1));
        let ten_days: Vec<_> = (0..10).map(|n| (Sms, n)).collect();
        assert_eq!((after(&ten_days).xp, after(&ten_days).level()), (100, 2));
    }

    #[test]
    fn a_streak_goes_on_the_day_after_and_ends_then() {
        let progress = after(&[(Email, 0), (Sms, 1), (Sms, 2)]); // over the end of February
        assert_eq!([2, 3, 4].map(|n| progress.streak_at(day(n))), [3, 3, 0]);
        let progress = after(&[(Email, 0), (Email, 1), (Email, 5)]);
        assert_eq!((progress.streak, progress.longest_streak), (1, 2));
        assert_eq!(ShareProgress::default().streak_at(day(0)), 0);
    }

    #[test]
    fn a_share_that_is_sent_again_counts_once() {
        let mut progress = ShareProgress::default();
        let id = EventId::parse("one").unwrap();
        assert!(progress.share(Email, day(0), Some(&id)));
        assert!(!progress.share(Email, day(1), Some(&id)));
        assert_eq!((progress.total, progress.streak), (1, 1));
    }

    #[test]
    fn a_clock_that_goes_back_changes_no_date() {
        let progress = after(&[(Email, 3), (Sms, 1)]);
        assert_eq!(progress.last_shared_on(), Some(day(3)));
        assert_eq!(
            (progress.streak, progress.shared_on.get(&Sms)),
            (1, Some(&day(3)))
        );
    }

    #[test]
    fn each_achievement_is_reached_by_its_own_rule() {
        use Achievement::{BothChannels, FirstShare, FiveFriends, ThreeDayStreak};
        assert_eq!(ShareProgress::default().achievements(4), []);
        assert_eq!(ShareProgress::default().achievements(5), [FiveFriends]);
        assert_eq!(after(&[(Sms, 0)]).achievements(0), [FirstShare]);
        assert_eq!(
            after(&[(Sms, 0), (Email, 9)]).achievements(0),
            [FirstShare, BothChannels]
        );
        assert_eq!(
            after(&[(Copy, 0), (Sms, 0), (System, 0)]).achievements(0),
            [FirstShare]
        );
        let streak = after(&[(Sms, 0), (Sms, 1), (Sms, 2), (Sms, 9)]);
        assert_eq!(streak.achievements(0), [FirstShare, ThreeDayStreak]);
        assert_eq!(ThreeDayStreak.as_str(), "three_day_streak");
    }

    proptest! {
        #[test]
        fn points_are_ten_for_each_platform_and_date(mut days in prop::collection::vec((any::<bool>(), 0u64..20), 1..60)) {
            days.sort_by_key(|(_, n)| *n);
            let shares: Vec<_> = days.iter().map(|(is_email, n)| (if *is_email { Email } else { Sms }, *n)).collect();
            let progress = after(&shares);
            let distinct: BTreeSet<_> = days.iter().collect();
            prop_assert_eq!(progress.xp, 10 * i64::try_from(distinct.len()).unwrap());
            prop_assert_eq!(progress.total, i64::try_from(days.len()).unwrap());
            prop_assert!(progress.streak >= 1 && progress.longest_streak >= progress.streak);
        }
    }
}
