//! The accounts of staff: inviting, changing, passwords and second factors.

use crate::second_factor::{CodeOutcome, StaffTools, seal_secret, take_totp};
use crate::sessions::NO_SESSION;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, StaffName, StoreError, UniqueKey, UnitOfWork};
use staff::{
    Account, Accounts, Action, Actor, AdminSessions, AuditLog, FIRST_OWNER, FIRST_OWNER_LIFE,
    INVITATION_LIFE, Invitation, InvitationToken, MemberChange, MemberId, MemberProblem, MemberState,
    NeedsApproval, NewAuditEntry, PasswordTag, RecoveryCode, Role, SecondFactor, SecondPerson, SessionId,
    TokenHash, TotpSecret,
};

/// Why an account is not changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// There is no such account.
    #[error("no such account")]
    Unknown,
    /// An account has that name already.
    #[error("the name is taken")]
    NameTaken,
    /// Two people must agree to the change.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// The account cannot be changed in this way.
    #[error(transparent)]
    Problem(#[from] MemberProblem),
    /// The invitation was used, or is too old.
    #[error("the invitation has expired")]
    InvitationExpired,
    /// The password is not the current one any more.
    #[error("the password was changed")]
    PasswordChanged,
    /// There is a second factor already.
    #[error("there is a second factor")]
    HasSecondFactor,
    /// No second factor is being set up.
    #[error("no second factor is being set up")]
    NotSettingUp,
    /// There is no second factor.
    #[error("there is no second factor")]
    NoSecondFactor,
    /// The role needs a second factor.
    #[error("the role needs a second factor")]
    SecondFactorRequired,
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

/// The account of the environment's variables is an owner. Without a name in them it is disabled.
///
/// # Errors
/// [`AccountError::NameTaken`] when the name is that of an invited member.
pub fn keep_environment_account<S>(
    store: &S,
    clock: &dyn Clock,
    name: Option<&StaffName>,
) -> Result<(), AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions>,
{
    let at = clock.now();
    let keep = || keep_once(store, name, at);
    // Another server that started at the same moment may have added it. If an invited member has the name, that stays so.
    match keep() {
        Err(AccountError::NameTaken) => keep(),
        kept => kept,
    }
}

fn keep_once<S>(store: &S, name: Option<&StaffName>, at: DateTime<Utc>) -> Result<(), AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions>,
{
    let kept = store.transaction(|tx| {
        let accounts = tx.lock_accounts()?;
        let first_owner = invited_first_owner(&accounts).map(|account| account.member.id);
        let stored = accounts.into_iter().find(|account| account.member.environment);
        match (stored, name) {
            (None, None) => Ok(()),
            (None, Some(name)) => {
                let mut account = environment_account(name, at);
                let Some(id) = first_owner else {
                    return tx.add_account(&account).map(drop);
                };
                account.member.id = id;
                tx.save_account(&account)
            }
            (Some(mut account), None) => {
                account.disable();
                tx.close_sessions_of(account.member.id)?;
                tx.save_account(&account)
            }
            (Some(mut account), Some(name)) => {
                account.enable(at);
                if account.member.name != *name {
                    account.member.name = name.clone();
                    tx.close_sessions_of(account.member.id)?;
                }
                tx.save_account(&account)
            }
        }
    });
    kept.map_err(name_taken)
}

fn environment_account(name: &StaffName, at: DateTime<Utc>) -> Account {
    let mut account = Account::new(name.clone(), Role::Owner, MemberState::Active, at);
    account.member.environment = true;
    account.active_since = Some(at);
    account
}

fn name_taken(error: StoreError) -> AccountError {
    match error {
        StoreError::Duplicate(UniqueKey::StaffName) => AccountError::NameTaken,
        error => error.into(),
    }
}

/// A link that makes the first owner, or `None` when there is an account already. The link of an earlier start ends. Only for a
/// server that no stranger can reach: whoever has the link becomes the owner.
///
/// # Errors
/// [`AccountError::Store`].
pub fn first_owner<S>(store: &S, tools: &StaffTools<'_>) -> Result<Option<InvitationLink>, AccountError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    let at = tools.clock.now();
    let token = InvitationToken::random(tools.entropy);
    let invitation = token.invitation(at + FIRST_OWNER_LIFE);
    let invite = || invite_first_owner(store, &invitation, at);
    // Another server that started at the same moment may have invited the owner.
    let member = match invite() {
        Err(AccountError::NameTaken) => invite(),
        invited => invited,
    }?;
    Ok(member.map(|member| InvitationLink {
        member,
        token,
        expires_at: invitation.expires_at,
    }))
}

fn invite_first_owner<S>(
    store: &S,
    invitation: &Invitation,
    at: DateTime<Utc>,
) -> Result<Option<MemberId>, AccountError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    let Some(name) = StaffName::parse(FIRST_OWNER) else {
        return Ok(None);
    };
    let invited = store.transaction(|tx| {
        let accounts = tx.lock_accounts()?;
        if let Some(account) = invited_first_owner(&accounts) {
            let mut account = account.clone();
            account.invitation = Some(invitation.clone());
            tx.save_account(&account)?;
            return Ok(Some(account.member.id));
        }
        if !accounts.is_empty() {
            return Ok(None);
        }
        let mut account = Account::new(name.clone(), Role::Owner, MemberState::Invited, at);
        account.invitation = Some(invitation.clone());
        tx.add_account(&account).map(Some)
    });
    invited.map_err(name_taken)
}

