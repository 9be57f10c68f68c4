//! Scheduling campaigns and reading their reports.

use crate::campaign_results::example_text;
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use chrono_tz::Tz;
use kernel::{
    Clock, Entropy, IdempotencyKey, PageRequest, Phone, SortOrder, StaffName, StoreError, UniqueKey,
    UnitOfWork,
};
use raffle::{Raffle, RaffleKey, RaffleList, Raffles};
use sms::{
    Audience, AudienceSize, Campaign, CampaignFigures, CampaignFilter, CampaignId, CampaignReport,
    CampaignRules, CampaignSecret, CampaignSort, Campaigns, ConsentBasis, DailyBudget, DailyCounts,
    Dispatching, ExportedMessage, Halt, Label, LinkBase, Message, MessageEvidence, MessageId, NewCampaign,
    OpenMessages, Outbox, OverBudget, PutOff, RecipientHours, Segments, SendingEvidence, SmsCountries, Start,
    Template, TemplateId, Templates, TrackingId, local_times, month_of, segments,
};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// A request to schedule a campaign.
#[derive(Debug, Clone)]
pub struct ScheduleCommand {
    /// The staff session that asks.
    pub actor: Actor,
    /// The name of the member of staff.
    pub staff: Option<StaffName>,
    /// The name of the campaign.
    pub name: Label,
    /// The template of its messages.
    pub template: TemplateId,
    /// When it begins.
    pub start: Start,
    /// Its recipients.
    pub audience: Audience,
    /// Why the numbers of a list may get messages; for other audiences it does not matter.
    pub consent_basis: Option<ConsentBasis>,
    /// The start of its links.
    pub link_base: LinkBase,
    /// The client's key for this request: sent again, it returns the same campaign.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why a campaign was not scheduled or canceled.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// There is no such template, or it is not active.
    #[error("unknown template")]
    UnknownTemplate,
    /// There is no such raffle.
    #[error("unknown raffle")]
    UnknownRaffle,
    /// The time at which it should begin is over.
    #[error("the time is in the past")]
    InThePast,
    /// There is no such campaign.
    #[error("unknown campaign")]
    UnknownCampaign,
    /// The campaign has begun, or was canceled before.
    #[error("the campaign is not pending")]
    NotPending,
    /// The campaign to be changed has begun, or was canceled.
    #[error("the campaign has started")]
    Started,
    /// The idempotency key came with another request before.
    #[error("the idempotency key belongs to another request")]
    KeyMismatch,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Schedules a campaign. A key that came with the same request before returns the campaign that it was used for.
///
/// # Errors
/// [`CampaignError::UnknownTemplate`], [`CampaignError::UnknownRaffle`], [`CampaignError::InThePast`], and
/// [`CampaignError::KeyMismatch`] if the key came with another request.
pub fn schedule<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    command: &ScheduleCommand,
) -> Result<Campaign, CampaignError>
where
    S: UnitOfWork<Tx: Raffles + Campaigns + Templates + AuditLog>,
{
    let new = planned(clock, entropy, command);
    match add_campaign(store, command, &new) {
        // Another request with the same key was faster: now its campaign is found.
        Err(CampaignError::Store(StoreError::Duplicate(UniqueKey::CampaignKey))) => {
            add_campaign(store, command, &new)
        }
        result => result,
    }
}

fn planned(clock: &dyn Clock, entropy: &dyn Entropy, command: &ScheduleCommand) -> NewCampaign {
    let now = clock.now();
    NewCampaign {
        name: command.name.clone(),
        template: command.template,
        scheduled_at: command.start.moment(now),
        audience: command.audience.clone(),
        consent_basis: consent_basis(command),
        link_base: command.link_base.clone(),
        secret: CampaignSecret::new(entropy.bytes()),
        idempotency_key: command.idempotency_key.clone(),
        created_by: command.staff.clone(),
        at: now,
    }
}

