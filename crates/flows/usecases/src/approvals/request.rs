//! The calls that two people make, as proposals store them.

use crate::drawings::PerformDrawing;
use crate::raffles::{ChangeOpening, Publish, When};
use claims::{ClaimId, RejectReason};
use drawing::beacon::HostAnswer;
use drawing::steps::VoidDetails;
use drawing::{DrawingId, Hash, Prize};
use kernel::{EntrantId, IdempotencyKey, Sealer, StaffName, StoreError, StoredText};
use raffle::RaffleKey;
use sms::Credentials;
use staff::{
    Account, Actor, Approval, ApprovalKind, Argument, ClearingKind, MemberChange, MemberId, MemberState,
    Proposal, Role, SecondPerson,
};

/// The argument that names the file of an import.
pub(crate) const SHA256: &str = "sha256";
/// The context in which proposed credentials are sealed.
const CONTEXT: &str = "proposed sms credentials";
/// Longer than any note.
const NOTE: usize = 500;

/// A call that two people make where `TWO_PERSON` is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Invite a member of staff.
    InviteMember {
        /// The name to sign in with.
        name: StaffName,
        /// The role.
        role: Role,
    },
    /// Change the role of a member, or disable or enable one.
    ChangeMember {
        /// The member.
        member: MemberId,
        /// The change.
        change: MemberChange,
    },
    /// Make a new invitation for a member.
    ReinviteMember(MemberId),
    /// Clear data.
    Clear(ClearingKind),
    /// Save the credentials of the SMS provider.
    SaveCredentials(Credentials),
    /// Show packages and sell them.
    ShowPackages,
    /// Approve the claim of a winner.
    ApproveClaim(ClaimId),
    /// Reject the claim of a winner.
    RejectClaim {
        /// The claim.
        claim: ClaimId,
        /// Why.
        reason: RejectReason,
        /// What the winner reads about it.
        note: StoredText,
    },
    /// Confirm the number of a winner after a call.
    ConfirmNumber {
        /// The claim.
        claim: ClaimId,
        /// What was said.
        note: StoredText,
    },
    /// Erase a person, who was drawn.
    Erase(EntrantId),
    /// Perform a drawing, which is an additional one.
    PerformDrawing(AskedDrawing),
    /// Make a sealed drawing void whose beacon does not come.
    VoidDrawing {
        /// The drawing.
        drawing: DrawingId,
        /// Why, and what the hosts of the beacon answered when it was proposed. Public.
        void: VoidDetails,
    },
    /// Publish what a raffle says.
    PublishRaffle(AskedPublication),
    /// Open a raffle, or take back that it closes.
    OpenRaffle(AskedOpening),
    /// Close a raffle, or take back that it opens.
    CloseRaffle(AskedOpening),
    /// Import people from a file that is sent again once it is approved: nothing of it is kept meanwhile.
    ImportPeople {
        /// The SHA-256 of the file, in hexadecimal digits.
        sha256: String,
        /// How many people it has.
        people: usize,
        /// How many of them for which raffle.
        raffles: String,
    },
}

/// A drawing that staff ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedDrawing {
    /// The raffle to draw from.
    pub raffle: RaffleKey,
    /// Why there is an additional drawing.
    pub reason: Option<String>,
    /// The prize; without it, the raffle's.
    pub prize: Option<Prize>,
    /// The client's key for this request.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// The draft of a raffle that staff ask to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedPublication {
    /// The raffle.
    pub raffle: RaffleKey,
    /// The revision of the draft.
    pub revision: i64,
    /// The SHA-256 of its content.
    pub hash: Hash,
}

/// When staff ask for a raffle to open or to close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedOpening {
    /// The raffle.
    pub raffle: RaffleKey,
    /// When.
    pub when: When,
    /// Why it closes at once.
    pub reason: Option<String>,
}

impl Request {
    /// The member that it changes.
    pub(super) const fn member(&self) -> Option<MemberId> {
        match self {
            Self::ChangeMember { member, .. } | Self::ReinviteMember(member) => Some(*member),
            _ => None,
        }
    }

