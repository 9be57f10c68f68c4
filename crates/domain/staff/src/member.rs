//! Members of staff.

use crate::{CodeFailures, Permission, Role, TokenHash, TotpStep};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Entropy, StaffName};
use sha2::{Digest, Sha256};
use strum::IntoEnumIterator;

/// How long the link of an invitation works.
pub const INVITATION_LIFE: TimeDelta = TimeDelta::hours(72);

/// How long the link works that a server in development prints while nobody has an account.
pub const FIRST_OWNER_LIFE: TimeDelta = TimeDelta::hours(24);

/// The name of the owner whom that link makes.
pub const FIRST_OWNER: &str = "admin";

kernel::id_type! {
    /// The id of a member of staff.
    pub struct MemberId
}

/// Whether a member can sign in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum MemberState {
    /// Was invited and has not set a password.
    Invited,
    /// Can sign in.
    Active,
    /// Was disabled by an owner.
    Disabled,
}

impl MemberState {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A member of staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The id.
    pub id: MemberId,
    /// The name to sign in with. It never changes.
    pub name: StaffName,
    /// The role.
    pub role: Role,
    /// Whether the member can sign in.
    pub state: MemberState,
    /// Whether the environment's variables hold the name and the password (`ADMIN_USERNAME`).
    pub environment: bool,
    /// Whether the member has a second factor.
    pub has_second_factor: bool,
    /// When the account was made.
    pub created_at: DateTime<Utc>,
}

/// The SHA-256 of a password's hash. A session keeps it, so that a new password ends the session.
pub type PasswordTag = [u8; 32];

/// The tag of a hash in the PHC string format.
pub fn password_tag(phc: &str) -> PasswordTag {
    Sha256::digest(phc).into()
}

/// The link with which a member sets a password, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The hash of the link's token.
    pub token_hash: TokenHash,
    /// When the link stops working.
    pub expires_at: DateTime<Utc>,
}

/// The secret in the link of an invitation: 256 random bits as hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct InvitationToken(String);

impl std::fmt::Debug for InvitationToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("InvitationToken")
    }
}

impl InvitationToken {
    /// A new token.
    pub fn random(entropy: &dyn Entropy) -> Self {
        Self(entropy.hex::<32>())
    }

    /// The token as it stands in the link.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of the token in a link.
    pub fn hash_of(token: &str) -> TokenHash {
        Sha256::digest(token).into()
    }

    /// The invitation with this token.
    pub fn invitation(&self, expires_at: DateTime<Utc>) -> Invitation {
        Invitation {
            token_hash: Self::hash_of(&self.0),
            expires_at,
        }
    }
}

/// A second factor, or one that is being set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// The sealed [`crate::TotpSecret`].
    pub sealed_secret: Vec<u8>,
    /// Whether a code has shown that the app has the secret. Until then, sign-in asks for none.
    pub confirmed: bool,
    /// The step of the last code that was used.
    pub last_step: Option<TotpStep>,
}

/// A member with what signing in needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The member. [`Member::has_second_factor`] follows from `second_factor`.
    pub member: Member,
    /// The Argon2id hash in the PHC string format. `None` before it was set, and for the environment's account.
    pub password: Option<String>,
    /// The invitation, until it is used.
    pub invitation: Option<Invitation>,
    /// The second factor.
    pub second_factor: Option<SecondFactor>,
    /// Wrong codes.
    pub code_failures: CodeFailures,
    /// Since when the member can sign in.
    pub active_since: Option<DateTime<Utc>>,
    /// When the member last signed in.
    pub last_sign_in_at: Option<DateTime<Utc>>,
}

impl Account {
    /// An account that is not stored yet; its id is 0.
    pub const fn new(name: StaffName, role: Role, state: MemberState, at: DateTime<Utc>) -> Self {
        Self {
            member: Member {
                id: MemberId::new(0),
                name,
                role,
                state,
                environment: false,
                has_second_factor: false,
                created_at: at,
            },
            password: None,
            invitation: None,
            second_factor: None,
            code_failures: CodeFailures {
                count: 0,
                since: None,
                locked_until: None,
            },
            active_since: None,
            last_sign_in_at: None,
        }
    }

    /// Whether this is an owner who can sign in.
    pub fn is_active_owner(&self) -> bool {
        self.member.role == Role::Owner && self.member.state == MemberState::Active
    }

    /// Sets or removes the second factor.
    pub fn set_second_factor(&mut self, second_factor: Option<SecondFactor>) {
        self.member.has_second_factor = second_factor.as_ref().is_some_and(|factor| factor.confirmed);
        self.second_factor = second_factor;
        self.code_failures = CodeFailures::default();
    }

    /// The confirmed second factor.
    pub fn confirmed_factor(&self) -> Option<&SecondFactor> {
        self.second_factor.as_ref().filter(|factor| factor.confirmed)
    }
}

/// A change of a member by an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemberChange {
    /// The new role.
    pub role: Option<Role>,
    /// Whether the member is to be disabled or enabled again.
    pub disabled: Option<bool>,
}

