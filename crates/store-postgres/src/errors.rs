//! Maps PostgreSQL's errors to [`StoreError`].

use diesel::result::{DatabaseErrorKind, Error};
use kernel::{StoreError, UniqueKey};

/// Unique constraints that callers handle, by the names the migrations give them.
const UNIQUE_KEYS: [(&str, UniqueKey); 3] = [
    ("users_referral_code_key", UniqueKey::ReferralCode),
    ("admin_sessions_session_token_key", UniqueKey::SessionToken),
    (
        "sms_scheduled_campaigns_idempotency_key_key",
        UniqueKey::CampaignKey,
    ),
];

/// What a failed statement means for its transaction and connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The transaction conflicts with another one (40001, 40P01): run it again.
    Retry,
    /// The connection is lost.
    Lost,
    /// Neither: the caller gets the error.
    Other,
}

/// Keys that statements check for themselves: a violation means that a concurrent transaction stored the same key.
const RACES: [&str; 1] = ["page_views_pkey"];

pub(crate) fn fault(error: &Error) -> Fault {
    match error {
        Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info)
            if info.constraint_name().is_some_and(|name| RACES.contains(&name)) =>
        {
            Fault::Retry
        }
        Error::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => Fault::Retry,
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand,
            _,
        ) => Fault::Lost,
        // Diesel gives no SQLSTATE for these, so PostgreSQL's messages are compared.
        Error::DatabaseError(_, info) => match info.message() {
            "deadlock detected" => Fault::Retry,
            message if is_disconnect(message) => Fault::Lost,
            _ => Fault::Other,
        },
        _ => Fault::Other,
    }
}

fn is_disconnect(message: &str) -> bool {
    message.starts_with("terminating connection") || message.contains("the database system is")
}

fn timed_out(message: &str) -> bool {
    message.starts_with("canceling statement due to")
}

pub(crate) fn to_store_error(error: Error) -> StoreError {
    match &error {
        Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info) => {
            let name = info.constraint_name().unwrap_or_default();
            match UNIQUE_KEYS.iter().find(|(constraint, _)| *constraint == name) {
                Some((_, key)) => StoreError::Duplicate(*key),
                None => StoreError::Failed(error.into()),
            }
        }
        Error::DatabaseError(_, info) if timed_out(info.message()) => StoreError::Unavailable(error.into()),
        _ => match fault(&error) {
            Fault::Retry => StoreError::Conflict,
            Fault::Lost => StoreError::Unavailable(error.into()),
            Fault::Other => StoreError::Failed(error.into()),
        },
    }
}
