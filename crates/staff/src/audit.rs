use crate::{Actor, SessionId};
use chrono::{DateTime, Utc};
use std::net::IpAddr;

/// What staff do that is written down.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
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
    /// Its name in rows, queries and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
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
    use strum::IntoEnumIterator;

    #[test]
    fn names_are_those_of_rows_queries_and_answers() {
        let names: Vec<_> = Action::iter().map(Action::as_str).collect();
        let expected = [
            "login",
            "logout",
            "flag_user",
            "unflag_user",
            "fraud_detection",
            "clear_analytics",
            "clear_referrals",
            "perform_drawing",
            "create_package",
            "update_package",
            "delete_package",
            "update_settings",
            "create_sms_template",
            "update_sms_template",
            "schedule_campaign",
            "cancel_campaign",
            "create_welcome_sms",
            "update_welcome_sms",
            "delete_welcome_sms",
            "save_credentials",
            "send_test_text",
            "clear_campaigns",
            "clear_sms",
        ];
        assert_eq!(names, expected);
        assert!("Login".parse::<Action>().is_err());
    }
}
