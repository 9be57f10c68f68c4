//! Staff: sessions in the console, attempts to sign in, the audit log, and jobs that clear data.
//!
//! Invariants: the store has only the hash of a session token, so a reader of the store cannot use a session; the
//! entries of the audit log never change, and are a chain of hashes.
//!
//! Who may do what, and how often somebody may mistype a password:
//!
//! ```
//! use chrono::{DateTime, TimeDelta};
//! use staff::{AttemptLimit, Permission, Role};
//!
//! assert!(Role::Support.allows(Permission::DecideAppeals));
//! assert!(!Role::Manager.allows(Permission::Approve));
//! assert!(Role::Owner.allows(Permission::Approve));
//!
//! let minute = |n| DateTime::UNIX_EPOCH + TimeDelta::minutes(n);
//! let failures = [0, 1, 2, 3, 4].map(minute);
//! assert_eq!(AttemptLimit::SIGN_IN.refused_until(&failures[..4], minute(5)), None);
//! assert_eq!(AttemptLimit::SIGN_IN.refused_until(&failures, minute(5)), Some(minute(15)));
//! ```
//!
//! Start reading at [`Actor`] and [`Permission`], then at [`Approval`].

mod approval;
mod audit;
pub mod audit_chain;
mod clearing_job;
mod member;
mod password;
mod permission;
mod ports;
mod recovery;
mod session;
mod sign_in;
mod token_hash;
mod totp;

pub use approval::{
    APPROVAL_LIFE, APPROVER_AGE, Approval, ApprovalDecision, ApprovalId, ApprovalKind, ApprovalRefusal,
    ApprovalStatus, Argument, NeedsApproval, NewApproval, Proposal, SecondPerson,
};
pub use audit::{Action, AuditEntry, AuditFilter, Detail, NewAuditEntry};
pub use clearing_job::{ClearingJob, ClearingKind, JobError, JobFigures, JobId, JobPosition, JobState};
pub use member::{
    Account, FIRST_OWNER, FIRST_OWNER_LIFE, INVITATION_LIFE, Invitation, InvitationToken, Member,
    MemberChange, MemberId, MemberProblem, MemberState, PasswordTag, SecondFactor, password_tag,
};
pub use password::{NewPassword, PASSWORD_BYTES, PASSWORD_CHARS, PasswordProblem};
pub use permission::{Permission, Role};
pub use ports::{
    Accounts, AdminSessions, Approvals, AuditChain, AuditLog, ClearingJobs, LoginAttempts, StaffStore,
    StartSettings,
};
pub use recovery::{RECOVERY_CODES, RecoveryCode, RecoveryHash};
pub use session::{
    Actor, AdminSession, NewAdminSession, SESSION_IDLE, SESSION_LIFE, STEP_UP_LIFE, SessionId,
};
pub use sign_in::{AttemptId, AttemptLimit, AttemptSubject, Reservation};
pub use token_hash::TokenHash;
pub use totp::{CodeFailures, TOTP_SECRET_BYTES, TotpCode, TotpSecret, TotpStep};
