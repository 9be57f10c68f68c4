//! Purchases on PostgreSQL: constraints and locks.

use crate::support::{TestDatabase, connect, error_of, execute, number};
use chrono::DateTime;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use kernel::{EntrantId, EventId, Money, StoreError, UnitOfWork};
use pricing::{
    BeginOutcome, CapRules, CompleteOutcome, EntryCount, IntentId, NewPurchase, PackageId, PricingSettings,
    PurchaseId, Purchases, Reversal,
};
use raffle::EntryLedger;
use store_postgres::{PgStore, PgTx};

/// Two entrants; the first referred the second.
fn seed(connection: &mut PgConnection) {
    let statements = "
        INSERT INTO users (id, phone_number, referral_code, bonus_entries)
        VALUES (1, '+15550000001', 'CCCCCCC1', 1), (2, '+15550000002', 'CCCCCCC2', 0);
        INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
        VALUES (1, 'base', 1, 1), (2, 'base', 1, 2), (1, 'referral', 1, 2);
        INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number) VALUES (1, 2, '+15550000002')";
    connection.batch_execute(statements).unwrap();
}

fn complete_purchase(store: &PgStore, entrant: i64, entries: i64, event_id: &str) -> PurchaseId {
    let new = NewPurchase {
        entrant: EntrantId::new(entrant),
        package: PackageId::new(1),
        price: Money::from_cents(500).unwrap(),
        entries: EntryCount::new(entries).unwrap(),
        event_id: EventId::parse(event_id).unwrap(),
        at: DateTime::UNIX_EPOCH,
    };
    let buy = |tx: &mut PgTx| -> Result<_, StoreError> {
        let BeginOutcome::Begun(id) = tx.begin_purchase(&new, 10, CapRules::DEFAULT.date_at(new.at))? else {
            panic!("the purchase does not begin");
        };
        let outcome = tx.complete_purchase(id, DateTime::UNIX_EPOCH)?;
        assert_eq!(outcome, CompleteOutcome::Credited);
        Ok(id)
    };
    store.transaction(buy).unwrap()
}

fn refund(store: &PgStore, id: PurchaseId) -> bool {
    let refund = |tx: &mut PgTx| {
        let intent = IntentId::parse(&format!("pi_{id}")).unwrap();
        tx.record_intent_id(id, &intent)?;
        tx.reverse_purchase(&intent, &Reversal::Refunded(500), DateTime::UNIX_EPOCH)
    };
    store.transaction::<_, StoreError>(refund).unwrap()
}

fn unbalanced(store: &PgStore) -> Vec<EntrantId> {
    store
        .read::<_, StoreError>(|tx| tx.unbalanced_entrants())
        .unwrap()
}

#[test]
fn invalid_packages_violate_constraints() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let cases = [
        ("'', 20, 500, 'any', 0", "entry_packages_name_line"),
        ("repeat('x', 81), 20, 500, 'any', 0", "entry_packages_name_line"),
        ("'Any', 0, 500, 'any', 0", "entry_packages_entries_bounded"),
        ("'Any', 1000001, 500, 'any', 0", "entry_packages_entries_bounded"),
        ("'Any', 20, 0, 'any', 0", "entry_packages_price_bounded"),
        ("'Any', 20, 100000000, 'any', 0", "entry_packages_price_bounded"),
        ("'Any', 20, 500, '', 0", "entry_packages_description_line"),
        ("'Any', 20, 500, 'any', -1", "entry_packages_sort_order_bounded"),
    ];
    for (values, constraint) in cases {
        let insert = format!(
            "INSERT INTO entry_packages (name, entries, price, description, sort_order) VALUES ({values})"
        );
        let error = error_of(&mut connection, &insert);
        assert!(error.contains(constraint), "{error}");
    }
}

