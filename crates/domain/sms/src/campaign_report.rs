use crate::{
    Audience, Campaign, CampaignFigures, CampaignFilter, CampaignId, CampaignRules, CampaignSort, MessageId,
    MessageStatus, NewCampaign, RequestHash, SkipReason, TrackingId,
};
use chrono::{DateTime, Utc};
use kernel::{IdempotencyKey, PageRequest, Phone, SortOrder, StoreError};

/// The size of an audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AudienceSize {
    /// The number of recipients, without those in countries that get no texts.
    pub recipients: i64,
    /// The recipients who have reached the monthly cap.
    pub over_cap: i64,
}

/// What became of a campaign's messages, by reason.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CampaignReport {
    /// Recipients without a message yet, and messages that are pending or being sent.
    pub waiting: i64,
    /// Messages that may have been sent.
    pub unknown: i64,
    /// The reasons of messages that failed or were not delivered, with their numbers, most frequent first.
    pub failed: Vec<(String, i64)>,
    /// The reasons of messages that were skipped, with their numbers, most frequent first.
    pub skipped: Vec<(SkipReason, i64)>,
}

/// One message of a campaign, as a row of its export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedMessage {
    /// The message.
    pub id: MessageId,
    /// The recipient's number.
    pub phone: Phone,
    /// How far it has come.
    pub status: MessageStatus,
    /// Why it was skipped, failed or was not delivered.
    pub reason: Option<String>,
    /// When the provider accepted it.
    pub sent_at: Option<DateTime<Utc>>,
    /// When its link was first opened.
    pub clicked_at: Option<DateTime<Utc>>,
    /// When its reader first followed the link to the raffle.
    pub cta_clicked_at: Option<DateTime<Utc>>,
    /// The id of its link.
    pub tracking_id: Option<TrackingId>,
}

/// The campaigns as staff use them.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Campaigns {
    /// Adds a campaign as pending.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::CampaignKey`] when its idempotency key is taken.
    fn add_campaign(&mut self, new: &NewCampaign) -> Result<CampaignId, StoreError>;

    /// The campaign with this id.
    fn find_campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError>;

    /// All numbers of a campaign's custom list, in their order. None for any other audience.
    fn list_custom_numbers(&self, id: CampaignId) -> Result<Vec<Phone>, StoreError>;

    /// The campaign that was scheduled with this idempotency key.
    fn find_campaign_by_key(&self, key: &IdempotencyKey) -> Result<Option<Campaign>, StoreError>;

    /// The hash of the request that came with this idempotency key.
    fn request_hash_of(&self, key: &IdempotencyKey) -> Result<Option<RequestHash>, StoreError>;

    /// A part of the campaigns that match, sorted by a column.
    fn list_campaigns(
        &self,
        filter: &CampaignFilter,
        sort: CampaignSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<Campaign>, StoreError>;

    /// The number of campaigns that match.
    fn count_campaigns(&self, filter: &CampaignFilter) -> Result<i64, StoreError>;

    /// Gives a pending campaign another plan. Its secret, its idempotency key, and who scheduled it and when stay. Returns whether
    /// it was pending.
    fn change_campaign(&mut self, id: CampaignId, new: &NewCampaign) -> Result<bool, StoreError>;

    /// Cancels a campaign. Returns whether it was pending.
    fn cancel_campaign(&mut self, id: CampaignId) -> Result<bool, StoreError>;

    /// The size of this audience if a campaign started now. Numbers that have opted out or get no messages, and entrants
    /// without consent, are not among its recipients.
    fn audience_size(
        &self,
        audience: &Audience,
        rules: &CampaignRules<'_>,
    ) -> Result<AudienceSize, StoreError>;

    /// What became of a campaign's messages, by reason.
    fn report_campaign(&self, id: CampaignId) -> Result<CampaignReport, StoreError>;

    /// The messages of a campaign with higher ids than `after`, by id.
    fn export_messages(
        &self,
        id: CampaignId,
        after: MessageId,
        limit: u32,
    ) -> Result<Vec<ExportedMessage>, StoreError>;

    /// The sum of the figures of all campaigns.
    fn sum_campaigns(&self) -> Result<CampaignFigures, StoreError>;
}
