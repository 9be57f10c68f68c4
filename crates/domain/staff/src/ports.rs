use crate::audit_chain::{ChainEntry, ChainHead};
use crate::{
    Account, Actor, AdminSession, Approval, ApprovalDecision, ApprovalId, ApprovalKind, ApprovalStatus,
    AttemptId, AttemptLimit, AttemptSubject, AuditEntry, AuditFilter, ClearingJob, ClearingKind, JobId,
    MemberId, NewAdminSession, NewApproval, NewAuditEntry, RecoveryHash, Reservation, SessionId, TokenHash,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{PageRequest, StaffName, StoreError};

/// The sessions of signed-in staff.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait AdminSessions {
    /// Opens a session, used now.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::SessionToken`] when a session has that token already.
    fn open_session(&mut self, session: &NewAdminSession) -> Result<SessionId, StoreError>;

    /// The session with this token, unless it has ended, and its member's account. Together, because every call of the
    /// console needs both.
    fn find_session(
        &self,
        token: &TokenHash,
        now: DateTime<Utc>,
    ) -> Result<Option<(AdminSession, Account)>, StoreError>;

    /// The sessions of a member that have not ended, newest first.
    fn list_sessions(&self, member: MemberId, now: DateTime<Utc>) -> Result<Vec<AdminSession>, StoreError>;

    /// Stores that a session is used.
    fn touch_session(&mut self, session: SessionId, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Stores that a code was given in a session.
    fn note_code(&mut self, session: SessionId, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Ends a session, and returns whether there was one.
    fn close_session(&mut self, token: &TokenHash) -> Result<bool, StoreError>;

    /// Ends a session of this member, and returns whether there was one.
    fn close_session_of(&mut self, member: MemberId, session: SessionId) -> Result<bool, StoreError>;

    /// Ends all sessions of a member, and returns how many.
    fn close_sessions_of(&mut self, member: MemberId) -> Result<usize, StoreError>;

    /// Deletes sessions that have ended, and returns how many.
    fn forget_ended_sessions(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError>;
}

/// The accounts of staff. A name is one account's, in whatever case it is written.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Accounts {
    /// Adds an account; its id is ignored.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::StaffName`] when an account has that name already.
    fn add_account(&mut self, account: &Account) -> Result<MemberId, StoreError>;

    /// The account with this id.
    fn find_account(&self, id: MemberId) -> Result<Option<Account>, StoreError>;

    /// The account with this name.
    fn find_account_by_name(&self, name: &StaffName) -> Result<Option<Account>, StoreError>;

    /// The account whose invitation has this token, expired or not.
    fn find_account_by_invitation(&self, token: &TokenHash) -> Result<Option<Account>, StoreError>;

    /// All accounts, oldest first.
    fn list_accounts(&self) -> Result<Vec<Account>, StoreError>;

    /// Locks an account until the transaction ends.
    fn lock_account(&mut self, id: MemberId) -> Result<Option<Account>, StoreError>;

    /// Locks all accounts until the transaction ends; oldest first.
    fn lock_accounts(&mut self) -> Result<Vec<Account>, StoreError>;

    /// Stores an account that this transaction has locked.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::StaffName`] when another account has that name.
    fn save_account(&mut self, account: &Account) -> Result<(), StoreError>;

    /// Stores recovery codes in the place of earlier ones.
    fn replace_recovery_codes(&mut self, member: MemberId, codes: &[RecoveryHash]) -> Result<(), StoreError>;

    /// Deletes a recovery code, and returns whether there was one.
    fn take_recovery_code(&mut self, member: MemberId, code: &RecoveryHash) -> Result<bool, StoreError>;

    /// How many recovery codes are left.
    fn count_recovery_codes(&self, member: MemberId) -> Result<i64, StoreError>;
}

/// What members of staff propose and others approve. None is ever deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Approvals {
    /// Adds an open proposal.
    fn add_approval(&mut self, new: &NewApproval) -> Result<ApprovalId, StoreError>;

    /// The proposal with this id.
    fn find_approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError>;

    /// Stores a decision and deletes the secrets, unless the proposal was decided before: then `false`, and nothing has
    /// changed. Of any number of calls at the same time, one returns `true`.
    fn decide_approval(
        &mut self,
        id: ApprovalId,
        decision: ApprovalDecision,
        error: Option<&str>,
    ) -> Result<bool, StoreError>;

    /// Remembers that whoever made an approved proposal did what was left, unless they did before: then `false`. Of any
    /// number of calls at the same time, one returns `true`.
    fn complete_approval(&mut self, id: ApprovalId, at: DateTime<Utc>) -> Result<bool, StoreError>;

    /// A page of the proposals with this status now, newest first.
    fn list_approvals(
        &self,
        status: Option<ApprovalStatus>,
        now: DateTime<Utc>,
        page: PageRequest,
    ) -> Result<Vec<Approval>, StoreError>;

    /// How many proposals have this status now.
    fn count_approvals(&self, status: Option<ApprovalStatus>, now: DateTime<Utc>) -> Result<i64, StoreError>;

    /// Whether a proposal of this kind about this target was approved at this moment or later.
    fn was_approved(
        &self,
        kind: ApprovalKind,
        target: &str,
        since: DateTime<Utc>,
    ) -> Result<bool, StoreError>;
}

/// Attempts to sign in.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait LoginAttempts {
    /// Counts an attempt as failed before it is made, if this subject has attempts left.
    ///
    /// Of any number of calls at the same time, no more are granted than the limit allows.
    fn reserve_attempt(
        &mut self,
        subject: AttemptSubject,
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

/// The chain of the audit log, to verify it. [`AuditLog::record_audit`] chains each entry.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait AuditChain {
    /// The entries after the one with this id, in the order of ids, at most `limit`. [`i64::MIN`] begins with the first one.
    fn list_chain(&self, after: i64, limit: u32) -> Result<Vec<ChainEntry>, StoreError>;

    /// The stored end of the chain.
    fn chain_head(&self) -> Result<Option<ChainHead>, StoreError>;

    /// The first row of the append-only tables that lost what is erased with a person, and is of nobody who was erased: the
    /// table's name and the row's id.
    fn lost_without_erasure(&self) -> Result<Option<(String, i64)>, StoreError>;
}

/// The settings that the last start found (D65).
pub trait StartSettings {
    /// Stores the value that a start found, and returns the one before, if there was one. Other starts wait until the
    /// transaction ends.
    ///
    /// # Errors
    /// [`StoreError`] when the store fails.
    fn replace_start_setting(&mut self, name: &str, value: &str) -> Result<Option<String>, StoreError>;
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
pub trait StaffStore:
    AdminSessions + Accounts + Approvals + LoginAttempts + AuditLog + AuditChain + ClearingJobs + StartSettings
{
}

impl<
    T: AdminSessions
        + Accounts
        + Approvals
        + LoginAttempts
        + AuditLog
        + AuditChain
        + ClearingJobs
        + StartSettings,
> StaffStore for T
{
}
