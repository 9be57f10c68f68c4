use crate::{
    Audience, Campaign, CampaignFigures, CampaignId, Claim, ClaimedMessage, Consent, Message, MessageId,
    MessageStatus, NewCampaign, NewMessage, NewTemplate, Outcome, ProviderMessage, SendingCampaign,
    SkipReason, Template, TemplateId, TrackingId, WelcomeMessage, WelcomeTemplate,
};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{EntrantId, IdempotencyKey, PageRequest, Phone, Raffle, StoreError};
use std::net::IpAddr;

/// A consent about to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConsent {
    /// Whose.
    pub entrant: EntrantId,
    /// What was said, and how.
    pub consent: Consent,
    /// The version of the words it was said to.
    pub wording: &'static str,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Who agreed to what.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Consents {
    /// Records what somebody said about campaign texts. Earlier rows stay; the newest one holds.
    fn record_consent(&mut self, consent: &NewConsent) -> Result<(), StoreError>;

    /// Whether campaign texts may be sent to this entrant.
    fn has_campaign_consent(&self, entrant: EntrantId) -> Result<bool, StoreError>;
}

/// Texts on their way. What is queued is never lost.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Outbox {
    /// Queues a text as pending, in the transaction that causes it.
    fn queue_message(&mut self, text: &NewMessage) -> Result<MessageId, StoreError>;

    /// The text with this number.
    fn find_message(&self, id: MessageId) -> Result<Option<Message>, StoreError>;

    /// What was queued for an entrant, oldest first.
    fn list_messages_to(&self, entrant: EntrantId) -> Result<Vec<Message>, StoreError>;

    /// Notes what the provider tells of a text by itself: status, its name and time, and the figures of its campaign
    /// together. By [`crate::Delivery::apply_report`], so that any order and number of calls comes to the same. A text that has
    /// another provider's name already is left alone. Whether anything changed.
    fn record_report(
        &mut self,
        id: MessageId,
        told: &ProviderMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// How many texts are on their way.
    fn count_open_messages(&self) -> Result<OpenMessages, StoreError>;
}

/// How many texts are on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenMessages {
    /// Wait to be sent, or are being sent; recipients of a campaign that is being sent are among them.
    pub waiting: i64,
    /// May have been sent, which the provider could not be asked yet.
    pub unknown: i64,
}

kernel::id_type! {
    /// The fencing token of the lease on sending. Each new lease gets a higher one, and a holder of a lower one can change nothing.
    pub struct Fence
}

/// Whoever asked is not the one who sends any more. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another process sends texts now")]
pub struct Fenced;

/// Why nothing is sent until staff do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Halt {
    /// The provider refused the credentials.
    CredentialsRefused,
}

impl Halt {
    /// Its name in rows and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

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

/// A text that may have been sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncertainMessage {
    /// Which.
    pub id: MessageId,
    /// By which attempt.
    pub attempt: u32,
    /// To whom.
    pub phone: Phone,
    /// What no other text to that number says: its link, or else its whole body.
    pub needle: String,
    /// Since when there has been such a text.
    pub queued_at: DateTime<Utc>,
}