    /// Whether two people must always make it. What the others change decides it in their transactions.
    pub(super) const fn always_needs_two(&self) -> bool {
        !matches!(
            self,
            Self::ChangeMember { .. }
                | Self::ApproveClaim(_)
                | Self::Erase(_)
                | Self::PerformDrawing(_)
                | Self::VoidDrawing { .. }
                | Self::PublishRaffle(_)
                | Self::OpenRaffle(_)
                | Self::CloseRaffle(_)
        )
    }

    const fn kind(&self) -> ApprovalKind {
        match self {
            Self::InviteMember { .. } => ApprovalKind::InviteMember,
            Self::ChangeMember { .. } => ApprovalKind::ChangeMember,
            Self::ReinviteMember(_) => ApprovalKind::ReinviteMember,
            Self::Clear(kind) => ApprovalKind::of_clearing(*kind),
            Self::SaveCredentials(_) => ApprovalKind::SaveCredentials,
            Self::ShowPackages => ApprovalKind::ShowPackages,
            Self::ApproveClaim(_) => ApprovalKind::ApproveClaim,
            Self::RejectClaim { .. } => ApprovalKind::RejectClaim,
            Self::ConfirmNumber { .. } => ApprovalKind::ConfirmNumber,
            Self::Erase(_) => ApprovalKind::EraseWinner,
            Self::PerformDrawing(_) => ApprovalKind::PerformDrawing,
            Self::VoidDrawing { .. } => ApprovalKind::VoidDrawing,
            Self::PublishRaffle(_) => ApprovalKind::PublishRaffle,
            Self::OpenRaffle(_) => ApprovalKind::OpenRaffle,
            Self::CloseRaffle(_) => ApprovalKind::CloseRaffle,
            Self::ImportPeople { .. } => ApprovalKind::ImportPeople,
        }
    }

    fn target(&self) -> Option<String> {
        match self {
            Self::ChangeMember { member, .. } | Self::ReinviteMember(member) => Some(member.to_string()),
            Self::ApproveClaim(claim)
            | Self::RejectClaim { claim, .. }
            | Self::ConfirmNumber { claim, .. } => Some(claim.to_string()),
            Self::Erase(entrant) => Some(entrant.to_string()),
            Self::VoidDrawing { drawing, .. } => Some(drawing.to_string()),
            Self::PublishRaffle(asked) => Some(asked.raffle.to_string()),
            Self::OpenRaffle(asked) | Self::CloseRaffle(asked) => Some(asked.raffle.to_string()),
            _ => None,
        }
    }

    /// What is stored. `account`: the one of [`Self::member`], as it is now.
    pub(super) fn propose(&self, account: Option<&Account>, sealer: &dyn Sealer<Credentials>) -> Proposal {
        Proposal {
            kind: self.kind(),
            target: self.target(),
            summary: self.summary(account),
            arguments: self.arguments(account),
            note: match self {
                Self::RejectClaim { note, .. } | Self::ConfirmNumber { note, .. } => {
                    Some(note.as_str().to_owned())
                }
                Self::VoidDrawing { void, .. } => Some(void.reason.clone()),
                Self::CloseRaffle(asked) => asked.reason.clone(),
                _ => None,
            },
            sealed: match self {
                Self::SaveCredentials(credentials) => Some(sealer.seal(CONTEXT, &credentials.to_bytes())),
                _ => None,
            },
        }
    }

