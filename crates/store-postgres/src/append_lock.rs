//! How rows that others are still writing are kept from being missed.
//!
//! A row gets its id before it is committed, so a reader that has seen id 7 may see id 6 only later. Whoever appends
//! to a folded source therefore holds a shared advisory lock until its transaction ends; the folder takes the same
//! lock alone for a moment, and what it then sees as the last id has nothing before it that is still on its way.
//! Advisory locks, because table locks would also send autovacuum away. `sql/add_entrant.sql` takes its own.

use crate::PgTx;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use kernel::StoreError;

/// Held shared by whoever appends, and alone by whoever settles. The number is arbitrary; `sql/add_entrant.sql` repeats it.
pub(crate) const WRITING: i64 = 7_266_209_184_103;
/// Held by whoever folds, clears or recounts.
const FOLDING: i64 = 7_266_209_184_104;
/// How long to wait for writers before trying again later, since others wait meanwhile.
const SETTLE_WITHIN: &str = "SET LOCAL lock_timeout = '200ms'";

diesel::define_sql_function! {
    fn pg_try_advisory_xact_lock(key: BigInt) -> Bool;
}
diesel::define_sql_function! {
    fn set_config(name: Text, value: Text, is_local: Bool) -> Text;
}
diesel::define_sql_function! {
    // It answers nothing, so its answer is not to be read.
    fn pg_advisory_xact_lock_shared(key: BigInt) -> Bool;
}

impl PgTx {
    /// Announces that this transaction appends to a folded source. Its statements look for single rows, so they are
    /// planned with indexes, also while the tables are still small: plans are kept, and tables grow. One statement,
    /// which is prepared once: every purchase runs it.
    pub(crate) fn begin_writing(&mut self) -> Result<(), StoreError> {
        let by_index = set_config("enable_seqscan", "off", true);
        let announce = diesel::select((by_index, pg_advisory_xact_lock_shared(WRITING)));
        self.query(|connection| announce.execute(connection)).map(drop)
    }

    /// Waits until nobody appends; nobody begins to until this transaction ends. `false` when that took too long.
    pub(crate) fn stop_writers(&mut self) -> Result<bool, StoreError> {
        self.run(SETTLE_WITHIN)?;
        match self.run(&format!("SELECT pg_advisory_xact_lock({WRITING})")) {
            Err(StoreError::Unavailable(_)) => Ok(false),
            other => other.map(|()| true),
        }
    }

    /// Makes this the only transaction that folds or clears, if no other one is.
    pub(crate) fn try_begin_folding(&mut self) -> Result<bool, StoreError> {
        let query = diesel::select(pg_try_advisory_xact_lock(FOLDING));
        self.query(|connection| query.get_result(connection))
    }

    /// As [`PgTx::try_begin_folding`], after the others.
    pub(crate) fn begin_folding(&mut self) -> Result<(), StoreError> {
        self.run(&format!("SELECT pg_advisory_xact_lock({FOLDING})"))
    }

    /// Runs statements that have no values and answer nothing.
    pub(crate) fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.query(|connection| diesel::connection::SimpleConnection::batch_execute(connection, sql))
    }
}
