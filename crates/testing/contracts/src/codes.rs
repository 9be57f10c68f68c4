//! Codes that were sent, what limits count of them, and the sign-ups that wait for them.

use crate::Store;
use crate::support::{at_once, code, noon, phone, session};
use ::codes::{
    Attempt, CODE_LIFE, Code, CodeKey, Codes, Counted, Holder, NewCode, Purpose, Request, SentCode, Share,
    Subject, Usage,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{BrowserHash, Consent, ConsentAct, EntrantId, EventId, MessageId, Origin, StoreError};
use raffle::fixtures::FRESH_SIPS;
use raffle::{NewWaitingSignUp, SignUp, SignUpId, WaitingSignUp, WaitingSignUps};
use std::net::IpAddr;

fn key() -> CodeKey {
    CodeKey::new(&[7; 32]).unwrap()
}

fn id(n: u32) -> SignUpId {
    SignUpId::new(u128::from(n).to_be_bytes())
}

fn browser(byte: u8) -> BrowserHash {
    BrowserHash::new([byte; 32])
}

/// An address of one block.
fn network(byte: u8) -> IpAddr {
    [192, 0, 2, byte].into()
}

fn minutes(count: i64) -> TimeDelta {
    TimeDelta::minutes(count)
}

/// Network `by` asks for a code of sign-up `n`, which goes to number `n`.
fn request(n: u32, by: u8) -> Request {
    Request {
        subject: Subject::SignUp(id(n)),
        holder: Holder::Browser(browser(by)),
        number: key().tag_number(&phone(n)),
        network: Some(network(by)),
    }
}

fn for_subject(subject: Subject, by: u8) -> Request {
    Request {
        subject,
        ..request(1, by)
    }
}

fn new(request: Request, at: DateTime<Utc>) -> NewCode {
    let text = Code::parse("123456").unwrap();
    NewCode {
        request,
        share: Share::Everybody,
        hash: key().hash_code(request.subject, &text),
        message: MessageId::new(7),
        entrant: None,
        at,
    }
}

fn add<S: Store>(store: &S, new: &NewCode) {
    store.transaction(|tx| tx.add_code(new)).unwrap();
}

fn find<S: Store>(store: &S, subject: Subject, holder: Holder) -> Option<SentCode> {
    let found = store.read(|tx| tx.find_code(subject, holder)).unwrap();
    let locked = store.transaction(|tx| tx.lock_code(subject, holder)).unwrap();
    assert_eq!(found, locked);
    found
}

fn usage<S: Store>(store: &S, request: &Request, now: DateTime<Utc>) -> Usage {
    let found = store.transaction(|tx| tx.lock_code_usage(request, now));
    let mut usage = found.unwrap();
    usage.codes.sort_by_key(|code| code.at);
    usage.network.sort();
    usage.block.sort();
    usage
}

fn counted(minute: i64, same_network: bool) -> Counted {
    Counted {
        at: noon() + minutes(minute),
        same_network,
        share: Share::Everybody,
    }
}

pub fn a_code_reads_back<S: Store>(store: &S) {
    for subject in [Subject::SignUp(id(1)), Subject::Claim(1), Subject::DataRequest(1)] {
        for holder in [
            Holder::Browser(browser(1)),
            Holder::Browser(browser(2)),
            Holder::Staff,
        ] {
            assert_eq!(find(store, subject, holder), None);
            let request = Request {
                holder,
                ..for_subject(subject, 1)
            };
            let new = new(request, noon());
            add(store, &new);
            let sent = find(store, subject, holder).unwrap();
            let expected = SentCode {
                id: sent.id,
                hash: new.hash,
                sent_at: noon(),
                message: new.message,
                wrong_tries: 0,
                is_completed: false,
            };
            assert_eq!(sent, expected);
        }
    }
}

pub fn the_newest_code_of_a_holder_counts<S: Store>(store: &S) {
    let first = request(1, 1);
    add(store, &new(first, noon()));
    add(store, &new(first, noon() + minutes(1)));
    add(store, &new(request(1, 2), noon() + minutes(2)));
    let newest = find(store, first.subject, first.holder).unwrap();
    assert_eq!(newest.sent_at, noon() + minutes(1), "not that of another browser");
    store.transaction(|tx| tx.count_wrong_try(newest.id)).unwrap();
    store.transaction(|tx| tx.count_wrong_try(newest.id)).unwrap();
    assert_eq!(find(store, first.subject, first.holder).unwrap().wrong_tries, 2);
    let other = request(1, 2);
    assert_eq!(find(store, other.subject, other.holder).unwrap().wrong_tries, 0);
}

/// Somebody tries many codes at once: five of them are looked at.
pub fn tries_at_once_are_counted_one_by_one<S: Store>(store: &S) {
    let one = request(1, 1);
    add(store, &new(one, noon()));
    let wrong = Code::parse("000000").unwrap();
    let tried = at_once(20, |_| {
        store.transaction::<_, StoreError>(|tx| {
            let sent = tx.lock_code(one.subject, one.holder)?.unwrap();
            let attempt = sent.attempt(&key(), one.subject, &wrong, noon());
            if let Attempt::Wrong { .. } = attempt {
                tx.count_wrong_try(sent.id)?;
            }
            Ok(attempt)
        })
    });
    let looked_at = tried
        .iter()
        .filter(|attempt| matches!(attempt, Ok(Attempt::Wrong { .. })));
    assert_eq!(looked_at.count(), 5, "{tried:?}");
}

pub fn completed_codes_count_no_more_for_their_network<S: Store>(store: &S) {
    let (one, other) = (request(1, 1), request(2, 1));
    for minute in 0..2 {
        add(store, &new(one, noon() + minutes(minute)));
    }
    add(store, &new(other, noon() + minutes(2)));
    let now = noon() + minutes(3);
    assert_eq!(usage(store, &one, now).network.len(), 3);
    let complete = |tx: &mut S::Tx| tx.complete_codes(one.subject, one.holder, EntrantId::new(7));
    store.transaction(complete).unwrap();
    assert!(find(store, one.subject, one.holder).unwrap().is_completed);
    assert!(!find(store, other.subject, other.holder).unwrap().is_completed);
    let left = usage(store, &one, now);
    assert_eq!(
        (left.network, left.block),
        (vec![noon() + minutes(2)], vec![noon() + minutes(2)])
    );
    assert_eq!(left.codes.len(), 2, "they still count for their number");
}

pub fn codes_are_counted_by_number_network_and_block<S: Store>(store: &S) {
    add(store, &new(request(1, 1), noon()));
    add(store, &new(request(1, 2), noon() + minutes(1)));
    add(store, &new(request(2, 1), noon() + minutes(2)));
    let far = Request {
        network: Some([198, 51, 100, 1].into()),
        ..request(2, 1)
    };
    add(store, &new(far, noon() + minutes(3)));
    let now = noon() + minutes(4);
    let of_first = usage(store, &request(1, 1), now);
    assert_eq!(of_first.codes, [counted(0, true), counted(1, false)]);
    assert_eq!(of_first.network, [noon(), noon() + minutes(2)]);
    assert_eq!(of_first.block, [0, 1, 2].map(|minute| noon() + minutes(minute)));

    let unknown = Request {
        network: None,
        ..request(1, 1)
    };
    let of_unknown = usage(store, &unknown, now);
    assert_eq!(of_unknown.codes, [counted(0, false), counted(1, false)]);
    assert_eq!((of_unknown.network.len(), of_unknown.block.len()), (0, 0));

    let later = usage(store, &request(1, 1), noon() + TimeDelta::days(1));
    assert_eq!(later.codes, [counted(1, false)], "the first is a day old");
    assert_eq!(later.network, [noon() + minutes(2)]);
}

pub fn each_purpose_and_each_claim_is_counted_for_itself<S: Store>(store: &S) {
    let subjects = [
        Subject::SignUp(id(1)),
        Subject::Claim(1),
        Subject::Claim(2),
        Subject::DataRequest(1),
        Subject::DataRequest(2),
    ];
    for (minute, subject) in (0..).zip(subjects) {
        add(store, &new(for_subject(subject, 1), noon() + minutes(minute)));
    }
    let now = noon() + minutes(10);
    let of = |subject| {
        let usage = usage(store, &for_subject(subject, 1), now);
        (usage.codes.len(), usage.network.len(), usage.block.len())
    };
    assert_eq!(of(Subject::SignUp(id(9))), (1, 1, 1));
    assert_eq!(
        of(Subject::Claim(2)),
        (1, 2, 2),
        "codes of a claim count on the claim"
    );
    assert_eq!(
        of(Subject::DataRequest(9)),
        (2, 2, 2),
        "those of requests on the number"
    );
    let own = NewCode {
        share: Share::Own,
        ..new(for_subject(Subject::Claim(2), 1), now)
    };
    add(store, &own);
    let shares: Vec<_> = usage(store, &own.request, now)
        .codes
        .iter()
        .map(|code| code.share)
        .collect();
    assert_eq!(shares, [Share::Everybody, Share::Own]);
}

/// Requests at once for one number, from one network and from one block: the limits hold as if they came one by one.
pub fn limits_hold_for_concurrent_requests<S: Store>(store: &S) {
    let send = |request: &Request| -> Result<bool, StoreError> {
        store.transaction(|tx| {
            let usage = tx.lock_code_usage(request, noon())?;
            let share = usage.share(Purpose::SignUp, false, noon());
            if share.is_err() {
                return Ok(false);
            }
            tx.add_code(&new(*request, noon()))?;
            Ok(true)
        })
    };
    let granted = |results: Vec<Result<bool, StoreError>>| {
        let granted = results.into_iter().filter(|result| *result.as_ref().unwrap());
        granted.count()
    };
    let byte = |n: u32| u8::try_from(n).unwrap();
    assert_eq!(granted(at_once(12, |_| send(&request(1, 1)))), 1, "one a minute");
    let from_everywhere = at_once(20, |n| {
        let everywhere = Request {
            network: Some([10, 0, byte(n), 1].into()),
            ..request(2, byte(n))
        };
        send(&everywhere)
    });
    assert_eq!(granted(from_everywhere), 9, "nine to one number");
    let from_one_network = at_once(80, |n| {
        let one = Request {
            network: Some([10, 1, 0, 1].into()),
            ..request(1_000 + n, 1)
        };
        send(&one)
    });
    assert_eq!(granted(from_one_network), 60, "sixty from one network");
    let from_one_block = at_once(250, |n| {
        let neighbor = Request {
            network: Some([10, 2, 0, byte(n)].into()),
            ..request(2_000 + n, 1)
        };
        send(&neighbor)
    });
    assert_eq!(granted(from_one_block), 240, "240 from one block");
}

pub fn codes_that_no_limit_counts_are_forgotten<S: Store>(store: &S) {
    let one = request(1, 1);
    add(store, &new(one, noon()));
    add(store, &new(one, noon() + minutes(1)));
    let forget = |since: DateTime<Utc>| store.transaction(|tx| tx.forget_codes(since)).unwrap();
    assert_eq!(forget(noon()), 0);
    assert_eq!(forget(noon() + minutes(1)), 1);
    assert!(find(store, one.subject, one.holder).is_some());
    assert_eq!(forget(noon() + minutes(2)), 1);
    assert_eq!(find(store, one.subject, one.holder), None);
}

fn sign_up(n: u32) -> SignUp {
    SignUp {
        phone: phone(n),
        raffle: Some(FRESH_SIPS),
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

/// Sign-up `n` of number `n`, which a browser sends.
fn waiting(n: u32, by: u8, at: DateTime<Utc>) -> NewWaitingSignUp {
    NewWaitingSignUp {
        id: id(n),
        browser: browser(by),
        sign_up: sign_up(n),
        at,
        expires_at: at + CODE_LIFE,
    }
}

fn wait<S: Store>(store: &S, new: &NewWaitingSignUp) {
    store.transaction(|tx| tx.add_waiting_sign_up(new)).unwrap();
}

fn locked<S: Store>(store: &S, id: SignUpId) -> Option<WaitingSignUp> {
    store.transaction(|tx| tx.lock_waiting_sign_up(id)).unwrap()
}

pub fn a_waiting_sign_up_reads_back<S: Store>(store: &S) {
    assert_eq!(locked(store, id(1)), None);
    wait(store, &waiting(1, 1, noon()));
    let stored = WaitingSignUp {
        id: id(1),
        browser: browser(1),
        expires_at: noon() + CODE_LIFE,
        sign_up: Some(sign_up(1)),
        entered: None,
    };
    assert_eq!(locked(store, id(1)), Some(stored));
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
    assert_eq!(locked(store, id(1)).unwrap().sign_up, Some(little));
    let later = noon() + minutes(15);
    store.transaction(|tx| tx.extend_sign_up(id(1), later)).unwrap();
    assert_eq!(locked(store, id(1)).unwrap().expires_at, later);
}

pub fn a_completed_sign_up_says_only_who_entered<S: Store>(store: &S) {
    wait(store, &waiting(1, 1, noon()));
    let complete = |tx: &mut S::Tx| tx.complete_sign_up(id(1), EntrantId::new(7), true);
    store.transaction(complete).unwrap();
    let completed = locked(store, id(1)).unwrap();
    assert_eq!(completed.sign_up, None);
    assert_eq!(completed.entered, Some((EntrantId::new(7), true)));
}

pub fn the_sign_up_that_a_browser_sent_for_a_number_is_found<S: Store>(store: &S) {
    let found = |by: u8, n: u32, now| {
        let found = store.read(|tx| tx.find_waiting_sign_up(&browser(by), &phone(n), now));
        found.unwrap()
    };
    wait(store, &waiting(1, 1, noon()));
    let again = NewWaitingSignUp {
        id: id(2),
        ..waiting(1, 1, noon() + minutes(1))
    };
    wait(store, &again);
    let now = noon() + minutes(2);
    assert_eq!(found(1, 1, now), Some(id(2)), "the newest");
    assert_eq!(found(2, 1, now), None, "another browser");
    assert_eq!(found(1, 3, now), None, "another number");
    let complete = |tx: &mut S::Tx| tx.complete_sign_up(id(2), EntrantId::new(7), false);
    store.transaction(complete).unwrap();
    assert_eq!(found(1, 1, now), Some(id(1)), "the other one is completed");
    assert_eq!(found(1, 1, noon() + CODE_LIFE), None, "expired");
}

pub fn what_sign_ups_said_is_forgotten<S: Store>(store: &S) {
    let forget = |now: DateTime<Utc>| {
        let forgotten = store.transaction(|tx| tx.forget_sign_ups(now, now - TimeDelta::days(1)));
        forgotten.unwrap()
    };
    wait(store, &waiting(1, 1, noon()));
    assert_eq!(forget(noon() + CODE_LIFE - TimeDelta::seconds(1)), 0);
    assert_eq!(forget(noon() + CODE_LIFE), 1);
    assert_eq!(locked(store, id(1)).unwrap().sign_up, None);
    assert_eq!(forget(noon() + CODE_LIFE), 0);
    assert_eq!(forget(noon() + TimeDelta::days(1) + TimeDelta::seconds(1)), 1);
    assert_eq!(locked(store, id(1)), None);
}