#[test]
fn invalid_purchases_violate_constraints() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    seed(&mut connection);
    let earlier = "INSERT INTO purchases (user_id, landing_page, package_id, amount, event_id, stripe_payment_intent_id)
                   VALUES (1, 'garden-bag', 1, 500, 'taken', 'pi_taken')";
    execute(&mut connection, earlier);
    let cases = [
        ("9, 500, 20, 'any', 'pi_1', 'pending'", "purchases_user_id_fkey"),
        ("1, 0, 20, 'any', 'pi_1', 'pending'", "purchases_amount_bounded"),
        (
            "1, 500, 0, 'any', 'pi_1', 'pending'",
            "purchases_entries_added_bounded",
        ),
        ("1, 500, 20, '', 'pi_1', 'pending'", "purchases_event_id_short"),
        ("1, 500, 20, 'taken', 'pi_1', 'pending'", "purchases_event_id_key"),
        (
            "1, 500, 20, 'any', '', 'pending'",
            "purchases_stripe_payment_intent_id_short",
        ),
        (
            "1, 500, 20, 'any', 'pi_taken', 'pending'",
            "purchases_stripe_payment_intent_id_key",
        ),
        ("1, 500, 20, 'any', 'pi_1', 'paid'", "purchases_status_known"),
        (
            "1, 500, 20, 'any', 'pi_1', 'completed'",
            "purchases_completed_when",
        ),
    ];
    for (values, constraint) in cases {
        let insert = format!(
            "INSERT INTO purchases (landing_page, package_id, user_id, amount, entries_added, event_id,
                                    stripe_payment_intent_id, status) VALUES ('garden-bag', 1, {values})"
        );
        let error = error_of(&mut connection, &insert);
        assert!(error.contains(constraint), "{error}");
    }
    for (set, constraint) in [
        ("completed_at = now()", "purchases_completed_when"),
        ("refunded_at = now()", "purchases_refunded_when"),
        (
            "status = 'refunded', completed_at = now()",
            "purchases_refunded_when",
        ),
    ] {
        let error = error_of(&mut connection, &format!("UPDATE purchases SET {set}"));
        assert!(error.contains(constraint), "{error}");
    }
}

#[test]
fn a_refund_takes_back_at_most_the_remaining_entries() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection);
    let store = database.store();
    let purchases = ["one", "two"].map(|event_id| complete_purchase(&store, 1, 20, event_id));
    // Some of the entrant's entries were already taken back.
    execute(&mut connection, "UPDATE users SET paid_entries = 5 WHERE id = 1");
    execute(
        &mut connection,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (1, 'refund', -35, 0)",
    );
    let taken = "SELECT coalesce(-sum(delta), 0)::bigint AS n FROM entry_ledger WHERE kind = 'refund' AND cause_id > 0";
    let rows = "SELECT count(*) AS n FROM entry_ledger WHERE kind = 'refund' AND cause_id > 0";
    for id in purchases {
        assert!(refund(&store, id));
        assert_eq!(
            (number(&mut connection, taken), number(&mut connection, rows)),
            (5, 1)
        );
        assert_eq!(unbalanced(&store), []);
    }
    let refunded =
        "SELECT count(*) AS n FROM purchases WHERE status = 'refunded' AND refunded_at IS NOT NULL";
    assert_eq!(number(&mut connection, refunded), 2);
}

#[test]
fn a_refund_waits_for_the_entrants_row_and_takes_back_the_rest() {
    let database = TestDatabase::new();
    let mut other = connect(&database.admin_url);
    seed(&mut other);
    let store = database.store();
    let id = complete_purchase(&store, 1, 20, "one");
    other
        .batch_execute(
            "BEGIN;
             UPDATE users SET paid_entries = paid_entries - 15 WHERE id = 1;
             INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (1, 'refund', -15, 0)",
        )
        .unwrap();
    std::thread::scope(|scope| {
        let refunding = scope.spawn(|| refund(&store, id));
        let waits = "SELECT count(*) AS n FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let mut watching = connect(&database.admin_url);
        while !refunding.is_finished() && number(&mut watching, waits) == 0 {
            std::thread::yield_now();
        }
        execute(&mut other, "COMMIT");
        assert!(refunding.join().unwrap());
    });
    let taken = "SELECT -delta AS n FROM entry_ledger WHERE kind = 'refund' AND cause_id > 0";
    assert_eq!(number(&mut other, taken), 5);
    assert_eq!(unbalanced(&store), []);
}

/// Otherwise the two would deadlock.
#[test]
fn completing_a_purchase_waits_for_clearing() {
    let database = TestDatabase::new();
    let mut clearing = connect(&database.admin_url);
    seed(&mut clearing);
    let store = database.store();
    let lock = "BEGIN; SET LOCAL lock_timeout = '10s'; SELECT pg_advisory_xact_lock(7266209184103)";
    clearing.batch_execute(lock).unwrap();
    std::thread::scope(|scope| {
        let completing = scope.spawn(|| complete_purchase(&store, 2, 20, "one"));
        let waits = "SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        while !completing.is_finished() && number(&mut clearing, waits) == 0 {
            std::thread::yield_now();
        }
        execute(&mut clearing, "TRUNCATE referrals");
        assert!(!completing.is_finished());
        execute(&mut clearing, "COMMIT");
        completing.join().unwrap();
    });
    assert_eq!(unbalanced(&store), []);
}

/// Such a row can only be written by hand.
#[test]
fn an_invalid_setting_is_corrupt() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "INSERT INTO system_settings (key, value) VALUES ('show_pricing', 'maybe')",
    );
    let error = database
        .store()
        .read::<_, StoreError>(|tx| tx.show_pricing())
        .unwrap_err();
    let StoreError::Corrupt { table, column, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!((table, column), ("system_settings", "value"));
}
