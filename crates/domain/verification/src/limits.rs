//! How many codes are sent (D37).
//!
//! A number, a network and a dialing prefix each have a limit. Whoever wants to use up somebody else's share must not be
//! able to: the last code of a number's day, and three quarters of a prefix, are out of reach for any one network.

use chrono::{DateTime, TimeDelta, Utc};

/// Codes to one number in a minute.
pub const PER_MINUTE: usize = 1;
/// Codes to one number in ten minutes.
pub const PER_TEN_MINUTES: usize = 3;
/// Codes to one number in 24 hours.
pub const PER_DAY: usize = 5;
/// Codes to one number in 24 hours that one network may ask for. The last code of the day is left for another network, so
/// that nobody can use up a stranger's codes.
pub const PER_DAY_AND_NETWORK: usize = 4;
/// Codes that one network, an IPv4 address or an IPv6 /64, may ask for in a minute: as many as sign-ups.
pub const PER_NETWORK_AND_MINUTE: usize = 30;
/// Sign-ups of one dialing prefix in an hour that were not completed.
pub const PER_PREFIX_AND_HOUR: usize = 20;
/// Those of one network: a quarter, so that nobody alone can keep ten thousand neighbors from entering.
pub const PER_PREFIX_NETWORK_AND_HOUR: usize = 5;

/// A code that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentCode {
    /// When it was queued.
    pub at: DateTime<Utc>,
    /// Whether the network of this request asked for it.
    pub same_network: bool,
}

/// A sign-up that was not completed.
pub type Unfinished = SentCode;

/// What was sent and begun before a request for a code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// The codes to this number in the last 24 hours.
    pub number: Vec<SentCode>,
    /// When this network asked for codes in the last minute; empty when it is unknown.
    pub network: Vec<DateTime<Utc>>,
    /// The unfinished sign-ups of this dialing prefix in the last hour; empty for another code of the same sign-up.
    pub prefix: Vec<Unfinished>,
}

impl Usage {
    /// How long to wait until every limit lets another code through; `None` if they do so now.
    pub fn wait(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        let all = |sent: &[SentCode]| sent.iter().map(|sent| sent.at).collect::<Vec<_>>();
        let own = |sent: &[SentCode]| {
            let own = sent.iter().filter(|sent| sent.same_network);
            own.map(|sent| sent.at).collect::<Vec<_>>()
        };
        let (minute, hour, day) = (TimeDelta::minutes(1), TimeDelta::hours(1), TimeDelta::days(1));
        let waits = [
            wait(all(&self.number), PER_MINUTE, minute, now),
            wait(all(&self.number), PER_TEN_MINUTES, TimeDelta::minutes(10), now),
            wait(all(&self.number), PER_DAY, day, now),
            wait(own(&self.number), PER_DAY_AND_NETWORK, day, now),
            wait(self.network.clone(), PER_NETWORK_AND_MINUTE, minute, now),
            wait(all(&self.prefix), PER_PREFIX_AND_HOUR, hour, now),
            wait(own(&self.prefix), PER_PREFIX_NETWORK_AND_HOUR, hour, now),
        ];
        waits.into_iter().flatten().max()
    }
}

/// How long to wait until fewer than `most` of the times are within the window.
fn wait(
    mut times: Vec<DateTime<Utc>>,
    most: usize,
    window: TimeDelta,
    now: DateTime<Utc>,
) -> Option<TimeDelta> {
    times.sort_unstable();
    let leaves_last = times.len().checked_sub(most)?;
    let wait = *times.get(leaves_last)? + window - now;
    (wait > TimeDelta::zero()).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn sent(second: i64, same_network: bool) -> SentCode {
        SentCode {
            at: at(second),
            same_network,
        }
    }

    /// The moments at which this network gets a code to one number when it asks every second.
    fn granted(seconds: i64, earlier: &[SentCode]) -> Vec<i64> {
        let mut usage = Usage {
            number: earlier.to_vec(),
            ..Usage::default()
        };
        let mut granted = Vec::new();
        for second in 0..seconds {
            usage
                .number
                .retain(|code| code.at > at(second) - TimeDelta::days(1));
            if usage.wait(at(second)).is_none() {
                usage.number.push(sent(second, true));
                granted.push(second);
            }
        }
        granted
    }

    #[test]
    fn a_number_gets_one_code_a_minute_three_in_ten_and_a_network_four_a_day() {
        let day = 24 * 60 * 60;
        let expected = [0, 60, 120, 600, day, day + 60];
        assert_eq!(granted(day + 100, &[]), expected);
    }

    #[test]
    fn a_network_that_uses_up_a_numbers_codes_leaves_one_for_the_owner() {
        let stranger: Vec<_> = [0, 60, 120, 600].map(|second| sent(second, false)).into();
        assert_eq!(granted(700, &stranger), [660], "the fifth of the day");
    }

    #[test]
    fn a_wait_ends_exactly_when_the_next_code_is_let_through() {
        let usage = Usage {
            number: vec![sent(0, true), sent(60, true), sent(120, true)],
            ..Usage::default()
        };
        assert_eq!(usage.wait(at(150)), Some(TimeDelta::seconds(450)));
        assert_eq!(usage.wait(at(600)), None);
    }

    #[test]
    fn a_network_asks_for_thirty_codes_a_minute() {
        let usage = |count| Usage {
            network: (0..count).map(at).collect(),
            ..Usage::default()
        };
        assert_eq!(usage(29).wait(at(40)), None);
        assert_eq!(usage(30).wait(at(40)), Some(TimeDelta::seconds(20)));
    }

    #[test]
    fn a_network_fills_a_quarter_of_a_prefix() {
        let usage = |own, others| Usage {
            prefix: (0..own)
                .map(|n| sent(n, true))
                .chain((0..others).map(|n| sent(n, false)))
                .collect(),
            ..Usage::default()
        };
        assert_eq!(usage(4, 0).wait(at(60)), None);
        assert_eq!(usage(5, 0).wait(at(60)), Some(TimeDelta::minutes(59)));
        assert_eq!(usage(0, 5).wait(at(60)), None, "a neighbor on another network");
        assert_eq!(usage(0, 19).wait(at(60)), None);
        assert_eq!(usage(0, 20).wait(at(60)), Some(TimeDelta::minutes(59)));
    }

    proptest! {
        /// Whatever was sent before, nothing passes while a window is full, and the wait is long enough.
        #[test]
        fn whoever_waits_as_told_is_let_through(
            number in prop::collection::vec((0..86_400_i64, any::<bool>()), 0..8),
            network in prop::collection::vec(86_340..86_400_i64, 0..40),
            prefix in prop::collection::vec((82_800..86_400_i64, any::<bool>()), 0..30),
        ) {
            let now = at(86_400);
            let usage = Usage {
                number: number.into_iter().map(|(second, own)| sent(second, own)).collect(),
                network: network.into_iter().map(at).collect(),
                prefix: prefix.into_iter().map(|(second, own)| sent(second, own)).collect(),
            };
            let later = now + usage.wait(now).unwrap_or_default();
            prop_assert_eq!(usage.wait(later), None);
            let wait = usage.wait(now).unwrap_or_default();
            prop_assert!(wait <= TimeDelta::days(1));
            if wait.is_zero() {
                let of_day = usage.number.len();
                prop_assert!(of_day < PER_DAY || usage.number.iter().any(|code| code.at <= now - TimeDelta::days(1)));
                prop_assert!(usage.prefix.len() < PER_PREFIX_AND_HOUR || usage.prefix.iter().any(|one| one.at <= now - TimeDelta::hours(1)));
            }
        }
    }
}
