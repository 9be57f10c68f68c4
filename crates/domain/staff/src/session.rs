use crate::{MemberId, PasswordTag, TokenHash};
use chrono::{DateTime, TimeDelta, Utc};
use std::net::IpAddr;

/// How long a session lasts.
pub const SESSION_LIFE: TimeDelta = TimeDelta::hours(12);

kernel::id_type! {
    /// The id of a session. The audit log keeps it after the session is deleted.
    pub struct SessionId
}

/// The staff session that acts, and where its request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// The member of staff. `None` for the server itself.
    pub member: Option<MemberId>,
    /// The session.
    pub session: SessionId,
    /// Where the request came from.
    pub address: Option<IpAddr>,
}

/// How long a session lasts without use (D51).
pub const SESSION_IDLE: TimeDelta = TimeDelta::hours(2);
/// How long a code counts for what needs one (D50).
pub const STEP_UP_LIFE: TimeDelta = TimeDelta::minutes(10);
/// The use of a session is stored at most this often.
const USE_STEP: TimeDelta = TimeDelta::minutes(1);

/// A session to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAdminSession {
    /// The member who signed in.
    pub member: MemberId,
    /// The hash of the session's token.
    pub token_hash: TokenHash,
    /// The password that was checked.
    pub password_tag: PasswordTag,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// When a code was given, if one was.
    pub code_given_at: Option<DateTime<Utc>>,
    /// The time of signing in.
    pub created_at: DateTime<Utc>,
    /// When the session expires, used or not.
    pub expires_at: DateTime<Utc>,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminSession {
    /// The id.
    pub id: SessionId,
    /// The member who signed in.
    pub member: MemberId,
    /// The password that was checked.
    pub password_tag: PasswordTag,
    /// Where the sign-in came from.
    pub address: Option<IpAddr>,
    /// The `User-Agent` header of the sign-in.
    pub user_agent: Option<String>,
    /// When a code was last given.
    pub code_given_at: Option<DateTime<Utc>>,
    /// The time of signing in.
    pub created_at: DateTime<Utc>,
    /// When the session was last used, to the minute.
    pub last_used_at: DateTime<Utc>,
    /// When the session expires, used or not.
    pub expires_at: DateTime<Utc>,
}

impl AdminSession {
    /// Until when the code that was given last counts, if it still does.
    pub fn step_up_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let until = self.code_given_at? + STEP_UP_LIFE;
        (until > now).then_some(until)
    }

    /// Whether its use is to be stored now.
    pub fn use_is_news(&self, now: DateTime<Utc>) -> bool {
        now - self.last_used_at >= USE_STEP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    fn session() -> AdminSession {
        AdminSession {
            id: SessionId::new(1),
            member: MemberId::new(1),
            password_tag: [0; 32],
            address: None,
            user_agent: None,
            code_given_at: Some(at(0)),
            created_at: at(0),
            last_used_at: at(0),
            expires_at: at(0) + SESSION_LIFE,
        }
    }

    #[test]
    fn a_code_counts_for_ten_minutes() {
        assert_eq!(session().step_up_until(at(9)), Some(at(10)));
        assert_eq!(session().step_up_until(at(10)), None);
        let without = AdminSession {
            code_given_at: None,
            ..session()
        };
        assert_eq!(without.step_up_until(at(0)), None);
    }
}
