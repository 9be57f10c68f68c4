use crate::{CampaignId, Fence, Fenced, MessageId, SendingCampaign, SkipReason, TrackingId};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{EntrantId, Phone, Raffle, StoreError};

/// Somebody whom a campaign is for, about to be sent a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// At which number.
    pub phone: Phone,
    /// Which entrant that is.
    pub entrant: Option<EntrantId>,
    /// The entrant's raffle.
    pub raffle: Option<Raffle>,
    /// Why it is not to be sent after all.
    pub skip: Option<SkipReason>,
}

/// One text of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCampaignMessage {
    /// For whom.
    pub recipient: Recipient,
    /// The name of its link.
    pub tracking_id: TrackingId,
    /// Its link.
    pub tracking_url: String,
    /// What it says.
    pub body: String,
}

/// How a campaign's recipients are sent their texts.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait CampaignDispatching {
    /// Begins campaigns whose time has come, earliest first: the template's message is copied, the recipients are
    /// listed once, and the campaign is [`crate::CampaignStatus::Sending`]. Which ones. Of an audience of entrants those are listed
    /// who consented, are not flagged and have not opted out; of a list all its numbers.
    fn start_due_campaigns(
        &mut self,
        fence: Fence,
        now: DateTime<Utc>,
    ) -> Result<Result<Vec<CampaignId>, Fenced>, StoreError>;

    /// The earliest begun campaign that has recipients left.
    fn next_campaign(&self) -> Result<Option<SendingCampaign>, StoreError>;

    /// The next recipients of a campaign. Each is given once. Consent, opt-outs, flags and the month's cap are looked at
    /// again now, where they matter; who is not skipped has one campaign text more in `month`, if the cap holds.
    fn take_recipients(
        &mut self,
        fence: Fence,
        campaign: CampaignId,
        limit: u32,
        month: NaiveDate,
        monthly_cap: u32,
    ) -> Result<Result<Vec<Recipient>, Fenced>, StoreError>;

    /// Adds the texts of recipients, in the transaction that took them: being sent by attempt 1, or skipped. Their
    /// numbers, in order. To be followed by sending those that are not skipped.
    fn add_campaign_messages(
        &mut self,
        fence: Fence,
        campaign: CampaignId,
        texts: &[NewCampaignMessage],
        at: DateTime<Utc>,
    ) -> Result<Vec<MessageId>, StoreError>;

    /// Ends campaigns that have neither recipients left nor texts on their way, by
    /// [`crate::CampaignStatus::at_the_end`]. Which ones.
    fn finish_campaigns(&mut self, at: DateTime<Utc>) -> Result<Vec<CampaignId>, StoreError>;
}
