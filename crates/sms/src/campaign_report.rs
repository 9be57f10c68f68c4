use crate::{
    Audience, Campaign, CampaignFigures, CampaignId, MessageId, MessageStatus, NewCampaign, SkipReason,
    TrackingId,
};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{IdempotencyKey, PageRequest, Phone, StoreError};

/// How many a campaign would be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AudienceSize {
    /// Recipients.
    pub recipients: i64,
    /// Of these, those who had their campaign texts of the month.
    pub over_cap: i64,
}

/// What has become of a campaign's texts, by reason.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CampaignReport {
    /// Recipients that wait, and texts being sent.
    pub waiting: i64,
    /// Texts that may have been sent.
    pub unknown: i64,
    /// Reasons for texts that failed or did not arrive, and how many each, most first.
    pub failed: Vec<(String, i64)>,
    /// Reasons for texts that were not to be sent, and how many each, most first.
    pub skipped: Vec<(SkipReason, i64)>,
}

/// One text of a campaign, as a row of its export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedMessage {
    /// Which.
    pub id: MessageId,
    /// To whom.
    pub phone: Phone,
    /// How far it has come.
    pub status: MessageStatus,
    /// Why it went no further.
    pub reason: Option<String>,
    /// When the provider took it.
    pub sent_at: Option<DateTime<Utc>>,
    /// When its link was first opened.
    pub clicked_at: Option<DateTime<Utc>>,
    /// When its reader first went on to the raffle.
    pub cta_clicked_at: Option<DateTime<Utc>>,
    /// The name of its link.
    pub tracking_id: Option<TrackingId>,
}

/// Campaigns, as staff see them.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Campaigns {
    /// Adds a campaign as pending.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::CampaignKey`] when its idempotency key is taken.
    fn add_campaign(&mut self, new: &NewCampaign) -> Result<CampaignId, StoreError>;

    /// The campaign with this number.
    fn find_campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError>;

    /// The campaign that was scheduled by this key.
    fn find_campaign_by_key(&self, key: &IdempotencyKey) -> Result<Option<Campaign>, StoreError>;

    /// Campaigns, newest first.
    fn list_campaigns(&self, page: PageRequest) -> Result<Vec<Campaign>, StoreError>;

    /// How many there are.
    fn count_campaigns(&self) -> Result<i64, StoreError>;

    /// Calls a campaign off; whether it was pending.
    fn cancel_campaign(&mut self, id: CampaignId) -> Result<bool, StoreError>;

    /// How many a campaign for this audience would reach now.
    fn audience_size(
        &self,
        audience: &Audience,
        month: NaiveDate,
        monthly_cap: u32,
    ) -> Result<AudienceSize, StoreError>;

    /// What has become of a campaign's texts, by reason.
    fn report_campaign(&self, id: CampaignId) -> Result<CampaignReport, StoreError>;

    /// Texts of a campaign after this one, in order.
    fn export_messages(
        &self,
        id: CampaignId,
        after: MessageId,
        limit: u32,
    ) -> Result<Vec<ExportedMessage>, StoreError>;

    /// The figures of all campaigns together.
    fn sum_campaigns(&self) -> Result<CampaignFigures, StoreError>;
}
