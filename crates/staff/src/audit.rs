use crate::{Actor, SessionId};
use chrono::{DateTime, Utc};
use std::net::IpAddr;

/// What staff do that is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Signing in.
    Login,
    /// Signing out.
    Logout,
    /// Flagging an entrant.
    FlagUser,
    /// Taking a flag back.
    UnflagUser,
    /// Flagging everybody on suspicious addresses.
    FraudDetection,
    /// Deleting what was collected about visits.
    ClearAnalytics,
    /// Deleting referrals and the entries they gave.
    ClearReferrals,
    /// Drawing a winner.
    PerformDrawing,
    /// Adding an entry package.
    CreatePackage,
    /// Changing one.
    UpdatePackage,
    /// Deleting one.
    DeletePackage,
    /// Changing a setting.
    UpdateSettings,
    /// Adding a template of campaigns.
    CreateSmsTemplate,
    /// Changing one.
    UpdateSmsTemplate,
    /// Scheduling a campaign.
    ScheduleCampaign,
    /// Calling one off.
    CancelCampaign,
    /// Writing what new entrants of a raffle are told.
    CreateWelcomeSms,
    /// Changing it.
    UpdateWelcomeSms,
    /// Deleting it.
    DeleteWelcomeSms,
    /// Saving the account that texts are sent with.
    SaveCredentials,
    /// Trying whether texts arrive.
    SendTestText,
    /// Deleting campaigns and their texts.
    ClearCampaigns,
    /// Deleting those and the templates of campaigns.
    ClearSms,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::Login,
        Self::Logout,
        Self::FlagUser,
        Self::UnflagUser,
        Self::FraudDetection,
        Self::ClearAnalytics,
        Self::ClearReferrals,
        Self::PerformDrawing,
        Self::CreatePackage,
        Self::UpdatePackage,
        Self::DeletePackage,
        Self::UpdateSettings,
        Self::CreateSmsTemplate,
        Self::UpdateSmsTemplate,
        Self::ScheduleCampaign,
        Self::CancelCampaign,
        Self::CreateWelcomeSms,
        Self::UpdateWelcomeSms,
        Self::DeleteWelcomeSms,
        Self::SaveCredentials,
        Self::SendTestText,
        Self::ClearCampaigns,
        Self::ClearSms,
    ];

    /// Its name in rows, queries and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Logout => "logout",
            Self::FlagUser => "flag_user",
            Self::UnflagUser => "unflag_user",
            Self::FraudDetection => "fraud_detection",
            Self::ClearAnalytics => "clear_analytics",
            Self::ClearReferrals => "clear_referrals",
            Self::PerformDrawing => "perform_drawing",
            Self::CreatePackage => "create_package",
            Self::UpdatePackage => "update_package",
            Self::DeletePackage => "delete_package",
            Self::UpdateSettings => "update_settings",
            Self::CreateSmsTemplate => "create_sms_template",
            Self::UpdateSmsTemplate => "update_sms_template",
            Self::ScheduleCampaign => "schedule_campaign",
            Self::CancelCampaign => "cancel_campaign",
            Self::CreateWelcomeSms => "create_welcome_sms",
            Self::UpdateWelcomeSms => "update_welcome_sms",
            Self::DeleteWelcomeSms => "delete_welcome_sms",
            Self::SaveCredentials => "save_credentials",
            Self::SendTestText => "send_test_text",
            Self::ClearCampaigns => "clear_campaigns",
            Self::ClearSms => "clear_sms",
        }
    }

    /// The action with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// Something worth knowing about an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// In words.
    Text(String),
    /// A count.
    Number(i64),
}

/// An action about to be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuditEntry {
    /// Who did it, and from where.
    pub actor: Actor,
    /// What was done.
    pub action: Action,
    /// To what, such as an entrant's id.
    pub target: Option<String>,
    /// More about it, each under a name of its own.
    pub details: Vec<(&'static str, Detail)>,
    /// When.
    pub at: DateTime<Utc>,
}

/// An action that was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number; a later entry has a higher one.
    pub id: i64,
    /// In which session it was done.
    pub session: SessionId,
    /// What was done.
    pub action: Action,
    /// To what.
    pub target: Option<String>,
    /// More about it, by name.
    pub details: Vec<(String, Detail)>,
    /// From where.
    pub address: Option<IpAddr>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Which entries are asked for. Without any condition, all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Only this action.
    pub action: Option<Action>,
    /// From this moment on.
    pub from: Option<DateTime<Utc>>,
    /// Before this moment.
    pub until: Option<DateTime<Utc>>,
    /// Older than the entry with this id.
    pub before: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_found_by_its_name() {
        for action in Action::ALL {
            assert_eq!(Action::from_name(action.name()), Some(action));
        }
        assert_eq!(Action::from_name("Login"), None);
    }
}
