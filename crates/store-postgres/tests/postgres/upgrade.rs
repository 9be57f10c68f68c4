//! Upgrades of databases that an earlier release has written.

use crate::support::{TestDatabase, connect, execute, number};
use diesel::connection::SimpleConnection;
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use drawing::steps::{AnyDrawing, DrawingSteps};
use drawing::{DrawingId, DrawingSort, Drawings};
use kernel::{PageRequest, SortOrder, UnitOfWork};
use store_postgres::{PgTx, migrations};

/// The last migration of the release whose drawings `version_1.sql` has.
const RELEASED: &str = "2026-11-22-000013";

/// A database as that release left it, with two drawings.
fn released_database() -> TestDatabase {
    let database = TestDatabase::empty();
    let mut connection = connect(&database.url);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
    let source = FileBasedMigrations::from_path(folder).unwrap();
    for migration in connection.pending_migrations(source).unwrap() {
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
    assert!(migrations::run(&database.url).unwrap() > 0);
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
    let mut connection = connect(&database.url);
    let copied = "SELECT count(*) AS n
                  FROM drawings
                  JOIN drawing_results AS result USING (id, scheme, landing_page, admin_session_id, created_at)
                  JOIN drawing_commitments AS used ON used.id = commitment_id AND used.commitment = drawings.commitment
                  WHERE drawings.idempotency_key IS NOT DISTINCT FROM result.idempotency_key
                      AND status = 'drawn' AND scheme = 1 AND chain = 'off' AND period IS NULL AND NOT is_additional";
    assert_eq!(number(&mut connection, copied), 2);
    assert_eq!(number(&mut connection, "SELECT count(*) AS n FROM drawings"), 2);
}

/// While an update is rolled out, servers of the version before draw on the new schema.
#[test]
fn a_server_of_the_version_before_can_still_draw() {
    let database = released_database();
    migrations::run(&database.url).unwrap();
    let mut connection = connect(&database.url);
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
