//! Steps of a clearing beside other work on the same rows.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{AnalyticsClearing, ReferralClearing};
use diesel::connection::SimpleConnection;
use kernel::{StoreError, UnitOfWork};
use sms::SmsClearing;
use std::time::{Duration, Instant};

/// The lock that everybody who appends holds: `src/append_lock.rs`.
const WRITING: &str = "SELECT pg_advisory_xact_lock_shared(7266209184103)";

#[test]
fn a_step_gives_up_behind_a_slow_writer_and_changes_nothing() {
    let database = TestDatabase::new();
    let mut writer = connect(&database.admin_url);
    execute(
        &mut writer,
        "INSERT INTO page_views (view_key, session_key, session_id, page, entry_source)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'one', 'welcome', 'direct')",
    );
    let store = database.store();
    writer.batch_execute(&format!("BEGIN; {WRITING}")).unwrap();
    let began = Instant::now();
    assert_eq!(store.transaction(|tx| tx.clear_analytics()).unwrap(), None);
    assert_eq!(store.transaction(|tx| tx.cut_referrals()).unwrap(), None);
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "far less than a clearing used to wait"
    );
    writer.batch_execute("COMMIT").unwrap();
    assert_eq!(number(&mut writer, "SELECT count(*) AS n FROM page_views"), 1);
    let cleared = store.transaction(|tx| tx.clear_analytics()).unwrap();
    assert_eq!(cleared.map(|counts| counts.page_views), Some(1));
}

#[test]
fn a_step_gives_up_behind_a_sender_that_claims_messages() {
    let database = TestDatabase::new();
    let mut sender = connect(&database.admin_url);
    let store = database.store();
    sender
        .batch_execute("BEGIN; SELECT FROM sms_dispatcher FOR KEY SHARE")
        .unwrap();
    assert_eq!(store.transaction(|tx| tx.cut_campaigns(true)).unwrap(), None);
    sender.batch_execute("COMMIT").unwrap();
    assert!(store.transaction(|tx| tx.cut_campaigns(true)).unwrap().is_some());
}

/// Between its steps a clearing holds no lock, and within a batch only those of its entrants.
#[test]
fn entrants_of_no_batch_are_not_locked() {
    let database = TestDatabase::new();
    let mut other = connect(&database.admin_url);
    for n in 1..=3 {
        execute(
            &mut other,
            &format!(
                "INSERT INTO users (phone_number, referral_code, bonus_entries) VALUES ('+1555123456{n}', 'CDFG346{n}', 1)"
            ),
        );
    }
    execute(
        &mut other,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT id, 'referral', 1, 99 FROM users",
    );
    let store = database.store();
    let (_, mut cut) = store.transaction(|tx| tx.cut_referrals()).unwrap().unwrap();
    store
        .transaction::<_, StoreError>(|tx| {
            assert_eq!(tx.take_referral_entries(&mut cut, 2)?, Some(2));
            other
                .batch_execute(
                    "BEGIN; SET LOCAL lock_timeout = '5s'; SELECT FROM users WHERE id = 3 FOR UPDATE; COMMIT",
                )
                .unwrap();
            other.batch_execute(&format!("BEGIN; {WRITING}; COMMIT")).unwrap();
            Ok(())
        })
        .unwrap();
}
