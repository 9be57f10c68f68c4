//! Signing in to the console and out of it, and what a session may do.

use crate::second_factor::{CodeOutcome, StaffTools, take_code, take_totp};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, Origin, StaffName, StoreError, UnitOfWork};
use staff::{
    Account, Accounts, Action, Actor, AdminSession, AdminSessions, AttemptId, AttemptLimit, AttemptSubject,
    AuditLog, LoginAttempts, Member, MemberId, MemberState, NewAdminSession, NewAuditEntry, PasswordTag,
    Permission, Reservation, SessionId, TokenHash,
};
use std::net::IpAddr;

/// How long failed attempts are kept; longer than the window of any limit.
const KEEP_ATTEMPTS: TimeDelta = TimeDelta::days(1);
/// The session of audit entries that belong to none.
pub(crate) const NO_SESSION: i64 = 0;
/// Who acts when nobody is signed in.
pub(crate) const NOBODY: Actor = Actor {
    member: None,
    session: SessionId::new(NO_SESSION),
    address: None,
};

/// Why a password is not checked.
#[derive(Debug, thiserror::Error)]
pub enum AttemptError {
    /// There were too many failures.
    #[error("too many failures")]
    TooMany {
        /// How long until the next attempt is allowed.
        wait: TimeDelta,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request is not carried out.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// There is no such session, or it has ended.
    #[error("no such session")]
    NoSession,
    /// The role may not do this.
    #[error("not allowed")]
    Forbidden,
    /// The member must set up a second factor first.
    #[error("a second factor is required")]
    SecondFactorRequired,
    /// A code must be given first.
    #[error("a code is required")]
    CodeNeeded,
    /// The code is wrong.
    #[error("wrong code")]
    WrongCode,
    /// There were too many wrong codes.
    #[error("too many wrong codes")]
    TooMany {
        /// How long until the next code is taken.
        wait: TimeDelta,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A request with the right name and password.
#[derive(Debug, Clone)]
pub struct SignInCommand {
    /// The account.
    pub account: MemberId,
    /// The password that was checked.
    pub password_tag: PasswordTag,
    /// The reserved attempts, which did not fail.
    pub attempts: Vec<AttemptId>,
    /// The code or recovery code, if one was given.
    pub code: Option<String>,
    /// The hash of the new session's token.
    pub token: TokenHash,
    /// When the session expires.
    pub expires_at: DateTime<Utc>,
    /// Where the request came from.
    pub origin: Origin,
    /// The time of the request.
    pub at: DateTime<Utc>,
}

/// What became of a sign-in with the right password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignedIn {
    /// The session is open.
    Open(SessionId),
    /// The account needs a code.
    CodeNeeded,
    /// The code is wrong.
    WrongCode,
    /// There were too many wrong codes.
    Locked {
        /// How long until the next code is taken.
        wait: TimeDelta,
    },
    /// The account is disabled, or its password was changed meanwhile.
    Refused,
}

/// The account with this name, for checking a password.
pub fn find_account<S>(store: &S, name: &StaffName) -> Result<Option<Account>, StoreError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    store.read(|tx| tx.find_account_by_name(name))
}

/// Counts an attempt to sign in for each subject before the password is checked, so that concurrent requests cannot exceed
/// the limits. Refused attempts count for none.
///
/// # Errors
/// [`AttemptError::TooMany`] when one of the subjects has none left.
pub fn reserve_attempts<S>(
    store: &S,
    clock: &dyn Clock,
    subjects: &[(AttemptSubject, AttemptLimit)],
) -> Result<Vec<AttemptId>, AttemptError>
where
    S: UnitOfWork<Tx: LoginAttempts>,
{
    let now = clock.now();
    store.transaction(|tx| {
        // Here and not after a success, so that a flood of failures is deleted too.
        tx.forget_attempts_before(now - KEEP_ATTEMPTS)?;
        let mut attempts = Vec::new();
        for (subject, limit) in subjects {
            match tx.reserve_attempt(*subject, *limit, now)? {
                Reservation::Granted(attempt) => attempts.push(attempt),
                Reservation::Refused { until } => return Err(AttemptError::TooMany { wait: until - now }),
            }
        }
        Ok(attempts)
    })
}

/// Removes attempts whose password could not be checked.
pub fn take_back_attempts<S>(store: &S, attempts: &[AttemptId]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: LoginAttempts>,
{
    store.transaction(|tx| {
        attempts
            .iter()
            .try_for_each(|attempt| tx.forget_attempt(*attempt))
    })
}

/// Records that a password was wrong. `account`: the one with the name that was typed.
pub fn record_failure<S>(
    store: &S,
    clock: &dyn Clock,
    account: Option<MemberId>,
    origin: &Origin,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: AuditLog>,
{
    let entry = failure(account, origin.address, "password", clock.now());
    store.transaction(|tx| tx.record_audit(&entry).map(drop))
}

/// The typed name is not recorded, because people type passwords in its place.
fn failure(
    account: Option<MemberId>,
    address: Option<IpAddr>,
    reason: &str,
    at: DateTime<Utc>,
) -> NewAuditEntry {
    let nobody = Actor { address, ..NOBODY };
    let entry = NewAuditEntry::new(nobody, Action::LoginFailed, at).text("reason", reason);
    match account {
        Some(account) => entry.target(account),
        None => entry,
    }
}

/// Opens a session and records it in the audit log, unless a code is missing or wrong. Deletes ended sessions.
pub fn sign_in<S>(store: &S, tools: &StaffTools<'_>, command: &SignInCommand) -> Result<SignedIn, StoreError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + LoginAttempts + AuditLog>,
{
    store.transaction(|tx| {
        for attempt in &command.attempts {
            tx.forget_attempt(*attempt)?;
        }
        let account = tx.lock_account(command.account)?;
        let can_sign_in = |account: &Account| {
            account.member.state == MemberState::Active
                && tools.password_tag(account) == Some(command.password_tag)
        };
        let Some(mut account) = account.filter(can_sign_in) else {
            record(tx, command, "disabled")?;
            return Ok(SignedIn::Refused);
        };
        let code_given = match account.confirmed_factor() {
            None => None,
            Some(_) => match give_code(tx, tools, command, &mut account)? {
                Ok(outcome) => Some(outcome),
                Err(refused) => return Ok(refused),
            },
        };
        account.last_sign_in_at = Some(command.at);
        tx.save_account(&account)?;
        tx.forget_ended_sessions(command.at)?;
        open(tx, command, code_given).map(SignedIn::Open)
    })
}

fn record<T: AuditLog>(tx: &mut T, command: &SignInCommand, reason: &str) -> Result<(), StoreError> {
    let entry = failure(Some(command.account), command.origin.address, reason, command.at);
    tx.record_audit(&entry).map(drop)
}

/// Takes the code of a sign-in, or says why it is refused.
fn give_code<T>(
    tx: &mut T,
    tools: &StaffTools<'_>,
    command: &SignInCommand,
    account: &mut Account,
) -> Result<Result<CodeOutcome, SignedIn>, StoreError>
where
    T: Accounts + AuditLog,
{
    let Some(code) = command.code.as_deref() else {
        return Ok(Err(SignedIn::CodeNeeded));
    };
    Ok(match take_code(tx, tools, account, code, command.at)? {
        CodeOutcome::Locked { wait } => Err(SignedIn::Locked { wait }),
        CodeOutcome::Wrong => {
            record(tx, command, "code")?;
            Err(SignedIn::WrongCode)
        }
        taken @ (CodeOutcome::Taken | CodeOutcome::TakenRecovery) => Ok(taken),
    })
}

fn open<T>(tx: &mut T, command: &SignInCommand, code: Option<CodeOutcome>) -> Result<SessionId, StoreError>
where
    T: AdminSessions + AuditLog,
{
    let origin = &command.origin;
    let session = tx.open_session(&NewAdminSession {
        member: command.account,
        token_hash: command.token,
        password_tag: command.password_tag,
        address: origin.address,
        user_agent: origin.user_agent.clone(),
        code_given_at: code.as_ref().map(|_| command.at),
        created_at: command.at,
        expires_at: command.expires_at,
    })?;
    let actor = Actor {
        member: Some(command.account),
        session,
        address: origin.address,
    };
    let mut entry = NewAuditEntry::new(actor, Action::Login, command.at);
    if let Some(browser) = &origin.user_agent {
        entry = entry.text("userAgent", browser);
    }
    tx.record_audit(&entry)?;
    if code == Some(CodeOutcome::TakenRecovery) {
        tx.record_audit(&NewAuditEntry::new(actor, Action::UseRecoveryCode, command.at))?;
    }
    Ok(session)
}

/// A call of the console.
#[derive(Debug, Clone, Copy)]
pub struct AccessRequest<'a> {
    /// The hash of the session's token.
    pub token: TokenHash,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// What the call does.
    pub permission: Permission,
    /// A code that came with the request.
    pub code: Option<&'a str>,
}

/// Whoever makes a call that is allowed.
#[derive(Debug, Clone)]
pub struct Caller {
    /// For the audit log.
    pub actor: Actor,
    /// The member.
    pub member: Member,
    /// The session.
    pub session: AdminSession,
    /// Whether a code was given lately, or the member has no second factor.
    pub stepped_up: bool,
}

/// Finds the session of a call, and checks that its member may do what the call does.
///
/// # Errors
/// See [`AccessError`]. A missing permission comes before a missing code.
pub fn authorize<S>(
    store: &S,
    tools: &StaffTools<'_>,
    request: &AccessRequest<'_>,
) -> Result<Caller, AccessError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions>,
{
    let now = tools.clock.now();
    let mut caller = store.read(|tx| identify(tx, tools, request, now))?;
    let (role, permission) = (caller.member.role, request.permission);
    let must_set_up = tools.totp_required && role.needs_second_factor() && !caller.member.has_second_factor;
    if must_set_up && permission != Permission::OwnAccount {
        return Err(AccessError::SecondFactorRequired);
    }
    if !role.allows(permission) {
        return Err(AccessError::Forbidden);
    }
    if let (false, Some(code)) = (caller.stepped_up, request.code) {
        step_up(store, tools, &mut caller, code, now)?;
    }
    if permission.needs_step_up() && !caller.stepped_up {
        return Err(AccessError::CodeNeeded);
    }
    Ok(caller)
}

fn identify<T>(
    tx: &T,
    tools: &StaffTools<'_>,
    request: &AccessRequest<'_>,
    now: DateTime<Utc>,
) -> Result<Caller, AccessError>
where
    T: AdminSessions,
{
    let (session, account) = tx
        .find_session(&request.token, now)?
        .ok_or(AccessError::NoSession)?;
    let is_valid = account.member.state == MemberState::Active
        && tools.password_tag(&account) == Some(session.password_tag);
    if !is_valid {
        return Err(AccessError::NoSession);
    }
    Ok(Caller {
        actor: Actor {
            member: Some(session.member),
            session: session.id,
            address: request.address,
        },
        stepped_up: account.confirmed_factor().is_none() || session.step_up_until(now).is_some(),
        member: account.member,
        session,
    })
}

/// Takes a code for the next ten minutes. Recovery codes are for signing in only.
fn step_up<S>(
    store: &S,
    tools: &StaffTools<'_>,
    caller: &mut Caller,
    code: &str,
    now: DateTime<Utc>,
) -> Result<(), AccessError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions>,
{
    let outcome = store.transaction(|tx| {
        let Some(mut account) = tx.lock_account(caller.member.id)? else {
            return Ok(CodeOutcome::Wrong);
        };
        let outcome = take_totp(tx, tools, &mut account, code, now)?;
        if outcome == CodeOutcome::Taken {
            tx.note_code(caller.session.id, now)?;
        }
        Ok::<_, StoreError>(outcome)
    })?;
    match outcome {
        CodeOutcome::Taken | CodeOutcome::TakenRecovery => {
            caller.stepped_up = true;
            caller.session.code_given_at = Some(now);
            Ok(())
        }
        CodeOutcome::Wrong => Err(AccessError::WrongCode),
        CodeOutcome::Locked { wait } => Err(AccessError::TooMany { wait }),
    }
}

/// Stores that a session is used, so that it does not end.
pub fn note_use<S>(store: &S, clock: &dyn Clock, session: SessionId) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: AdminSessions>,
{
    let at = clock.now();
    store.transaction(|tx| tx.touch_session(session, at))
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

/// The open sessions of a member, newest first.
pub fn list<S>(store: &S, clock: &dyn Clock, member: MemberId) -> Result<Vec<AdminSession>, StoreError>
where
    S: UnitOfWork<Tx: AdminSessions>,
{
    let now = clock.now();
    store.read(|tx| tx.list_sessions(member, now))
}

/// Ends one of a member's own sessions, and returns whether there was one.
pub fn end_one<S>(
    store: &S,
    clock: &dyn Clock,
    (actor, member): (Actor, MemberId),
    session: SessionId,
) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let ended = tx.close_session_of(member, session)?;
        if ended {
            tx.record_audit(&NewAuditEntry::new(actor, Action::EndSessions, at).target(session))?;
        }
        Ok(ended)
    })
}

/// Ends all of a member's own sessions, this one too.
pub fn end_all<S>(store: &S, clock: &dyn Clock, (actor, member): (Actor, MemberId)) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let ended = tx.close_sessions_of(member)?;
        let ended = i64::try_from(ended).unwrap_or(i64::MAX);
        tx.record_audit(&NewAuditEntry::new(actor, Action::EndSessions, at).number("sessions", ended))?;
        Ok(())
    })
}