/// The owner whom [`first_owner`] invited: nobody else can be invited while there is no other account.
fn invited_first_owner(accounts: &[Account]) -> Option<&Account> {
    match accounts {
        [only] if only.member.state == MemberState::Invited => Some(only),
        _ => None,
    }
}

/// All accounts, oldest first.
pub fn list<S>(store: &S) -> Result<Vec<Account>, StoreError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    store.read(|tx| tx.list_accounts())
}

/// An account, and how many recovery codes it has left.
///
/// # Errors
/// [`AccountError::Unknown`] when there is none.
pub fn find<S>(store: &S, id: MemberId) -> Result<(Account, i64), AccountError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    store.snapshot(|tx| {
        let account = tx.find_account(id)?.ok_or(AccountError::Unknown)?;
        Ok((account, tx.count_recovery_codes(id)?))
    })
}

/// The link that an owner hands to a member.
#[derive(Debug, Clone)]
pub struct InvitationLink {
    /// The member.
    pub member: MemberId,
    /// The token in the link. Only its hash is stored.
    pub token: InvitationToken,
    /// When the link stops working.
    pub expires_at: DateTime<Utc>,
}

/// Adds a member, who sets a password with a link.
///
/// # Errors
/// [`AccountError::NameTaken`].
pub fn invite<S>(
    store: &S,
    tools: &StaffTools<'_>,
    actor: Actor,
    name: &StaffName,
    role: Role,
) -> Result<InvitationLink, AccountError>
where
    S: UnitOfWork<Tx: Accounts + AuditLog>,
{
    let at = tools.clock.now();
    let token = InvitationToken::random(tools.entropy);
    let expires_at = at + INVITATION_LIFE;
    let mut account = Account::new(name.clone(), role, MemberState::Invited, at);
    account.invitation = Some(token.invitation(expires_at));
    let added = store.transaction(|tx| {
        let id = tx.add_account(&account)?;
        let entry = NewAuditEntry::new(actor, Action::InviteMember, at)
            .target(id)
            .text("name", name.as_str())
            .text("role", role.as_str());
        tx.record_audit(&entry)?;
        Ok(id)
    });
    Ok(InvitationLink {
        member: added.map_err(name_taken)?,
        token,
        expires_at,
    })
}

/// Makes a new link: the last one was lost or has expired, or the password was forgotten. The member's sessions end, and the
/// old password does not work any more. The second factor stays.
///
/// # Errors
/// [`AccountError::Unknown`], or [`MemberProblem`] when it is the environment's account or the last owner.
pub fn invite_again<S>(
    store: &S,
    tools: &StaffTools<'_>,
    actor: Actor,
    id: MemberId,
) -> Result<InvitationLink, AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let at = tools.clock.now();
    let token = InvitationToken::random(tools.entropy);
    let expires_at = at + INVITATION_LIFE;
    store.transaction(|tx| {
        let accounts = tx.lock_accounts()?;
        let owners = active_owners(&accounts);
        let mut account = with_id(accounts, id)?;
        if account.member.environment {
            return Err(MemberProblem::Environment.into());
        }
        if account.is_active_owner() && owners <= 1 {
            return Err(MemberProblem::LastOwner.into());
        }
        account.password = None;
        account.active_since = None;
        account.member.state = MemberState::Invited;
        account.invitation = Some(token.invitation(expires_at));
        tx.save_account(&account)?;
        tx.close_sessions_of(id)?;
        let entry = NewAuditEntry::new(actor, Action::ReinviteMember, at)
            .target(id)
            .text("name", account.member.name.as_str());
        tx.record_audit(&entry)?;
        Ok::<_, AccountError>(())
    })?;
    Ok(InvitationLink {
        member: id,
        token,
        expires_at,
    })
}

