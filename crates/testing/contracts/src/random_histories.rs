use crate::Store;
use crate::drawing::list_at;
use crate::flags::RULES;
use crate::purchases::{bought_unless_flagged, dispute, refund, reverse};
use crate::support::{
    SeededEntropy, assert_balanced, clear, enter, fold, noon, phone, share, step, timed, view, view_with,
};
use analytics::{Collection, Event, Platform, StepName};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::FrozenEntrants;
use fraud::{Flags, NewFlag, PublicReason};
use kernel::{DatabaseClock, EntrantId, ReferralCode, StoreError};
use pricing::{DisputeStatus, PurchaseId};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raffle::fixtures::FOUR;
use raffle::{Entrant, Entrants, RaffleKey};
use staff::ClearingKind;
use std::collections::BTreeMap;
use usecases::entering::EnterError;

/// An attempt to enter with one of a few phone numbers, through a referral link or without one.
#[derive(Debug, Clone)]
struct Attempt {
    phone: u32,
    link: Link,
}

#[derive(Debug, Clone)]
enum Link {
    None,
    /// The code of the entrant with this phone, if it has entered by then.
    Of(u32),
    Unknown,
}

fn histories(phones: u32) -> impl Strategy<Value = Vec<Attempt>> {
    let link = prop_oneof![
        Just(Link::None),
        (0..phones).prop_map(Link::Of),
        Just(Link::Unknown)
    ];
    let attempt = (0..phones, link).prop_map(|(phone, link)| Attempt { phone, link });
    prop::collection::vec(attempt, 0..40)
}

/// The model: a new phone number adds one entrant, and one entry for the referrer.
pub fn entries_equal_the_sums_of_the_ledger_after_any_history<S: Store>(store: &S) {
    const PHONES: u32 = 8;
    let entropy = SeededEntropy::new(6);
    let config = ProptestConfig {
        cases: 32,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut run = 0;
    let check = |history: Vec<Attempt>| {
        run += 1; // each history uses its own phone numbers
        let own = |n: u32| phone(run * PHONES + n);
        let mut codes: BTreeMap<u32, ReferralCode> = BTreeMap::new();
        let mut expected: BTreeMap<u32, i64> = BTreeMap::new();
        for Attempt { phone, link } in history {
            let unknown = ReferralCode::parse("33333333").unwrap();
            let code = match &link {
                Link::None => None,
                Link::Of(n) => codes.get(n).cloned(),
                Link::Unknown => Some(unknown),
            };
            match enter(store, &entropy, own(phone), code.as_ref()) {
                Err(EnterError::UnknownReferralCode) => prop_assert!(matches!(link, Link::Unknown)),
                Err(error) => prop_assert!(false, "{:?}", error),
                Ok(answer) => {
                    prop_assert_eq!(answer.is_new, !codes.contains_key(&phone));
                    if answer.is_new {
                        codes.insert(phone, answer.entrant.referral_code);
                        expected.insert(phone, 1);
                        if let (Link::Of(referrer), Some(_)) = (link, code) {
                            *expected.get_mut(&referrer).unwrap() += 1;
                        }
                    }
                }
            }
        }
        for (n, total) in expected {
            let entrant = store
                .read(|tx| tx.find_entrant_by_phone(&own(n)))
                .unwrap()
                .unwrap();
            prop_assert_eq!(entrant.entries.total(), total);
        }
        assert_balanced(store);
        Ok(())
    };
    let check = std::cell::RefCell::new(check);
    TestRunner::new(config)
        .run(&histories(PHONES), |history| (check.borrow_mut())(history))
        .unwrap();
}

/// An action of a visitor or of staff.
#[derive(Debug, Clone)]
enum Act {
    View {
        session: u8,
        page: usize,
        code: Option<usize>,
        minute: i64,
    },
    Time {
        session: u8,
        page: usize,
        seconds: i32,
    },
    Step {
        session: u8,
        step: usize,
        minute: i64,
    },
    Share(usize),
    Enter {
        through: Option<usize>,
    },
    Buy(usize),
    Refund(usize),
    Dispute(usize, DisputeStatus),
    Move(usize, usize),
    Flag(usize),
    Unflag(usize),
    Detect,
    CutOff,
    ClearAnalytics,
    ClearReferrals,
    Fold,
}

const PAGES: [&str; 5] = [
    "garden-bag",
    "fresh-sips",
    "garden-bag-success",
    "welcome",
    "anything",
];
const STEPS: [StepName; 3] = [StepName::FormStart, StepName::FormSubmit, StepName::SignUp];

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let (session, page, entrant, minute) = (0..4u8, 0..PAGES.len(), 0..8usize, 0..180i64);
    let code = prop::option::of(entrant.clone());
    let status = prop::sample::select(vec![DisputeStatus::Open, DisputeStatus::Won]);
    let act = prop_oneof![
        6 => (session.clone(), page.clone(), code.clone(), minute.clone())
            .prop_map(|(session, page, code, minute)| Act::View { session, page, code, minute }),
        3 => (session.clone(), page, 1..100i32).prop_map(|(session, page, seconds)| Act::Time { session, page, seconds }),
        4 => (session, 0..STEPS.len(), minute).prop_map(|(session, step, minute)| Act::Step { session, step, minute }),
        2 => entrant.clone().prop_map(Act::Share),
        4 => code.prop_map(|through| Act::Enter { through }),
        2 => entrant.clone().prop_map(Act::Buy),
        1 => entrant.clone().prop_map(Act::Refund),
        1 => (entrant.clone(), status).prop_map(|(n, status)| Act::Dispute(n, status)),
        3 => (entrant.clone(), 0..FOUR.len()).prop_map(|(n, to)| Act::Move(n, to)),
        1 => entrant.clone().prop_map(Act::Flag),
        1 => entrant.prop_map(Act::Unflag),
        1 => Just(Act::Detect),
        1 => Just(Act::CutOff),
        1 => Just(Act::ClearAnalytics),
        1 => Just(Act::ClearReferrals),
        4 => Just(Act::Fold),
    ];
    prop::collection::vec(act, 0..60)
}