    fn summary(&self, account: Option<&Account>) -> String {
        let name = account.map_or("a member", |account| account.member.name.as_str());
        match self {
            Self::InviteMember { name, role } => format!("Invite {} as {}.", name.as_str(), role.as_str()),
            Self::ChangeMember { change, .. } => change_summary(name, account, *change),
            Self::ReinviteMember(_) => format!(
                "Make a new invitation link for {name}. The old password does not work any more, and the sessions end."
            ),
            Self::Clear(ClearingKind::ClearAnalytics) => {
                "Delete all page views, social shares and funnel steps.".to_owned()
            }
            Self::Clear(ClearingKind::ClearReferrals) => {
                "Delete all referrals and take back their entries.".to_owned()
            }
            Self::Clear(ClearingKind::ClearCampaigns) => {
                "Delete all campaigns and their messages.".to_owned()
            }
            Self::Clear(ClearingKind::ClearSms) => {
                "Delete all campaigns, their messages and the templates.".to_owned()
            }
            Self::SaveCredentials(credentials) => format!(
                "Send texts with the account that ends in {}, from the number that ends in {}.",
                last_four(credentials.account_sid()),
                credentials.phone().last_four()
            ),
            Self::ShowPackages => "Show packages to users and sell them.".to_owned(),
            Self::ApproveClaim(claim) => format!("Approve claim {claim}, which two people rejected."),
            Self::ConfirmNumber { claim, .. } => {
                format!("Confirm the number of the winner of claim {claim}, after a call.")
            }
            Self::RejectClaim { claim, reason, .. } => {
                format!(
                    "Reject claim {claim}. The reason: {}.",
                    reason.as_str().replace('_', " ")
                )
            }
            Self::Erase(entrant) => format!("Delete the data of entrant {entrant}, who was drawn, for good."),
            Self::PerformDrawing(asked) => {
                format!("Perform an additional drawing of {}.", asked.raffle.as_str())
            }
            Self::VoidDrawing { drawing, void } => format!(
                "Void drawing {drawing}, whose beacon has not come. {}",
                answers_in_words(&void.hosts)
            ),
            Self::PublishRaffle(asked) => format!(
                "Publish what the raffle {} says, as it was when this was proposed (revision {}).",
                asked.raffle, asked.revision
            ),
            Self::OpenRaffle(asked) => format!("Open the raffle {}{}.", asked.raffle, asked.when_in_words()),
            Self::CloseRaffle(asked) => {
                format!("Close the raffle {}{}.", asked.raffle, asked.when_in_words())
            }
            Self::ImportPeople { people, .. } => format!("Import {people} people from a file."),
        }
    }

    fn arguments(&self, account: Option<&Account>) -> Vec<Argument> {
        match self {
            Self::InviteMember { name, role } => vec![
                Argument::new("name", name.as_str()),
                Argument::new("role", role.as_str()),
            ],
            Self::ChangeMember { change, .. } => change_arguments(account, *change),
            Self::ReinviteMember(_) => account
                .map(|account| Argument::new("name", account.member.name.as_str()))
                .into_iter()
                .collect(),
            Self::Clear(_) | Self::ShowPackages => Vec::new(),
            Self::SaveCredentials(credentials) => vec![
                Argument::new("accountSid", credentials.account_sid()),
                Argument::new("phoneNumber", credentials.phone().as_e164()),
            ],
            Self::ApproveClaim(claim) | Self::ConfirmNumber { claim, .. } => {
                vec![Argument::new("claim", claim.to_string())]
            }
            Self::RejectClaim { claim, reason, .. } => vec![
                Argument::new("claim", claim.to_string()),
                Argument::new("reason", reason.as_str()),
            ],
            Self::Erase(entrant) => vec![Argument::new("entrant", entrant.to_string())],
            Self::PerformDrawing(asked) => asked.arguments(),
            Self::VoidDrawing { void, .. } => vec![Argument::new("void", void.details())],
            Self::PublishRaffle(asked) => asked.arguments(),
            Self::OpenRaffle(asked) | Self::CloseRaffle(asked) => asked.arguments(),
            Self::ImportPeople {
                sha256,
                people,
                raffles,
            } => vec![
                Argument::new(SHA256, sha256),
                Argument::new("people", people.to_string()),
                Argument::new("landingPages", raffles),
            ],
        }
    }

    /// The call that was proposed.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when it cannot be read, or its secrets were sealed with a key that is not configured any more.
    pub(super) fn read(approval: &Approval, sealer: &dyn Sealer<Credentials>) -> Result<Self, StoreError> {
        read(&approval.proposal, sealer).ok_or(StoreError::corrupt(
            "staff_approvals",
            "arguments",
            approval.id.get(),
        ))
    }
}

impl AskedPublication {
    /// The command that publishes it.
    pub fn command(&self, actor: Actor, second: SecondPerson) -> Publish {
        Publish {
            actor,
            second,
            raffle: self.raffle,
            revision: self.revision,
            hash: self.hash,
        }
    }

