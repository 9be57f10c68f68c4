//! Verifications, and the codes that limits count.

use crate::Store;
use crate::support::{at_once, code, noon, phone, session};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Consent, ConsentAct, EntrantId, EventId, Origin, StoreError};
use raffle::{Raffle, SignUp};
use std::net::IpAddr;
use verification::{
    BrowserHash, CODE_LIFE, Code, CodeHash, NewVerification, RESEND_AFTER, Sender, SentCode, TRIES, Usage,
    Verification, VerificationId, VerificationKey, Verifications,
};

fn key() -> VerificationKey {
    VerificationKey::new(&[7; 32]).unwrap()
}

fn id(n: u32) -> VerificationId {
    VerificationId::new(u128::from(n).to_be_bytes())
}

fn browser(byte: u8) -> BrowserHash {
    BrowserHash::new([byte; 32])
}

fn code_hash(byte: u8) -> CodeHash {
    CodeHash::new([byte; 32])
}

fn network(byte: u8) -> IpAddr {
    [192, 0, 2, byte].into()
}

fn minutes(count: i64) -> TimeDelta {
    TimeDelta::minutes(count)
}

/// Number `n` asks from network `by`. Ten thousand numbers have one prefix.
fn sender(n: u32, by: u8) -> Sender {
    Sender {
        number: key().tag_number(&phone(n)),
        prefix: key().tag_prefix(&phone(n)),
        network: Some(network(by)),
    }
}

fn sign_up(n: u32) -> SignUp {
    SignUp {
        phone: phone(n),
        raffle: Raffle::FreshSips,
        referral_code: Some(code("CDFG3467")),
        event_id: Some(EventId::parse("event-1").unwrap()),
        consent: Some(Consent {
            granted: true,
            act: ConsentAct::Form,
        }),
        origin: Origin {
            address: Some("2001:db8::7".parse().unwrap()),
            user_agent: Some("Test \"1\"".to_owned()),
        },
        fingerprint: Some("abc123".to_owned()),
        session: Some(session("session-1")),
    }
}

/// Verification `n` of number `n`, which network `by` begins.
fn new(n: u32, by: u8, at: DateTime<Utc>) -> NewVerification {
    NewVerification {
        id: id(n),
        browser: browser(by),
        code: code_hash(1),
        sender: sender(n, by),
        at,
        expires_at: at + CODE_LIFE,
        resend_at: at + RESEND_AFTER,
        sign_up: sign_up(n),
    }
}

fn add<S: Store>(store: &S, new: &NewVerification) {
    store.transaction(|tx| tx.add_verification(new)).unwrap();
}

fn find<S: Store>(store: &S, id: VerificationId) -> Option<Verification> {
    store.transaction(|tx| tx.lock_verification(id)).unwrap()
}

fn usage<S: Store>(store: &S, sender: &Sender, now: DateTime<Utc>) -> Usage {
    let found = store.transaction(|tx| tx.lock_usage(sender, None, now));
    let mut usage = found.unwrap();
    usage.number.sort_by_key(|sent| sent.at);
    usage.prefix.sort_by_key(|sent| sent.at);
    usage
}

pub fn a_verification_reads_back<S: Store>(store: &S) {
    assert_eq!(find(store, id(1)), None);
    add(store, &new(1, 1, noon()));
    let stored = Verification {
        id: id(1),
        browser: browser(1),
        code: code_hash(1),
        tries: 0,
        expires_at: noon() + CODE_LIFE,
        resend_at: noon() + RESEND_AFTER,
        is_completed: false,
        sign_up: Some(sign_up(1)),
    };
    assert_eq!(find(store, id(1)), Some(stored));
    let little = SignUp {
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
        ..sign_up(2)
    };
    store
        .transaction(|tx| tx.replace_sign_up(id(1), &little))
        .unwrap();
    assert_eq!(find(store, id(1)).unwrap().sign_up, Some(little));
}

pub fn a_completed_verification_keeps_no_sign_up<S: Store>(store: &S) {
    add(store, &new(1, 1, noon()));
    store
        .transaction(|tx| tx.complete_verification(id(1), EntrantId::new(7), noon()))
        .unwrap();
    let completed = find(store, id(1)).unwrap();
    assert!(completed.is_completed);
    assert_eq!(completed.sign_up, None);
}

pub fn tries_are_counted<S: Store>(store: &S) {
    add(store, &new(1, 1, noon()));
    for tries in 1..=TRIES {
        store.transaction(|tx| tx.count_try(id(1))).unwrap();
        assert_eq!(find(store, id(1)).unwrap().tries, tries);
    }
}

pub fn an_open_verification_of_a_browser_and_number_is_found<S: Store>(store: &S) {
    let open = |by: u8, n: u32, now| {
        let number = sender(n, by).number;
        let found = store.read(|tx| tx.find_open_verification(&browser(by), &number, now));
        found.unwrap().map(|found| found.id)
    };
    add(store, &new(1, 1, noon()));
    let again = NewVerification {
        id: id(2),
        ..new(1, 1, noon() + minutes(1))
    };
    add(store, &again);
    let now = noon() + minutes(2);
    assert_eq!(open(1, 1, now), Some(id(2)), "the newest");
    assert_eq!(open(2, 1, now), None, "another browser");
    assert_eq!(open(1, 3, now), None, "another number");
    for _ in 0..TRIES {
        store.transaction(|tx| tx.count_try(id(2))).unwrap();
    }
    assert_eq!(open(1, 1, now), Some(id(1)), "the other one was tried too often");
    assert_eq!(open(1, 1, noon() + CODE_LIFE), None, "expired");
    store
        .transaction(|tx| tx.complete_verification(id(1), EntrantId::new(7), now))
        .unwrap();
    assert_eq!(open(1, 1, now), None, "completed");
}

