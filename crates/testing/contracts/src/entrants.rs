use crate::Store;
use crate::support::{
    Noon, SeededEntropy, assert_balanced, at_once, command, enter, entered, ledger_of, new_entrant, noon,
    phone,
};
use chrono::TimeDelta;
use kernel::{
    Consent, ConsentAct, EntrantId, Entropy, PageRequest, PersonTag, Phone, ReferralCode, StoreError,
    UniqueKey,
};
use privacy::{Erased, Erasure};
use raffle::fixtures::KITCHEN_GARDEN;
use raffle::{BrowserStanding, BrowserToken, Entrant, Entrants, Entries, EntryKind, LedgerRow, NewEntrant};
use referral::{NewReferral, Referrals};
use sms::{Consents, FORM_WORDING, NewConsent};
use std::collections::HashSet;
use std::sync::Mutex;
use usecases::entering::EnterError;

pub fn an_entrant_reads_back<S: Store>(store: &S) {
    let new = new_entrant(1, "cdfg3467");
    let id = store.transaction(|tx| tx.add_entrant(&new)).unwrap().unwrap();
    assert!(store.read(|tx| tx.has_entrants()).unwrap());
    let found = store.read(|tx| tx.find_entrant(id)).unwrap().unwrap();
    assert_eq!((found.id, &found.phone), (id, &new.phone));
    assert_eq!(found.referral_code.as_str(), "CDFG3467");
    assert_eq!((found.raffle, found.created_at), (KITCHEN_GARDEN, noon()));
    assert_eq!(found.entries, Entries::NEW);
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&new.phone)).unwrap(),
        Some(found)
    );
    let ledger = store.read(|tx| ledger_of(tx, id)).unwrap();
    assert_eq!(
        ledger,
        [LedgerRow {
            kind: EntryKind::Base,
            delta: 1,
            cause: id.get()
        }]
    );
}

pub fn an_entrant_keeps_the_tag_of_their_number<S: Store>(store: &S) {
    let new = new_entrant(1, "CDFG3467");
    let id = store.transaction(|tx| tx.add_entrant(&new)).unwrap().unwrap();
    let person = |id| store.read(|tx| tx.find_person(id)).unwrap();
    let tag = PersonTag::of(&new.person_salt, &new.phone);
    assert_eq!(person(id), Some((Some(new.person_salt), tag)));
    assert_eq!(person(EntrantId::new(i64::MAX)), None);
}

pub fn each_entrant_gets_a_salt_of_their_own<S: Store>(store: &S) {
    let entropy = SeededEntropy::new(1);
    let salts: HashSet<_> = (1..4)
        .map(|n| {
            let entrant = enter(store, &entropy, phone(n), None).unwrap().entrant;
            let (salt, tag) = store.read(|tx| tx.find_person(entrant.id)).unwrap().unwrap();
            let salt = salt.unwrap();
            assert_eq!(tag, PersonTag::of(&salt, &entrant.phone));
            *salt.as_bytes()
        })
        .collect();
    assert_eq!(salts.len(), 3);
}

pub fn looking_up_an_unknown_entrant_finds_nothing<S: Store>(store: &S) {
    assert!(!store.read(|tx| tx.has_entrants()).unwrap());
    for id in [0, 1, -1, i64::MAX, i64::MIN].map(EntrantId::new) {
        assert_eq!(store.read(|tx| tx.find_entrant(id)).unwrap(), None);
        assert_eq!(store.read(|tx| tx.count_referrals(id)).unwrap().all, 0);
        assert_eq!(
            store
                .read(|tx| tx.list_referrals(id, PageRequest::default()))
                .unwrap(),
            []
        );
        assert!(!store.read(|tx| tx.has_campaign_consent(id)).unwrap());
    }
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(1))).unwrap(),
        None
    );
    let code = ReferralCode::parse("CDFG3467").unwrap();
    assert_eq!(store.read(|tx| tx.find_referrer(&code)).unwrap(), None);
}

