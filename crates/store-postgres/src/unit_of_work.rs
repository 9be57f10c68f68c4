use crate::errors::{Fault, fault, to_store_error};
use crate::pool::{PgLink, PgManager, PoolSettings};
use crate::statement::{Statement, Values};
use diesel::prelude::*;
use diesel::result::Error;
use kernel::{StoreError, UnitOfWork};
use r2d2::{Pool, PooledConnection};
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// Tombola's data in PostgreSQL. Cheap to clone: all clones share one pool.
#[derive(Clone)]
pub struct PgStore {
    pool: Pool<PgManager>,
}

/// An open transaction, or a connection to read from. If it is dropped before its end, its connection is closed.
///
/// Look-ups take `&self`, but Diesel wants `&mut PgConnection` for every statement, so the connection is in a
/// [`RefCell`]. It is borrowed for the length of one statement.
pub struct PgTx {
    link: RefCell<PooledConnection<PgManager>>,
    lost_race: Cell<bool>,
}

#[derive(Clone, Copy)]
enum Mode {
    ReadCommitted,
    Serializable,
    Snapshot,
    Read,
}

/// How many times a transaction that lost against another one is run in all.
const RUNS: u32 = 8;

impl PgStore {
    /// A store that connects when it is first asked.
    pub fn new(url: &str, settings: PoolSettings) -> Self {
        let pool = Pool::builder()
            .max_size(settings.size)
            .min_idle(Some(0))
            .test_on_check_out(false)
            .connection_timeout(settings.wait)
            .idle_timeout(Some(Duration::from_secs(300)))
            .max_lifetime(Some(Duration::from_secs(1800)))
            .error_handler(Box::new(LogConnectErrors))
            .build_unchecked(PgManager::new(url, settings));
        Self { pool }
    }

    /// Connections open and idle now.
    pub fn connections(&self) -> (u32, u32) {
        let state = self.pool.state();
        (state.connections, state.idle_connections)
    }

    fn run<T, E: From<StoreError>>(
        &self,
        mode: Mode,
        mut work: impl FnMut(&mut PgTx) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut runs = 0;
        let mut dead_left = self.pool.max_size();
        loop {
            let mut tx = self.begin(mode)?;
            let result = work(&mut tx);
            let ended = match &result {
                Ok(_) => tx.end(mode, "COMMIT"),
                Err(_) => tx.end(mode, "ROLLBACK"),
            };
            // A read may be repeated as it is, so a connection that died while idle is no reason to fail.
            if matches!(mode, Mode::Read) && !tx.link().reusable && dead_left > 0 {
                dead_left -= 1;
                continue;
            }
            if !tx.lost_race.get() {
                return result.and_then(|value| ended.map(|()| value).map_err(E::from));
            }
            drop(tx);
            runs += 1;
            if runs == RUNS {
                return Err(StoreError::Conflict.into());
            }
            back_off(runs);
        }
    }

    /// A connection that was open when the server went away shows it at its first statement, and then another is
    /// tried: nothing has been done yet.
    fn begin(&self, mode: Mode) -> Result<PgTx, StoreError> {
        let begin = match mode {
            Mode::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
            Mode::ReadCommitted => "BEGIN",
            Mode::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::Read => "",
        };
        let mut tries_left = self.pool.max_size();
        loop {
            let link = self
                .pool
                .get()
                .map_err(|error| StoreError::Unavailable(error.into()))?;
            let mut tx = PgTx {
                link: RefCell::new(link),
                lost_race: Cell::new(false),
            };
            if begin.is_empty() {
                return Ok(tx);
            }
            match tx.link().execute(begin) {
                Ok(()) => {
                    tx.link().reusable = false; // until it has ended
                    return Ok(tx);
                }
                Err(error) if fault(&error) == Fault::Lost && tries_left > 0 => tries_left -= 1,
                Err(error) => return Err(to_store_error(error)),
            }
        }
    }
}

impl PgTx {
    fn link(&mut self) -> &mut PgLink {
        self.link.get_mut()
    }

    /// Runs one query, and records what its failure means for the transaction and the connection.
    ///
    /// # Errors
    /// The query's own, and [`StoreError::Failed`] when `query` itself runs another query: a connection runs one at a time.
    pub(crate) fn query<T>(
        &self,
        query: impl FnOnce(&mut PgConnection) -> QueryResult<T>,
    ) -> Result<T, StoreError> {
        let mut link = self
            .link
            .try_borrow_mut()
            .map_err(|error| StoreError::Failed(error.into()))?;
        query(&mut link.connection).map_err(|error| {
            if fault(&error) == Fault::Retry {
                self.lost_race.set(true);
            }
            link.note(&error);
            to_store_error(error)
        })
    }

    /// Runs a statement of `sql/` that writes, and returns one id or none.
    pub(crate) fn run_statement<V: Values>(&mut self, values: &V) -> Result<Option<i64>, StoreError> {
        self.query(|connection| Statement(values).get_result(connection).optional())
    }

    /// The statements that follow in this transaction look for a few rows of large tables: they are planned with
    /// indexes, in whose order they come, whatever the statistics say while a table grows.
    pub(crate) fn look_for_few_rows(&self) -> Result<(), StoreError> {
        self.run(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_hashjoin = off;
             SET LOCAL enable_mergejoin = off",
        )
    }

    /// The statements that follow in this transaction go through millions of rows: they have minutes, and memory for
    /// what they sort and count, and do not look for each row by itself.
    pub(crate) fn expect_many_rows(&self) -> Result<(), StoreError> {
        self.run(
            "SET LOCAL statement_timeout = '300s'; SET LOCAL work_mem = '128MB'; SET LOCAL enable_nestloop = off;
             SET LOCAL jit = off",
        )
    }

    fn end(&mut self, mode: Mode, sql: &str) -> Result<(), StoreError> {
        if matches!(mode, Mode::Read) {
            return Ok(());
        }
        match self.link().execute(sql) {
            Ok(()) => {
                self.link().reusable = true;
                Ok(())
            }
            Err(error) => {
                if fault(&error) == Fault::Retry {
                    self.lost_race.set(true);
                }
                Err(to_store_error(error))
            }
        }
    }
}

impl UnitOfWork for PgStore {
    type Tx = PgTx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut PgTx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(Mode::ReadCommitted, work)
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut PgTx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(Mode::Serializable, work)
    }

    fn snapshot<T, E: From<StoreError>>(&self, mut work: impl FnMut(&PgTx) -> Result<T, E>) -> Result<T, E> {
        self.run(Mode::Snapshot, |tx| work(tx))
    }

    fn read<T, E: From<StoreError>>(&self, mut work: impl FnMut(&PgTx) -> Result<T, E>) -> Result<T, E> {
        self.run(Mode::Read, |tx| work(tx))
    }
}

/// Waits up to 2, 4, 8 … 64 ms, a random part of it, so that those who met do not meet again.
#[expect(
    clippy::disallowed_methods,
    reason = "two transactions in each other's way have no condition to wait for"
)]
fn back_off(run: u32) {
    let most = 1000u64 << run.min(6);
    std::thread::sleep(Duration::from_micros(RandomState::new().hash_one(run) % most));
}

#[derive(Debug)]
struct LogConnectErrors;

impl<E: std::error::Error> r2d2::HandleError<E> for LogConnectErrors {
    fn handle_error(&self, error: E) {
        tracing::warn!(%error, "cannot connect to the database");
    }
}

/// A statement run outside any flow, such as a migration's.
pub(crate) fn failed(error: Error) -> StoreError {
    to_store_error(error)
}