/// Makes another link for a member who has not set a password yet, for whoever hands it out. The one before does not work any
/// more.
///
/// # Errors
/// [`AccountError::Unknown`] when nobody with this id waits for a link.
pub(crate) fn show_link<T: Accounts + AuditLog>(
    tx: &mut T,
    tools: &StaffTools<'_>,
    actor: Actor,
    is_member: impl Fn(&Account) -> bool,
) -> Result<InvitationLink, AccountError> {
    let at = tools.clock.now();
    let token = InvitationToken::random(tools.entropy);
    let expires_at = at + INVITATION_LIFE;
    let mut accounts = tx.lock_accounts()?.into_iter();
    let waits = |account: &Account| account.member.state == MemberState::Invited && is_member(account);
    let mut account = accounts.find(waits).ok_or(AccountError::Unknown)?;
    account.invitation = Some(token.invitation(expires_at));
    tx.save_account(&account)?;
    let entry = NewAuditEntry::new(actor, Action::ShowInvitation, at)
        .target(account.member.id)
        .text("name", account.member.name.as_str());
    tx.record_audit(&entry)?;
    Ok(InvitationLink {
        member: account.member.id,
        token,
        expires_at,
    })
}

fn active_owners(accounts: &[Account]) -> usize {
    accounts
        .iter()
        .filter(|account| account.is_active_owner())
        .count()
}

fn with_id(accounts: Vec<Account>, id: MemberId) -> Result<Account, AccountError> {
    let mut accounts = accounts.into_iter();
    accounts
        .find(|account| account.member.id == id)
        .ok_or(AccountError::Unknown)
}

/// Changes the role of a member, or disables or enables one. The member's sessions end. Some changes need two
/// people ([`Account::needs_two_to_become`]).
///
/// # Errors
/// [`AccountError::Unknown`], [`AccountError::NeedsApproval`], or [`MemberProblem`].
pub fn change<S>(
    store: &S,
    clock: &dyn Clock,
    (actor, second): (Actor, SecondPerson),
    id: MemberId,
    change: MemberChange,
) -> Result<Account, AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let accounts = tx.lock_accounts()?;
        let owners = active_owners(&accounts);
        let before = with_id(accounts, id)?;
        let mut after = before.clone();
        after.change(change, owners, at)?;
        if after == before {
            return Ok(after);
        }
        if before.needs_two_to_become(&after) {
            second.check()?;
        }
        tx.save_account(&after)?;
        tx.close_sessions_of(id)?;
        tx.record_audit(&change_entry(actor, &before, &after, at))?;
        Ok(after)
    })
}

fn change_entry(actor: Actor, before: &Account, after: &Account, at: DateTime<Utc>) -> NewAuditEntry {
    let (before, after) = (&before.member, &after.member);
    let mut entry = NewAuditEntry::new(actor, Action::ChangeMember, at)
        .target(after.id)
        .text("name", after.name.as_str());
    if before.role != after.role {
        entry = entry
            .text("oldRole", before.role.as_str())
            .text("role", after.role.as_str());
    }
    if before.state != after.state {
        entry = entry
            .text("oldState", before.state.as_str())
            .text("state", after.state.as_str());
    }
    entry
}

/// The account whose invitation this is.
///
/// # Errors
/// [`AccountError::Unknown`] or [`AccountError::InvitationExpired`].
pub fn find_invitation<S>(store: &S, clock: &dyn Clock, token: &TokenHash) -> Result<Account, AccountError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    let now = clock.now();
    store.read(|tx| {
        let account = tx
            .find_account_by_invitation(token)?
            .ok_or(AccountError::Unknown)?;
        match is_open(&account, token, now) {
            true => Ok(account),
            false => Err(AccountError::InvitationExpired),
        }
    })
}

fn is_open(account: &Account, token: &TokenHash, now: DateTime<Utc>) -> bool {
    let invitation = account.invitation.as_ref();
    account.member.state == MemberState::Invited
        && invitation.is_some_and(|it| it.token_hash == *token && it.expires_at > now)
}

