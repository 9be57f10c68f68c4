use crate::errors::{Fault, fault, to_store_error};
use crate::pool::{PgLink, PgManager, PoolSettings, statement_timeout};
use crate::statement::{Statement, Values};
use diesel::prelude::*;
use diesel::result::Error;
use kernel::{StoreError, UnitOfWork, WriteProbe, time_left};
use privacy::NumberKeys;
use r2d2::{Pool, PooledConnection};
use scheduled_thread_pool::ScheduledThreadPool;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// Tombola's data in PostgreSQL. Cheap to clone: all clones share one pool.
#[derive(Clone)]
pub struct PgStore {
    pool: Pool<PgManager>,
    settings: PoolSettings,
    number_keys: Option<Arc<NumberKeys>>,
}

/// An open transaction, or a connection to read from. If it is dropped before it ends, its connection is closed.
///
/// Look-ups take `&self`, but Diesel needs `&mut PgConnection` for every statement, so the connection is in a
/// [`RefCell`], which is borrowed for one statement at a time.
pub struct PgTx {
    link: RefCell<PooledConnection<PgManager>>,
    must_retry: Cell<bool>,
    /// The `statement_timeout` of the next statement.
    statement_timeout: Cell<Duration>,
    in_transaction: bool,
    number_keys: Option<Arc<NumberKeys>>,
}

/// A form of the unit of work.
#[derive(Clone, Copy)]
enum Mode {
    ReadCommitted,
    Serializable,
    Snapshot,
    Read,
}

/// How many times a transaction is run in total when it conflicts with others.
const RUNS: u32 = 8;
/// How long a statement that reads millions of rows may run if the work has no deadline.
const MANY_ROWS_TIMEOUT: Duration = Duration::from_secs(300);

/// The threads that open the connections of all stores. Each store would have three of its own.
static CONNECTING: LazyLock<Arc<ScheduledThreadPool>> = LazyLock::new(|| {
    let threads = ScheduledThreadPool::builder().num_threads(3);
    Arc::new(threads.thread_name_pattern("connecting-{}").build())
});

impl PgStore {
    /// Creates a store. It connects on first use.
    pub fn new(url: &str, settings: PoolSettings) -> Self {
        let pool = Pool::builder()
            .max_size(settings.size)
            .min_idle(Some(0))
            .test_on_check_out(false)
            .connection_timeout(settings.wait)
            .idle_timeout(Some(Duration::from_secs(300)))
            .max_lifetime(Some(Duration::from_secs(1800)))
            .error_handler(Box::new(LogConnectErrors))
            .thread_pool(CONNECTING.clone())
            .build_unchecked(PgManager::new(url, settings));
        Self {
            pool,
            settings,
            number_keys: None,
        }
    }

    /// The store with the keys that hash the numbers of erased people. Without them it erases nobody, and recognizes no
    /// number of somebody who was erased.
    #[must_use]
    pub fn with_number_keys(mut self, keys: NumberKeys) -> Self {
        self.number_keys = Some(Arc::new(keys));
        self
    }

