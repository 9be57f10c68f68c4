use crate::{Actor, MemberId, SessionId};
use chrono::{DateTime, Utc};
use kernel::{Network, without_addresses};
use std::net::IpAddr;

/// The actions of staff that the audit log records.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Action {
    /// Staff signed in.
    Login,
    /// Staff signed out.
    Logout,
    /// Staff flagged an entrant.
    FlagUser,
    /// Staff removed the flag of an entrant.
    UnflagUser,
    /// Staff flagged the entrants of suspicious networks.
    FraudDetection,
    /// Staff decided the appeal of a flagged entrant.
    DecideAppeal,
    /// Staff listed a network that many people share.
    AddSharedNetwork,
    /// Staff removed a network from the list of shared ones.
    RemoveSharedNetwork,
    /// Staff deleted page views, shares and funnel steps.
    ClearAnalytics,
    /// Staff deleted referrals and took back their entries.
    ClearReferrals,
    /// Staff announced a drawing.
    AnnounceDrawing,
    /// Staff drew a winner.
    PerformDrawing,
    /// Staff brought the round of the beacon that a drawing waited for.
    BringBeacon,
    /// Staff gave up a drawing whose beacon never came.
    VoidDrawing,
    /// Staff added a raffle.
    CreateRaffle,
    /// Staff changed the draft of what a raffle says.
    SaveRaffleDraft,
    /// Staff published what a raffle says.
    PublishRaffle,
    /// Staff changed the order of the raffles.
    OrderRaffles,
    /// Staff deleted a raffle that was never open.
    DeleteRaffle,
    /// Staff opened a raffle, or took back that it closes.
    OpenRaffle,
    /// Staff closed a raffle, or took back that it opens.
    CloseRaffle,
    /// Staff uploaded a picture for raffles.
    UploadPicture,
    /// An owner withdrew a picture.
    WithdrawPicture,
    /// Staff added an entry package.
    CreatePackage,
    /// Staff changed an entry package.
    UpdatePackage,
    /// Staff deleted an entry package.
    DeletePackage,
    /// Staff changed a setting.
    UpdateSettings,
    /// Staff added a campaign template.
    CreateSmsTemplate,
    /// Staff changed a campaign template.
    UpdateSmsTemplate,
    /// Staff scheduled a campaign.
    ScheduleCampaign,
    /// Staff changed a campaign before it began.
    UpdateCampaign,
    /// Staff canceled a campaign.
    CancelCampaign,
    /// Staff added the welcome message of a raffle.
    CreateWelcomeSms,
    /// Staff changed a welcome message.
    UpdateWelcomeSms,
    /// Staff deleted a welcome message.
    DeleteWelcomeSms,
    /// Staff saved the credentials of the SMS provider.
    SaveCredentials,
    /// Staff sent a test message.
    SendTestText,
    /// Staff deleted campaigns and their messages.
    ClearCampaigns,
    /// Staff deleted campaigns, their messages and their templates.
    ClearSms,
    /// Staff approved the claim of a winner.
    ApproveClaim,
    /// Staff rejected the claim of a winner.
    RejectClaim,
    /// Staff sent a prize.
    ShipPrize,
    /// Staff delivered a prize.
    DeliverPrize,
    /// Staff texted a winner the link of the claim again.
    ResendClaim,
    /// Staff called a winner.
    NoteCall,
    /// Staff confirmed the number of a winner on the phone.
    ConfirmNumber,
    /// Staff were shown the code of a call, which two people had agreed to.
    ShowCallCode,
    /// Staff gave up calling a winner.
    MarkUnreachable,
    /// Staff looked at the name and the address of a winner.
    ViewClaimDetails,
    /// A server started with another setting than the last time.
    ChangeStartSetting,
    /// A server, or the operator, erased what was too old.
    RunRetention,
    /// Staff changed the tags or the notes of an entrant.
    EditPerson,
    /// Staff imported people from a file.
    ImportPeople,
    /// Staff made a copy of everything that is stored about an entrant.
    ExportPerson,
    /// Somebody downloaded such a copy with its link.
    DownloadCopy,
    /// Staff erased an entrant.
    ErasePerson,
    /// Staff marked an entry as the same person's as another one.
    MarkDuplicate,
    /// Staff removed such a mark.
    UnmarkDuplicate,
    /// Somebody could not sign in.
    LoginFailed,
    /// An owner invited a member of staff.
    InviteMember,
    /// An owner made a new invitation for a member.
    ReinviteMember,
    /// An owner was shown the link of an invitation, which two people had agreed to.
    ShowInvitation,
    /// A member set a password with an invitation.
    AcceptInvitation,
    /// An owner changed the role of a member, or disabled or enabled one.
    ChangeMember,
    /// A member set up a second factor.
    SetUpTotp,
    /// A member removed the second factor.
    RemoveTotp,
    /// The operator removed the second factor of a member.
    ResetTotp,
    /// A member signed in with a recovery code.
    UseRecoveryCode,
    /// A member made new recovery codes.
    MakeRecoveryCodes,
    /// A member changed the password.
    ChangePassword,
    /// A member ended one session or all.
    EndSessions,
    /// Staff stopped texts to a number.
    StopTexts,
    /// Staff decided whether a reply asks to stop texts.
    DecideReply,
    /// Staff exported a list with phone numbers.
    ExportNumbers,
    /// Staff read a page of People, which has phone numbers.
    ReadNumbers,
    /// Staff proposed a call that a second person must approve.
    Propose,
    /// A second person, or the operator, approved a proposal.
    ApproveProposal,
    /// Staff rejected a proposal, or withdrew their own.
    RejectProposal,
}

