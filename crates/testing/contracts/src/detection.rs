//! Fraud detection: which networks are suspicious, whom it flags, and with which evidence.

use crate::Store;
use crate::flags::{RULES, bonus_and_friends, detect, detect_by, flag, flagged, list};
use crate::support::{
    SeededEntropy, assert_balanced, at_once, command, entered, entered_from, entered_from_through,
    entered_through, flag_suspicious, fold, noon, phone,
};
use analytics::{Dashboard, Figures, SuspiciousNetwork};
use chrono::{DateTime, TimeDelta, Utc};
use fraud::{Evidence, FlagOutcome, FlaggedEntrant, FlaggedFilter, Flags, FraudRules};
use kernel::{Clock, EntrantId, Network, PageRequest, ReferralCode};
use raffle::Entrant;
use staff::AuditLog;
use std::net::IpAddr;

struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

/// How somebody enters.
struct Entering<'a> {
    address: IpAddr,
    /// After noon.
    minute: i64,
    through: Option<&'a ReferralCode>,
    fingerprint: Option<&'a str>,
}

impl Entering<'_> {
    fn from(address: impl Into<IpAddr>, minute: i64) -> Self {
        Self {
            address: address.into(),
            minute,
            through: None,
            fingerprint: None,
        }
    }
}

fn enters<S: Store>(store: &S, n: u32, how: &Entering<'_>) -> Entrant {
    let mut command = command(phone(n), how.through);
    command.origin.address = Some(how.address);
    command.fingerprint = how.fingerprint.map(str::to_owned);
    let at = At(noon() + TimeDelta::minutes(how.minute));
    usecases::entering::enter(store, &at, &SeededEntropy::new(n.into()), &command, None)
        .unwrap()
        .entrant
}

fn v6(text: &str) -> IpAddr {
    text.parse().unwrap()
}

pub(crate) fn all_flagged<S: Store>(store: &S) -> Vec<FlaggedEntrant> {
    list(store, &FlaggedFilter::default(), PageRequest::default())
}

pub(crate) fn evidence_of<S: Store>(store: &S, id: EntrantId) -> Vec<Evidence> {
    let mut flagged = all_flagged(store).into_iter();
    flagged.find(|row| row.id == id).unwrap().evidence
}

pub(crate) fn suspicious<S: Store>(store: &S) -> Vec<SuspiciousNetwork> {
    fold(store);
    let dashboard: Dashboard = store.snapshot(|tx| tx.dashboard(3)).unwrap();
    dashboard.suspicious
}

pub fn detection_flags_every_account_of_a_suspicious_address<S: Store>(store: &S) {
    let pair: Vec<_> = (0..2)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    let mut trio: Vec<_> = (10..13)
        .map(|n| entered_from(store, n, [198, 51, 100, 2].into()).id)
        .collect();
    trio.sort();
    assert_eq!(detect(store), 3);
    assert_eq!(flagged(store), [trio[2].get(), trio[1].get(), trio[0].get()]);
    let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
    assert_eq!(rows[0].reason, "Multiple accounts from IP 198.51.100.2");
    assert_eq!(detect(store), 0);
    entered_from(store, 20, [198, 51, 100, 1].into());
    entered_from(store, 21, [198, 51, 100, 2].into());
    assert_eq!(detect(store), 4, "the pair became three, and the trio four");
    assert_eq!(pair.len(), 2);
}

pub fn detection_skips_entrants_whom_staff_unflagged<S: Store>(store: &S) {
    let mut ids: Vec<_> = (0..3)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    ids.sort();
    assert_eq!(detect(store), 3);
    store.transaction(|tx| tx.unflag(ids[1], noon())).unwrap();
    let newcomer = entered_from(store, 10, [198, 51, 100, 1].into()).id;
    assert_eq!(detect(store), 1);
    assert_eq!(flagged(store), [newcomer.get(), ids[2].get(), ids[0].get()]);
    assert_eq!(
        store.transaction(|tx| tx.flag(&flag(ids[1]))).unwrap(),
        FlagOutcome::Changed
    );
}

pub fn detection_takes_back_what_all_flagged_sign_ups_earned<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let chain = entered_through(store, 2, &popular.referral_code);
    // Four accounts of one address: two through each of two links, one of which belongs to one of the four.
    let address = [198, 51, 100, 7].into();
    let [first, ..] = [(3, &popular), (4, &popular), (5, &chain)]
        .map(|(n, through)| entered_from_through(store, n, address, &through.referral_code));
    entered_from_through(store, 6, address, &first.referral_code);
    assert_eq!(detect(store), 4);
    let on_hold = |id| {
        let (bonus, friends) = bonus_and_friends(store, id);
        (bonus, friends.all, friends.on_hold)
    };
    assert_eq!(on_hold(popular.id), (1, 3, 2));
    assert_eq!(on_hold(chain.id), (0, 1, 1));
    assert_eq!(on_hold(first.id), (0, 1, 1));
    assert_balanced(store);
}