/// Changes a campaign before it begins. It keeps its links, and who scheduled it.
///
/// # Errors
/// [`CampaignError::UnknownCampaign`], [`CampaignError::Started`], [`CampaignError::UnknownTemplate`],
/// [`CampaignError::UnknownRaffle`] and [`CampaignError::InThePast`].
pub fn update<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    id: CampaignId,
    command: &ScheduleCommand,
) -> Result<Campaign, CampaignError>
where
    S: UnitOfWork<Tx: Raffles + Campaigns + Templates + AuditLog>,
{
    let new = planned(clock, entropy, command);
    store.transaction(|tx| {
        tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        check_plan(tx, command.start, &new)?;
        if !tx.change_campaign(id, &new)? {
            return Err(CampaignError::Started);
        }
        tx.record_audit(&plan_entry(command.actor, Action::UpdateCampaign, id, &new))?;
        tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)
    })
}

/// A list always has a basis, so that its evidence says at least that none was stated.
fn consent_basis(command: &ScheduleCommand) -> Option<ConsentBasis> {
    let stated = command.consent_basis.clone();
    match command.audience {
        Audience::Custom(_) => Some(stated.unwrap_or_else(ConsentBasis::not_stated)),
        Audience::All | Audience::Raffle(_) => None,
    }
}

fn add_campaign<S>(store: &S, command: &ScheduleCommand, new: &NewCampaign) -> Result<Campaign, CampaignError>
where
    S: UnitOfWork<Tx: Raffles + Campaigns + Templates + AuditLog>,
{
    store.transaction(|tx| {
        if let Some(key) = &new.idempotency_key
            && let Some(campaign) = tx.find_campaign_by_key(key)?
        {
            let is_same = tx.request_hash_of(key)? == Some(new.request_hash());
            return is_same.then_some(campaign).ok_or(CampaignError::KeyMismatch);
        }
        check_plan(tx, command.start, new)?;
        let id = tx.add_campaign(new)?;
        tx.record_audit(&plan_entry(command.actor, Action::ScheduleCampaign, id, new))?;
        tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)
    })
}

fn check_plan(tx: &(impl Raffles + Templates), start: Start, new: &NewCampaign) -> Result<(), CampaignError> {
    if start.is_past(new.at) {
        return Err(CampaignError::InThePast);
    }
    active_template(tx, new.template)?;
    if let Some(raffle) = new.audience.raffle() {
        tx.list_raffles()?
            .find(raffle)
            .ok_or(CampaignError::UnknownRaffle)?;
    }
    Ok(())
}

fn active_template(tx: &impl Templates, id: TemplateId) -> Result<Template, CampaignError> {
    tx.find_template(id)?
        .filter(|template| template.content.is_active)
        .ok_or(CampaignError::UnknownTemplate)
}

/// Cancels a campaign before it begins.
///
/// # Errors
/// [`CampaignError::UnknownCampaign`], and [`CampaignError::NotPending`] once it has begun.
pub fn cancel<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: CampaignId,
) -> Result<Campaign, CampaignError>
where
    S: UnitOfWork<Tx: Campaigns + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let was_pending = tx.cancel_campaign(id)?;
        let campaign = tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        if !was_pending {
            return Err(CampaignError::NotPending);
        }
        tx.record_audit(&audit_entry(
            actor,
            Action::CancelCampaign,
            id,
            &campaign.plan.name,
            at,
        ))?;
        Ok(campaign)
    })
}

fn audit_entry(
    actor: Actor,
    action: Action,
    id: CampaignId,
    name: &Label,
    at: DateTime<Utc>,
) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at)
        .target(id)
        .text("name", name.as_str())
}

/// What was scheduled. Of a list of numbers only the count: the audit log holds no phone numbers.
fn plan_entry(actor: Actor, action: Action, id: CampaignId, new: &NewCampaign) -> NewAuditEntry {
    let entry = audit_entry(actor, action, id, &new.name, new.at)
        .number("templateId", new.template.get())
        .text(
            "scheduledDate",
            new.scheduled_at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        )
        .text("trackingUrlBase", new.link_base.as_str())
        .text("targetAudience", new.audience.as_str());
    match &new.audience {
        Audience::All => entry,
        Audience::Raffle(raffle) => entry.text("landingPageFilter", raffle.as_str()),
        Audience::Custom(phones) => {
            let count = i64::try_from(phones.len()).unwrap_or(i64::MAX);
            let basis = new.consent_basis.as_ref().map_or("", ConsentBasis::as_str);
            entry
                .number("customPhoneNumberCount", count)
                .text("consentBasis", basis)
        }
    }
}