pub fn a_phone_number_enters_once<S: Store>(store: &S) {
    let first = store
        .transaction(|tx| tx.add_entrant(&new_entrant(1, "CDFG3467")))
        .unwrap()
        .unwrap();
    let again = store
        .transaction(|tx| tx.add_entrant(&new_entrant(1, "HJKM3467")))
        .unwrap();
    assert_eq!(again, None);
    let entrant = store.read(|tx| tx.find_entrant(first)).unwrap().unwrap();
    assert_eq!(entrant.referral_code.as_str(), "CDFG3467");
    assert_eq!(store.read(|tx| ledger_of(tx, first)).unwrap().len(), 1);
}

pub fn a_duplicate_referral_code_is_reported<S: Store>(store: &S) {
    store
        .transaction(|tx| tx.add_entrant(&new_entrant(1, "CDFG3467")))
        .unwrap();
    let error = store
        .transaction(|tx| tx.add_entrant(&new_entrant(2, "CDFG3467")))
        .unwrap_err();
    assert!(
        matches!(error, StoreError::Duplicate(UniqueKey::ReferralCode)),
        "{error:?}"
    );
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(2))).unwrap(),
        None
    );
}

pub fn a_taken_id_is_reported<S: Store>(store: &S) {
    let first = new_entrant(1, "CDFG3467");
    store.transaction(|tx| tx.add_entrant(&first)).unwrap();
    let second = NewEntrant {
        id: first.id,
        ..new_entrant(2, "HJKM3467")
    };
    let error = store.transaction(|tx| tx.add_entrant(&second)).unwrap_err();
    assert!(
        matches!(error, StoreError::Duplicate(UniqueKey::EntrantId)),
        "{error:?}"
    );
    let third = NewEntrant {
        phone: phone(1),
        ..second
    };
    let again = store.transaction(|tx| tx.add_entrant(&third)).unwrap();
    assert_eq!(again, None, "the number is taken, whatever the id");
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(2))).unwrap(),
        None
    );
}

/// Counts from 1 to `ids` in each call for an id, and then again: every id is drawn more than once. Everything else is random.
struct FewIds {
    ids: u64,
    last: Mutex<u64>,
    rest: SeededEntropy,
}

impl Entropy for FewIds {
    fn fill(&self, bytes: &mut [u8]) {
        if bytes.len() != size_of::<u64>() {
            return self.rest.fill(bytes);
        }
        let mut last = self.last.lock().unwrap();
        *last = *last % self.ids + 1;
        bytes.copy_from_slice(&last.to_be_bytes());
    }
}

pub fn a_taken_id_is_drawn_again<S: Store>(store: &S) {
    let entropy = FewIds {
        ids: 3,
        last: Mutex::new(0),
        rest: SeededEntropy::new(1),
    };
    store
        .transaction(|tx| tx.add_entrant(&new_entrant(1, "CDFG3467")))
        .unwrap();
    let enter = |n| usecases::entering::enter(store, &Noon, &entropy, &command(phone(n), None), None);
    let ids = [10, 11].map(|n| enter(n).unwrap().entrant.id.get());
    // new_entrant(1) has the id 2.
    assert_eq!(ids, [1, 3]);
    let error = enter(12).unwrap_err();
    assert!(
        matches!(
            error,
            EnterError::Store(StoreError::Duplicate(UniqueKey::EntrantId))
        ),
        "{error:?}"
    );
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(12))).unwrap(),
        None
    );
    let known = enter(10).unwrap();
    assert!(!known.is_new, "a number that has entered needs no id");
}

pub fn the_largest_and_the_smallest_id_read_back<S: Store>(store: &S) {
    for (n, id) in [(1, EntrantId::new(1)), (2, EntrantId::MAX)] {
        let new = NewEntrant {
            id,
            ..new_entrant(n, if n == 1 { "CDFG3467" } else { "HJKM3467" })
        };
        assert_eq!(store.transaction(|tx| tx.add_entrant(&new)).unwrap(), Some(id));
        assert_eq!(store.read(|tx| tx.find_entrant(id)).unwrap().unwrap().id, id);
    }
}

/// Returns the same bytes for the first `left` calls, and random bytes after that.
struct RepeatingEntropy {
    left: Mutex<u32>,
    then: SeededEntropy,
}

impl Entropy for RepeatingEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        let mut left = self.left.lock().unwrap();
        if *left == 0 {
            return self.then.fill(bytes);
        }
        *left -= 1;
        bytes.fill(1);
    }
}