pub fn concurrent_detections_flag_each_entrant_once<S: Store>(store: &S) {
    for n in 0..10 {
        entered_from(store, n, [198, 51, 100, 1].into());
    }
    assert_eq!(at_once(4, |_| detect(store)).iter().sum::<i64>(), 10);
}

pub fn the_addresses_of_an_ipv6_64_are_one_network<S: Store>(store: &S) {
    let network = [
        "2001:db8:0:1::1",
        "2001:db8:0:1:ffff:ffff:ffff:ffff",
        "2001:db8:0:1::",
    ];
    let ids: Vec<_> = (0..)
        .zip(network)
        .map(|(n, address)| entered_from(store, n, v6(address)).id)
        .collect();
    for (n, address) in [(10, "2001:db8::ffff:ffff:ffff:ffff"), (11, "2001:db8:0:2::")] {
        entered_from(store, n, v6(address));
    }
    let row = SuspiciousNetwork {
        network: Network::parse("2001:db8:0:1::/64").unwrap(),
        accounts: 3,
        newest_open: suspicious(store)[0].newest_open,
    };
    assert_eq!(suspicious(store), [row]);
    assert_eq!(detect(store), 3);
    let flagged = all_flagged(store);
    assert!(flagged.iter().all(|row| ids.contains(&row.id)));
    assert_eq!(flagged[0].reason, "Multiple accounts from IP 2001:db8:0:1::/64");
    assert_eq!(flagged[0].evidence[0], Evidence::SharedNetwork { accounts: 3 });
}

pub fn a_network_is_flagged_when_all_its_accounts_are_flagged_or_cleared<S: Store>(store: &S) {
    for (first, address) in [(0, IpAddr::from([198, 51, 100, 1])), (10, v6("2001:db8::5"))] {
        let ids = [0, 1, 2].map(|n| enters(store, first + n, &Entering::from(address, n.into())).id);
        let network = Network::of(address);
        let row = || {
            suspicious(store)
                .into_iter()
                .find(|row| row.network == network)
                .unwrap()
        };
        let newest = || (row().is_flagged(), row().newest_open);
        assert_eq!((row().accounts, newest()), (3, (false, Some(ids[2]))));
        let set = |id| store.transaction(|tx| tx.flag(&flag(id))).unwrap();
        let clear = |id| store.transaction(|tx| tx.unflag(id, noon())).unwrap();
        set(ids[2]);
        assert_eq!(newest(), (false, Some(ids[1])));
        set(ids[0]);
        set(ids[1]);
        assert_eq!(newest(), (true, None));
        clear(ids[1]);
        assert_eq!(newest(), (true, None), "cleared by staff");
        let newcomer = enters(store, first + 3, &Entering::from(address, 0)).id;
        assert_eq!((row().accounts, newest()), (4, (false, Some(newcomer))));
        set(newcomer);
        assert_eq!(newest(), (true, None));
    }
    assert_eq!(suspicious(store).len(), 2);
    let dashboard = store.snapshot(|tx| tx.dashboard(5)).unwrap();
    assert_eq!(dashboard.suspicious, []);
}

pub fn networks_with_the_most_accounts_are_listed_first<S: Store>(store: &S) {
    let networks: [(u8, u32); 4] = [(1, 3), (2, 5), (3, 2), (4, 3)];
    for (host, count) in networks {
        for n in 0..count {
            entered_from(store, u32::from(host) * 10 + n, [198, 51, 100, host].into());
        }
    }
    let listed: Vec<_> = suspicious(store)
        .iter()
        .map(|row| (row.network.to_string(), row.accounts))
        .collect();
    let expected = [("198.51.100.2", 5), ("198.51.100.1", 3), ("198.51.100.4", 3)];
    assert_eq!(
        listed,
        expected.map(|(network, count)| (network.to_owned(), count))
    );
}

