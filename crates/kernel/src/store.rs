use std::error::Error;

/// A transaction is a synchronous closure, so that nothing can be awaited inside one.
///
/// `Tx` implements the store ports of every domain; a flow names just those that it touches, such as
/// `S: UnitOfWork<Tx: Entrants + Referrals>`. In all four forms an `Err` of the work is the answer and leaves
/// nothing behind. The work may run more than once, so it must have no effect but on its `Tx`:
/// take time, ids and random bytes before it.
pub trait UnitOfWork: Clone + Send + Sync + 'static {
    /// One open transaction, or one connection's worth of reads.
    type Tx;

    /// All or nothing, as if alone (serializable). The safe default for flows that read and then write.
    ///
    /// # Errors
    /// The work's own, or what the store says. Conflicts are tried again a bounded number of times.
    fn transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E>;

    /// All or nothing, but each statement sees what others have committed (read committed). For hot paths made of
    /// single-statement intents that named constraints guard.
    ///
    /// # Errors
    /// As [`UnitOfWork::transaction`].
    fn intents<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Reads of one moment: every statement sees what had been committed when the first one began. The work must not
    /// write.
    ///
    /// # Errors
    /// As [`UnitOfWork::transaction`].
    fn snapshot<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Self::Tx) -> Result<T, E>,
    ) -> Result<T, E>;

    /// Reads without a transaction: each statement sees the present. The work must not write.
    ///
    /// # Errors
    /// As [`UnitOfWork::transaction`].
    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&mut Self::Tx) -> Result<T, E>) -> Result<T, E>;
}

/// What is unique in the store, by the name the domains give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UniqueKey {
    /// An entrant's referral code.
    ReferralCode,
    /// The token of a session in the console.
    SessionToken,
    /// The client's name for the wish to schedule a campaign.
    CampaignKey,
}

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or took too long. Trying again later may help.
    #[error("the store is not available")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// Others were in the way every time it was tried. Trying again may help.
    #[error("the store is too busy with the same rows")]
    Conflict,
    /// There is one already.
    #[error("duplicate {0:?}")]
    Duplicate(UniqueKey),
    /// A stored row cannot be a value of the domain.
    #[error("corrupt {table}.{column} in row {row}")]
    Corrupt {
        /// Its table.
        table: &'static str,
        /// Its column.
        column: &'static str,
        /// Its id.
        row: i64,
    },
    /// Anything else: a fault of ours.
    #[error("the store failed")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}