pub fn another_code_replaces_the_first_and_counts<S: Store>(store: &S) {
    add(store, &new(1, 1, noon()));
    let now = noon() + minutes(2);
    let replaced = store.transaction(|tx| {
        tx.replace_code(
            id(1),
            &code_hash(2),
            &sender(1, 2),
            now,
            now + CODE_LIFE,
            now + RESEND_AFTER,
        )
    });
    replaced.unwrap();
    let found = find(store, id(1)).unwrap();
    assert_eq!(found.code, code_hash(2));
    assert_eq!(
        (found.expires_at, found.resend_at),
        (now + CODE_LIFE, now + RESEND_AFTER)
    );
    let sent = |at, same_network| SentCode { at, same_network };
    let number = usage(store, &sender(1, 1), now).number;
    assert_eq!(number, [sent(noon(), true), sent(now, false)]);
}

pub fn codes_are_counted_by_number_network_and_prefix<S: Store>(store: &S) {
    add(store, &new(1, 1, noon()));
    add(store, &new(2, 2, noon() + minutes(1)));
    add(store, &new(20_000, 1, noon() + minutes(2)));
    let sent = |minute, same_network| SentCode {
        at: noon() + minutes(minute),
        same_network,
    };
    let now = noon() + minutes(2) + TimeDelta::seconds(30);
    let of_first = usage(store, &sender(1, 1), now);
    assert_eq!(of_first.number, [sent(0, true)]);
    assert_eq!(of_first.network, [noon() + minutes(2)], "of the last minute");
    assert_eq!(of_first.prefix, [sent(0, true), sent(1, false)]);

    let unknown = Sender {
        network: None,
        ..sender(1, 1)
    };
    let of_unknown = usage(store, &unknown, now);
    assert_eq!(of_unknown.number, [sent(0, false)]);
    assert!(of_unknown.network.is_empty());

    store
        .transaction(|tx| tx.complete_verification(id(2), EntrantId::new(7), now))
        .unwrap();
    assert_eq!(
        usage(store, &sender(1, 1), now).prefix,
        [sent(0, true)],
        "unfinished"
    );
    let resend = store.transaction(|tx| tx.lock_usage(&sender(1, 1), Some(id(1)), now));
    assert_eq!(resend.unwrap().prefix, [], "the sign-up is not a new one");

    let later = usage(store, &sender(1, 1), noon() + TimeDelta::hours(1));
    assert_eq!((later.number.len(), later.prefix.len()), (1, 0), "after an hour");
    let later = usage(store, &sender(1, 1), noon() + TimeDelta::days(1));
    assert_eq!(later.number, [], "after a day");
}

/// Twenty requests at once for one number, and for numbers of one prefix: the limits hold as if they came one by one.
pub fn limits_hold_for_concurrent_requests<S: Store>(store: &S) {
    let begin = |new: &NewVerification| -> Result<bool, StoreError> {
        store.transaction(|tx| {
            let usage = tx.lock_usage(&new.sender, None, new.at)?;
            if usage.wait(new.at).is_some() {
                return Ok(false);
            }
            tx.add_verification(new)?;
            Ok(true)
        })
    };
    let granted = |results: Vec<Result<bool, StoreError>>| {
        results
            .into_iter()
            .filter(|result| *result.as_ref().unwrap())
            .count()
    };
    let one_number = at_once(20, |n| {
        let own_id = NewVerification {
            id: id(100 + n),
            ..new(1, u8::try_from(n).unwrap(), noon())
        };
        begin(&own_id)
    });
    assert_eq!(granted(one_number), 1, "one code a minute");
    let one_prefix = at_once(40, |n| {
        begin(&new(20_000 + n, u8::try_from(n / 4).unwrap(), noon()))
    });
    assert_eq!(granted(one_prefix), 20, "twenty unfinished sign-ups an hour");
    let one_network = at_once(40, |n| begin(&new(1_000_000 + 10_000 * n, 77, noon())));
    assert_eq!(granted(one_network), 30, "thirty codes a minute");
}

pub fn what_no_limit_counts_is_forgotten<S: Store>(store: &S) {
    let forget = |now: DateTime<Utc>| {
        let forgotten = store.transaction(|tx| tx.forget_verifications(now, now - TimeDelta::days(1)));
        forgotten.unwrap()
    };
    add(store, &new(1, 1, noon()));
    assert_eq!(forget(noon() + CODE_LIFE - TimeDelta::seconds(1)), 0);
    assert_eq!(forget(noon() + CODE_LIFE), 1);
    let expired = find(store, id(1)).unwrap();
    assert_eq!(expired.sign_up, None, "the sign-up is forgotten");
    assert_eq!(forget(noon() + CODE_LIFE), 0);
    assert_eq!(
        usage(store, &sender(1, 1), noon() + minutes(30)).number.len(),
        1,
        "still counted"
    );
    assert_eq!(forget(noon() + TimeDelta::days(1) + TimeDelta::seconds(1)), 1);
    assert_eq!(find(store, id(1)), None);
}

pub fn a_code_is_one_of_its_verification_only<S: Store>(store: &S) {
    let right = Code::parse("123456").unwrap();
    let hash = key().hash_code(id(1), &right);
    add(
        store,
        &NewVerification {
            code: hash,
            ..new(1, 1, noon())
        },
    );
    let stored = find(store, id(1)).unwrap();
    assert!(key().is_code(id(1), &right, &stored.code));
    assert!(!key().is_code(id(2), &right, &stored.code));
}
