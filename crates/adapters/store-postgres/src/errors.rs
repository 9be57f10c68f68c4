//! Maps PostgreSQL's errors to [`StoreError`].

use diesel::result::{DatabaseErrorKind, Error};
use kernel::{StoreError, UniqueKey};

/// Unique constraints that callers handle, by the names the migrations give them.
const UNIQUE_KEYS: [(&str, UniqueKey); 6] = [
    ("raffles_key_key", UniqueKey::RaffleKey),
    ("users_pkey", UniqueKey::EntrantId),
    ("users_referral_code_key", UniqueKey::ReferralCode),
    ("admin_sessions_session_token_key", UniqueKey::SessionToken),
    ("staff_members_name_key", UniqueKey::StaffName),
    (
        "sms_scheduled_campaigns_idempotency_key_key",
        UniqueKey::CampaignKey,
    ),
];

/// The trigger that refuses to commit a seal after its time.
const IN_TIME: &str = "drawing_seals_in_time";

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

/// Whether it is a key that statements check for themselves: a violation means that a concurrent transaction stored the same
/// key. Each partition of `page_views` has one.
fn is_race(constraint: &str) -> bool {
    constraint.starts_with("page_views_") && constraint.ends_with("_pkey")
}

pub(crate) fn fault(error: &Error) -> Fault {
    match error {
        Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info)
            if info.constraint_name().is_some_and(is_race) =>
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

/// Whether PostgreSQL cannot write or lacks a resource, and will work again once an operator has helped: SQLSTATE class 53
/// (a full disk, no memory, too many connections) and input or output errors. Diesel does not tell the SQLSTATE.
fn lacks_resources(message: &str) -> bool {
    const BEGINNINGS: [&str; 5] = [
        "out of memory",
        "out of shared memory",
        "sorry, too many clients already",
        "too many connections for",
        "remaining connection slots are reserved",
    ];
    const PARTS: [&str; 6] = [
        "No space left on device",
        "Disk quota exceeded",
        "Read-only file system",
        "Input/output error",
        "could not extend file",
        "temporary file size exceeds",
    ];
    BEGINNINGS.iter().any(|beginning| message.starts_with(beginning))
        || PARTS.iter().any(|part| message.contains(part))
}

/// Whether the store may work again later, without a change of the statement.
fn is_unavailable(kind: &DatabaseErrorKind, message: &str) -> bool {
    // A standby, or a database that an operator has made read-only.
    matches!(kind, DatabaseErrorKind::ReadOnlyTransaction) || timed_out(message) || lacks_resources(message)
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
        Error::DatabaseError(DatabaseErrorKind::CheckViolation, info)
            if info.constraint_name() == Some(IN_TIME) =>
        {
            StoreError::TooLate
        }
        Error::DatabaseError(kind, info) if is_unavailable(kind, info.message()) => {
            StoreError::Unavailable(error.into())
        }
        _ => match fault(&error) {
            Fault::Retry => StoreError::Conflict,
            Fault::Lost => StoreError::Unavailable(error.into()),
            Fault::Other => StoreError::Failed(error.into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store_error(kind: DatabaseErrorKind, message: &str) -> StoreError {
        to_store_error(Error::DatabaseError(kind, Box::new(message.to_owned())))
    }

    #[test]
    fn a_database_that_cannot_write_is_unavailable() {
        for message in [
            "could not extend file \"base/16384/16397\": No space left on device",
            "could not extend file \"base/16384/16397\": wrote only 4096 of 8192 bytes at block 7",
            "could not write to file \"base/pgsql_tmp/pgsql_tmp9.0\": No space left on device",
            "could not resize shared memory segment \"/PostgreSQL.1\" to 8 bytes: No space left on device",
            "could not fsync file \"pg_wal/000000010000000000000001\": Input/output error",
            "out of memory",
            "out of shared memory",
            "sorry, too many clients already",
            "remaining connection slots are reserved for roles with the SUPERUSER attribute",
            "too many connections for role \"tombola\"",
            "temporary file size exceeds \"temp_file_limit\" (1024kB)",
            "canceling statement due to statement timeout",
        ] {
            let error = store_error(DatabaseErrorKind::Unknown, message);
            assert!(matches!(error, StoreError::Unavailable(_)), "{message}");
        }
        let read_only = "cannot execute INSERT in a read-only transaction";
        let error = store_error(DatabaseErrorKind::ReadOnlyTransaction, read_only);
        assert!(matches!(error, StoreError::Unavailable(_)));
    }

    #[test]
    fn an_error_of_a_statement_is_a_failure() {
        for message in [
            "division by zero",
            "relation \"users\" does not exist",
            "permission denied",
        ] {
            let error = store_error(DatabaseErrorKind::Unknown, message);
            assert!(matches!(error, StoreError::Failed(_)), "{message}");
        }
    }
}
