//! Which servers make writers wait for folding.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{Folded, Rollups, Settling};
use diesel::pg::PgConnection;
use kernel::{StoreError, UnitOfWork};
use store_postgres::PgStore;

/// The lock that writers share, held exclusively.
const STOPPED: &str = "SELECT count(*) AS n FROM pg_locks
    WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND ((classid::bigint << 32) | objid::bigint) = 7266209184103
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