    fn arguments(&self) -> Vec<Argument> {
        vec![
            Argument::new("landingPage", self.raffle.as_str()),
            Argument::new("revision", self.revision.to_string()),
            Argument::new("hash", self.hash.to_string()),
        ]
    }

    fn read(proposal: &Proposal) -> Option<Self> {
        Some(Self {
            raffle: proposal.argument("landingPage")?.parse().ok()?,
            revision: proposal.argument("revision")?.parse().ok()?,
            hash: proposal.argument("hash")?.parse().ok()?,
        })
    }
}

impl AskedOpening {
    /// The command that opens or closes it.
    pub fn command(&self, actor: Actor, second: SecondPerson) -> ChangeOpening {
        ChangeOpening {
            actor,
            second,
            raffle: self.raffle,
            when: self.when,
            reason: self.reason.clone(),
        }
    }

    const fn when_in_words(&self) -> &'static str {
        match self.when {
            When::Now => " at once",
            When::Month => " when the month ends",
        }
    }

    fn arguments(&self) -> Vec<Argument> {
        vec![
            Argument::new("landingPage", self.raffle.as_str()),
            Argument::new("when", self.when.as_str()),
        ]
    }

    fn read(proposal: &Proposal) -> Option<Self> {
        Some(Self {
            raffle: proposal.argument("landingPage")?.parse().ok()?,
            when: proposal.argument("when")?.parse().ok()?,
            reason: proposal.note.clone(),
        })
    }
}

impl AskedDrawing {
    /// The command that performs it.
    pub fn command(&self, actor: Actor, second: SecondPerson) -> PerformDrawing {
        PerformDrawing {
            actor,
            second,
            raffle: self.raffle,
            reason: self.reason.clone(),
            prize: self.prize.clone(),
            idempotency_key: self.idempotency_key.clone(),
        }
    }

    fn arguments(&self) -> Vec<Argument> {
        let prize = self.prize.as_ref();
        let key = self.idempotency_key.as_ref();
        let given = [
            ("landingPage", Some(self.raffle.as_str())),
            ("reason", self.reason.as_deref()),
            ("prizeName", prize.map(|prize| prize.name.as_str())),
            ("prizeValue", prize.map(|prize| prize.value.as_str())),
            ("idempotencyKey", key.map(IdempotencyKey::as_str)),
        ];
        let argument = |(name, value): (&str, Option<&str>)| Some(Argument::new(name, value?));
        given.into_iter().filter_map(argument).collect()
    }

    fn read(proposal: &Proposal) -> Option<Self> {
        let text = |name| proposal.argument(name).map(str::to_owned);
        let prize = text("prizeName").zip(text("prizeValue"));
        Some(Self {
            raffle: proposal.argument("landingPage")?.parse().ok()?,
            reason: text("reason"),
            prize: prize.map(|(name, value)| Prize { name, value }),
            idempotency_key: match proposal.argument("idempotencyKey") {
                Some(key) => Some(IdempotencyKey::parse(key)?),
                None => None,
            },
        })
    }
}

/// What each host of the beacon answered, in a sentence.
fn answers_in_words(hosts: &[HostAnswer]) -> String {
    if hosts.is_empty() {
        return "The server does not ask this beacon.".to_owned();
    }
    let answers = hosts.iter().map(|one| format!("{}: {}", one.host, one.answer));
    format!("The hosts answered: {}.", answers.collect::<Vec<_>>().join("; "))
}

fn last_four(text: &str) -> &str {
    text.get(text.len().saturating_sub(4)..).unwrap_or_default()
}

fn change_summary(name: &str, account: Option<&Account>, change: MemberChange) -> String {
    let before = account.map_or("another role", |account| account.member.role.as_str());
    let role = change
        .role
        .map(|role| format!("Change {name} from {before} to {}.", role.as_str()));
    let access = change.disabled.map(|disabled| match disabled {
        true => format!("Disable the account of {name}, whose sessions end."),
        false => format!("Let {name} sign in again."),
    });
    let sentences: Vec<_> = role.into_iter().chain(access).collect();
    sentences.join(" ")
}

