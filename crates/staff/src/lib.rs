//! Staff: sessions in the console, attempts to sign in, the audit log, and jobs that clear data (D10, D13, D15).
//!
//! Invariants: the store has only the hash of a session token, so a reader of the store cannot use a session; the
//! entries of the audit log never change. Start reading at [`Actor`].

mod audit;
mod clearing_job;
mod ports;
mod session;
mod sign_in;

pub use audit::{Action, AuditEntry, AuditFilter, Detail, NewAuditEntry};
pub use clearing_job::{ClearingJob, ClearingKind, JobError, JobFigures, JobId, JobPosition, JobState};
pub use ports::{AdminSessions, AuditLog, ClearingJobs, LoginAttempts, StaffStore};
pub use session::{Actor, NewAdminSession, SESSION_LIFE, SessionId, TokenHash};
pub use sign_in::{AttemptId, AttemptLimit, Reservation};
