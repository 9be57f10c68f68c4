//! How many codes are sent (D64).
//!
//! A number, a network and a block of networks each have a limit, for each purpose. Whoever wants to use up somebody else's
//! share must not be able to: one network gets a third of what a number has for everybody, and browsers that are known to be
//! the number's own have a share that nobody else can touch.

use crate::Purpose;
use chrono::{DateTime, TimeDelta, Utc};

/// How long to wait before another code is sent to a number for the same network.
pub const RESEND_AFTER: TimeDelta = TimeDelta::minutes(1);
/// Codes to one number in 24 hours that one network may ask for, the number's own browsers aside.
pub const PER_NUMBER_AND_NETWORK: usize = 3;
/// Codes in 24 hours of one network, an IPv4 address or an IPv6 /64, that were not completed.
pub const PER_NETWORK: usize = 60;
/// The same for the IPv4 /24 or the IPv6 /48 that it lies in.
pub const PER_BLOCK: usize = 240;

/// Codes in 24 hours for browsers that hold the visitor token of the number, or of the winner.
pub const FOR_OWN_BROWSERS: usize = 5;

/// Codes in 24 hours for everybody: to one number, or for one claim.
pub const fn for_everybody(purpose: Purpose) -> usize {
    match purpose {
        Purpose::SignUp | Purpose::DataRequest => 9,
        Purpose::Claim => 5,
    }
}

/// Those of one network.
const fn for_one_network(purpose: Purpose) -> usize {
    match purpose {
        Purpose::SignUp | Purpose::DataRequest => PER_NUMBER_AND_NETWORK,
        Purpose::Claim => for_everybody(purpose),
    }
}

/// On what a code counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// What is kept for the number's own browsers.
    Own,
    /// What everybody has.
    Everybody,
}

/// A code that was sent to the number, or for the claim, in the last 24 hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// When it was queued.
    pub at: DateTime<Utc>,
    /// Whether the network of this request asked for it.
    pub same_network: bool,
    /// On what it counts.
    pub share: Share,
}

/// What was sent before a request for a code, for the same purpose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// The codes to this number, or for this claim, in the last 24 hours.
    pub codes: Vec<Counted>,
    /// When this network asked for codes in the last 24 hours that were not completed; at least the newest [`PER_NETWORK`].
    /// Empty when the network is unknown.
    pub network: Vec<DateTime<Utc>>,
    /// The same for its block; at least the newest [`PER_BLOCK`].
    pub block: Vec<DateTime<Utc>>,
}

impl Usage {
    /// On what another code counts. `is_own`: the browser that asks holds the visitor token of the number.
    ///
    /// # Errors
    /// How long to wait until a code may be sent.
    pub fn share(&self, purpose: Purpose, is_own: bool, now: DateTime<Utc>) -> Result<Share, TimeDelta> {
        let minute = self.wait(1, RESEND_AFTER, now, |code| code.same_network);
        let of_own = self.wait(FOR_OWN_BROWSERS, DAY, now, |code| code.share == Share::Own);
        let own = is_own.then(|| minute.max(of_own));
        if own == Some(None) {
            return Ok(Share::Own);
        }
        let everybody = |code: &Counted| code.share == Share::Everybody;
        let waits = [
            minute,
            self.wait(for_everybody(purpose), DAY, now, everybody),
            self.wait(for_one_network(purpose), DAY, now, |code| {
                everybody(code) && code.same_network
            }),
            wait(self.network.clone(), PER_NETWORK, DAY, now),
            wait(self.block.clone(), PER_BLOCK, DAY, now),
        ];
        match waits.into_iter().flatten().max() {
            None => Ok(Share::Everybody),
            Some(wait) => Err(own.flatten().map_or(wait, |own| own.min(wait))),
        }
    }

    fn wait(
        &self,
        most: usize,
        window: TimeDelta,
        now: DateTime<Utc>,
        counts: impl Fn(&Counted) -> bool,
    ) -> Option<TimeDelta> {
        let counted = self.codes.iter().filter(|code| counts(code));
        wait(counted.map(|code| code.at).collect(), most, window, now)
    }
}