/// The size of a campaign, by what is known now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// The number of its recipients.
    pub audience: AudienceSize,
    /// The body of one of its messages.
    pub sample: String,
    /// The number of segments of that body.
    pub segments: Segments,
}

/// Estimates the size of a campaign from what is known now. Recipients have reached the cap by the texts of the month in which it
/// begins.
///
/// # Errors
/// [`CampaignError::UnknownTemplate`] and [`CampaignError::InThePast`].
pub fn estimate<S>(
    store: &S,
    clock: &dyn Clock,
    rules: &SmsRules,
    start: Start,
    template: TemplateId,
    audience: &Audience,
    link_base: &LinkBase,
) -> Result<Estimate, CampaignError>
where
    S: UnitOfWork<Tx: Raffles + Campaigns + Templates>,
{
    let now = clock.now();
    if start.is_past(now) {
        return Err(CampaignError::InThePast);
    }
    let month = month_of(start.moment(now), &rules.time_zone);
    // Counting a million recipients takes longer than the time limit of `read`.
    store.snapshot(|tx| {
        let template = active_template(tx, template)?.content;
        let sample = example_text(&tx.list_raffles()?, &template.message, template.raffle, link_base)?;
        Ok(Estimate {
            audience: tx.audience_size(audience, &rules.campaign_rules(month))?,
            segments: segments(&sample),
            sample,
        })
    })
}

/// How the ids of a raffle's links begin.
pub(crate) fn link_prefix(raffles: &RaffleList, key: RaffleKey) -> Result<String, StoreError> {
    let found = raffles.find(key).map(Raffle::link_prefix);
    found.ok_or_else(|| StoreError::corrupt("sms_campaign_templates", "landing_page", 0))
}

/// What allowed a text, with the recipient's local times when it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceOfText {
    /// What allowed it.
    pub evidence: MessageEvidence,
    /// The local time in each zone of the number's area code; empty if it was not sent.
    pub local_times: Vec<DateTime<Tz>>,
}

/// The evidence for a text.
pub fn evidence<S>(store: &S, rules: &SmsRules, id: MessageId) -> Result<Option<EvidenceOfText>, StoreError>
where
    S: UnitOfWork<Tx: SendingEvidence>,
{
    let zone = rules.time_zone;
    let found = store.snapshot(|tx| tx.find_evidence(id, zone))?;
    Ok(found.map(|evidence| EvidenceOfText {
        local_times: evidence
            .sent_at
            .map(|at| local_times(&evidence.phone, at, zone))
            .unwrap_or_default(),
        evidence,
    }))
}

/// The text of a campaign to a number. `None` also when the number was skipped.
///
/// # Errors
/// [`CampaignError::UnknownCampaign`].
pub fn find_text<S>(store: &S, id: CampaignId, phone: &Phone) -> Result<Option<Message>, CampaignError>
where
    S: UnitOfWork<Tx: Raffles + Campaigns + SendingEvidence + Outbox>,
{
    store.snapshot(|tx| {
        let campaign = tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        // The link's first word is the recipient's raffle, which may have been the template's.
        let link = |raffle: &Raffle| TrackingId::derive(&raffle.link_prefix(), &campaign.plan.secret, phone);
        let links: Vec<TrackingId> = tx.list_raffles()?.iter().map(link).collect();
        match tx.find_campaign_message(id, &links)? {
            Some(message) => Ok(tx.find_message(message)?),
            None => Ok(None),
        }
    })
}

/// A page of the list of campaigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignList {
    /// The campaigns of the page.
    pub campaigns: Vec<Campaign>,
    /// The number of all campaigns that match.
    pub total: i64,
}

/// A page of the campaigns, with the number of all that match.
pub fn list<S>(
    store: &S,
    filter: &CampaignFilter,
    sort: CampaignSort,
    order: SortOrder,
    page: PageRequest,
) -> Result<CampaignList, StoreError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.snapshot(|tx| {
        Ok(CampaignList {
            campaigns: tx.list_campaigns(filter, sort, order, page)?,
            total: tx.count_campaigns(filter)?,
        })
    })
}

