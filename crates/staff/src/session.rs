use chrono::{DateTime, TimeDelta, Utc};
use std::fmt;
use std::net::IpAddr;

/// How long a session lasts.
pub const SESSION_LIFE: TimeDelta = TimeDelta::hours(12);

/// The SHA-256 of a session's token.
pub type TokenHash = [u8; 32];

/// Which session. The audit log keeps the number when the session is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(i64);

impl SessionId {
    /// The session with this number.
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The number, as it is stored.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
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
