//! Upgrades of databases that an earlier release has written.

use crate::support::{TestDatabase, connect, execute, migrate, number};
use analytics::{Rollups, Settling};
use diesel::PgConnection;
use diesel::connection::SimpleConnection;
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use drawing::steps::{AnyDrawing, DrawingSteps};
use drawing::{DrawingId, DrawingSort, Drawings};
use kernel::{PageRequest, SortOrder, StoreError, UnitOfWork};
use raffle::EntryLedger;
use store_postgres::PgTx;

/// The last migration of the release whose drawings `version_1.sql` has.
const RELEASED: &str = "2026-11-22-000013";

/// All migrations of this checkout.
fn migrations_of_checkout() -> FileBasedMigrations {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
    FileBasedMigrations::from_path(folder).unwrap()
}

/// A database as that release left it, with two drawings.
fn released_database() -> TestDatabase {
    let database = TestDatabase::empty();
    let mut connection = connect(&database.admin_url);
    for migration in connection.pending_migrations(migrations_of_checkout()).unwrap() {
        if migration.name().to_string().get(..RELEASED.len()) <= Some(RELEASED) {
            connection.run_migration(&migration).unwrap();
        }
    }
    connection.batch_execute(include_str!("version_1.sql")).unwrap();
    database
}

#[test]
fn drawings_of_version_1_still_verify_after_the_upgrade() {
    let database = released_database();
    assert!(migrate(&database.admin_url) > 0);
    let store = database.store();
    contracts::version_1::drawings_verify(&store, &[1, 2]);
    contracts::former_ids::entrants_find_their_leaves(&store, 1, 1..=6);
    let list = |tx: &PgTx| {
        tx.list_all_drawings(
            DrawingSort::CreatedAt,
            SortOrder::Ascending,
            PageRequest::default(),
        )
    };
    let listed = store.read(list).unwrap();
    let found = [1, 2].map(|id| {
        store
            .read(|tx| tx.find_drawing(DrawingId::new(id)))
            .unwrap()
            .unwrap()
    });
    assert_eq!(listed, found.map(|drawing| AnyDrawing::First(Box::new(drawing))));
    assert_eq!(store.read(|tx| tx.count_all_drawings()).unwrap(), 2);
    let open = store.read(|tx| tx.unretired_commitments()).unwrap();
    assert_eq!(open.iter().map(|one| one.id.get()).collect::<Vec<_>>(), [3]);
    let mut connection = connect(&database.admin_url);
    let copied = "SELECT count(*) AS n
                  FROM drawings
                  JOIN drawing_results AS result USING (id, scheme, landing_page, admin_session_id, created_at)
                  JOIN drawing_commitments AS used ON used.id = commitment_id AND used.commitment = drawings.commitment
                  WHERE drawings.idempotency_key IS NOT DISTINCT FROM result.idempotency_key
                      AND status = 'drawn' AND scheme = 1 AND chain = 'off' AND period IS NULL AND NOT is_additional";
    assert_eq!(number(&mut connection, copied), 2);
    assert_eq!(number(&mut connection, "SELECT count(*) AS n FROM drawings"), 2);
}

#[test]
fn entries_of_the_audit_log_from_before_the_chain_are_chained_with_their_ids() {
    let database = released_database();
    let mut connection = connect(&database.admin_url);
    let insert = "INSERT INTO admin_audit_log (session_id, action, target, details, created_at)
                  VALUES (1, 'flag_user', '2', '{\"reason\": \"Fraud\", \"flagged\": 1}', now())";
    let last = "SELECT max(id) AS n FROM admin_audit_log";
    execute(&mut connection, insert);
    let before = number(&mut connection, last);
    connection
        .batch_execute(&format!("BEGIN; {insert}; ROLLBACK"))
        .unwrap();
    execute(&mut connection, insert);
    assert_eq!(number(&mut connection, last), before + 2, "ids have a gap");
    migrate(&database.admin_url);
    let chained = contracts::audit_chain::verified(&database.store()).end();
    assert_eq!(chained.last_id, before + 2);
    // A server of the version before knows no chain.
    execute(&mut connection, insert);
    let after = contracts::audit_chain::verified(&database.store()).end();
    assert_eq!(
        (after.last_id, after.position),
        (before + 3, chained.position + 1)
    );
}

/// While an update is rolled out, servers of the version before draw on the new schema.
#[test]
fn a_server_of_the_version_before_can_still_draw() {
    let database = released_database();
    migrate(&database.admin_url);
    let mut connection = connect(&database.admin_url);
    execute(&mut connection, "BEGIN");
    for statement in [
        "INSERT INTO drawing_chunks (drawing_id, number, first_entry, first_user_id, root, packed)
         SELECT 3, number, first_entry, first_user_id, root, packed FROM drawing_chunks WHERE drawing_id = 2",
        "INSERT INTO drawing_results (id, landing_page, winner_id, winner_phone_number, winner_index, total_participants,
                                      total_entries, winning_entry_number, drawing_method, commitment_id, merkle_root,
                                      random_seed, salt_key, verification_hash, idempotency_key, admin_session_id,
                                      created_at)
         SELECT 3, landing_page, winner_id, winner_phone_number, winner_index, total_participants, total_entries,
                winning_entry_number, drawing_method, 3, merkle_root, random_seed, salt_key, verification_hash, 'december',
                8, now()
         FROM drawing_results WHERE id = 2",
        "INSERT INTO drawing_audit_logs (id, drawing_id, action, details, \"timestamp\", previous_hash, hash)
         SELECT 6, 3, 'drawing_performed', '{}', now(), hash, repeat('6', 64) FROM drawing_audit_logs WHERE id = 5",
        "COMMIT",
    ] {
        execute(&mut connection, statement);
    }
    let added =
        "SELECT count(*) AS n FROM drawings JOIN drawing_commitments AS used USING (landing_page, commitment)
                 WHERE drawings.id = 3 AND scheme = 1 AND status = 'drawn' AND idempotency_key = 'december'
                     AND admin_session_id = 8 AND used.id = 3";
    assert_eq!(number(&mut connection, added), 1);
}

