//! Approvals by two people (D52): what one member of staff proposes and another one approves.

use crate::{Account, ClearingKind, Member, MemberId, MemberState, Permission};
use chrono::{DateTime, TimeDelta, Utc};

/// How long a proposal can be approved.
pub const APPROVAL_LIFE: TimeDelta = TimeDelta::hours(24);
/// How long an account must have been active before it may approve.
pub const APPROVER_AGE: TimeDelta = TimeDelta::days(7);

kernel::id_type! {
    /// The id of a proposal.
    pub struct ApprovalId
}

/// What is proposed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum ApprovalKind {
    /// To invite a member of staff.
    InviteMember,
    /// To change the role of a member, or to disable or enable one.
    ChangeMember,
    /// To make a new invitation for a member.
    ReinviteMember,
    /// To clear page views, shares and funnel steps.
    ClearAnalytics,
    /// To clear referrals and their entries.
    ClearReferrals,
    /// To clear campaigns and their messages.
    ClearCampaigns,
    /// To clear campaigns, their messages and the templates.
    ClearSms,
    /// To save the credentials of the SMS provider.
    SaveCredentials,
    /// To show packages and sell them.
    ShowPackages,
    /// To approve the claim of a winner, after two people rejected it.
    ApproveClaim,
    /// To reject the claim of a winner.
    RejectClaim,
    /// To confirm the number of a winner after a call.
    ConfirmNumber,
    /// To erase a person who was drawn.
    EraseWinner,
    /// To perform an additional drawing.
    PerformDrawing,
    /// To make a sealed drawing void whose beacon does not come.
    VoidDrawing,
    /// To publish what an open raffle says.
    PublishRaffle,
    /// To open a raffle, or to take back that it closes.
    OpenRaffle,
    /// To close a raffle, or to take back that it opens.
    CloseRaffle,
    /// To import people from a file. Whoever proposed it sends the same file again afterwards.
    ImportPeople,
}

impl ApprovalKind {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The kind of a clearing.
    pub const fn of_clearing(kind: ClearingKind) -> Self {
        match kind {
            ClearingKind::ClearAnalytics => Self::ClearAnalytics,
            ClearingKind::ClearReferrals => Self::ClearReferrals,
            ClearingKind::ClearCampaigns => Self::ClearCampaigns,
            ClearingKind::ClearSms => Self::ClearSms,
        }
    }

    /// What whoever proposes or approves it must be allowed to do.
    pub const fn permission(self) -> Permission {
        match self {
            Self::InviteMember | Self::ChangeMember | Self::ReinviteMember => Permission::ManageStaff,
            Self::ClearAnalytics | Self::ClearReferrals | Self::ClearCampaigns | Self::ClearSms => {
                Permission::ClearData
            }
            Self::SaveCredentials => Permission::SaveCredentials,
            Self::ShowPackages => Permission::ManageSettings,
            Self::ApproveClaim | Self::RejectClaim | Self::ConfirmNumber => Permission::DecideClaims,
            Self::EraseWinner => Permission::ErasePeople,
            Self::PerformDrawing | Self::VoidDrawing => Permission::ManageDrawings,
            Self::PublishRaffle | Self::OpenRaffle | Self::CloseRaffle => Permission::ManageRaffles,
            Self::ImportPeople => Permission::ImportPeople,
        }
    }
}

impl ApprovalKind {
    /// Whether the call answers with a secret that is shown once: the link of an invitation, the code of a call.
    pub const fn has_secret(self) -> bool {
        matches!(
            self,
            Self::InviteMember | Self::ReinviteMember | Self::ConfirmNumber
        )
    }
}

/// How far a proposal is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum ApprovalStatus {
    /// It waits for a second person.
    Open,
    /// It was approved and carried out.
    Approved,
    /// It was rejected or withdrawn.
    Rejected,
    /// Nobody decided it in time.
    Expired,
    /// It was approved, and could not be carried out.
    Failed,
}

impl ApprovalStatus {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An argument of the proposed call, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The name, such as `landingPage`.
    pub name: String,
    /// The value.
    pub value: String,
}

