use std::error::Error;

/// Runs a piece of work on the store: one transaction, or a few reads.
///
/// The work is a synchronous closure, so nothing can be awaited while a transaction is open. `Tx` implements the store
/// ports of every domain; a flow names only the ports that it calls, such as `S: UnitOfWork<Tx: Entrants + Referrals>`.
///
/// There are four forms:
///
/// | form | the work gets | isolation | for |
/// |---|---|---|---|
/// | [`transaction`](Self::transaction) | `&mut Tx` | read committed | writes that something else guards |
/// | [`serializable`](Self::serializable) | `&mut Tx` | serializable | a decision about rows that nothing guards |
/// | [`snapshot`](Self::snapshot) | `&Tx` | repeatable read, read only | several reads that must agree |
/// | [`read`](Self::read) | `&Tx` | none: no transaction is opened | one look-up, or several that need not agree |
///
/// Port methods that only look something up take `&self`, and all others take `&mut self`. The two reading forms hand
/// out `&Tx`, so a write inside them does not compile:
///
/// ```compile_fail,E0596
/// # use kernel::{StoreError, UnitOfWork};
/// trait Counters {
///     fn count(&self) -> Result<i64, StoreError>;
///     fn increment(&mut self) -> Result<(), StoreError>;
/// }
///
/// fn flow<S: UnitOfWork<Tx: Counters>>(store: &S) -> Result<(), StoreError> {
///     store.read(|tx| tx.increment())
/// }
/// ```
///
/// The same write in a transaction compiles, and so does a look-up in any form:
///
/// ```
/// # use kernel::{StoreError, UnitOfWork};
/// # trait Counters {
/// #     fn count(&self) -> Result<i64, StoreError>;
/// #     fn increment(&mut self) -> Result<(), StoreError>;
/// # }
/// fn flow<S: UnitOfWork<Tx: Counters>>(store: &S) -> Result<i64, StoreError> {
///     store.transaction(|tx| tx.increment())?;
///     store.read(|tx| tx.count())
/// }
/// ```
///
/// When the work returns `Err`, nothing that it wrote remains, and the caller gets that error. The work may run more
/// than once, so it must have no effect except through its `Tx`: take the time, ids and random bytes before it starts.
///
/// Every form fails with the work's own error, or with the [`StoreError`] of beginning or committing. A transaction
/// that lost against another one runs again a bounded number of times, and then fails with [`StoreError::Conflict`].
pub trait UnitOfWork: Clone + Send + Sync + 'static {
    /// An open transaction, or a connection to read from.
    type Tx;

    /// All or nothing, at read committed: each statement sees what other transactions have committed by then.
    ///
    /// This is the form for every flow whose writes are guarded: by a named constraint, by a row or table lock that
    /// the port takes first, or by a condition in the writing statement itself. A port method may raise the isolation
    /// as the transaction's first statement, if its documentation says so.
    fn transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E>;

    /// All or nothing, as if no other transaction ran at the same time.
    ///
    /// This is the form for a flow that reads rows and decides by them what to write, when no constraint or lock would
    /// stop two such flows from deciding at the same time: "at most five of these". It costs more than
    /// [`UnitOfWork::transaction`], since transactions that touch the same rows run again.
    fn serializable<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Reads of one moment: every statement sees what had been committed when the first one began.
    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&Self::Tx) -> Result<T, E>) -> Result<T, E>;

    /// Reads without a transaction: each statement sees what has been committed by then.
    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&Self::Tx) -> Result<T, E>) -> Result<T, E>;
}

/// Unique values that the domains react to when they are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UniqueKey {
    /// An entrant's id.
    EntrantId,
    /// An entrant's referral code.
    ReferralCode,
    /// The phone number of an entrant, who was erased since.
    PhoneNumber,
    /// The token of a session in the console.
    SessionToken,
    /// The name of a member of staff.
    StaffName,
    /// The idempotency key of a scheduled campaign.
    CampaignKey,
    /// The key of a raffle.
    RaffleKey,
}

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached, or took too long. Trying again later may help.
    #[error("the store is not available")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The transaction lost against others each time it was tried. Trying again may help.
    #[error("the store is too busy with the same rows")]
    Conflict,
    /// The unique value is taken.
    #[error("duplicate {0:?}")]
    Duplicate(UniqueKey),
    /// The transaction was ready to commit after the last moment at which what it wrote may be committed. Nothing was
    /// written, and trying the same again is too late, too.
    #[error("the transaction was too late")]
    TooLate,
    /// A stored row cannot be a value of the domain.
    #[error("corrupt {table}.{column} in row {row}")]
    Corrupt {
        /// The row's table.
        table: &'static str,
        /// The column that cannot be read.
        column: &'static str,
        /// The row's id.
        row: i64,
    },
    /// Anything else: a bug in this program or its schema.
    #[error("the store failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// A stored row whose column cannot be a value of the domain.
    pub const fn corrupt(table: &'static str, column: &'static str, row: i64) -> Self {
        Self::Corrupt { table, column, row }
    }
}