/// For random actions in random order, with folds in between.
pub fn roll_ups_equal_a_recount_after_any_history<S: Store>(store: &S) {
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut world = World {
        entrants: Vec::new(),
        purchases: Vec::new(),
        cut_offs: Vec::new(),
        entropy: SeededEntropy::new(7),
    };
    let check = |acts: Vec<Act>| {
        for act in acts {
            world.perform(store, act);
        }
        fold(store);
        prop_assert_eq!(usecases::rollups::verify(store, Tz::UTC).unwrap(), [""; 0]);
        assert_balanced(store);
        world.check_cut_offs(store);
        Ok(())
    };
    let check = std::cell::RefCell::new(check);
    TestRunner::new(config)
        .run(&acts(), |acts| (check.borrow_mut())(acts))
        .unwrap();
}

/// The raffles of entrants, and their entries in these.
type Weights = BTreeMap<EntrantId, (RaffleKey, i64)>;

struct World {
    entrants: Vec<Entrant>,
    purchases: Vec<PurchaseId>,
    /// The raffles of all entrants at some moments, and their entries in these.
    cut_offs: Vec<(DateTime<Utc>, Weights)>,
    entropy: SeededEntropy,
}

impl World {
    /// The nth newest entrant, if there is one.
    fn nth_newest(&self, n: usize) -> Option<&Entrant> {
        self.entrants.iter().rev().nth(n)
    }

    /// The list at each cut-off has the people and the entries of that moment, whatever happened since, but leaves out whoever is
    /// flagged.
    fn check_cut_offs<S: Store>(&mut self, store: &S) {
        for (cut_off, weights) in self.cut_offs.drain(..) {
            let mut left: BTreeMap<_, _> = weights
                .into_iter()
                .filter(|(_, (_, weight))| *weight > 0)
                .collect();
            let mut flagged = 0;
            for raffle in FOUR.into_iter() {
                for (id, weight) in list_at(store, raffle, cut_off) {
                    let weight = i64::try_from(weight).unwrap();
                    assert_eq!(left.remove(&id), Some((raffle, weight)), "{id}");
                }
                flagged += store.snapshot(|tx| tx.left_out(raffle, cut_off)).unwrap().flagged;
            }
            assert_eq!(u64::try_from(left.len()), Ok(flagged), "{left:?}");
        }
    }

