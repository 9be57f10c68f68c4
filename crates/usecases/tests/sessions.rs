//! Signing in, on the fakes. The rules of the store are tested in `contracts`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FixedClock, MemStore};
use kernel::{Clock, Origin, PageRequest, StoreError, UnitOfWork};
use staff::{
    Action, Actor, AdminSessions, AttemptId, AttemptLimit, AuditEntry, AuditFilter, Detail, LoginAttempts,
    SESSION_LIFE,
};
use std::net::{IpAddr, Ipv4Addr};
use usecases::audit::AuditList;
use usecases::sessions::{AttemptError, SessionError, SignInCommand};

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

fn at(after: TimeDelta) -> FixedClock {
    FixedClock::at(FixedClock::default().now() + after)
}

fn noon() -> DateTime<Utc> {
    FixedClock::default().now()
}

fn command(token: u8, attempt: Option<AttemptId>, after: TimeDelta) -> SignInCommand {
    let at = noon() + after;
    SignInCommand {
        attempt,
        token: [token; 32],
        expires_at: at + SESSION_LIFE,
        origin: Origin {
            address: Some(HOME),
            user_agent: Some("Test".to_owned()),
        },
        at,
    }
}

fn reserve(store: &MemStore, after: TimeDelta) -> Result<AttemptId, AttemptError> {
    usecases::sessions::reserve_attempt(store, &at(after), HOME, AttemptLimit::SIGN_IN)
}

fn audit(store: &MemStore) -> AuditList {
    usecases::audit::list(store, &AuditFilter::default(), PageRequest::default()).unwrap()
}

#[test]
fn signing_in_opens_a_session_and_is_recorded() {
    let store = MemStore::default();
    let session = usecases::sessions::sign_in(&store, &command(1, None, TimeDelta::zero())).unwrap();
    assert_eq!(
        usecases::sessions::find(&store, &at(TimeDelta::zero()), &[1; 32]).unwrap(),
        session
    );
    let login = AuditEntry {
        id: 1,
        session,
        action: Action::Login,
        target: None,
        details: vec![("userAgent".to_owned(), Detail::Text("Test".to_owned()))],
        address: Some(HOME),
        created_at: noon(),
    };
    assert_eq!(
        audit(&store),
        AuditList {
            entries: vec![login],
            total: 1
        }
    );
}

#[test]
fn a_session_is_not_opened_if_its_audit_entry_fails() {
    let store = MemStore::default();
    usecases::sessions::sign_in(&store, &command(1, None, TimeDelta::zero())).unwrap();
    let again = usecases::sessions::sign_in(&store, &command(1, None, TimeDelta::zero()));
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
    assert_eq!(audit(&store).total, 1);
}

#[test]
fn signing_out_ends_the_session_and_is_recorded_once() {
    let store = MemStore::default();
    let session = usecases::sessions::sign_in(&store, &command(1, None, TimeDelta::zero())).unwrap();
    let actor = Actor {
        session,
        address: None,
    };
    for _ in 0..2 {
        usecases::sessions::sign_out(&store, &at(TimeDelta::hours(1)), actor, &[1; 32]).unwrap();
    }
    let found = usecases::sessions::find(&store, &at(TimeDelta::hours(1)), &[1; 32]);
    assert!(matches!(found, Err(SessionError::NoSession)), "{found:?}");
    let entries = audit(&store).entries;
    let actions: Vec<_> = entries.iter().map(|entry| entry.action).collect();
    assert_eq!(actions, [Action::Logout, Action::Login]);
    assert_eq!(entries[0].created_at, noon() + TimeDelta::hours(1));
    assert_eq!(entries[0].session, session);
}

#[test]
fn a_failure_counts_and_a_success_does_not() {
    let store = MemStore::default();
    for _ in 0..4 {
        reserve(&store, TimeDelta::zero()).unwrap();
    }
    for token in 0..3 {
        let attempt = reserve(&store, TimeDelta::zero()).unwrap();
        usecases::sessions::sign_in(&store, &command(token, Some(attempt), TimeDelta::zero())).unwrap();
    }
    let fifth = reserve(&store, TimeDelta::minutes(5)).unwrap();
    let sixth = reserve(&store, TimeDelta::minutes(6));
    assert!(
        matches!(sixth, Err(AttemptError::TooMany { wait }) if wait == TimeDelta::minutes(9)),
        "{sixth:?}"
    );
    usecases::sessions::take_back_attempt(&store, fifth).unwrap();
    assert!(reserve(&store, TimeDelta::minutes(6)).is_ok());
}

#[test]
fn signing_in_deletes_expired_sessions() {
    let store = MemStore::default();
    usecases::sessions::sign_in(&store, &command(1, None, TimeDelta::zero())).unwrap();
    usecases::sessions::sign_in(&store, &command(2, None, TimeDelta::hours(1))).unwrap();
    usecases::sessions::sign_in(&store, &command(3, None, SESSION_LIFE)).unwrap();
    let left = store.transaction(|tx| tx.forget_expired_sessions(noon() + TimeDelta::days(9)));
    assert_eq!(left.unwrap(), 2);
    assert_eq!(
        audit(&store).total,
        3,
        "the log keeps what was done in sessions that are gone"
    );
}

#[test]
fn attempts_are_kept_for_a_day_after_failures_too() {
    let store = MemStore::default();
    let day = TimeDelta::days(1);
    for after in [TimeDelta::zero(), TimeDelta::hours(3), day + TimeDelta::hours(1)] {
        reserve(&store, after).unwrap();
    }
    let left = store.transaction(|tx| tx.forget_attempts_before(noon() + day * 9));
    assert_eq!(left.unwrap(), 2);
}

#[test]
fn a_session_that_was_never_opened_is_not_found() {
    let found = usecases::sessions::find(&MemStore::default(), &at(TimeDelta::zero()), &[1; 32]);
    assert!(matches!(found, Err(SessionError::NoSession)), "{found:?}");
}
