//! Campaigns, as staff plan and follow them: D20, D25.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{Clock, Entropy, IdempotencyKey, PageRequest, StoreError, UniqueKey, UnitOfWork};
use sms::{
    Audience, AudienceSize, Campaign, CampaignFigures, CampaignId, CampaignReport, CampaignSecret, Campaigns,
    Dispatching, ExportedMessage, Halt, Label, LinkBase, MessageId, NewCampaign, OpenMessages, Outbox,
    Segments, Template, TemplateId, Templates, TrackingId, month_of, segments,
};
use staff::{Action, Actor, AuditLog, Detail, NewAuditEntry};

/// Staff want a campaign.
#[derive(Debug, Clone)]
pub struct ScheduleCommand {
    /// Who wants it.
    pub actor: Actor,
    /// What it is called.
    pub name: Label,
    /// What it is to say.
    pub template: TemplateId,
    /// When it is to begin; in the past means now.
    pub scheduled_at: DateTime<Utc>,
    /// Whom it is for.
    pub audience: Audience,
    /// Where its links begin.
    pub link_base: LinkBase,
    /// The client's name for this wish.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why a campaign was not scheduled or called off.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// There is no such template, or it is not active.
    #[error("unknown template")]
    UnknownTemplate,
    /// There is no such campaign.
    #[error("unknown campaign")]
    UnknownCampaign,
    /// It has begun, or was called off before.
    #[error("the campaign is not pending")]
    NotPending,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Schedules a campaign. A key that one was scheduled by already answers that one again.
///
/// # Errors
/// [`CampaignError::UnknownTemplate`].
pub fn schedule<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    command: &ScheduleCommand,
) -> Result<Campaign, CampaignError>
where
    S: UnitOfWork<Tx: Campaigns + Templates + AuditLog>,
{
    let mut secret = [0; 32];
    entropy.fill(&mut secret);
    let new = NewCampaign {
        name: command.name.clone(),
        template: command.template,
        scheduled_at: command.scheduled_at,
        audience: command.audience.clone(),
        link_base: command.link_base.clone(),
        secret: CampaignSecret::new(secret),
        idempotency_key: command.idempotency_key.clone(),
        at: clock.now(),
    };
    match add_campaign(store, command, &new) {
        // Somebody was faster with the same key, just now.
        Err(CampaignError::Store(StoreError::Duplicate(UniqueKey::CampaignKey))) => {
            add_campaign(store, command, &new)
        }
        done => done,
    }
}

fn add_campaign<S>(store: &S, command: &ScheduleCommand, new: &NewCampaign) -> Result<Campaign, CampaignError>
where
    S: UnitOfWork<Tx: Campaigns + Templates + AuditLog>,
{
    store.transaction(|tx| {
        if let Some(key) = &new.idempotency_key
            && let Some(campaign) = tx.find_campaign_by_key(key)?
        {
            return Ok(campaign);
        }
        active_template(tx, new.template)?;
        let id = tx.add_campaign(new)?;
        tx.record_audit(&audit_entry(
            command.actor,
            Action::ScheduleCampaign,
            id,
            &new.name,
            new.at,
        ))?;
        tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)
    })
}

fn active_template(tx: &impl Templates, id: TemplateId) -> Result<Template, CampaignError> {
    tx.find_template(id)?
        .filter(|template| template.content.is_active)
        .ok_or(CampaignError::UnknownTemplate)
}

/// Calls a campaign off before it begins.
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
        let cancelled = tx.cancel_campaign(id)?;
        let campaign = tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        if !cancelled {
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
    NewAuditEntry {
        actor,
        action,
        target: Some(id.to_string()),
        details: vec![("name", Detail::Text(name.as_str().to_owned()))],
        at,
    }
}

/// What a campaign would come to, if it began now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// Whom it would reach.
    pub audience: AudienceSize,
    /// What one of them would read.
    pub sample: String,
    /// In how many parts it is sent.
    pub segments: Segments,
}

/// What a campaign would come to, if it began now.
///
/// # Errors
/// [`CampaignError::UnknownTemplate`].
pub fn estimate<S>(
    store: &S,
    clock: &dyn Clock,
    rules: &SmsRules,
    template: TemplateId,
    audience: &Audience,
    link_base: &LinkBase,
) -> Result<Estimate, CampaignError>
where
    S: UnitOfWork<Tx: Campaigns + Templates>,
{
    let month = month_of(clock.now(), &rules.time_zone);
    // Counting a million takes more than a read is given otherwise.
    store.snapshot(|tx| {
        let template = active_template(tx, template)?.content;
        let example = kernel::Phone::from_e164("+15550100").ok_or(StoreError::Conflict)?;
        let link = TrackingId::derive(template.raffle, &CampaignSecret::new([0; 32]), &example)
            .link(link_base.as_str());
        let sample = template.message.with_link(&link);
        Ok(Estimate {
            audience: tx.audience_size(audience, month, rules.monthly_cap)?,
            segments: segments(&sample),
            sample,
        })
    })
}

/// A part of a list of campaigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignList {
    /// Newest first.
    pub campaigns: Vec<Campaign>,
    /// How many there are in all.
    pub total: i64,
}

/// Campaigns, newest first.
pub fn list<S>(store: &S, page: PageRequest) -> Result<CampaignList, StoreError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.snapshot(|tx| {
        Ok(CampaignList {
            campaigns: tx.list_campaigns(page)?,
            total: tx.count_campaigns()?,
        })
    })
}

/// A campaign, and what has become of its texts by reason.
///
/// # Errors
/// [`CampaignError::UnknownCampaign`].
pub fn find<S>(store: &S, id: CampaignId) -> Result<(Campaign, CampaignReport), CampaignError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.snapshot(|tx| {
        let campaign = tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        Ok((campaign, tx.report_campaign(id)?))
    })
}

/// Texts of a campaign after this one, in order; none when it has no more.
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

/// The figures of all campaigns together.
pub fn figures<S>(store: &S) -> Result<CampaignFigures, StoreError>
where
    S: UnitOfWork<Tx: Campaigns>,
{
    store.read(|tx| tx.sum_campaigns())
}

/// What holds for all texts of the site.
#[derive(Debug, Clone)]
pub struct SmsRules {
    /// The site's origin, as visitors and the provider see it.
    pub public_origin: String,
    /// In which months begin and nights are.
    pub time_zone: Tz,
    /// When no text is sent.
    pub quiet_hours: Option<sms::QuietHours>,
    /// Campaign texts a number may get in a calendar month.
    pub monthly_cap: u32,
}

/// How sending goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmsStatus {
    /// Texts on their way.
    pub open: OpenMessages,
    /// Why nothing is sent.
    pub halt: Option<Halt>,
    /// Until when it is quiet, if it is.
    pub quiet_until: Option<DateTime<Utc>>,
}

/// How sending goes.
pub fn sms_status<S>(store: &S, clock: &dyn Clock, rules: &SmsRules) -> Result<SmsStatus, StoreError>
where
    S: UnitOfWork<Tx: Outbox + Dispatching>,
{
    let quiet = rules.quiet_hours;
    let quiet_until = quiet.and_then(|quiet| quiet.quiet_until(clock.now(), &rules.time_zone));
    store.read(|tx| {
        Ok(SmsStatus {
            open: tx.count_open_messages()?,
            halt: tx.halt()?,
            quiet_until,
        })
    })
}