impl Action {
    /// The name in rows, queries and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The value of a detail of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// Text.
    Text(String),
    /// A number.
    Number(i64),
}

/// An action to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuditEntry {
    /// The staff session, and where the request came from.
    pub actor: Actor,
    /// The action.
    pub action: Action,
    /// The target, such as an entrant's id.
    pub target: Option<String>,
    /// Details by name; each name once.
    pub details: Vec<(&'static str, Detail)>,
    /// The time of the action.
    pub at: DateTime<Utc>,
}

impl NewAuditEntry {
    /// An entry without a target and details.
    pub const fn new(actor: Actor, action: Action, at: DateTime<Utc>) -> Self {
        Self {
            actor,
            action,
            target: None,
            details: Vec::new(),
            at,
        }
    }

    /// The same entry with the target of the action, such as an entrant's id.
    #[must_use]
    pub fn target(mut self, target: impl ToString) -> Self {
        self.target = Some(target.to_string());
        self
    }

    /// The same entry with a count.
    #[must_use]
    pub fn number(mut self, name: &'static str, number: i64) -> Self {
        self.details.push((name, Detail::Number(number)));
        self
    }

    /// The same entry with a text, without the network addresses in it: what is recorded stays for good (D75).
    #[must_use]
    pub fn text(mut self, name: &'static str, text: impl AsRef<str>) -> Self {
        self.details
            .push((name, Detail::Text(without_addresses(text.as_ref()))));
        self
    }

    /// The same entry with a network that staff named as one that many people share.
    #[must_use]
    pub fn shared_network(mut self, network: Network) -> Self {
        self.details.push(("network", Detail::Text(network.to_string())));
        self
    }
}

/// A recorded action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The number; a later entry has a higher one.
    pub id: i64,
    /// The member of staff. `None` for the server itself.
    pub member: Option<MemberId>,
    /// The staff session.
    pub session: SessionId,
    /// The action.
    pub action: Action,
    /// The target.
    pub target: Option<String>,
    /// Details by name.
    pub details: Vec<(String, Detail)>,
    /// The IP address of the request.
    pub address: Option<IpAddr>,
    /// The time of the action.
    pub created_at: DateTime<Utc>,
}

/// Conditions on audit entries; the default matches all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Only this action.
    pub action: Option<Action>,
    /// From this moment on.
    pub from: Option<DateTime<Utc>>,
    /// Before this moment.
    pub until: Option<DateTime<Utc>>,
    /// Only entries older than the one with this id.
    pub before: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn a_text_keeps_no_network_address() {
        let actor = Actor {
            member: None,
            session: SessionId::new(1),
            address: None,
        };
        let entry = NewAuditEntry::new(actor, Action::FlagUser, DateTime::UNIX_EPOCH)
            .text("reason", "Multiple accounts from IP 198.51.100.2");
        let reason = Detail::Text("Multiple accounts from IP [address]".to_owned());
        assert_eq!(entry.details, [("reason", reason)]);
    }

    #[test]
    fn names_match_rows_queries_and_responses() {
        let names: Vec<_> = Action::iter().map(Action::as_str).collect();
        let expected = [
            "login",
            "logout",
            "flag_user",
            "unflag_user",
            "fraud_detection",
            "decide_appeal",
            "add_shared_network",
            "remove_shared_network",
            "clear_analytics",
            "clear_referrals",
            "announce_drawing",
            "perform_drawing",
            "bring_beacon",
            "void_drawing",
            "create_raffle",
            "save_raffle_draft",
            "publish_raffle",
            "order_raffles",
            "delete_raffle",
            "open_raffle",
            "close_raffle",
            "upload_picture",
            "withdraw_picture",
            "create_package",
            "update_package",
            "delete_package",
            "update_settings",
            "create_sms_template",
            "update_sms_template",
            "schedule_campaign",
            "update_campaign",
            "cancel_campaign",
            "create_welcome_sms",
            "update_welcome_sms",
            "delete_welcome_sms",
            "save_credentials",
            "send_test_text",
            "clear_campaigns",
            "clear_sms",
            "approve_claim",
            "reject_claim",
            "ship_prize",
            "deliver_prize",
            "resend_claim",
            "note_call",
            "confirm_number",
            "show_call_code",
            "mark_unreachable",
            "view_claim_details",
            "change_start_setting",
            "run_retention",
            "edit_person",
            "import_people",
            "export_person",
            "download_copy",
            "erase_person",
            "mark_duplicate",
            "unmark_duplicate",
            "login_failed",
            "invite_member",
            "reinvite_member",
            "show_invitation",
            "accept_invitation",
            "change_member",
            "set_up_totp",
            "remove_totp",
            "reset_totp",
            "use_recovery_code",
            "make_recovery_codes",
            "change_password",
            "end_sessions",
            "stop_texts",
            "decide_reply",
            "export_numbers",
            "read_numbers",
            "propose",
            "approve_proposal",
            "reject_proposal",
        ];
        assert_eq!(names, expected);
        assert!("Login".parse::<Action>().is_err());
    }
}
