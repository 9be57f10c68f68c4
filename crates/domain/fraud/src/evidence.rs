//! What fraud detection finds on a network, and whom it flags for it (D36).

use chrono::{DateTime, TimeDelta, Utc};
use kernel::EntrantId;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The rules of fraud detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FraudRules {
    /// From how many accounts on a network is suspicious; less than 2 counts as 2.
    pub accounts_per_network: u32,
    /// Whether accounts are flagged only because there are many on their network. If not, there must be other evidence.
    pub flag_shared_networks: bool,
}

/// How long a burst of sign-ups is.
const BURST: TimeDelta = TimeDelta::minutes(10);
/// From how many accounts on evidence flags by itself: more than a family.
const LARGE_GROUP: u32 = 10;
/// From how many accounts on something that they have in common is evidence.
const GROUP: u32 = 2;

/// What speaks for fraud.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The account's network has this many accounts.
    SharedNetwork {
        /// The number of accounts.
        accounts: u32,
    },
    /// This many accounts of the network have the same fingerprint. Browsers of one model often have the same one, so other
    /// networks do not count.
    SameFingerprint {
        /// The number of accounts.
        accounts: u32,
    },
    /// The most sign-ups from the network within ten minutes, this one among them.
    Burst {
        /// The number of sign-ups.
        sign_ups: u32,
    },
    /// How many accounts of the network came through one code: the one that the account came through, or its own.
    OneReferrer {
        /// The entrant with the code.
        referrer: EntrantId,
        /// The accounts that came through the code.
        referred: u32,
        /// The accounts of the network.
        accounts: u32,
    },
}

impl Evidence {
    /// The name of its kind in rows and responses.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SharedNetwork { .. } => "shared_network",
            Self::SameFingerprint { .. } => "same_fingerprint",
            Self::Burst { .. } => "burst",
            Self::OneReferrer { .. } => "one_referrer",
        }
    }

    /// Its figure: a number of accounts or sign-ups, or for one referrer the share of the network's accounts, 0 to 1.
    pub fn value(&self) -> f64 {
        match *self {
            Self::SharedNetwork { accounts } | Self::SameFingerprint { accounts } => accounts.into(),
            Self::Burst { sign_ups } => sign_ups.into(),
            Self::OneReferrer {
                referred, accounts, ..
            } => f64::from(referred) / f64::from(accounts),
        }
    }
}

/// An account of a network, as detection sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkAccount {
    /// The entrant.
    pub id: EntrantId,
    /// When they entered.
    pub created_at: DateTime<Utc>,
    /// The fingerprint of their browser.
    pub fingerprint: Option<String>,
    /// Through whose code they came.
    pub referrer: Option<EntrantId>,
    /// Whether they are neither flagged nor cleared by staff.
    pub is_open: bool,
}

/// A found fraud: an account to flag, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The account.
    pub entrant: EntrantId,
    /// The evidence, in the order of its kinds.
    pub evidence: Vec<Evidence>,
}

impl FraudRules {
    /// From how many accounts on a network is suspicious.
    pub fn suspicious_from(&self) -> u32 {
        self.accounts_per_network.max(2)
    }

    /// The accounts of one network to flag. `is_shared`: staff know that many people share the network.
    ///
    /// Accounts of a suspicious network are flagged just for being on it, unless it is shared. Other evidence flags by itself
    /// if it is about at least ten accounts, and at least half of the network's: the same fingerprint, or one referrer. A
    /// burst never does, because a class that signs up together is one too.
    pub fn examine(&self, is_shared: bool, mut accounts: Vec<NetworkAccount>) -> Vec<Finding> {
        accounts.sort_by_key(|account| (account.created_at, account.id));
        let size = length(accounts.len());
        if size < self.suspicious_from() {
            return Vec::new();
        }
        let groups = Groups::of(&accounts);
        let is_strong = |group: u32| group >= LARGE_GROUP && u64::from(group) * 2 >= u64::from(size);
        let network_flags = self.flag_shared_networks && !is_shared;
        let finding = |(account, burst): (&NetworkAccount, u32)| {
            let same_fingerprint = groups.with_fingerprint_of(account);
            let (referrer, referred) = groups.referrer_of(account);
            let flags = network_flags || is_strong(same_fingerprint) || is_strong(referred);
            let evidence = [
                (size, Evidence::SharedNetwork { accounts: size }),
                (
                    same_fingerprint,
                    Evidence::SameFingerprint {
                        accounts: same_fingerprint,
                    },
                ),
                (burst, Evidence::Burst { sign_ups: burst }),
                (
                    referred,
                    Evidence::OneReferrer {
                        referrer,
                        referred,
                        accounts: size,
                    },
                ),
            ];
            let evidence = evidence.into_iter().filter(|(group, _)| *group >= GROUP);
            (account.is_open && flags).then(|| Finding {
                entrant: account.id,
                evidence: evidence.map(|(_, evidence)| evidence).collect(),
            })
        };
        let bursts = bursts(&accounts);
        accounts.iter().zip(bursts).filter_map(finding).collect()
    }
}

