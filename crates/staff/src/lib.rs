//! Staff: who is signed in to the console, who tries to, and what was done there (D10, D15).
//!
//! Invariants: a session is known by a hash, so that who reads the store cannot sign in with it; what is in the audit
//! log stays as it was written. Start reading at [`Actor`].

mod audit;
mod ports;
mod session;
mod sign_in;

pub use audit::{Action, AuditEntry, AuditFilter, Detail, NewAuditEntry};
pub use ports::{AdminSessions, AuditLog, LoginAttempts, StaffStore};
pub use session::{Actor, NewAdminSession, SESSION_LIFE, SessionId, TokenHash};
pub use sign_in::{AttemptId, AttemptLimit, Reservation};
