use chrono::{DateTime, TimeDelta, Utc};
use std::net::IpAddr;

/// How long a session lasts.
pub const SESSION_LIFE: TimeDelta = TimeDelta::hours(12);

/// The SHA-256 of a session's token.
pub type TokenHash = [u8; 32];

kernel::id_type! {
    /// The id of a session. The audit log keeps it after the session is deleted.
    pub struct SessionId
}

/// Who does something in the console, and from where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// In which session.
    pub session: SessionId,
    /// Where the request came from.
    pub address: Option<IpAddr>,
}

/// A session about to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAdminSession {
    /// What its token hashes to.
    pub token_hash: TokenHash,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Now.
    pub created_at: DateTime<Utc>,
    /// From when on it is no session any more.
    pub expires_at: DateTime<Utc>,
}
