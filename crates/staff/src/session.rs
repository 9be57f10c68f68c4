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

/// The staff session that acts, and where its request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// The session.
    pub session: SessionId,
    /// Where the request came from.
    pub address: Option<IpAddr>,
}

/// A session to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAdminSession {
    /// The hash of the session's token.
    pub token_hash: TokenHash,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// The time of signing in.
    pub created_at: DateTime<Utc>,
    /// When the session expires.
    pub expires_at: DateTime<Utc>,
}
