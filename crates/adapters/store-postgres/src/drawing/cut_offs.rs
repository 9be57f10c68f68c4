//! The clock of the database, and the wait for transactions that began before a cut-off.

use crate::PgTx;
use crate::rows::{TimeRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use drawing::CutOffs;
use kernel::{DatabaseClock, StoreError};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The transactions that hold the lock that each write to the ledger takes before it reads the clock (the trigger
/// `entry_ledger_set_time`), and until it ends. Unlike `pg_stat_activity`, this view shows other roles' transactions too,
/// and prepared ones, and leaves out those that only read.
const WRITERS: &str = "
SELECT coalesce(array_agg(virtualtransaction), '{}') AS writers
FROM pg_locks
WHERE locktype = 'relation' AND relation = 'entry_ledger'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND pid IS DISTINCT FROM pg_backend_pid()";

/// How long to wait in total.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(20);

rows! {
    struct WritersRow {
        writers: Vec<String>,
    }
}

impl PgTx {
    fn ledger_writers(&self) -> Result<HashSet<String>, StoreError> {
        let row: WritersRow = self.query(|connection| sql_query(WRITERS).get_result(connection))?;
        Ok(row.writers.into_iter().collect())
    }
}

impl DatabaseClock for PgTx {
    fn database_time(&self) -> Result<DateTime<Utc>, StoreError> {
        let query = sql_query("SELECT clock_timestamp() AS at");
        let row: TimeRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.at)
    }
}

impl CutOffs for PgTx {
    fn wait_for_earlier_transactions(&self, cut_off: DateTime<Utc>) -> Result<(), StoreError> {
        let end = Instant::now() + PATIENCE;
        wait_until(end, || Ok(self.database_time()? >= cut_off))?;
        let mut earlier = self.ledger_writers()?;
        wait_until(end, || {
            if earlier.is_empty() {
                return Ok(true);
            }
            let writers = self.ledger_writers()?;
            earlier.retain(|writer| writers.contains(writer));
            Ok(earlier.is_empty())
        })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "PostgreSQL tells nobody that a transaction has ended, so it is asked again and again"
)]
fn wait_until(
    end: Instant,
    mut is_reached: impl FnMut() -> Result<bool, StoreError>,
) -> Result<(), StoreError> {
    while !is_reached()? {
        if Instant::now() >= end {
            let late = "transactions from before the cut-off have not ended";
            return Err(StoreError::Unavailable(late.into()));
        }
        std::thread::sleep(POLL);
    }
    Ok(())
}