impl Argument {
    /// An argument.
    pub fn new(name: &str, value: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            value: value.into(),
        }
    }
}

/// A call of the console that a second person must approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What is proposed.
    pub kind: ApprovalKind,
    /// The id of the member, claim or entrant that it is about.
    pub target: Option<String>,
    /// What will happen, in a sentence without personal data.
    pub summary: String,
    /// The exact arguments, without secrets and the note.
    pub arguments: Vec<Argument>,
    /// What staff write to a person. It is deleted with the person.
    pub note: Option<String>,
    /// The sealed secrets among the arguments. They are deleted with the decision.
    pub sealed: Option<Vec<u8>>,
}

impl Proposal {
    /// The value of an argument.
    pub fn argument(&self, name: &str) -> Option<&str> {
        let mut arguments = self.arguments.iter();
        let found = arguments.find(|argument| argument.name == name)?;
        Some(&found.value)
    }

    /// Whether it is about the account of this member.
    fn concerns(&self, member: MemberId) -> bool {
        matches!(
            self.kind,
            ApprovalKind::ChangeMember | ApprovalKind::ReinviteMember
        ) && self.target == Some(member.to_string())
    }

    /// Whether the other one proposes the same. Nobody can tell that of sealed secrets.
    pub fn is_same(&self, other: &Self) -> bool {
        self == other && self.sealed.is_none()
    }
}

/// A proposal to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewApproval {
    /// What is proposed.
    pub proposal: Proposal,
    /// Who proposes it.
    pub proposed_by: MemberId,
    /// When.
    pub at: DateTime<Utc>,
}

/// Whether a second person has agreed to a call that one must not make alone (D65).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondPerson {
    /// One person is enough: the site does not ask for two (`TWO_PERSON`), or the operator acts on the server.
    NotNeeded,
    /// Somebody else has approved the call.
    Agreed,
    /// Nobody has approved it yet.
    Missing,
}

impl SecondPerson {
    /// Checks that the call may be made. Whatever needs two people asks this in the transaction that does it.
    ///
    /// # Errors
    /// [`NeedsApproval`] when the second person is missing.
    pub const fn check(self) -> Result<(), NeedsApproval> {
        match self {
            Self::NotNeeded | Self::Agreed => Ok(()),
            Self::Missing => Err(NeedsApproval),
        }
    }
}

/// Somebody else must approve the call first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("somebody else must approve it")]
pub struct NeedsApproval;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalDecision {
    /// [`ApprovalStatus::Approved`], [`ApprovalStatus::Rejected`] or [`ApprovalStatus::Failed`].
    pub status: ApprovalStatus,
    /// Who decided. `None` for the operator, on the server.
    pub by: Option<MemberId>,
    /// When.
    pub at: DateTime<Utc>,
}

/// A stored proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// The id.
    pub id: ApprovalId,
    /// What is proposed.
    pub proposal: Proposal,
    /// Who proposed it.
    pub proposed_by: MemberId,
    /// When.
    pub proposed_at: DateTime<Utc>,
    /// Until when it can be approved.
    pub expires_at: DateTime<Utc>,
    /// What was decided.
    pub decision: Option<ApprovalDecision>,
    /// Why it could not be carried out.
    pub error: Option<String>,
    /// When whoever proposed it did what was left: saw what is shown once, or sent the file of an import.
    pub completed_at: Option<DateTime<Utc>>,
}

/// Why a proposal is not approved or rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalRefusal {
    /// The role does not allow it.
    #[error("the role does not allow it")]
    Forbidden,
    /// Nobody decides about their own account.
    #[error("it concerns oneself")]
    ConcernsOneself,
    /// Nobody approves what they proposed themselves.
    #[error("one's own proposal")]
    OwnProposal,
    /// The account has not been active for [`APPROVER_AGE`].
    #[error("the account is too young")]
    AccountTooYoung,
    /// It was decided before.
    #[error("it is decided already")]
    Decided,
    /// Nobody decided it in time.
    #[error("it has expired")]
    Expired,
    /// It has nothing to show to this member: somebody else proposed it, or it is not carried out, or was shown before.
    #[error("there is nothing to show")]
    NothingToShow,
    /// Whoever proposed it was disabled meanwhile, or has another role.
    #[error("whoever proposed it may not do it any more")]
    ProposerDisabled,
}