pub fn a_colliding_id_and_referral_code_are_replaced<S: Store>(store: &S) {
    // Each takes a salt, an id and the characters of a code; the second one draws id and code twice before it gets others.
    let drawn = 1 + ReferralCode::LENGTH as u32;
    let entropy = RepeatingEntropy {
        left: Mutex::new((1 + drawn) + (1 + 2 * drawn)),
        then: SeededEntropy::new(1),
    };
    let enter = |n| {
        usecases::entering::enter(store, &Noon, &entropy, &command(phone(n), None), None)
            .unwrap()
            .entrant
    };
    let (one, two) = (enter(1), enter(2));
    assert_eq!(one.referral_code.as_str(), "44444444");
    assert_eq!(one.id.get(), 0x0001_0101_0101_0101);
    assert_ne!(two.referral_code, one.referral_code);

    let stuck = RepeatingEntropy {
        left: Mutex::new(u32::MAX),
        then: SeededEntropy::new(1),
    };
    let error = usecases::entering::enter(store, &Noon, &stuck, &command(phone(3), None), None).unwrap_err();
    assert!(
        matches!(error, EnterError::Store(StoreError::Duplicate(_))),
        "{error:?}"
    );
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(3))).unwrap(),
        None
    );
}

pub fn a_hundred_concurrent_entries_of_one_phone_number_make_one_entrant<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let spellings = [
        "(555) 123-4567",
        "555-123-4567",
        "5551234567",
        "1-555-123-4567",
        "+1 555 123 4567",
    ];
    let entropy = SeededEntropy::new(2);
    let answers = at_once(100, |n| {
        let phone = Phone::parse(spellings[n as usize % spellings.len()]).unwrap();
        enter(store, &entropy, phone, Some(&referrer.referral_code)).unwrap()
    });
    let ids: HashSet<_> = answers.iter().map(|answer| answer.entrant.id).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.is_new).count(), 1);
    let referrer = store.read(|tx| tx.find_entrant(referrer.id)).unwrap().unwrap();
    assert_eq!(referrer.entries.total(), 2);
    assert_balanced(store);
}

pub fn two_hundred_concurrent_friends_earn_two_hundred_entries<S: Store>(store: &S) {
    let referrer = entered(store, 1000);
    let entropy = SeededEntropy::new(3);
    let answers = at_once(200, |n| {
        enter(store, &entropy, phone(n), Some(&referrer.referral_code)).map(|answer| answer.is_new)
    });
    assert!(
        answers.iter().all(|answer| matches!(answer, Ok(true))),
        "{answers:?}"
    );
    let found = store.read(|tx| tx.find_entrant(referrer.id)).unwrap().unwrap();
    assert_eq!(
        found.entries,
        Entries {
            base: 1,
            bonus: 200,
            paid: 0,
            held: 0,
        }
    );
    assert_eq!(store.read(|tx| tx.count_referrals(referrer.id)).unwrap().all, 200);
    assert_balanced(store);
}

fn total_entries<S: Store>(store: &S, id: EntrantId) -> i64 {
    let entrant = store.read(|tx| tx.find_entrant(id)).unwrap().unwrap();
    entrant.entries.total()
}

pub fn entering_again_through_a_friend_earns_nothing<S: Store>(store: &S) {
    let entropy = SeededEntropy::new(4);
    let a = entered(store, 1);
    let b = enter(store, &entropy, phone(2), Some(&a.referral_code))
        .unwrap()
        .entrant;
    for _ in 0..3 {
        let a_again = enter(store, &entropy, phone(1), Some(&b.referral_code)).unwrap();
        let b_again = enter(store, &entropy, phone(2), Some(&a.referral_code)).unwrap();
        assert!(!a_again.is_new && !b_again.is_new);
    }
    assert_eq!((total_entries(store, a.id), total_entries(store, b.id)), (2, 1));
    let own_code = enter(store, &entropy, phone(1), Some(&a.referral_code)).unwrap();
    assert_eq!((own_code.is_new, total_entries(store, a.id)), (false, 2));
    assert_balanced(store);
}