/// Why a member cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemberProblem {
    /// Nobody could manage staff any more.
    #[error("the last owner")]
    LastOwner,
    /// The environment's variables hold the account.
    #[error("the environment's account")]
    Environment,
}

impl Account {
    /// Changes the role or the state. `owners`: how many active owners there are.
    ///
    /// # Errors
    /// When this is the last owner or the environment's account.
    pub fn change(
        &mut self,
        change: MemberChange,
        owners: usize,
        at: DateTime<Utc>,
    ) -> Result<(), MemberProblem> {
        let demotes = change.role.is_some_and(|role| role != Role::Owner) || change.disabled == Some(true);
        if demotes && self.is_active_owner() && owners <= 1 {
            return Err(MemberProblem::LastOwner);
        }
        if self.member.environment {
            return Err(MemberProblem::Environment);
        }
        if let Some(role) = change.role {
            self.member.role = role;
        }
        match change.disabled {
            Some(true) => self.disable(),
            Some(false) => self.enable(at),
            None => {}
        }
        Ok(())
    }

    /// Whether two people must agree that this account becomes the other one: somebody is given a right or an account, or an
    /// owner loses one. From anybody else, one person takes it (D65).
    pub fn needs_two_to_become(&self, after: &Self) -> bool {
        let (before, now) = (&self.member, &after.member);
        let is_given = |permission| now.role.allows(permission) && !before.role.allows(permission);
        let is_let_in = before.state == MemberState::Disabled && now.state != MemberState::Disabled;
        let is_taken = before.role == Role::Owner && self != after;
        is_taken || is_let_in || Permission::iter().any(is_given)
    }

    /// Nobody signs in to this account any more, and its invitation does not work.
    pub fn disable(&mut self) {
        self.member.state = MemberState::Disabled;
        self.invitation = None;
        self.active_since = None;
    }

    /// A disabled account can sign in again; one without a password needs a new invitation.
    pub fn enable(&mut self, at: DateTime<Utc>) {
        if self.member.state != MemberState::Disabled {
            return;
        }
        if self.password.is_some() || self.member.environment {
            self.member.state = MemberState::Active;
            self.active_since = Some(at);
        } else {
            self.member.state = MemberState::Invited;
        }
    }

    /// Sets the first or a new password, with which invitations end.
    pub fn set_password(&mut self, phc: String, at: DateTime<Utc>) {
        self.password = Some(phc);
        self.invitation = None;
        if self.member.state == MemberState::Invited {
            self.member.state = MemberState::Active;
        }
        self.active_since = self.active_since.or(Some(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }

    fn account(role: Role, state: MemberState) -> Account {
        let mut account = Account::new(StaffName::parse("anna").unwrap(), role, state, at());
        account.password = Some("$argon2id$".to_owned());
        account
    }

    const DISABLE: MemberChange = MemberChange {
        role: None,
        disabled: Some(true),
    };

    fn role(role: Role) -> MemberChange {
        MemberChange {
            role: Some(role),
            disabled: None,
        }
    }

    #[test]
    fn the_last_owner_is_neither_disabled_nor_demoted() {
        let mut owner = account(Role::Owner, MemberState::Active);
        for change in [DISABLE, role(Role::Manager)] {
            assert_eq!(owner.change(change, 1, at()), Err(MemberProblem::LastOwner));
        }
        assert_eq!(owner.change(role(Role::Owner), 1, at()), Ok(()));
        assert_eq!(owner.change(role(Role::Viewer), 2, at()), Ok(()));
        assert_eq!(owner.member.role, Role::Viewer);
    }

    #[test]
    fn an_owner_who_never_signed_in_is_not_the_last_one() {
        let mut invited = account(Role::Owner, MemberState::Invited);
        assert_eq!(invited.change(DISABLE, 1, at()), Ok(()));
    }

    #[test]
    fn the_environments_account_is_changed_in_the_environment() {
        let mut owner = account(Role::Owner, MemberState::Active);
        owner.member.environment = true;
        assert_eq!(owner.change(DISABLE, 2, at()), Err(MemberProblem::Environment));
        assert_eq!(owner.change(DISABLE, 1, at()), Err(MemberProblem::LastOwner));
    }

    #[test]
    fn disabling_ends_invitations_and_enabling_needs_a_password() {
        let mut invited = account(Role::Support, MemberState::Invited);
        invited.password = None;
        invited.invitation = Some(Invitation {
            token_hash: [1; 32],
            expires_at: at(),
        });
        invited.disable();
        assert_eq!(
            (invited.member.state, &invited.invitation),
            (MemberState::Disabled, &None)
        );
        invited.enable(at());
        assert_eq!(invited.member.state, MemberState::Invited);
        invited.set_password("$argon2id$".to_owned(), at());
        assert_eq!(
            (invited.member.state, invited.active_since),
            (MemberState::Active, Some(at()))
        );
        let later = at() + TimeDelta::days(9);
        invited.disable();
        invited.enable(later);
        assert_eq!(
            (invited.member.state, invited.active_since),
            (MemberState::Active, Some(later))
        );
    }
}