fn change_arguments(account: Option<&Account>, change: MemberChange) -> Vec<Argument> {
    let mut arguments = Vec::new();
    if let Some(account) = account {
        arguments.push(Argument::new("name", account.member.name.as_str()));
        arguments.push(Argument::new("roleBefore", account.member.role.as_str()));
        arguments.push(Argument::new("stateBefore", account.member.state.as_str()));
    }
    if let Some(role) = change.role {
        arguments.push(Argument::new("role", role.as_str()));
    }
    if let Some(disabled) = change.disabled {
        arguments.push(Argument::new("disabled", if disabled { "yes" } else { "no" }));
    }
    arguments
}

/// Whether an account is still as it was when a change of it was proposed.
pub(super) fn is_as_before(account: &Account, proposal: &Proposal) -> bool {
    let was = |name| proposal.argument(name);
    let is = |before: Option<&str>, now: &str| before.is_none_or(|before| before == now);
    is(was("roleBefore"), account.member.role.as_str())
        && is(was("stateBefore"), MemberState::as_str(account.member.state))
}

fn read(proposal: &Proposal, sealer: &dyn Sealer<Credentials>) -> Option<Request> {
    let argument = |name| proposal.argument(name);
    let target = || proposal.target.as_deref()?.parse::<i64>().ok();
    let note = || StoredText::lines(proposal.note.as_deref()?, NOTE).ok();
    Some(match proposal.kind {
        ApprovalKind::InviteMember => Request::InviteMember {
            name: StaffName::parse(argument("name")?)?,
            role: argument("role")?.parse().ok()?,
        },
        ApprovalKind::ChangeMember => Request::ChangeMember {
            member: MemberId::new(target()?),
            change: MemberChange {
                role: match argument("role") {
                    Some(role) => Some(role.parse().ok()?),
                    None => None,
                },
                disabled: argument("disabled").map(|disabled| disabled == "yes"),
            },
        },
        ApprovalKind::ReinviteMember => Request::ReinviteMember(MemberId::new(target()?)),
        ApprovalKind::ClearAnalytics => Request::Clear(ClearingKind::ClearAnalytics),
        ApprovalKind::ClearReferrals => Request::Clear(ClearingKind::ClearReferrals),
        ApprovalKind::ClearCampaigns => Request::Clear(ClearingKind::ClearCampaigns),
        ApprovalKind::ClearSms => Request::Clear(ClearingKind::ClearSms),
        ApprovalKind::SaveCredentials => {
            let opened = sealer.open(CONTEXT, proposal.sealed.as_deref()?)?;
            Request::SaveCredentials(Credentials::from_bytes(&opened)?)
        }
        ApprovalKind::ShowPackages => Request::ShowPackages,
        ApprovalKind::RejectClaim => Request::RejectClaim {
            claim: ClaimId::new(target()?),
            reason: argument("reason")?.parse().ok()?,
            note: note()?,
        },
        ApprovalKind::ApproveClaim => Request::ApproveClaim(ClaimId::new(target()?)),
        ApprovalKind::ConfirmNumber => Request::ConfirmNumber {
            claim: ClaimId::new(target()?),
            note: note()?,
        },
        ApprovalKind::EraseWinner => Request::Erase(EntrantId::new(target()?)),
        ApprovalKind::PerformDrawing => Request::PerformDrawing(AskedDrawing::read(proposal)?),
        ApprovalKind::VoidDrawing => Request::VoidDrawing {
            drawing: DrawingId::new(target()?),
            void: VoidDetails::from_details(argument("void")?).ok()?,
        },
        ApprovalKind::PublishRaffle => Request::PublishRaffle(AskedPublication::read(proposal)?),
        ApprovalKind::OpenRaffle => Request::OpenRaffle(AskedOpening::read(proposal)?),
        ApprovalKind::CloseRaffle => Request::CloseRaffle(AskedOpening::read(proposal)?),
        ApprovalKind::ImportPeople => Request::ImportPeople {
            sha256: argument(SHA256)?.to_owned(),
            people: argument("people")?.parse().ok()?,
            raffles: argument("landingPages")?.to_owned(),
        },
    })
}
