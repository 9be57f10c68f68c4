//! Advisory locks that make sure that folding misses no row.
//!
//! A row gets its id before it is committed, so a reader that has seen id 7 may see id 6 only later. Every transaction
//! that appends to a folded source therefore holds a shared advisory lock until it ends. Before folding, the same lock
//! is taken exclusively for a moment: no row with an id up to the last one seen then is still uncommitted. These are
//! advisory locks, because table locks would also cancel autovacuum. `sql/add_entrant.sql` and `sql/add_views.sql` take
//! the lock themselves. A transaction that adds views, or clears them, locks `page_views` before it takes this lock, as
//! an INSERT does by itself. If some did it in the other order, two of them could wait for each other.
//!
//! Ids of entrants are random. Their sequence numbers take the place of ids here.

use crate::PgTx;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use kernel::StoreError;

/// Held in shared mode while appending, and exclusively to read the last ids. The number is arbitrary;
/// `sql/add_entrant.sql` and `sql/add_views.sql` repeat it.
const WRITING: i64 = 7_266_209_184_103;
/// Held while folding, clearing or recounting.
const FOLDING: i64 = 7_266_209_184_104;
/// Limits the wait for writers, because new writers wait behind it.
const LIMIT_WAIT: &str = "SET LOCAL lock_timeout = '200ms'";

diesel::define_sql_function! {
    fn pg_try_advisory_xact_lock(key: BigInt) -> Bool;
}
diesel::define_sql_function! {
    fn set_config(name: Text, value: Text, is_local: Bool) -> Text;
}
diesel::define_sql_function! {
    // It returns `void`: only `execute` it, never read the result.
    fn pg_advisory_xact_lock_shared(key: BigInt) -> Bool;
}

impl PgTx {
    /// Takes the append lock in shared mode. Also makes the planner use indexes even while the tables are small,
    /// because prepared statements keep their plans and tables grow. Both in one statement, because every purchase runs
    /// it.
    pub(crate) fn begin_writing(&mut self) -> Result<(), StoreError> {
        let by_index = set_config("enable_seqscan", "off", true);
        let lock = diesel::select((by_index, pg_advisory_xact_lock_shared(WRITING)));
        self.query(|connection| lock.execute(connection)).map(drop)
    }

    /// [`PgTx::begin_writing`] for a transaction that also adds views.
    pub(crate) fn begin_collecting(&self) -> Result<(), StoreError> {
        self.run(&format!(
            "LOCK TABLE ONLY page_views IN ROW EXCLUSIVE MODE; SET LOCAL enable_seqscan = off; \
             SELECT pg_advisory_xact_lock_shared({WRITING})"
        ))
    }

    /// Takes the append lock exclusively, until this transaction ends. `false` if writers held it for too long.
    pub(crate) fn stop_writers(&mut self) -> Result<bool, StoreError> {
        self.run(LIMIT_WAIT)?;
        match self.run(&format!("SELECT pg_advisory_xact_lock({WRITING})")) {
            Err(StoreError::Unavailable(_)) => Ok(false),
            other => other.map(|()| true),
        }
    }

    /// Takes the folding lock if it is free. Returns whether it was.
    pub(crate) fn try_begin_folding(&mut self) -> Result<bool, StoreError> {
        let query = diesel::select(pg_try_advisory_xact_lock(FOLDING));
        self.query(|connection| query.get_result(connection))
    }

    /// Takes the folding lock, and waits for it if necessary.
    pub(crate) fn begin_folding(&mut self) -> Result<(), StoreError> {
        self.run(&format!("SELECT pg_advisory_xact_lock({FOLDING})"))
    }

    /// Runs statements that have no parameters and return no rows.
    pub(crate) fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.query(|connection| diesel::connection::SimpleConnection::batch_execute(connection, sql))
    }
}