    /// The numbers of open and of idle connections.
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
        let mut retries_left = self.pool.max_size();
        loop {
            let mut tx = self.begin(mode)?;
            let result = work(&mut tx);
            let ended = match &result {
                Ok(_) => tx.commit(),
                Err(_) => tx.end("ROLLBACK"),
            };
            // The connection may have died while it was idle.
            if matches!(mode, Mode::Read) && !tx.link().reusable && retries_left > 0 {
                retries_left -= 1;
                continue;
            }
            if !tx.must_retry.get() {
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

    /// Begins a transaction. A connection that was lost while idle fails here, before any work is done, so another
    /// one is tried.
    fn begin(&self, mode: Mode) -> Result<PgTx, StoreError> {
        let begin = match mode {
            Mode::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
            Mode::ReadCommitted => "BEGIN",
            Mode::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::Read => "",
        };
        let mut tries_left = self.pool.max_size();
        loop {
            let (wait, timeout) = self.limits()?;
            let link = self
                .pool
                .get_timeout(wait)
                .map_err(|error| StoreError::Unavailable(error.into()))?;
            let mut tx = PgTx {
                link: RefCell::new(link),
                must_retry: Cell::new(false),
                statement_timeout: Cell::new(timeout),
                in_transaction: !begin.is_empty(),
                number_keys: self.number_keys.clone(),
            };
            match tx.link().begin(begin, timeout) {
                Ok(()) => return Ok(tx),
                Err(error) if fault(&error) == Fault::Lost && tries_left > 0 => tries_left -= 1,
                Err(error) => return Err(to_store_error(error)),
            }
        }
    }
}

impl PgStore {
    /// How long to wait for a connection, and how long a statement may run: as long as the work has left.
    fn limits(&self) -> Result<(Duration, Duration), StoreError> {
        match time_left() {
            None => Ok((self.settings.wait, self.settings.statement)),
            Some(Duration::ZERO) => Err(too_late()),
            Some(left) => Ok((self.settings.wait.min(left), statement_timeout(left))),
        }
    }
}

impl PgTx {
    /// The keys that hash the numbers of erased people, if the store has them.
    pub(crate) fn number_keys(&self) -> Option<&NumberKeys> {
        self.number_keys.as_deref()
    }

    fn link(&mut self) -> &mut PgLink {
        self.link.get_mut()
    }

    /// Runs one query. If it fails, records whether to run the transaction again and whether the connection is lost.
    ///
    /// # Errors
    /// The query's own, and [`StoreError::Failed`] when `query` runs another query: a connection runs one at a time.
    pub(crate) fn query<T>(
        &self,
        query: impl FnOnce(&mut PgConnection) -> QueryResult<T>,
    ) -> Result<T, StoreError> {
        let mut link = self
            .link
            .try_borrow_mut()
            .map_err(|error| StoreError::Failed(error.into()))?;
        self.heed_deadline(&mut link)?;
        query(&mut link.connection).map_err(|error| {
            if fault(&error) == Fault::Retry {
                self.must_retry.set(true);
            }
            link.mark_if_lost(&error);
            to_store_error(error)
        })
    }

    /// Runs a writing statement of `sql/`, which returns at most one id.
    pub(crate) fn run_statement<V: Values>(&mut self, values: &V) -> Result<Option<i64>, StoreError> {
        self.query(|connection| Statement(values).get_result(connection).optional())
    }

    /// Makes the planner use indexes for the rest of this transaction. For statements that read a few rows of large
    /// tables, because statistics lag behind while a table grows.
    pub(crate) fn expect_few_rows(&self) -> Result<(), StoreError> {
        self.run(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_hashjoin = off;
             SET LOCAL enable_mergejoin = off",
        )
    }

    /// Gives the statements in the rest of this transaction minutes and more memory, and disables nested loops. For
    /// statements that read millions of rows.
    pub(crate) fn expect_many_rows(&self) -> Result<(), StoreError> {
        let timeout = time_left().map_or(MANY_ROWS_TIMEOUT, |left| {
            statement_timeout(left).min(MANY_ROWS_TIMEOUT)
        });
        self.run(&format!(
            "SET LOCAL statement_timeout = {}; SET LOCAL work_mem = '128MB'; SET LOCAL enable_nestloop = off",
            timeout.as_millis()
        ))?;
        self.statement_timeout.set(timeout);
        Ok(())
    }

    /// Refuses to run a statement after the deadline. Shortens the timeout when it is more than twice of what is left,
    /// which costs a round trip, but only in transactions that have taken long already.
    fn heed_deadline(&self, link: &mut PgLink) -> Result<(), StoreError> {
        let Some(left) = time_left() else { return Ok(()) };
        if left.is_zero() {
            return Err(too_late());
        }
        if self.statement_timeout.get() <= left.saturating_mul(2) {
            return Ok(());
        }
        let timeout = statement_timeout(left);
        let shortened = if self.in_transaction {
            link.execute(&format!("SET LOCAL statement_timeout = {}", timeout.as_millis()))
        } else {
            link.limit_statements(timeout)
        };
        shortened.map_err(to_store_error)?;
        self.statement_timeout.set(timeout);
        Ok(())
    }

    /// Rolls back instead when the deadline has passed: the caller has been told that the work was not done.
    fn commit(&mut self) -> Result<(), StoreError> {
        if self.in_transaction && time_left() == Some(Duration::ZERO) {
            self.end("ROLLBACK")?;
            return Err(too_late());
        }
        self.end("COMMIT")
    }

    fn end(&mut self, sql: &str) -> Result<(), StoreError> {
        if !self.in_transaction {
            return Ok(());
        }
        match self.link().execute(sql) {
            Ok(()) => {
                self.link().reusable = true;
                Ok(())
            }
            Err(error) => {
                if fault(&error) == Fault::Retry {
                    self.must_retry.set(true);
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

impl WriteProbe for PgTx {
    /// Writes a message to the WAL and to no table, so that the commit waits for the disk and for standbys.
    fn probe_write(&mut self) -> Result<(), StoreError> {
        self.run("SELECT pg_logical_emit_message(true, 'tombola', '')")
    }
}

fn too_late() -> StoreError {
    StoreError::Unavailable("the deadline of the work has passed".into())
}

/// Waits for a random time of up to 2, 4, 8 … 64 ms, so that the conflicting transactions do not meet again.
#[expect(
    clippy::disallowed_methods,
    reason = "conflicting transactions have no condition to wait for"
)]
fn back_off(run: u32) {
    let max_micros = 1000u64 << run.min(6);
    std::thread::sleep(Duration::from_micros(
        RandomState::new().hash_one(run) % max_micros,
    ));
}

#[derive(Debug)]
struct LogConnectErrors;

impl<E: std::error::Error> r2d2::HandleError<E> for LogConnectErrors {
    fn handle_error(&self, error: E) {
        tracing::warn!(%error, "cannot connect to the database");
    }
}

/// Converts the error of a statement that runs outside a unit of work, such as a migration's.
pub(crate) fn failed(error: Error) -> StoreError {
    to_store_error(error)
}
