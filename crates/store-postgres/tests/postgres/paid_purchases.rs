//! Crediting paid purchases in one call, on PostgreSQL only.

use crate::support::{TestDatabase, clear_often, connect, execute, number, rows_of};
use analytics::Session;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{EntrantId, EventId, Money, StoreError, UnitOfWork};
use paid_purchase::{PaidPurchase, PaidPurchases, credit};
use pricing::{
    BeginOutcome, CapDate, CompleteOutcome, EntryCap, EntryCount, NewPurchase, PackageId, Purchases,
};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use store_postgres::PgStore;

/// Every column of every row of a buyer that a purchase adds or changes, except for keys.
const ROWS: &str = "
SELECT concat_ws(E'\\n',
    (SELECT to_jsonb(u) - '{id,phone_number,referral_code,sequence_number,person_salt,person_tag}'::text[] FROM users AS u WHERE id = %),
    (SELECT jsonb_agg(to_jsonb(p) - '{id,user_id,event_id}'::text[]) FROM purchases AS p WHERE user_id = %),
    (SELECT jsonb_agg(to_jsonb(l) - '{id,user_id,cause_id,created_at}'::text[] ORDER BY id) FROM entry_ledger AS l WHERE user_id = %),
    (SELECT jsonb_agg(to_jsonb(r) - '{id,referred_user_id,referred_phone_number}'::text[]) FROM referrals AS r WHERE referred_user_id = %),
    (SELECT jsonb_agg(to_jsonb(f) - '{id,user_id,session_key,session_id}'::text[]) FROM conversion_funnel AS f WHERE user_id = %)
) AS rows";

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_754_049_600, 0).unwrap()
}

/// Entrants 1 to 9, of whom 1 referred the others.
fn seed(connection: &mut PgConnection) {
    execute(
        connection,
        "INSERT INTO users (id, phone_number, referral_code, bonus_entries, created_at)
         SELECT n, '+1555000000' || n, 'CCCCCCC' || n, CASE WHEN n = 1 THEN 8 ELSE 0 END, '2025-08-01' FROM generate_series(1, 9) AS n",
    );
    execute(
        connection,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT n, 'base', 1, n FROM generate_series(1, 9) AS n",
    );
    execute(
        connection,
        "INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number, created_at)
         SELECT 1, n, '+1555000000' || n, '2025-08-01' FROM generate_series(2, 9) AS n",
    );
    execute(
        connection,
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT 1, 'referral', 1, n FROM generate_series(2, 9) AS n",
    );
}

fn begun(store: &PgStore, entrant: i64, session: &str) -> PaidPurchase {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let new = NewPurchase {
        entrant: EntrantId::new(entrant),
        package: PackageId::new(1),
        price: Money::from_cents(500).unwrap(),
        entries: EntryCount::new(20).unwrap(),
        event_id: EventId::parse(&format!("event-{}", NEXT.fetch_add(1, Ordering::Relaxed))).unwrap(),
        at: noon(),
    };
    let day = CapDate::at(noon(), chrono_tz::Tz::UTC, EntryCap::HIGHEST);
    let begun = store.transaction::<_, StoreError>(|tx| tx.begin_purchase(&new, u32::MAX, day));
    let BeginOutcome::Begun(purchase) = begun.unwrap() else {
        panic!("the purchase does not begin");
    };
    PaidPurchase {
        purchase,
        entrant: new.entrant,
        package: new.package,
        session: Session::parse(session).ok(),
        at: noon(),
    }
}

#[test]
fn every_column_is_the_same_as_step_by_step() {
    let database = TestDatabase::new();
    let store = database.store();
    let mut connection = connect(&database.admin_url);
    seed(&mut connection);
    let (one, other) = (begun(&store, 2, "one"), begun(&store, 3, "other"));
    assert!(
        store
            .statement::<_, StoreError>(|tx| tx.credit_at_once(&one))
            .unwrap()
    );
    let outcome = store
        .transaction::<_, StoreError>(|tx| credit(tx, &other))
        .unwrap();
    assert_eq!(outcome, CompleteOutcome::Credited);
    let stored = rows_of(&mut connection, ROWS, 2);
    assert_eq!(stored.lines().count(), 5, "{stored}");
    assert_eq!(stored, rows_of(&mut connection, ROWS, 3));
}

/// A clearing truncates tables that the call writes to.
#[test]
fn clearings_and_credits_do_not_wait_in_a_circle() {
    let database = TestDatabase::new();
    let store = database.store();
    seed(&mut connect(&database.admin_url));
    let is_over = AtomicBool::new(false);
    let credit_until_over = |entrant: i64| {
        let mut credited = 0;
        while !is_over.load(Ordering::Relaxed) {
            let paid = begun(&store, entrant, &format!("{entrant}-{credited}"));
            let is_credited = store.statement::<_, StoreError>(|tx| tx.credit_at_once(&paid));
            assert!(is_credited.unwrap());
            credited += 1;
        }
        credited
    };
    let credited: Vec<i64> = std::thread::scope(|scope| {
        let buyers = [2, 3, 4].map(|entrant| scope.spawn(move || credit_until_over(entrant)));
        let cleared = clear_often(&store);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(cleared, 10);
        buyers.map(|buyer| buyer.join().unwrap()).into()
    });
    let ledger = "SELECT count(*) AS n FROM entry_ledger WHERE kind = 'purchase' AND delta = 20";
    assert_eq!(
        number(&mut connect(&database.admin_url), ledger),
        credited.iter().sum::<i64>()
    );
}
