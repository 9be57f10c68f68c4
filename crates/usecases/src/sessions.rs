//! Signing in to the console and out of it: spec section 6, decision D10.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, Origin, StoreError, UnitOfWork};
use staff::{
    Action, Actor, AdminSessions, AttemptId, AttemptLimit, AuditLog, LoginAttempts, NewAdminSession,
    NewAuditEntry, Reservation, SessionId, TokenHash,
};
use std::net::IpAddr;

/// How long failed attempts are kept; longer than the window of any limit.
const KEEP_ATTEMPTS: TimeDelta = TimeDelta::days(1);

/// Why a password is not checked.
#[derive(Debug, thiserror::Error)]
pub enum AttemptError {
    /// This subscriber has failed too often.
    #[error("too many failures")]
    TooMany {
        /// How long until the next attempt is allowed.
        wait: TimeDelta,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request has no session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There is no such session, or it has ended.
    #[error("no such session")]
    NoSession,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A request with the right name and password.
#[derive(Debug, Clone)]
pub struct SignInCommand {
    /// The reserved attempt, which did not fail.
    pub attempt: Option<AttemptId>,
    /// The hash of the new session's token.
    pub token: TokenHash,
    /// When the session expires.
    pub expires_at: DateTime<Utc>,
    /// Where the request came from.
    pub origin: Origin,
    /// The time of the request.
    pub at: DateTime<Utc>,
}

/// Counts an attempt to sign in before the password is checked, so that concurrent requests cannot exceed the limit.
///
/// # Errors
/// [`AttemptError::TooMany`] when this subscriber has none left.
pub fn reserve_attempt<S>(
    store: &S,
    clock: &dyn Clock,
    subscriber: IpAddr,
    limit: AttemptLimit,
) -> Result<AttemptId, AttemptError>
where
    S: UnitOfWork<Tx: LoginAttempts>,
{
    let now = clock.now();
    let reservation = store.transaction(|tx| {
        // Here and not after a success, so that a flood of failures is deleted too.
        tx.forget_attempts_before(now - KEEP_ATTEMPTS)?;
        tx.reserve_attempt(subscriber, limit, now)
    });
    match reservation? {
        Reservation::Granted(attempt) => Ok(attempt),
        Reservation::Refused { oldest } => Err(AttemptError::TooMany {
            wait: limit.wait(oldest, now),
        }),
    }
}

/// Removes an attempt whose password could not be checked.
pub fn take_back_attempt<S>(store: &S, attempt: AttemptId) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: LoginAttempts>,
{
    store.transaction(|tx| tx.forget_attempt(attempt))
}

/// Opens a session, records it in the audit log, and deletes expired sessions.
pub fn sign_in<S>(store: &S, command: &SignInCommand) -> Result<SessionId, StoreError>
where
    S: UnitOfWork<Tx: AdminSessions + LoginAttempts + AuditLog>,
{
    let origin = &command.origin;
    let new = NewAdminSession {
        token_hash: command.token,
        address: origin.address,
        user_agent: origin.user_agent.clone(),
        created_at: command.at,
        expires_at: command.expires_at,
    };
    store.transaction(|tx| {
        if let Some(attempt) = command.attempt {
            tx.forget_attempt(attempt)?;
        }
        tx.forget_expired_sessions(command.at)?;
        let session = tx.open_session(&new)?;
        let actor = Actor {
            session,
            address: origin.address,
        };
        let mut entry = NewAuditEntry::new(actor, Action::Login, command.at);
        if let Some(browser) = &origin.user_agent {
            entry = entry.text("userAgent", browser);
        }
        tx.record_audit(&entry)?;
        Ok(session)
    })
}

/// The session that a call belongs to.
///
/// # Errors
/// [`SessionError::NoSession`] when it was closed or has expired.
pub fn find<S>(store: &S, clock: &dyn Clock, token: &TokenHash) -> Result<SessionId, SessionError>
where
    S: UnitOfWork<Tx: AdminSessions>,
{
    let now = clock.now();
    store.read(|tx| tx.find_session(token, now)?.ok_or(SessionError::NoSession))
}

/// Closes a session and records it in the audit log, once.
pub fn sign_out<S>(store: &S, clock: &dyn Clock, actor: Actor, token: &TokenHash) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if tx.close_session(token)? {
            tx.record_audit(&NewAuditEntry::new(actor, Action::Logout, at))?;
        }
        Ok(())
    })
}