/// What a server of that release writes for two visitors, their friend, a view, a sign-up's step and a purchase. `n` makes
/// each visit another one.
fn visit(connection: &mut PgConnection, n: usize) {
    let statements = [
        "INSERT INTO users (phone_number, referral_code) VALUES ('+1646200%', 'C$'), ('+1646300%', 'D$')",
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
         SELECT id, 'base', 1, id FROM users WHERE referral_code IN ('C$', 'D$')",
        "INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number)
         SELECT one.id, friend.id, friend.phone_number
         FROM users AS one, users AS friend WHERE one.referral_code = 'C$' AND friend.referral_code = 'D$'",
        "UPDATE users SET bonus_entries = bonus_entries + 1 WHERE referral_code = 'C$'",
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
         SELECT referrer_id, 'referral', 1, referred_user_id
         FROM referrals JOIN users ON users.id = referrer_id WHERE referral_code = 'C$'",
        "INSERT INTO page_views (view_key, session_key, session_id, page, entry_source)
         VALUES (md5('view %')::uuid, md5('session %')::uuid, 'session %', 'garden-bag', 'direct')",
        "INSERT INTO conversion_funnel (session_key, session_id, user_id, landing_page, step)
         SELECT md5('session %')::uuid, 'session %', id, 'garden-bag', 'signUp' FROM users WHERE referral_code = 'C$'",
        "INSERT INTO purchases (user_id, package_id, amount, entries_added, status, event_id, completed_at)
         SELECT id, 1, 500, 20, 'completed', 'event %', now() FROM users WHERE referral_code = 'C$'",
        "INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
         SELECT user_id, 'purchase', entries_added, id FROM purchases WHERE event_id = 'event %'",
        "UPDATE users SET paid_entries = paid_entries + 20 WHERE referral_code = 'C$'",
    ];
    let digits = format!("{n:04}");
    let letters: String = digits
        .chars()
        .map(|digit| char::from(b"CDFGHJKMNP"[usize::from(digit as u8 - b'0')]))
        .collect();
    execute(connection, "BEGIN");
    for statement in statements {
        let code = format!("CCC{letters}");
        execute(connection, &statement.replace('%', &digits).replace('$', &code));
    }
    execute(connection, "COMMIT");
}

/// Servers of the version before go on while each migration runs, and nothing that they wrote is lost or changed.
#[test]
fn what_the_version_before_writes_is_complete_after_every_migration() {
    let database = released_database();
    let mut connection = connect(&database.admin_url);
    let mut visits = 0;
    visit(&mut connection, visits);
    for migration in connection.pending_migrations(migrations_of_checkout()).unwrap() {
        connection.run_migration(&migration).unwrap();
        visits += 1;
        visit(&mut connection, visits);
    }
    assert!(visits > 10, "the release is older than these migrations");
    assert_eq!(migrate(&database.admin_url), 0);

    let visits = i64::try_from(visits).unwrap() + 1;
    let of_version_1 = 8;
    for (count, expected) in [
        ("SELECT count(*) AS n FROM users", 2 * visits + of_version_1),
        ("SELECT count(*) AS n FROM users WHERE total_entries = 22", visits),
        ("SELECT count(*) AS n FROM referrals", visits),
        ("SELECT count(*) AS n FROM page_views", visits),
        ("SELECT count(*) AS n FROM conversion_funnel", visits),
        (
            "SELECT count(*) AS n FROM purchases WHERE status = 'completed'",
            visits,
        ),
        ("SELECT count(*) AS n FROM users WHERE person_tag IS NULL", 0),
    ] {
        assert_eq!(number(&mut connection, count), expected, "{count}");
    }
    let store = database.store();
    assert_eq!(store.read(|tx| tx.unbalanced_entrants()).unwrap(), []);
    assert_eq!(fold_and_compare(&store), [""; 0]);
    contracts::version_1::drawings_verify(&store, &[1, 2]);
}

/// Folds what was written, and says where the roll-ups differ from it.
fn fold_and_compare(store: &store_postgres::PgStore) -> Vec<String> {
    let zone = chrono_tz::America::New_York;
    loop {
        let settling: Result<_, StoreError> = store.transaction(|tx| tx.settle_new());
        let Settling::Settled(settled) = settling.unwrap() else {
            break;
        };
        let folded: Result<_, StoreError> = store.transaction(|tx| tx.fold(&settled, zone));
        folded.unwrap();
    }
    let differences: Result<_, StoreError> = store.transaction(|tx| tx.differences(zone));
    differences.unwrap()
}
