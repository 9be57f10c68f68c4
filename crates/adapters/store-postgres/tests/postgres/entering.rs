//! Entering beside erasures and clearings, on PostgreSQL only.

use crate::support::{TestDatabase, clear_often, connect, execute, number};
use contracts::{entered, entered_through};
use diesel::prelude::*;
use kernel::{StoreError, UnitOfWork};
use privacy::{Erased, Erasure};
use raffle::EntryLedger;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

#[test]
fn who_enters_while_the_number_is_erased_inherits_the_flag() {
    let database = TestDatabase::new();
    let store = database.store();
    let mut connection = connect(&database.admin_url);
    let first = entered(&store, 1);
    execute(
        &mut connection,
        "UPDATE users SET is_flagged = true, flag_reason = 'any', flagged_at = now()",
    );
    let again = std::thread::scope(|scope| {
        let erased = store.transaction(|tx| {
            let erased = tx.erase_person(first.id, first.created_at)?;
            let waits = scope.spawn(|| entered(&store, 1));
            until_one_waits(&mut connection);
            Ok::<_, StoreError>((erased, waits))
        });
        let (erased, waits) = erased.unwrap();
        assert_eq!(erased, Erased::Done);
        waits.join().unwrap()
    });
    assert_ne!(again.id, first.id);
    let flagged = format!(
        "SELECT count(*) AS n FROM users WHERE id = {} AND is_flagged",
        again.id
    );
    assert_eq!(number(&mut connection, &flagged), 1);
}

#[test]
fn clearings_and_sign_ups_do_not_wait_in_a_circle() {
    let store = TestDatabase::new().store();
    let friend = entered(&store, 1);
    let (next, is_over) = (AtomicU32::new(2), AtomicBool::new(false));
    let sign_up_until_over = || {
        while !is_over.load(Ordering::Relaxed) {
            let n = next.fetch_add(1, Ordering::Relaxed);
            entered_through(&store, n, &friend.referral_code);
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