pub fn flags_of_detection_keep_their_evidence<S: Store>(store: &S) {
    let outside = entered(store, 1);
    let inside = enters(store, 2, &Entering::from([198, 51, 100, 1], 0));
    let friend = |n: u32, minute, through, fingerprint| {
        let how = Entering {
            through: Some(through),
            fingerprint,
            ..Entering::from([198, 51, 100, 1], minute)
        };
        enters(store, n, &how).id
    };
    let (own, other) = (&inside.referral_code, &outside.referral_code);
    let first = friend(3, 5, own, Some("a browser"));
    let second = friend(4, 14, own, Some("a browser"));
    let third = friend(5, 60, other, Some("another browser"));
    assert_eq!(detect(store), 4);
    let network = Evidence::SharedNetwork { accounts: 4 };
    let browser = Evidence::SameFingerprint { accounts: 2 };
    let burst = Evidence::Burst { sign_ups: 2 };
    let referrer = Evidence::OneReferrer {
        referrer: inside.id,
        referred: 2,
        accounts: 4,
    };
    assert_eq!(evidence_of(store, inside.id), [network, burst, referrer]);
    assert_eq!(evidence_of(store, first), [network, browser, burst, referrer]);
    assert_eq!(evidence_of(store, second), [network, browser, burst, referrer]);
    assert_eq!(evidence_of(store, third), [network]);
    assert_eq!(referrer.value(), 0.5);
}

pub fn a_flag_of_staff_has_no_evidence<S: Store>(store: &S) {
    let ids: Vec<_> = (0..3)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    assert_eq!(detect(store), 3);
    assert!(!evidence_of(store, ids[0]).is_empty());
    store.transaction(|tx| tx.unflag(ids[0], noon())).unwrap();
    store.transaction(|tx| tx.flag(&flag(ids[0]))).unwrap();
    assert_eq!(evidence_of(store, ids[0]), []);
}

/// Thirty friends of one entrant enter from one IPv4 address, thirty from one /64, and a hundred from one /48.
pub fn invented_friends_of_a_network_name_their_referrer<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let friend = |n: u32, address: IpAddr| {
        entered_from_through(store, n, address, &popular.referral_code);
    };
    for n in 0..30 {
        friend(100 + n, [203, 0, 113, 9].into());
        friend(200 + n, v6(&format!("2001:db8:1:1::{n:x}")));
    }
    for n in 0..100 {
        friend(300 + n, v6(&format!("2001:db8:2:{:x}::{n:x}", n % 20)));
    }
    assert_eq!(bonus_and_friends(store, popular.id).0, 160);
    assert_eq!(detect(store), 160);
    let (bonus, friends) = bonus_and_friends(store, popular.id);
    assert_eq!((bonus, friends.all, friends.on_hold), (0, 160, 160));
    let names_referrer = |row: &FlaggedEntrant| {
        row.evidence.iter().any(|evidence| {
            matches!(evidence, Evidence::OneReferrer { referrer, .. } if *referrer == popular.id && evidence.value() == 1.0)
        })
    };
    let flagged = all_flagged(store);
    assert_eq!(flagged.len(), 160);
    assert!(flagged.iter().all(names_referrer));
    assert_balanced(store);
}

pub fn with_proved_numbers_a_shared_network_alone_flags_nobody<S: Store>(store: &S) {
    let rules = FraudRules {
        flag_shared_networks: false,
        ..RULES
    };
    let popular = entered(store, 1);
    for n in 0..12 {
        enters(
            store,
            100 + n,
            &Entering::from([198, 51, 100, 1], i64::from(n) * 20),
        );
    }
    for n in 0..12 {
        entered_from_through(store, 200 + n, [198, 51, 100, 2].into(), &popular.referral_code);
    }
    assert_eq!(detect_by(store, &rules), 12);
    assert!(
        all_flagged(store)
            .iter()
            .all(|row| row.address == Some([198, 51, 100, 2].into()))
    );
    let rows = suspicious(store);
    let flagged: Vec<_> = rows.iter().map(|row| (row.accounts, row.is_flagged())).collect();
    assert_eq!(flagged, [(12, false), (12, true)], "it is shown");
}

pub fn each_part_of_a_detection_is_in_the_audit_log<S: Store>(store: &S) {
    for n in 0..4 {
        entered_from(store, n, [198, 51, 100, 1].into());
    }
    let run = || flag_suspicious(store, &RULES);
    assert_eq!((run(), run()), (4, 0));
    let entries = store
        .read(|tx| tx.list_audit(&staff::AuditFilter::default(), PageRequest::default()))
        .unwrap();
    let details: Vec<_> = entries.into_iter().map(|entry| entry.details).collect();
    let flagged = |n| vec![("flagged".to_owned(), staff::Detail::Number(n))];
    assert_eq!(details, [flagged(0), flagged(4)]);
}