/// The newest campaigns, at most `count`. To read the whole list in parts, set `filter.before`.
pub fn newest<S>(store: &S, filter: &CampaignFilter, count: u32) -> Result<Vec<Campaign>, StoreError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    let page = PageRequest {
        limit: count,
        offset: 0,
    };
    store.read(|tx| tx.list_campaigns(filter, CampaignSort::CreatedAt, SortOrder::Descending, page))
}

/// A campaign, with its messages counted by status and reason; on request with its whole custom list.
///
/// # Errors
/// [`CampaignError::UnknownCampaign`].
pub fn find<S>(
    store: &S,
    id: CampaignId,
    with_all_numbers: bool,
) -> Result<(Campaign, CampaignReport), CampaignError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.snapshot(|tx| {
        let mut campaign = tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        if let Audience::Custom(numbers) = &mut campaign.plan.audience
            && with_all_numbers
            && campaign.custom_number_count > Campaign::LISTED_NUMBERS as i64
        {
            *numbers = tx.list_custom_numbers(id)?;
        }
        Ok((campaign, tx.report_campaign(id)?))
    })
}

/// Messages of a campaign after this one, in order; empty after the last.
pub fn export_messages<S>(
    store: &S,
    id: CampaignId,
    after: MessageId,
    limit: u32,
) -> Result<Vec<ExportedMessage>, StoreError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.read(|tx| tx.export_messages(id, after, limit))
}

/// The sums over all campaigns.
pub fn figures<S>(store: &S) -> Result<CampaignFigures, StoreError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.read(|tx| tx.sum_campaigns())
}

/// Settings that apply to all messages.
#[derive(Debug, Clone)]
pub struct SmsRules {
    /// The site's public origin, as visitors and the provider see it.
    pub public_origin: String,
    /// The site's name.
    pub site_name: String,
    /// The time zone of months.
    pub time_zone: Tz,
    /// The hours in which numbers get campaign, welcome and winner messages. `None` for any hour.
    pub hours: Option<RecipientHours>,
    /// The most campaign messages for one number in a calendar month.
    pub monthly_cap: u32,
    /// The countries whose numbers get messages.
    pub countries: SmsCountries,
    /// How many messages may be sent on one day, in UTC, campaign messages aside.
    pub daily_budget: DailyBudget,
}

impl SmsRules {
    /// Which recipients of campaigns get a message in this month.
    pub const fn campaign_rules(&self, month: NaiveDate) -> CampaignRules<'_> {
        CampaignRules {
            month,
            monthly_cap: self.monthly_cap,
            countries: &self.countries,
        }
    }
}

/// The state of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmsStatus {
    /// The numbers of open messages.
    pub open: OpenMessages,
    /// Messages that wait for the hours of their recipients.
    pub put_off: PutOff,
    /// Why sending is halted, if it is.
    pub halt: Option<Halt>,
    /// The end of the night in the site's time zone, during it.
    pub quiet_until: Option<DateTime<Utc>>,
    /// The texts of today, in UTC, that count toward the day's budget.
    pub texts_today: u32,
    /// What waits until tomorrow, because the budget is used up.
    pub over_budget: Option<OverBudget>,
}

/// The state of sending.
pub fn sms_status<S>(store: &S, clock: &dyn Clock, rules: &SmsRules) -> Result<SmsStatus, StoreError>
where
    S: UnitOfWork<Tx: Outbox + Dispatching + DailyCounts>,
{
    let now = clock.now();
    let night = rules.hours.as_ref().and_then(|hours| hours.wait_at_site(now));
    store.read(|tx| {
        let texts_today = tx.texts_on(now.date_naive())?;
        Ok(SmsStatus {
            texts_today,
            over_budget: rules.daily_budget.over(texts_today),
            open: tx.count_open_messages()?,
            put_off: tx.count_put_off(now)?,
            halt: tx.halt()?,
            quiet_until: night.map(|wait| wait.until),
        })
    })
}