/// Sets the password of an invited member. The invitation is used up.
///
/// # Errors
/// [`AccountError::Unknown`] or [`AccountError::InvitationExpired`].
pub fn accept_invitation<S>(
    store: &S,
    clock: &dyn Clock,
    origin: &kernel::Origin,
    token: &TokenHash,
    phc: &str,
) -> Result<Account, AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let found = tx.find_account_by_invitation(token)?;
        let id = found.ok_or(AccountError::Unknown)?.member.id;
        let mut account = tx.lock_account(id)?.ok_or(AccountError::Unknown)?;
        if !is_open(&account, token, at) {
            return Err(AccountError::InvitationExpired);
        }
        account.set_password(phc.to_owned(), at);
        tx.save_account(&account)?;
        tx.close_sessions_of(id)?;
        let actor = Actor {
            member: Some(id),
            session: SessionId::new(NO_SESSION),
            address: origin.address,
        };
        tx.record_audit(&NewAuditEntry::new(actor, Action::AcceptInvitation, at).target(id))?;
        Ok(account)
    })
}

/// Sets a new password for a member who knows the current one. All sessions end.
///
/// # Errors
/// [`AccountError::PasswordChanged`] when `current` is not the current one any more, [`MemberProblem::Environment`].
pub fn change_password<S>(
    store: &S,
    clock: &dyn Clock,
    (actor, id): (Actor, MemberId),
    current: PasswordTag,
    phc: &str,
) -> Result<(), AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let mut account = tx.lock_account(id)?.ok_or(AccountError::Unknown)?;
        if account.member.environment {
            return Err(MemberProblem::Environment.into());
        }
        if account.password.as_deref().map(staff::password_tag) != Some(current) {
            return Err(AccountError::PasswordChanged);
        }
        account.set_password(phc.to_owned(), at);
        tx.save_account(&account)?;
        tx.close_sessions_of(id)?;
        tx.record_audit(&NewAuditEntry::new(actor, Action::ChangePassword, at))?;
        Ok(())
    })
}

/// Begins to set up a second factor, and returns its secret. Beginning again makes another one. The password was checked.
///
/// # Errors
/// [`AccountError::HasSecondFactor`].
pub fn begin_totp<S>(store: &S, tools: &StaffTools<'_>, id: MemberId) -> Result<TotpSecret, AccountError>
where
    S: UnitOfWork<Tx: Accounts>,
{
    let secret = TotpSecret::random(tools.entropy);
    store.transaction(|tx| {
        let mut account = tx.lock_account(id)?.ok_or(AccountError::Unknown)?;
        if account.confirmed_factor().is_some() {
            return Err(AccountError::HasSecondFactor);
        }
        let failures = account.code_failures;
        let sealed_secret = seal_secret(tools, &account, &secret);
        account.set_second_factor(Some(SecondFactor {
            sealed_secret,
            confirmed: false,
            last_step: None,
        }));
        // Beginning again does not end the lock after wrong codes.
        account.code_failures = failures;
        tx.save_account(&account)?;
        Ok::<_, AccountError>(())
    })?;
    Ok(secret)
}

/// A member's change of the second factor, with a code.
#[derive(Debug, Clone, Copy)]
pub struct CodeCommand<'a> {
    /// Who changes it, and in which session.
    pub actor: Actor,
    /// The member.
    pub member: MemberId,
    /// The code.
    pub code: &'a str,
}

/// Confirms a second factor with its first code, and returns new recovery codes. The code counts as given in this session.
///
/// # Errors
/// [`AccountError::HasSecondFactor`], [`AccountError::NotSettingUp`], [`AccountError::WrongCode`],
/// [`AccountError::TooMany`].
pub fn confirm_totp<S>(
    store: &S,
    tools: &StaffTools<'_>,
    command: CodeCommand<'_>,
) -> Result<Vec<RecoveryCode>, AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let codes = RecoveryCode::random_set(tools.entropy);
    let hashes: Vec<_> = codes.iter().map(RecoveryCode::hash).collect();
    with_code(store, tools, command, Factor::Begun, |tx, account, at| {
        let confirmed = account.second_factor.clone().map(|factor| SecondFactor {
            confirmed: true,
            ..factor
        });
        account.set_second_factor(confirmed);
        tx.replace_recovery_codes(command.member, &hashes)?;
        tx.note_code(command.actor.session, at)?;
        Ok(Action::SetUpTotp)
    })?;
    Ok(codes)
}