const DAY: TimeDelta = TimeDelta::days(1);

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

    const MINUTE: i64 = 60;
    const DAY_S: i64 = 24 * 60 * 60;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    /// Everybody who asks for a code for one number: by network, and whether the browser is the number's own.
    #[derive(Default)]
    struct Number {
        sent: Vec<(DateTime<Utc>, u32, Share)>,
    }

    impl Number {
        fn usage(&self, network: u32, now: DateTime<Utc>) -> Usage {
            let of_day = self.sent.iter().filter(|(at, ..)| *at > now - DAY);
            Usage {
                codes: of_day
                    .map(|(at, by, share)| Counted {
                        at: *at,
                        same_network: *by == network,
                        share: *share,
                    })
                    .collect(),
                ..Usage::default()
            }
        }

        fn ask(&mut self, purpose: Purpose, network: u32, is_own: bool, second: i64) -> bool {
            let now = at(second);
            let share = self.usage(network, now).share(purpose, is_own, now);
            self.sent.extend(share.map(|share| (now, network, share)));
            share.is_ok()
        }

        /// How many codes this network gets when it asks every minute for a day.
        fn granted(&mut self, purpose: Purpose, network: u32, is_own: bool, from: i64) -> usize {
            let minutes = (from..from + DAY_S - 1).step_by(60);
            minutes
                .filter(|second| self.ask(purpose, network, is_own, *second))
                .count()
        }
    }

    #[test]
    fn a_network_gets_three_codes_a_day_to_a_number_and_all_get_nine() {
        let mut number = Number::default();
        let granted = [1, 2, 3, 4].map(|network| number.granted(Purpose::SignUp, network, false, 0));
        assert_eq!(granted, [3, 3, 3, 0]);
        assert!(
            number.ask(Purpose::SignUp, 4, false, DAY_S),
            "the first is a day old"
        );
    }

    #[test]
    fn one_a_minute_counts_for_number_and_network_together() {
        let mut number = Number::default();
        assert!(number.ask(Purpose::SignUp, 1, false, 0));
        assert!(!number.ask(Purpose::SignUp, 1, false, 59));
        assert!(
            number.ask(Purpose::SignUp, 2, false, 59),
            "another network does not wait for it"
        );
        assert!(number.ask(Purpose::SignUp, 1, false, 60));
    }

    #[test]
    fn a_browser_of_the_number_has_five_more_that_nobody_else_can_use_up() {
        let mut number = Number::default();
        for network in 1..=4 {
            number.granted(Purpose::DataRequest, network, false, 0);
        }
        assert_eq!(number.granted(Purpose::DataRequest, 9, true, 0), 5);
        let mut alone = Number::default();
        let both = FOR_OWN_BROWSERS + PER_NUMBER_AND_NETWORK;
        assert_eq!(alone.granted(Purpose::DataRequest, 9, true, 0), both);
    }

    #[test]
    fn a_claim_gets_ten_codes_a_day_and_five_of_them_are_the_winners() {
        let mut claim = Number::default();
        assert_eq!(claim.granted(Purpose::Claim, 1, false, 0), 5);
        assert_eq!(claim.granted(Purpose::Claim, 2, false, 0), 0);
        assert_eq!(claim.granted(Purpose::Claim, 9, true, 0), 5);
        let mut alone = Number::default();
        assert_eq!(alone.granted(Purpose::Claim, 9, true, 0), 10);
    }

    #[test]
    fn a_network_gets_sixty_codes_and_a_block_240_that_were_not_completed() {
        let now = at(DAY_S);
        let times = |count: usize| vec![now - TimeDelta::minutes(1); count];
        let share = |network, block| {
            let usage = Usage {
                network: times(network),
                block: times(block),
                ..Usage::default()
            };
            (
                usage.share(Purpose::SignUp, false, now),
                usage.share(Purpose::SignUp, true, now),
            )
        };
        let full = Err(TimeDelta::minutes(24 * MINUTE - 1));
        let (free, own) = (Ok(Share::Everybody), Ok(Share::Own));
        assert_eq!(share(59, 239), (free, own));
        assert_eq!(share(60, 60), (full, own));
        assert_eq!(share(0, 240), (full, own));
    }

    #[test]
    fn a_wait_ends_exactly_when_the_next_code_is_let_through() {
        let mut number = Number::default();
        for second in [0, 60, 120] {
            assert!(number.ask(Purpose::SignUp, 1, false, second));
        }
        let wait = number.usage(1, at(150)).share(Purpose::SignUp, false, at(150));
        assert_eq!(wait, Err(TimeDelta::seconds(DAY_S - 150)));
        assert!(number.ask(Purpose::SignUp, 1, false, DAY_S));
    }

    fn counted() -> impl Strategy<Value = Counted> {
        (0..DAY_S, any::<bool>(), any::<bool>()).prop_map(|(second, same_network, is_own)| Counted {
            at: at(second),
            same_network,
            share: if is_own { Share::Own } else { Share::Everybody },
        })
    }

    proptest! {
        /// Whatever was sent before, whoever waits as told is let through, and nobody gets past a full share.
        #[test]
        fn whoever_waits_as_told_is_let_through(
            codes in prop::collection::vec(counted(), 0..20),
            network in prop::collection::vec(0..DAY_S, 0..70),
            block in prop::collection::vec(0..DAY_S, 0..250),
            is_own in any::<bool>(),
            purpose in prop::sample::select(vec![Purpose::SignUp, Purpose::Claim, Purpose::DataRequest]),
        ) {
            let now = at(DAY_S);
            let usage = Usage {
                codes,
                network: network.into_iter().map(at).collect(),
                block: block.into_iter().map(at).collect(),
            };
            let count = |share| usage.codes.iter().filter(|code| code.share == share && code.at > now - DAY).count();
            match usage.share(purpose, is_own, now) {
                Ok(Share::Own) => prop_assert!(is_own && count(Share::Own) < FOR_OWN_BROWSERS),
                Ok(Share::Everybody) => prop_assert!(count(Share::Everybody) < for_everybody(purpose)),
                Err(wait) => {
                    prop_assert!(wait > TimeDelta::zero() && wait <= DAY);
                    prop_assert!(usage.share(purpose, is_own, now + wait).is_ok());
                }
            }
        }
    }
}
