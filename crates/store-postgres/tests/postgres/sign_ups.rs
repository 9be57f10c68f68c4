//! Sign-ups in one statement, on PostgreSQL only.

use crate::support::{TestDatabase, clear_often, connect, execute, number, rows_of};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{
    EntrantId, EventId, Origin, PersonSalt, Phone, Raffle, ReferralCode, StoreError, UniqueKey, UnitOfWork,
};
use privacy::{Erased, Erasure};
use raffle::{EntryLedger, NewEntrant};
use sign_up::{Outcome, SignUp, SignUps};
use sms::{Consent, ConsentAct};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use store_postgres::PgStore;

/// Every column of every row of an entrant, except for keys and the number.
const ROWS: &str = "
SELECT concat_ws(E'\\n',
    (SELECT to_jsonb(users) - '{id,phone_number,referral_code,sequence_number,person_tag}'::text[] FROM users WHERE id = %),
    (SELECT jsonb_agg(to_jsonb(l) - '{id,user_id,cause_id,created_at}'::text[] ORDER BY id) FROM entry_ledger AS l WHERE user_id = %),
    (SELECT jsonb_agg(to_jsonb(c) - '{id,user_id}'::text[]) FROM user_consent AS c WHERE user_id = %),
    (SELECT jsonb_agg(to_jsonb(m) - '{id,user_id,phone_number}'::text[]) FROM sms_sent_messages AS m WHERE user_id = %),
    (SELECT jsonb_agg(to_jsonb(f) - '{id,user_id,session_key,session_id}'::text[]) FROM conversion_funnel AS f WHERE user_id = %),
    (SELECT jsonb_agg(to_jsonb(r) - '{id,referred_user_id,referred_phone_number}'::text[]) FROM referrals AS r WHERE referred_user_id = %)
) AS rows";

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_754_049_600, 0).unwrap()
}

/// A code for a number.
fn code(n: i64) -> ReferralCode {
    let letter = |digit: u8| char::from(b"CDFGHJKMNP"[usize::from(digit - b'0')]);
    let letters: String = format!("{n:08}").bytes().map(letter).collect();
    ReferralCode::parse(&letters).unwrap()
}

fn add(store: &PgStore, one: &SignUp) -> Result<Vec<EntrantId>, StoreError> {
    store.statement(|tx| tx.sign_up(std::slice::from_ref(one)))
}

fn sign_up(n: i64, friend: Option<i64>) -> SignUp {
    SignUp {
        entrant: NewEntrant {
            id: EntrantId::new(n),
            phone: Phone::from_e164(&format!("+1555{n:07}")).unwrap(),
            person_salt: PersonSalt::new([7; 32]),
            referral_code: code(n),
            raffle: Raffle::KitchenGarden,
            event_id: EventId::parse(&format!("event-{}", n / 10)).ok(),
            origin: Origin {
                address: Some([192, 0, 2, 7].into()),
                user_agent: Some("Test".to_owned()),
            },
            fingerprint: Some("f".repeat(64)),
            created_at: noon(),
        },
        friend_code: friend.map(code),
        consent: Some(Consent {
            granted: true,
            act: ConsentAct::Form,
        }),
        session: analytics::Session::parse(&format!("session-{n}")).ok(),
    }
}

#[test]
fn every_column_is_the_same_as_step_by_step() {
    let database = TestDatabase::new();
    let store = database.store();
    let mut connection = connect(&database.admin_url);
    add(&store, &sign_up(300, None)).unwrap();
    for (n, friend) in [(320, None), (340, Some(300))] {
        let (one, other) = (sign_up(n, friend), sign_up(n + 1, friend));
        assert_eq!(add(&store, &one).unwrap(), [one.entrant.id]);
        let added = store.transaction(|tx| sign_up::add(tx, &other)).unwrap();
        assert_eq!(added, Outcome::Added);
        let stored = rows_of(&mut connection, ROWS, n);
        assert_eq!(
            stored.lines().count(),
            if friend.is_some() { 6 } else { 5 },
            "{stored}"
        );
        assert_eq!(stored, rows_of(&mut connection, ROWS, n + 1));
    }
}

#[test]
fn a_sign_up_that_waits_for_an_erasure_inherits_from_it() {
    let database = TestDatabase::new();
    let store = database.store();
    let mut connection = connect(&database.admin_url);
    let first = sign_up(300, None);
    add(&store, &first).unwrap();
    execute(
        &mut connection,
        "UPDATE users SET is_flagged = true, flag_reason = 'any', flagged_at = now()",
    );
    let mut again = sign_up(301, None);
    again.entrant.phone = first.entrant.phone.clone();
    let in_one = std::thread::scope(|scope| {
        let erased = store.transaction(|tx| {
            let erased = tx.erase_person(first.entrant.id, noon())?;
            let waits = scope.spawn(|| add(&store, &again));
            until_one_waits(&mut connection);
            Ok::<_, StoreError>((erased, waits))
        });
        let (erased, waits) = erased.unwrap();
        assert_eq!(erased, Erased::Done);
        waits.join().unwrap()
    });
    let refused = in_one.unwrap_err();
    assert!(
        matches!(refused, StoreError::Duplicate(UniqueKey::PhoneNumber)),
        "{refused:?}"
    );
    let added = store.transaction(|tx| sign_up::add(tx, &again)).unwrap();
    assert_eq!(added, Outcome::Added);
    let flagged = "SELECT count(*) AS n FROM users WHERE id = 301 AND is_flagged";
    assert_eq!(number(&mut connection, flagged), 1);
}

#[test]
fn clearings_and_sign_ups_do_not_wait_in_a_circle() {
    let store = TestDatabase::new().store();
    add(&store, &sign_up(1, None)).unwrap();
    let (next, is_over) = (AtomicI64::new(2), AtomicBool::new(false));
    let sign_up_until_over = || {
        while !is_over.load(Ordering::Relaxed) {
            let first = next.fetch_add(3, Ordering::Relaxed);
            let batch: Vec<_> = (first..first + 3).map(|n| sign_up(n, Some(1))).collect();
            let added = store.statement(|tx| tx.sign_up(&batch)).unwrap();
            assert_eq!(added.len(), 3);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(sign_up_until_over);
        }
        let cleared = clear_often(&store);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(cleared, 10);
    });
    let unbalanced = store.read(|tx| tx.unbalanced_entrants()).unwrap();
    assert_eq!(unbalanced, [], "nothing takes the entries back here");
}

/// Returns once a statement waits for another transaction.
fn until_one_waits(connection: &mut PgConnection) {
    let waiting = "SELECT count(*) AS n FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event = 'transactionid'";
    while number(connection, waiting) == 0 {
        std::thread::yield_now();
    }
}
