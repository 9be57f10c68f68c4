//! Which servers make writers wait for folding.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{Folded, Rollups, Settling};
use contracts::flag_suspicious;
use diesel::pg::PgConnection;
use fraud::FraudRules;
use kernel::{StoreError, UnitOfWork};
use store_postgres::PgStore;

/// The lock that writers share, held exclusively.
const STOPPED: &str = "SELECT count(*) AS n FROM pg_locks
    WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND ((classid::bigint << 32) | objid::bigint) = 7266209184103
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// Servers that wait for another one to fold.
const WAITING: &str = "SELECT count(*) AS n FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted AND ((classid::bigint << 32) | objid::bigint) = 7266209184104
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// What a server that wants to fold finds, and whether it makes writers wait.
fn settle(store: &PgStore, watching: &mut PgConnection) -> (Settling, bool) {
    let settled: Result<_, StoreError> = store.transaction(|tx| {
        let settling = tx.settle_new()?;
        Ok((settling, number(watching, STOPPED) > 0))
    });
    settled.unwrap()
}

#[test]
fn writers_wait_only_for_the_one_server_that_folds_something() {
    let database = TestDatabase::new();
    let (store, mut watching) = (database.store(), connect(&database.admin_url));
    assert_eq!(settle(&store, &mut watching), (Settling::UpToDate, false));
    execute(
        &mut watching,
        "INSERT INTO users (phone_number, referral_code) VALUES ('+15551234567', 'CDFG3467')",
    );
    let (settling, stopped) = settle(&store, &mut watching);
    assert!(
        matches!(settling, Settling::Settled(_)) && stopped,
        "{settling:?}"
    );
    let mut other_server = connect(&database.admin_url);
    execute(&mut other_server, "BEGIN");
    execute(&mut other_server, "SELECT pg_advisory_xact_lock(7266209184104)");
    assert_eq!(settle(&store, &mut watching), (Settling::Busy, false));
    execute(&mut other_server, "ROLLBACK");
    let folded: Result<_, StoreError> = store.transaction(|tx| {
        let settled = tx.settle()?.expect("nobody writes");
        tx.fold(&settled, chrono_tz::Tz::UTC)
    });
    assert_eq!(folded.unwrap(), Folded::All);
    assert_eq!(settle(&store, &mut watching), (Settling::UpToDate, false));
}

#[test]
fn a_detection_counts_everybody_while_another_server_folds() {
    let database = TestDatabase::new();
    let (store, mut watching) = (database.store(), connect(&database.admin_url));
    execute(
        &mut watching,
        "INSERT INTO users (phone_number, referral_code, ip_address)
         SELECT '+1555123456' || n, 'CDFG346' || n, '192.0.2.7' FROM generate_series(2, 7) AS n",
    );
    let mut other_server = connect(&database.admin_url);
    execute(&mut other_server, "BEGIN");
    execute(&mut other_server, "SELECT pg_advisory_xact_lock(7266209184104)");
    let flagged = std::thread::scope(|scope| {
        let detection = scope.spawn(|| {
            let rules = FraudRules {
                accounts_per_network: 3,
                flag_shared_networks: true,
            };
            flag_suspicious(&store, &rules)
        });
        while number(&mut watching, WAITING) == 0 && !detection.is_finished() {
            std::thread::yield_now();
        }
        execute(&mut other_server, "ROLLBACK");
        detection.join().unwrap()
    });
    assert_eq!(flagged, 6);
}