    fn perform<S: Store>(&mut self, store: &S, act: Act) {
        let collect = |event: Event| {
            store
                .transaction(|tx| tx.collect(std::slice::from_ref(&event)))
                .unwrap()
        };
        match act {
            Act::View {
                session,
                page,
                code,
                minute,
            } => {
                let id = session.to_string();
                collect(match code.and_then(|n| self.nth_newest(n)) {
                    Some(friend) => view_with(&id, PAGES[page], &friend.referral_code, minute * 60),
                    None => view(&id, PAGES[page], minute * 60),
                });
            }
            Act::Time {
                session,
                page,
                seconds,
            } => {
                collect(timed(
                    &session.to_string(),
                    PAGES[page],
                    seconds * 1000,
                    i64::from(seconds),
                ));
            }
            Act::Step {
                session,
                step: taken,
                minute,
            } => collect(step(&session.to_string(), STEPS[taken], minute * 60)),
            Act::Share(n) => collect(share(self.nth_newest(n), Platform::Sms, None)),
            Act::Enter { through } => {
                let n = u32::try_from(self.entrants.len()).unwrap();
                let code = through
                    .and_then(|n| self.nth_newest(n))
                    .map(|friend| friend.referral_code.clone());
                let entered = enter(store, &self.entropy, phone(1000 + n), code.as_ref()).unwrap();
                self.entrants.push(entered.entrant);
            }
            Act::Buy(n) => {
                if let Some(buyer) = self.nth_newest(n).map(|entrant| entrant.id) {
                    self.purchases.extend(bought_unless_flagged(store, buyer));
                }
            }
            Act::Refund(n) => {
                if let Some(id) = self.purchases.iter().rev().nth(n) {
                    refund(store, *id);
                }
            }
            Act::Dispute(n, status) => {
                if let Some(id) = self.purchases.iter().rev().nth(n) {
                    reverse(store, *id, &dispute(*id, status));
                }
            }
            Act::Move(n, to) => {
                if let Some(entrant) = self.nth_newest(n).map(|entrant| entrant.id) {
                    let to = FOUR[to];
                    store
                        .transaction::<_, StoreError>(|tx| {
                            let from = tx.find_entrant(entrant)?.unwrap().raffle;
                            Ok(from != to && tx.move_entrant(entrant, from, to)?)
                        })
                        .unwrap();
                }
            }
            Act::Flag(n) => {
                if let Some(entrant) = self.nth_newest(n).map(|entrant| entrant.id) {
                    let flag = NewFlag {
                        entrant,
                        reason: "any".to_owned(),
                        public_reason: PublicReason::Rules,
                    };
                    store.transaction(|tx| tx.flag(&flag)).unwrap();
                }
            }
            Act::Unflag(n) => {
                if let Some(entrant) = self.nth_newest(n).map(|entrant| entrant.id) {
                    store.transaction(|tx| tx.unflag(entrant, noon())).unwrap();
                }
            }
            Act::Detect => {
                store.transaction(|tx| tx.flag_suspicious(&RULES)).unwrap();
            }
            Act::CutOff => {
                let weight = |of: &Entrant| {
                    let found = store.read(|tx| tx.find_entrant(of.id)).unwrap().unwrap();
                    (found.raffle, found.entries.in_drawings())
                };
                let weights = self.entrants.iter().map(|of| (of.id, weight(of))).collect();
                self.cut_offs
                    .push((store.read(|tx| tx.database_time()).unwrap(), weights));
            }
            Act::ClearAnalytics => {
                clear(store, ClearingKind::ClearAnalytics);
            }
            Act::ClearReferrals => {
                clear(store, ClearingKind::ClearReferrals);
            }
            Act::Fold => fold(store),
        }
    }
}