impl Approval {
    /// A proposal that was stored now.
    pub fn new(id: ApprovalId, new: NewApproval) -> Self {
        Self {
            id,
            proposal: new.proposal,
            proposed_by: new.proposed_by,
            proposed_at: new.at,
            expires_at: new.at + APPROVAL_LIFE,
            decision: None,
            error: None,
            completed_at: None,
        }
    }

    /// How far it is now.
    pub fn status_at(&self, now: DateTime<Utc>) -> ApprovalStatus {
        match self.decision {
            Some(decision) => decision.status,
            None if now >= self.expires_at => ApprovalStatus::Expired,
            None => ApprovalStatus::Open,
        }
    }

    /// Checks that it can be decided now.
    ///
    /// # Errors
    /// [`ApprovalRefusal::Decided`], [`ApprovalRefusal::Expired`].
    pub fn check_open(&self, now: DateTime<Utc>) -> Result<(), ApprovalRefusal> {
        match self.status_at(now) {
            ApprovalStatus::Open => Ok(()),
            ApprovalStatus::Expired => Err(ApprovalRefusal::Expired),
            ApprovalStatus::Approved | ApprovalStatus::Rejected | ApprovalStatus::Failed => {
                Err(ApprovalRefusal::Decided)
            }
        }
    }

    /// Checks that this member may approve it now.
    ///
    /// # Errors
    /// [`ApprovalRefusal::Forbidden`], [`ApprovalRefusal::ConcernsOneself`], [`ApprovalRefusal::OwnProposal`],
    /// [`ApprovalRefusal::AccountTooYoung`].
    pub fn check_approver(&self, approver: &Account, now: DateTime<Utc>) -> Result<(), ApprovalRefusal> {
        self.check_decider(approver)?;
        if approver.member.id == self.proposed_by {
            return Err(ApprovalRefusal::OwnProposal);
        }
        let is_old_enough = approver
            .active_since
            .is_some_and(|since| now >= since + APPROVER_AGE);
        match is_old_enough && approver.member.state == MemberState::Active {
            true => Ok(()),
            false => Err(ApprovalRefusal::AccountTooYoung),
        }
    }

    /// Checks that this member may reject it: whoever may approve such a thing, or take back what they proposed (D65).
    ///
    /// # Errors
    /// [`ApprovalRefusal::Forbidden`], [`ApprovalRefusal::ConcernsOneself`].
    pub fn check_rejecter(&self, member: &Account) -> Result<(), ApprovalRefusal> {
        match member.member.id == self.proposed_by {
            true => Ok(()),
            false => self.check_decider(member),
        }
    }

    fn check_decider(&self, decider: &Account) -> Result<(), ApprovalRefusal> {
        let Member { id, role, .. } = decider.member;
        if !role.allows(Permission::Approve) || !role.allows(self.proposal.kind.permission()) {
            return Err(ApprovalRefusal::Forbidden);
        }
        match self.proposal.concerns(id) {
            true => Err(ApprovalRefusal::ConcernsOneself),
            false => Ok(()),
        }
    }

    /// Checks that whoever proposed it may still do it.
    ///
    /// # Errors
    /// [`ApprovalRefusal::ProposerDisabled`].
    pub fn check_proposer(&self, proposer: Option<&Account>) -> Result<(), ApprovalRefusal> {
        let may = |account: &Account| {
            account.member.state == MemberState::Active
                && account.member.role.allows(self.proposal.kind.permission())
        };
        match proposer.is_some_and(may) {
            true => Ok(()),
            false => Err(ApprovalRefusal::ProposerDisabled),
        }
    }

    /// Checks that its secret may be shown to this member now: to whoever asked, once, after it was carried out (D65).
    ///
    /// # Errors
    /// [`ApprovalRefusal::NothingToShow`]; and as [`Self::check_proposer`].
    pub fn check_shows_to(&self, member: &Account) -> Result<(), ApprovalRefusal> {
        let has_secret = self.proposal.kind.has_secret();
        if !has_secret || self.approved_for(member.member.id).is_none() {
            return Err(ApprovalRefusal::NothingToShow);
        }
        self.check_proposer(Some(member))
    }