pub fn a_friend_is_credited_once<S: Store>(store: &S) {
    let (one, other, friend) = (entered(store, 1), entered(store, 2), entered(store, 3));
    let credit = |referrer| {
        let referral = NewReferral {
            referrer,
            referred: friend.id,
            referred_phone: friend.phone.clone(),
            address: None,
            created_at: noon(),
        };
        store.transaction(|tx| tx.credit_referral(&referral)).unwrap()
    };
    assert_eq!(
        (credit(one.id), credit(one.id), credit(other.id)),
        (true, false, false)
    );
    assert_eq!(
        (total_entries(store, one.id), total_entries(store, other.id)),
        (2, 1)
    );
    assert_balanced(store);
}

pub fn an_unknown_referral_code_is_rejected<S: Store>(store: &S) {
    let code = ReferralCode::parse("CDFG3467").unwrap();
    let error = enter(store, &SeededEntropy::new(1), phone(1), Some(&code)).unwrap_err();
    assert!(matches!(error, EnterError::UnknownReferralCode), "{error:?}");
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(1))).unwrap(),
        None
    );
}

pub fn referrals_are_listed_newest_first_in_pages<S: Store>(store: &S) {
    let referrer = entered(store, 1000);
    let entropy = SeededEntropy::new(5);
    for n in 0..5 {
        enter(store, &entropy, phone(n), Some(&referrer.referral_code)).unwrap();
    }
    let list = |limit, offset| -> Vec<Phone> {
        let page = PageRequest { limit, offset };
        let referrals = store.read(|tx| tx.list_referrals(referrer.id, page)).unwrap();
        referrals
            .into_iter()
            .filter_map(|referral| referral.referred_phone)
            .collect()
    };
    assert_eq!(list(500, 0), [4, 3, 2, 1, 0].map(phone));
    assert_eq!(list(2, 1), [3, 2].map(phone));
    assert_eq!(list(0, 0), []);
    assert_eq!(list(500, 9), []);
}

pub fn the_newest_consent_decides<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let record = |granted| {
        let consent = NewConsent {
            entrant,
            consent: Consent {
                granted,
                act: ConsentAct::Form,
            },
            wording: FORM_WORDING,
            address: Some("2001:db8::7".parse().unwrap()),
            user_agent: None,
            at: noon(),
        };
        store.transaction(|tx| tx.record_consent(&consent)).unwrap();
        store.read(|tx| tx.has_campaign_consent(entrant)).unwrap()
    };
    assert_eq!((record(true), record(false), record(true)), (true, false, true));
}

/// Of two browsers that sign each other out at once, one stays.
pub fn signing_out_leaves_one_browser_and_those_that_come_later<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1), entered(store, 2));
    let token = |entrant: &Entrant, seconds, hash| BrowserToken {
        entrant: entrant.id,
        issued_at: noon() + TimeDelta::seconds(seconds),
        hash: [hash; 32],
    };
    let browsers = [token(&entrant, 0, 1), token(&entrant, 1, 2)];
    let standing = |token: &BrowserToken| usecases::entrants::browser_standing(store, token).unwrap();
    let knows = |token: &BrowserToken| standing(token) == BrowserStanding::Own;
    assert!(browsers.iter().all(knows));
    let sign_out = |n| {
        let at = noon() + TimeDelta::seconds(2);
        store
            .transaction::<_, StoreError>(|tx| tx.sign_out_others(&browsers[n], at))
            .unwrap();
    };
    sign_out(0);
    assert_eq!(browsers.map(|token| knows(&token)), [true, false]);
    at_once(2, |n| sign_out(n as usize));
    let left = browsers.map(|token| knows(&token));
    assert_eq!(left.iter().filter(|is_known| **is_known).count(), 1);
    assert!(knows(&token(&entrant, 2, 3)));
    assert!(knows(&token(&other, 0, 4)));
    let erased = store.transaction::<_, StoreError>(|tx| tx.erase_person(entrant.id, noon()));
    assert_eq!(erased.unwrap(), Erased::Done);
    for token in [token(&entrant, 9, 5), browsers[0], browsers[1]] {
        assert_eq!(standing(&token), BrowserStanding::Erased);
    }
    let nobody = BrowserToken {
        entrant: EntrantId::new(77),
        ..browsers[0]
    };
    assert_eq!(standing(&nobody), BrowserStanding::Unknown);
}