/// Makes new recovery codes; the old ones do not work any more.
///
/// # Errors
/// [`AccountError::NoSecondFactor`], [`AccountError::WrongCode`], [`AccountError::TooMany`].
pub fn renew_recovery_codes<S>(
    store: &S,
    tools: &StaffTools<'_>,
    command: CodeCommand<'_>,
) -> Result<Vec<RecoveryCode>, AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let codes = RecoveryCode::random_set(tools.entropy);
    let hashes: Vec<_> = codes.iter().map(RecoveryCode::hash).collect();
    with_code(store, tools, command, Factor::Confirmed, |tx, _, _| {
        tx.replace_recovery_codes(command.member, &hashes)?;
        Ok(Action::MakeRecoveryCodes)
    })?;
    Ok(codes)
}

/// Removes the second factor, unless the role needs one.
///
/// # Errors
/// [`AccountError::SecondFactorRequired`], [`AccountError::NoSecondFactor`], [`AccountError::WrongCode`],
/// [`AccountError::TooMany`].
pub fn remove_totp<S>(
    store: &S,
    tools: &StaffTools<'_>,
    role: Role,
    command: CodeCommand<'_>,
) -> Result<(), AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    if tools.totp_required && role.needs_second_factor() {
        return Err(AccountError::SecondFactorRequired);
    }
    with_code(store, tools, command, Factor::Confirmed, |tx, account, _| {
        account.set_second_factor(None);
        tx.replace_recovery_codes(command.member, &[])?;
        Ok(Action::RemoveTotp)
    })
}

/// The second factor that a change needs.
#[derive(PartialEq, Eq)]
enum Factor {
    Begun,
    Confirmed,
}

/// Changes a locked account if the code is right, saves it and records the action. A wrong code is counted and committed.
fn with_code<S, F>(
    store: &S,
    tools: &StaffTools<'_>,
    command: CodeCommand<'_>,
    needed: Factor,
    change: F,
) -> Result<(), AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
    F: Fn(&mut S::Tx, &mut Account, DateTime<Utc>) -> Result<Action, StoreError>,
{
    let at = tools.clock.now();
    let outcome = store.transaction(|tx| {
        let mut account = tx.lock_account(command.member)?.ok_or(AccountError::Unknown)?;
        match (
            account.second_factor.as_ref().map(|factor| factor.confirmed),
            &needed,
        ) {
            (Some(true), Factor::Begun) => return Err(AccountError::HasSecondFactor),
            (None, Factor::Begun) => return Err(AccountError::NotSettingUp),
            (None | Some(false), Factor::Confirmed) => return Err(AccountError::NoSecondFactor),
            (Some(false), Factor::Begun) | (Some(true), Factor::Confirmed) => {}
        }
        let outcome = take_totp(tx, tools, &mut account, command.code, at)?;
        if outcome == CodeOutcome::Taken {
            let action = change(tx, &mut account, at)?;
            tx.save_account(&account)?;
            tx.record_audit(&NewAuditEntry::new(command.actor, action, at))?;
        }
        Ok(outcome)
    })?;
    match outcome {
        CodeOutcome::Taken | CodeOutcome::TakenRecovery => Ok(()),
        CodeOutcome::Wrong => Err(AccountError::WrongCode),
        CodeOutcome::Locked { wait } => Err(AccountError::TooMany { wait }),
    }
}

/// Removes the second factor of a member who lost the phone and the recovery codes, by the operator. The member's sessions
/// end.
///
/// # Errors
/// [`AccountError::Unknown`] or [`AccountError::NoSecondFactor`].
pub fn reset_totp<S>(store: &S, clock: &dyn Clock, name: &StaffName) -> Result<(), AccountError>
where
    S: UnitOfWork<Tx: Accounts + AdminSessions + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let found = tx.find_account_by_name(name)?.ok_or(AccountError::Unknown)?;
        let id = found.member.id;
        let mut account = tx.lock_account(id)?.ok_or(AccountError::Unknown)?;
        if account.second_factor.is_none() {
            return Err(AccountError::NoSecondFactor);
        }
        account.set_second_factor(None);
        tx.save_account(&account)?;
        tx.replace_recovery_codes(id, &[])?;
        tx.close_sessions_of(id)?;
        let operator = Actor {
            member: None,
            session: SessionId::new(NO_SESSION),
            address: None,
        };
        let entry = NewAuditEntry::new(operator, Action::ResetTotp, at)
            .target(id)
            .text("name", account.member.name.as_str());
        tx.record_audit(&entry)?;
        Ok(())
    })
}