    /// Until when this member may send the file again whose import they proposed and somebody else approved: for as long as
    /// a proposal can be approved. `None` if they have sent it, the time is over, or it is something else.
    pub fn awaits_file_until(&self, member: MemberId, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let approved = self.approved_for(member)?;
        let until = approved.at + APPROVAL_LIFE;
        (self.proposal.kind == ApprovalKind::ImportPeople && now < until).then_some(until)
    }

    /// The decision, if it was approved and something is left to do for this member, who proposed it.
    fn approved_for(&self, member: MemberId) -> Option<ApprovalDecision> {
        let is_left = self.proposed_by == member && self.completed_at.is_none();
        let approved = |decision: &ApprovalDecision| decision.status == ApprovalStatus::Approved;
        self.decision.filter(approved).filter(|_| is_left)
    }

    /// Stores what was decided. The secrets are not needed any more.
    pub fn decide(&mut self, decision: ApprovalDecision) {
        self.decision = Some(decision);
        self.proposal.sealed = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;
    use kernel::StaffName;
    use strum::IntoEnumIterator;

    const PROPOSER: i64 = 1;
    const APPROVER: i64 = 2;

    fn day(days: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(days)
    }

    fn account(id: i64, role: Role) -> Account {
        let mut account = Account::new(
            StaffName::parse("ben").unwrap(),
            role,
            MemberState::Active,
            day(0),
        );
        account.member.id = MemberId::new(id);
        account.active_since = Some(day(0));
        account
    }

    fn approval(kind: ApprovalKind) -> Approval {
        let proposal = Proposal {
            kind,
            target: None,
            summary: "Something.".to_owned(),
            arguments: vec![Argument::new("name", "cleo")],
            note: None,
            sealed: Some(vec![1]),
        };
        let new = NewApproval {
            proposal,
            proposed_by: MemberId::new(PROPOSER),
            at: day(10),
        };
        Approval::new(ApprovalId::new(1), new)
    }

    #[test]
    fn a_proposal_is_open_for_a_day() {
        let open = approval(ApprovalKind::ClearSms);
        let last = day(11) - TimeDelta::milliseconds(1);
        assert_eq!(open.status_at(last), ApprovalStatus::Open);
        assert_eq!(open.check_open(last), Ok(()));
        assert_eq!(open.status_at(day(11)), ApprovalStatus::Expired);
        assert_eq!(open.check_open(day(11)), Err(ApprovalRefusal::Expired));
    }

    #[test]
    fn a_decision_stands_and_deletes_the_secrets() {
        for status in [
            ApprovalStatus::Approved,
            ApprovalStatus::Rejected,
            ApprovalStatus::Failed,
        ] {
            let mut decided = approval(ApprovalKind::SaveCredentials);
            let by = Some(MemberId::new(APPROVER));
            decided.decide(ApprovalDecision {
                status,
                by,
                at: day(10),
            });
            assert_eq!(decided.status_at(day(99)), status);
            assert_eq!(decided.check_open(day(10)), Err(ApprovalRefusal::Decided));
            assert_eq!(decided.proposal.sealed, None);
        }
    }

    #[test]
    fn somebody_else_approves() {
        let open = approval(ApprovalKind::ClearSms);
        assert_eq!(
            open.check_approver(&account(PROPOSER, Role::Owner), day(10)),
            Err(ApprovalRefusal::OwnProposal)
        );
        assert_eq!(
            open.check_approver(&account(APPROVER, Role::Owner), day(10)),
            Ok(())
        );
    }

    #[test]
    fn whoever_may_approve_it_may_reject_it_and_its_proposer_may_withdraw_it() {
        for kind in ApprovalKind::iter() {
            let open = approval(kind);
            let check = |id, role| open.check_rejecter(&account(id, role));
            assert_eq!(check(APPROVER, Role::Owner), Ok(()));
            for role in [Role::Manager, Role::Support, Role::Viewer] {
                assert_eq!(check(APPROVER, role), Err(ApprovalRefusal::Forbidden));
                assert_eq!(check(PROPOSER, role), Ok(()), "also after a demotion");
            }
        }
    }

    #[test]
    fn nobody_decides_about_their_own_account() {
        for kind in ApprovalKind::iter() {
            let mut open = approval(kind);
            open.proposal.target = Some(APPROVER.to_string());
            let oneself = account(APPROVER, Role::Owner);
            let is_about_a_member = matches!(kind, ApprovalKind::ChangeMember | ApprovalKind::ReinviteMember);
            let expected = match is_about_a_member {
                true => Err(ApprovalRefusal::ConcernsOneself),
                false => Ok(()), // the id of a claim or of an entrant
            };
            assert_eq!(open.check_rejecter(&oneself), expected, "{kind:?}");
            assert_eq!(open.check_approver(&oneself, day(10)), expected, "{kind:?}");
        }
    }

    #[test]
    fn only_owners_approve_whatever_it_is() {
        for kind in ApprovalKind::iter() {
            let open = approval(kind);
            assert_eq!(
                open.check_approver(&account(APPROVER, Role::Owner), day(10)),
                Ok(())
            );
            for role in [Role::Manager, Role::Support, Role::Viewer] {
                assert_eq!(
                    open.check_approver(&account(APPROVER, role), day(10)),
                    Err(ApprovalRefusal::Forbidden)
                );
            }
        }
    }

    #[test]
    fn an_account_approves_after_seven_days_as_an_active_one() {
        let open = approval(ApprovalKind::ClearSms);
        let mut approver = account(APPROVER, Role::Owner);
        approver.active_since = Some(day(4));
        assert_eq!(
            open.check_approver(&approver, day(11) - TimeDelta::milliseconds(1)),
            Err(ApprovalRefusal::AccountTooYoung)
        );
        assert_eq!(open.check_approver(&approver, day(11)), Ok(()));
        approver.active_since = None;
        assert_eq!(
            open.check_approver(&approver, day(99)),
            Err(ApprovalRefusal::AccountTooYoung)
        );
    }

    #[test]
    fn whoever_proposed_it_must_still_be_allowed_to_do_it() {
        let open = approval(ApprovalKind::RejectClaim);
        let mut proposer = account(PROPOSER, Role::Manager);
        assert_eq!(open.check_proposer(Some(&proposer)), Ok(()));
        proposer.member.role = Role::Support;
        assert_eq!(
            open.check_proposer(Some(&proposer)),
            Err(ApprovalRefusal::ProposerDisabled)
        );
        let mut disabled = account(PROPOSER, Role::Manager);
        disabled.disable();
        assert_eq!(
            open.check_proposer(Some(&disabled)),
            Err(ApprovalRefusal::ProposerDisabled)
        );
        assert_eq!(open.check_proposer(None), Err(ApprovalRefusal::ProposerDisabled));
    }

    #[test]
    fn the_same_proposal_has_the_same_arguments_and_no_secrets() {
        let mut one = approval(ApprovalKind::InviteMember).proposal;
        assert!(!one.is_same(&one.clone()));
        one.sealed = None;
        assert!(one.is_same(&one.clone()));
        let mut other = one.clone();
        other.arguments = vec![Argument::new("name", "anna")];
        assert!(!one.is_same(&other));
    }

    #[test]
    fn kinds_have_the_names_of_rows_and_responses() {
        let names: Vec<_> = ApprovalKind::iter().map(ApprovalKind::as_str).collect();
        let expected = [
            "invite_member",
            "change_member",
            "reinvite_member",
            "clear_analytics",
            "clear_referrals",
            "clear_campaigns",
            "clear_sms",
            "save_credentials",
            "show_packages",
            "approve_claim",
            "reject_claim",
            "confirm_number",
            "erase_winner",
            "perform_drawing",
            "void_drawing",
            "publish_raffle",
            "open_raffle",
            "close_raffle",
            "import_people",
        ];
        assert_eq!(names, expected);
    }
}
