use crate::{
    Actor, AttemptId, AttemptLimit, AuditEntry, AuditFilter, ClearingJob, ClearingKind, JobId,
    NewAdminSession, NewAuditEntry, Reservation, SessionId, TokenHash,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{PageRequest, StoreError};
use std::net::IpAddr;

/// The sessions of signed-in staff.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait AdminSessions {
    /// Opens a session.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::SessionToken`] when a session has that token already.
    fn open_session(&mut self, session: &NewAdminSession) -> Result<SessionId, StoreError>;

    /// The session with this token, unless it has expired.
    fn find_session(&self, token: &TokenHash, now: DateTime<Utc>) -> Result<Option<SessionId>, StoreError>;

    /// Ends a session, and returns whether there was one.
    fn close_session(&mut self, token: &TokenHash) -> Result<bool, StoreError>;

    /// Deletes expired sessions, and returns how many.
    fn forget_expired_sessions(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError>;
}

/// Attempts to sign in. A subscriber is an IPv4 address or a /64 network of IPv6.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait LoginAttempts {
    /// Counts an attempt as failed before it is made, if this subscriber has attempts left.
    ///
    /// Of any number of calls at the same time, no more are granted than the limit allows.
    fn reserve_attempt(
        &mut self,
        subscriber: IpAddr,
        limit: AttemptLimit,
        now: DateTime<Utc>,
    ) -> Result<Reservation, StoreError>;

    /// Removes an attempt that did not fail.
    fn forget_attempt(&mut self, attempt: AttemptId) -> Result<(), StoreError>;

    /// Deletes attempts made before this moment, and returns how many.
    fn forget_attempts_before(&mut self, moment: DateTime<Utc>) -> Result<usize, StoreError>;
}

/// The audit log of the console. Entries are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait AuditLog {
    /// Records an action, and returns the entry's id.
    fn record_audit(&mut self, entry: &NewAuditEntry) -> Result<i64, StoreError>;

    /// Matching entries, newest first. Their details are in order of the name.
    fn list_audit(&self, filter: &AuditFilter, page: PageRequest) -> Result<Vec<AuditEntry>, StoreError>;

    /// How many entries match.
    fn count_audit(&self, filter: &AuditFilter) -> Result<i64, StoreError>;
}

/// Jobs that clear data. At most one of each kind is running.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait ClearingJobs {
    /// Adds a running job. `None` when a job of this kind is running already.
    fn add_job(
        &mut self,
        kind: ClearingKind,
        actor: Actor,
        at: DateTime<Utc>,
    ) -> Result<Option<JobId>, StoreError>;

    /// The job with this id.
    fn find_job(&self, id: JobId) -> Result<Option<ClearingJob>, StoreError>;

    /// The running jobs, oldest first.
    fn list_running_jobs(&self) -> Result<Vec<ClearingJob>, StoreError>;

    /// The running jobs without progress for this long, oldest first. A store may use its own clock instead of `now`, so
    /// that servers whose clocks differ agree.
    fn list_unattended_jobs(&self, idle: TimeDelta, now: DateTime<Utc>) -> Result<Vec<JobId>, StoreError>;

    /// Locks a running job until the transaction ends. `None` when it has ended or does not exist.
    fn lock_job(&mut self, id: JobId) -> Result<Option<ClearingJob>, StoreError>;

    /// Stores the progress or the end of a job that this transaction has locked.
    fn save_job(&mut self, job: &ClearingJob, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Whether entries for referrals were taken back from a part of the entrants: a job has begun that, has not completed,
    /// and no later one has.
    fn has_unfinished_referral_clearing(&self) -> Result<bool, StoreError>;
}

/// All store ports of staff. Every type that implements them implements this.
pub trait StaffStore: AdminSessions + LoginAttempts + AuditLog + ClearingJobs {}

impl<T: AdminSessions + LoginAttempts + AuditLog + ClearingJobs> StaffStore for T {}
