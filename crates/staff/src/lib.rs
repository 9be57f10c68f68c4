//! Staff: sessions in the console, attempts to sign in, and the audit log (D10, D15).
//!
//! Invariants: the store has only the hash of a session token, so a reader of the store cannot use a session; the
//! entries of the audit log never change. Start reading at [`Actor`].

mod audit;
mod ports;
mod session;
mod sign_in;

pub use audit::{Action, AuditEntry, AuditFilter, Detail, NewAuditEntry};
pub use ports::{AdminSessions, AuditLog, LoginAttempts, StaffStore};
pub use session::{Actor, NewAdminSession, SESSION_LIFE, SessionId, TokenHash};
pub use sign_in::{AttemptId, AttemptLimit, Reservation};
