use crate::Store;
use crate::support::{Spread, assert_balanced, enter, phone};
use kernel::ReferralCode;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raffle::Entrants;
use std::collections::BTreeMap;
use usecases::EnterError;

/// Somebody tries to enter: which of a few phones, and through whose link.
#[derive(Debug, Clone)]
struct Attempt {
    phone: u32,
    link: Link,
}

#[derive(Debug, Clone)]
enum Link {
    None,
    /// The code of the entrant with this phone, if it is in by then.
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

/// The model is one line: a new phone is one entrant, and one entry for whoever's link it came through.
pub fn entries_are_the_ledgers_sums_after_any_history<S: Store>(store: &S) {
    const PHONES: u32 = 8;
    let entropy = Spread::new(6);
    let config = ProptestConfig {
        cases: 32,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut run = 0;
    let check = |history: Vec<Attempt>| {
        run += 1; // so that each history has phones of its own
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