/// How many accounts of a network have something in common.
struct Groups<'a> {
    fingerprints: HashMap<&'a str, u32>,
    referrers: HashMap<EntrantId, u32>,
}

impl<'a> Groups<'a> {
    fn of(accounts: &'a [NetworkAccount]) -> Self {
        Self {
            fingerprints: counts(
                accounts
                    .iter()
                    .filter_map(|account| account.fingerprint.as_deref()),
            ),
            referrers: counts(accounts.iter().filter_map(|account| account.referrer)),
        }
    }

    fn with_fingerprint_of(&self, account: &NetworkAccount) -> u32 {
        let group = account.fingerprint.as_deref();
        group
            .and_then(|group| self.fingerprints.get(group))
            .copied()
            .unwrap_or(0)
    }

    /// Who referred the account or, if that is more, was referred by it: the one with the code, and how many came through it.
    fn referrer_of(&self, account: &NetworkAccount) -> (EntrantId, u32) {
        let through = |code: EntrantId| (code, self.referrers.get(&code).copied().unwrap_or(0));
        let own = through(account.id);
        match account.referrer.map(through) {
            Some(other) if other.1 >= own.1 => other,
            _ => own,
        }
    }
}

fn counts<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> HashMap<K, u32> {
    let mut counts = HashMap::new();
    for key in keys {
        let count = counts.entry(key).or_insert(0_u32);
        *count = count.saturating_add(1);
    }
    counts
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// For each account, the most sign-ups within ten minutes that contain its own. The accounts are sorted by time.
fn bursts(accounts: &[NetworkAccount]) -> Vec<u32> {
    let from = burst_sizes(accounts);
    let mut largest = Vec::with_capacity(accounts.len());
    // The first accounts of the bursts that contain the current one, those of larger bursts first. A later and larger burst
    // hides the earlier ones.
    let mut candidates: VecDeque<(DateTime<Utc>, u32)> = VecDeque::new();
    for (account, size) in accounts.iter().zip(from) {
        while candidates.back().is_some_and(|(_, smaller)| *smaller <= size) {
            candidates.pop_back();
        }
        candidates.push_back((account.created_at, size));
        while candidates
            .front()
            .is_some_and(|(began, _)| account.created_at - *began > BURST)
        {
            candidates.pop_front();
        }
        largest.push(candidates.front().map_or(size, |(_, size)| *size));
    }
    largest
}

/// For each account, how many sign-ups there were from its own on, within ten minutes.
fn burst_sizes(accounts: &[NetworkAccount]) -> impl Iterator<Item = u32> {
    let mut end = 0;
    accounts.iter().enumerate().map(move |(start, first)| {
        let is_within = |account: &NetworkAccount| account.created_at - first.created_at <= BURST;
        while accounts.get(end).is_some_and(is_within) {
            end += 1;
        }
        length(end - start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULES: FraudRules = FraudRules {
        accounts_per_network: 3,
        flag_shared_networks: true,
    };
    /// With proved phone numbers.
    const MILD: FraudRules = FraudRules {
        flag_shared_networks: false,
        ..RULES
    };

    /// The nth account, who entered in that minute.
    fn account(n: i64, minute: i64) -> NetworkAccount {
        NetworkAccount {
            id: EntrantId::new(n),
            created_at: DateTime::UNIX_EPOCH + TimeDelta::minutes(minute),
            fingerprint: None,
            referrer: None,
            is_open: true,
        }
    }

    /// Accounts that have nothing in common but the network: one an hour.
    fn strangers(count: i64) -> Vec<NetworkAccount> {
        (1..=count).map(|n| account(n, n * 60)).collect()
    }

    fn flagged(findings: &[Finding]) -> Vec<i64> {
        findings.iter().map(|finding| finding.entrant.get()).collect()
    }

    #[test]
    fn a_suspicious_network_flags_its_open_accounts() {
        assert_eq!(RULES.examine(false, strangers(2)), []);
        let mut three = strangers(3);
        three[1].is_open = false;
        let findings = RULES.examine(false, three);
        assert_eq!(flagged(&findings), [1, 3]);
        assert_eq!(findings[0].evidence, [Evidence::SharedNetwork { accounts: 3 }]);
        let lonely = FraudRules {
            accounts_per_network: 1,
            ..RULES
        };
        assert_eq!(lonely.examine(false, strangers(1)), []);
    }

    #[test]
    fn a_shared_network_alone_flags_nobody() {
        assert_eq!(RULES.examine(true, strangers(100)), []);
        assert_eq!(MILD.examine(false, strangers(100)), []);
    }

    #[test]
    fn a_class_that_signs_up_together_is_not_flagged_on_its_shared_network() {
        let class: Vec<_> = (1..=40).map(|n| account(n, n / 8)).collect();
        assert_eq!(RULES.examine(true, class.clone()), []);
        let evidence = &RULES.examine(false, class)[0].evidence;
        assert_eq!(evidence[1..], [Evidence::Burst { sign_ups: 40 }]);
    }

    #[test]
    fn a_family_is_not_flagged_where_its_network_is_not_enough() {
        let mut family: Vec<_> = (1..=5).map(|n| account(n, n)).collect();
        for member in &mut family {
            member.fingerprint = Some("the same phone".to_owned());
        }
        for child in &mut family[1..] {
            child.referrer = Some(EntrantId::new(1));
        }
        assert_eq!(MILD.examine(false, family.clone()), []);
        let evidence = &RULES.examine(false, family)[4].evidence;
        let expected = [
            Evidence::SharedNetwork { accounts: 5 },
            Evidence::SameFingerprint { accounts: 5 },
            Evidence::Burst { sign_ups: 5 },
            Evidence::OneReferrer {
                referrer: EntrantId::new(1),
                referred: 4,
                accounts: 5,
            },
        ];
        assert_eq!(evidence, &expected);
        assert_eq!(
            evidence.iter().map(Evidence::value).collect::<Vec<_>>(),
            [5.0, 5.0, 5.0, 0.8]
        );
    }

    #[test]
    fn ten_accounts_through_one_code_are_flagged_if_they_are_half_of_the_network() {
        let mut accounts = strangers(20);
        for friend in &mut accounts[..10] {
            friend.referrer = Some(EntrantId::new(99));
        }
        let friends: Vec<i64> = (1..=10).collect();
        assert_eq!(flagged(&RULES.examine(true, accounts.clone())), friends);
        assert_eq!(flagged(&MILD.examine(false, accounts.clone())), friends);
        accounts.push(account(21, 0));
        assert_eq!(RULES.examine(true, accounts.clone()), [], "less than half");
        accounts.truncate(15);
        for friend in &mut accounts[..1] {
            friend.referrer = None;
        }
        assert_eq!(RULES.examine(true, accounts), [], "nine");
    }

    #[test]
    fn who_refers_most_of_the_network_is_flagged_with_it() {
        let mut accounts = strangers(12);
        for friend in &mut accounts[1..] {
            friend.referrer = Some(EntrantId::new(1));
        }
        // The referrer came through somebody's code, but more came through the own one.
        accounts[0].referrer = Some(EntrantId::new(99));
        let findings = RULES.examine(true, accounts);
        assert_eq!(findings.len(), 12);
        let expected = Evidence::OneReferrer {
            referrer: EntrantId::new(1),
            referred: 11,
            accounts: 12,
        };
        assert!(
            findings.iter().all(|finding| finding.evidence[1] == expected),
            "{findings:?}"
        );
    }

    #[test]
    fn accounts_with_the_same_fingerprint_are_flagged_as_a_large_part_of_the_network() {
        let mut accounts = strangers(20);
        for same in &mut accounts[..10] {
            same.fingerprint = Some("f".repeat(64));
        }
        assert_eq!(RULES.examine(true, accounts.clone()).len(), 10);
        accounts[0].fingerprint = None;
        assert_eq!(RULES.examine(true, accounts), []);
    }

    #[test]
    fn ten_minutes_are_ten_minutes() {
        let burst = |minutes: &[i64]| {
            let accounts: Vec<_> = minutes.iter().map(|minute| account(1, *minute)).collect();
            bursts(&accounts)
        };
        assert_eq!(burst(&[0, 10]), [2, 2]);
        assert_eq!(burst(&[0, 11]), [1, 1]);
        assert_eq!(burst(&[0, 5, 10, 15, 20]), [3, 3, 3, 3, 3]);
        assert_eq!(burst(&[0, 9, 12, 13, 30]), [2, 3, 3, 3, 1]);
    }

    proptest! {
        /// The same by trying all intervals.
        #[test]
        fn bursts_are_the_largest_intervals(mut minutes in prop::collection::vec(0..60i64, 0..30)) {
            minutes.sort_unstable();
            let accounts: Vec<_> = minutes.iter().map(|minute| account(1, *minute)).collect();
            let within = |from: i64| minutes.iter().filter(|at| (from..=from + 10).contains(*at)).count();
            let largest = |at: &i64| (at - 10..=*at).map(within).max().unwrap();
            let expected: Vec<_> = minutes.iter().map(|at| length(largest(at))).collect();
            prop_assert_eq!(bursts(&accounts), expected);
        }
    }
}
