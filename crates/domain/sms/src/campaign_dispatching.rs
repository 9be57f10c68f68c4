use crate::{
    CampaignId, CampaignRules, ConsentId, Fence, Fenced, MessageId, SendingCampaign, SkipReason, TrackingId,
};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, StoreError};
use raffle::RaffleKey;

/// A recipient of a campaign, about to be sent a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// The recipient's number.
    pub phone: Phone,
    /// The entrant with that number, if there is one.
    pub entrant: Option<EntrantId>,
    /// The entrant's raffle.
    pub raffle: Option<RaffleKey>,
    /// The entrant's consent that stands, which allows the message.
    pub consent: Option<ConsentId>,
    /// Why the recipient is skipped, if so.
    pub skip: Option<SkipReason>,
}

/// A new message of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCampaignMessage {
    /// The recipient.
    pub recipient: Recipient,
    /// The id of its link.
    pub tracking_id: TrackingId,
    /// Its link.
    pub tracking_url: String,
    /// The body.
    pub body: String,
    /// When its recipient may get it, if not now.
    pub wait_until: Option<DateTime<Utc>>,
}

/// The campaigns as the sender uses them.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait CampaignDispatching {
    /// Starts the campaigns that are due, earliest first, and returns their ids. It copies the template's message,
    /// lists the recipients once, and makes the campaign [`crate::CampaignStatus::Sending`]. An audience of entrants is
    /// listed without those who did not consent, are flagged or have opted out; a list of numbers is listed whole.
    fn start_due_campaigns(
        &mut self,
        fence: Fence,
        now: DateTime<Utc>,
    ) -> Result<Result<Vec<CampaignId>, Fenced>, StoreError>;

    /// The campaign that started first among those with recipients left.
    fn next_campaign(&self) -> Result<Option<SendingCampaign>, StoreError>;

    /// Takes the next recipients of a campaign, each once. Some are skipped, by [`CampaignRules::skip`] or because they have
    /// reached the monthly cap. Each of the others has one more campaign message in the month.
    fn take_recipients(
        &mut self,
        fence: Fence,
        campaign: CampaignId,
        limit: u32,
        rules: &CampaignRules<'_>,
    ) -> Result<Result<Vec<Recipient>, Fenced>, StoreError>;

    /// Adds the messages of recipients in the transaction that took them, and returns their ids in order. Each is being
    /// sent by attempt 1, or skipped, or pending until its recipient may get it.
    fn add_campaign_messages(
        &mut self,
        fence: Fence,
        campaign: CampaignId,
        messages: &[NewCampaignMessage],
        at: DateTime<Utc>,
    ) -> Result<Vec<MessageId>, StoreError>;

    /// Finishes the campaigns that have no recipients and no open messages left, by
    /// [`crate::CampaignStatus::at_the_end`], and returns their ids.
    fn finish_campaigns(&mut self, at: DateTime<Utc>) -> Result<Vec<CampaignId>, StoreError>;
}