/// What the one process that sends texts does with them. One sends at a time, because only one can keep to a pace; the
/// others stand by. What was claimed under an earlier fence may have been sent, and is looked up before it is sent
/// again.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Dispatching {
    /// Takes the lease, or renews it: the fence if it is this owner's until `until`, `None` while it is another's. Taken
    /// anew, the fence is a higher one, a halt is over, and every text that is being sent under an earlier fence becomes
    /// unknown, to be looked up at `look_up_at`. Atomic, and never while a claim under an earlier fence is going on.
    fn acquire_lease(
        &mut self,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        look_up_at: DateTime<Utc>,
    ) -> Result<Option<Fence>, StoreError>;

    /// Gives the lease back, if it is still this one's, so that another need not wait for its end.
    fn release_lease(&mut self, fence: Fence, now: DateTime<Utc>) -> Result<(), StoreError>;

    /// Claims waiting texts whose time has come, oldest first: welcome, victory and test texts, and campaign texts that
    /// are tried again. Each becomes [`MessageStatus::Sending`]. Numbers that have opted out are skipped instead, and so are
    /// campaign texts to entrants who were flagged or took their consent back, where that matters
    /// ([`Audience::is_of_entrants`]).
    fn claim_messages(&mut self, claim: &Claim) -> Result<Result<Vec<ClaimedMessage>, Fenced>, StoreError>;

    /// Keeps what claimed texts say, before they are sent.
    fn write_bodies(&mut self, bodies: &[(MessageId, String)]) -> Result<(), StoreError>;

    /// Notes what became of attempts: status, the provider's name and time, and the figures of campaigns together, by
    /// [`crate::Delivery::apply_attempt`]. An outcome of an attempt that is not the text's last one changes nothing, unless the
    /// provider has the text. Also under an earlier fence: what happened, happened. A number that turns out to want no
    /// texts has opted out.
    fn record_outcomes(&mut self, outcomes: &[Outcome], at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Gives claimed texts back that were certainly not sent: they are pending again. No attempt's number is given twice,
    /// so that doing this again does no harm to a later one.
    fn release_claims(&mut self, texts: &[(MessageId, u32)]) -> Result<(), StoreError>;

    /// Texts that may have been sent and whose time to be looked up has come, oldest first. They come again at
    /// `again_at`, unless something is heard of them.
    fn claim_uncertain(
        &mut self,
        fence: Fence,
        limit: u32,
        now: DateTime<Utc>,
        again_at: DateTime<Utc>,
    ) -> Result<Result<Vec<UncertainMessage>, Fenced>, StoreError>;

    /// Records why nothing is sent, unless the lease has been taken since by another sender. Whether it was recorded.
    fn record_halt(&mut self, fence: Fence, halt: Halt) -> Result<bool, StoreError>;

    /// Lets messages be sent again.
    fn clear_halt(&mut self) -> Result<(), StoreError>;

    /// Why nothing is sent.
    fn halt(&self) -> Result<Option<Halt>, StoreError>;
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

/// What campaigns say.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Templates {
    /// Adds a template.
    fn add_template(&mut self, new: &NewTemplate, at: DateTime<Utc>) -> Result<TemplateId, StoreError>;

    /// Changes a template; whether there is one. Campaigns that have begun are not changed.
    fn change_template(
        &mut self,
        id: TemplateId,
        new: &NewTemplate,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// The template with this number.
    fn find_template(&self, id: TemplateId) -> Result<Option<Template>, StoreError>;

    /// All of them, newest first.
    fn list_templates(&self) -> Result<Vec<Template>, StoreError>;
}

/// What new entrants are told, by raffle.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait WelcomeTemplates {
    /// Adds the message of a raffle; whether there was none.
    fn add_welcome(
        &mut self,
        raffle: Raffle,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Changes the message of a raffle; whether there was one.
    fn change_welcome(
        &mut self,
        raffle: Raffle,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Deletes the message of a raffle; whether there was one.
    fn delete_welcome(&mut self, raffle: Raffle) -> Result<bool, StoreError>;

    /// All of them, in the order of the raffles.
    fn list_welcomes(&self) -> Result<Vec<WelcomeTemplate>, StoreError>;
}

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

/// Whose link was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrackedMessage {
    /// The entrant it was sent to.
    pub entrant: Option<EntrantId>,
    /// The raffle that its page shows.
    pub raffle: Raffle,
}

/// A link being opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClick {
    /// Which link.
    pub tracking_id: TrackingId,
    /// Whether its reader went on to the raffle.
    pub cta: bool,
    /// From where.
    pub address: Option<std::net::IpAddr>,
    /// By what.
    pub user_agent: Option<String>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Links that were opened.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Clicks {
    /// Notes that a link was opened, or gone on from: the first time of each, and the campaign's figures with it. Going
    /// on is opening too. Whose link it is; `None` for an unknown one.
    fn record_click(&mut self, click: &NewClick) -> Result<Option<TrackedMessage>, StoreError>;
}

/// Which numbers want no texts.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait OptOuts {
    /// Notes that a number wants no texts, of any kind.
    fn opt_out(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Notes that it wants them again.
    fn opt_in(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Whether it wants none.
    fn has_opted_out(&self, phone: &Phone) -> Result<bool, StoreError>;

    /// Notes a call of the provider in the transaction that deals with it; whether it is new.
    fn record_inbound(&mut self, provider_id: &str, at: DateTime<Utc>) -> Result<bool, StoreError>;
}

/// The account that staff saved.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsSettings {
    /// The credentials, sealed, if any were saved.
    fn sealed_credentials(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Saves credentials in the place of earlier ones.
    fn save_sealed_credentials(&mut self, sealed: &[u8], at: DateTime<Utc>) -> Result<(), StoreError>;
}

/// How much of texts is stored, or was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SmsCounts {
    /// Campaigns.
    pub campaigns: i64,
    /// Their texts.
    pub messages: i64,
    /// Links opened.
    pub clicks: i64,
    /// Templates of campaigns.
    pub templates: i64,
}

/// Deleting what was stored about campaigns (D13). Opt-outs, consents, the month's counts, and texts that no campaign
/// sent stay.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsClearing {
    /// What there is.
    fn count_sms(&self) -> Result<SmsCounts, StoreError>;

    /// Deletes campaigns, their recipients, texts and clicks. How many; no template.
    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError>;

    /// Deletes those and the templates of campaigns. How many.
    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError>;
}

/// All store ports of texts. Every type that implements them implements this.
pub trait SmsStore:
    Consents
    + Outbox
    + Dispatching
    + CampaignDispatching
    + Templates
    + WelcomeTemplates
    + Campaigns
    + Clicks
    + OptOuts
    + SmsSettings
    + SmsClearing
{
}

impl<
    T: Consents
        + Outbox
        + Dispatching
        + CampaignDispatching
        + Templates
        + WelcomeTemplates
        + Campaigns
        + Clicks
        + OptOuts
        + SmsSettings
        + SmsClearing,
> SmsStore for T
{
}
