use crate::mem_store::{MemTx, State, next_id};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{EntrantId, IdempotencyKey, PageRequest, Phone, Raffle, StoreError, UniqueKey};
use sms::{
    Audience, AudienceSize, Campaign, CampaignDispatching, CampaignFigures, CampaignId, CampaignReport,
    CampaignStatus, Campaigns, Claim, ClaimedMessage, Clicks, Delivery, DeliveryReport, Dispatching,
    ExportedMessage, Fence, Fenced, Halt, Message, MessageId, MessageKind, MessageStatus, NewCampaign,
    NewCampaignMessage, NewClick, NewMessage, NewTemplate, OpenMessages, OptOuts, Outbox, Outcome,
    ProviderMessage, Recipient, SendingCampaign, SkipReason, SmsClearing, SmsCounts, SmsSettings, Tally,
    Template, TemplateId, Templates, TrackedMessage, TrackingId, UncertainMessage, WelcomeMessage,
    WelcomeTemplate, WelcomeTemplates, WelcomeWindow,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What the store keeps about texts. Numbers are never given twice, so they are counted apart.
#[derive(Clone, Default)]
pub(crate) struct SmsState {
    templates: Vec<Template>,
    templates_made: usize,
    campaigns: Vec<StoredCampaign>,
    campaigns_made: usize,
    texts: BTreeMap<MessageId, StoredMessage>,
    texts_made: usize,
    clicks: BTreeMap<TrackingId, Click>,
    welcomes: BTreeMap<Raffle, WelcomeTemplate>,
    opted_out: HashMap<Phone, bool>,
    inbound: BTreeSet<String>,
    monthly: HashMap<(Phone, NaiveDate), u32>,
    dispatcher: Dispatcher,
    credentials: Option<Vec<u8>>,
}

#[derive(Clone, Default)]
struct Dispatcher {
    owner: Option<String>,
    fence: i64,
    expires_at: Option<DateTime<Utc>>,
    halt: Option<Halt>,
    welcomes: Option<WelcomeWindow>,
}

impl Dispatcher {
    fn is(&self, fence: Fence) -> bool {
        self.fence == fence.get()
    }
}

#[derive(Clone)]
struct StoredCampaign {
    id: CampaignId,
    plan: NewCampaign,
    status: CampaignStatus,
    sending: Option<SendingCampaign>,
    /// Those who have no text yet, the last one first.
    recipients: Vec<Phone>,
    figures: CampaignFigures,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

#[derive(Clone)]
struct StoredMessage {
    text: Message,
    campaign: Option<CampaignId>,
    tracking: Option<(TrackingId, String)>,
    attempt: u32,
    due_at: DateTime<Utc>,
}

#[derive(Clone)]
struct Click {
    at: DateTime<Utc>,
    cta_at: Option<DateTime<Utc>>,
}

impl StoredMessage {
    fn delivery(&self) -> Delivery {
        let Message {
            status,
            reason,
            provider_id,
            sent_at,
            content,
            ..
        } = self.text.clone();
        Delivery {
            status,
            attempt: self.attempt,
            reason,
            provider_id,
            queued_at: content.at,
            due_at: self.due_at,
            sent_at,
        }
    }

    fn save(&mut self, delivery: Delivery) {
        self.attempt = delivery.attempt;
        self.due_at = delivery.due_at;
        self.text.status = delivery.status;
        self.text.reason = delivery.reason;
        self.text.provider_id = delivery.provider_id;
        self.text.sent_at = delivery.sent_at;
    }
}

impl SmsState {
    fn campaign(&mut self, id: CampaignId) -> Option<&mut StoredCampaign> {
        self.campaigns.iter_mut().find(|campaign| campaign.id == id)
    }

    fn has_opted_out(&self, phone: &Phone) -> bool {
        self.opted_out.get(phone).copied().unwrap_or(false)
    }

    /// Changes a message's delivery and its campaign's figures. Whether anything changed.
    fn change(&mut self, id: MessageId, change: impl FnOnce(&mut Delivery) -> Option<Tally>) -> bool {
        let Some(stored) = self.texts.get_mut(&id) else {
            return false;
        };
        let mut delivery = stored.delivery();
        let Some(tally) = change(&mut delivery) else {
            return false;
        };
        stored.save(delivery);
        let campaign = stored.campaign;
        if let Some(campaign) = campaign.and_then(|id| self.campaign(id)) {
            campaign.count(tally);
        }
        true
    }

    fn in_order(&self, which: impl Fn(&StoredMessage) -> bool) -> Vec<StoredMessage> {
        let mut texts: Vec<_> = self.texts.values().filter(|text| which(text)).cloned().collect();
        texts.sort_by_key(|stored| (stored.due_at, stored.text.id));
        texts
    }

    fn count(&self, which: impl Fn(&StoredMessage) -> bool) -> i64 {
        number(self.texts.values().filter(|text| which(text)).count())
    }

    fn shown(&self, stored: &StoredCampaign) -> Campaign {
        let template = self
            .templates
            .iter()
            .find(|template| template.id == stored.plan.template);
        let mut plan = stored.plan.clone();
        let mut custom_number_count = 0;
        if let Audience::Custom(phones) = &mut plan.audience {
            custom_number_count = number(phones.len());
            phones.truncate(Campaign::LISTED_NUMBERS);
        }
        Campaign {
            id: stored.id,
            plan,
            template_name: template
                .map(|template| template.content.name.as_str().to_owned())
                .unwrap_or_default(),
            custom_number_count,
            status: stored.status,
            figures: stored.figures,
            started_at: stored.started_at,
            ended_at: stored.ended_at,
        }
    }
}

impl StoredCampaign {
    fn count(&mut self, tally: Tally) {
        self.figures.sent += tally.sent;
        self.figures.delivered += tally.delivered;
        self.figures.failed += tally.failed;
        self.figures.skipped += tally.skipped;
    }
}

impl State {
    fn entrant_at(&self, phone: &Phone) -> Option<(EntrantId, Raffle)> {
        let mut entrants = self.entrants.iter();
        let entrant = entrants.find(|entrant| entrant.phone == *phone)?;
        Some((entrant.id, entrant.raffle))
    }

    /// Why somebody is not to be sent a text, besides the cap.
    fn why_not(&self, phone: &Phone, entrant: Option<EntrantId>, is_of_entrants: bool) -> Option<SkipReason> {
        if self.sms.has_opted_out(phone) {
            return Some(SkipReason::OptedOut);
        }
        if !is_of_entrants {
            return None;
        }
        if entrant.is_some_and(|id| self.analytics.flags.contains_key(&id)) {
            return Some(SkipReason::Flagged);
        }
        let consents = entrant.is_some_and(|id| self.has_campaign_consent(id));
        (!consents).then_some(SkipReason::NoConsent)
    }

    /// The numbers that a campaign beginning now would be for.
    fn audience(&self, audience: &Audience) -> Vec<Phone> {
        let mut phones: Vec<Phone> = match audience {
            Audience::Custom(phones) => phones.clone(),
            Audience::All | Audience::Raffle(_) => self
                .entrants
                .iter()
                .filter(|entrant| audience.raffle().is_none_or(|page| page == entrant.raffle))
                .filter(|entrant| self.why_not(&entrant.phone, Some(entrant.id), true).is_none())
                .map(|entrant| entrant.phone.clone())
                .collect(),
        };
        phones.sort();
        phones.dedup();
        phones
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Reasons and how often each, most first, then by name.
fn tallied<R: Copy + Ord, N: Ord>(reasons: impl Iterator<Item = R>, name: impl Fn(R) -> N) -> Vec<(R, i64)> {
    let mut counts: BTreeMap<R, i64> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(reason, count)| (Reverse(*count), name(*reason)));
    counts
}

impl Outbox for MemTx {
    fn queue_message(&mut self, text: &NewMessage) -> Result<MessageId, StoreError> {
        let sms = &mut self.0.sms;
        let id = MessageId::new(next_id(sms.texts_made));
        sms.texts_made += 1;
        let stored = StoredMessage {
            text: Message {
                id,
                content: text.clone(),
                status: MessageStatus::Pending,
                reason: None,
                provider_id: None,
                sent_at: None,
            },
            campaign: None,
            tracking: None,
            attempt: 0,
            due_at: text.at,
        };
        sms.texts.insert(id, stored);
        Ok(id)
    }

    fn find_message(&self, id: MessageId) -> Result<Option<Message>, StoreError> {
        Ok(self.0.sms.texts.get(&id).map(|stored| stored.text.clone()))
    }

    fn list_messages_to(&self, entrant: EntrantId) -> Result<Vec<Message>, StoreError> {
        let texts = self.0.sms.texts.values().map(|stored| &stored.text);
        Ok(texts
            .filter(|text| text.content.entrant == Some(entrant))
            .cloned()
            .collect())
    }

    fn record_report(
        &mut self,
        id: MessageId,
        told: &ProviderMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.0.sms.change(id, |delivery| delivery.apply_report(told, at)))
    }

    fn count_open_messages(&self) -> Result<OpenMessages, StoreError> {
        let sms = &self.0.sms;
        let is_waiting = |status| matches!(status, MessageStatus::Pending | MessageStatus::Sending);
        let recipients = sms.campaigns.iter().map(|campaign| campaign.recipients.len());
        Ok(OpenMessages {
            waiting: sms.count(|stored| is_waiting(stored.text.status)) + number(recipients.sum()),
            unknown: sms.count(|stored| stored.text.status == MessageStatus::Unknown),
        })
    }
}

impl Dispatching for MemTx {
    fn acquire_lease(
        &mut self,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        look_up_at: DateTime<Utc>,
    ) -> Result<Option<Fence>, StoreError> {
        let sms = &mut self.0.sms;
        let held = sms.dispatcher.owner.is_some() && sms.dispatcher.expires_at.is_some_and(|end| end > now);
        if held && sms.dispatcher.owner.as_deref() != Some(owner) {
            return Ok(None);
        }
        sms.dispatcher.expires_at = Some(until);
        if held {
            return Ok(Some(Fence::new(sms.dispatcher.fence)));
        }
        sms.dispatcher.owner = Some(owner.to_owned());
        sms.dispatcher.fence += 1;
        sms.dispatcher.halt = None;
        for id in sms.texts.keys().copied().collect::<Vec<_>>() {
            sms.change(id, |delivery| delivery.lose_sender(look_up_at));
        }
        Ok(Some(Fence::new(sms.dispatcher.fence)))
    }

    fn release_lease(&mut self, fence: Fence, now: DateTime<Utc>) -> Result<(), StoreError> {
        let dispatcher = &mut self.0.sms.dispatcher;
        if dispatcher.is(fence) {
            dispatcher.owner = None;
            dispatcher.expires_at = Some(now);
        }
        Ok(())
    }

    fn claim_messages(&mut self, claim: &Claim) -> Result<Result<Vec<ClaimedMessage>, Fenced>, StoreError> {
        if !self.0.sms.dispatcher.is(claim.fence) {
            return Ok(Err(Fenced));
        }
        let window = claim.welcome_window(self.0.sms.dispatcher.welcomes);
        let quotas = claim.quotas(Some(window));
        let mut taken: HashMap<MessageKind, u32> = HashMap::new();
        let due = self
            .0
            .sms
            .in_order(|stored| stored.text.status == MessageStatus::Pending && stored.due_at <= claim.now);
        let due = due.into_iter().filter(|stored| {
            let taken = taken.entry(stored.text.content.kind).or_default();
            *taken += 1;
            *taken <= quotas.of(stored.text.content.kind)
        });
        let due: Vec<_> = due.take(claim.limit as usize).collect();
        let mut claimed = Vec::new();
        for stored in due {
            let id = stored.text.id;
            match self.why_not_now(&stored) {
                Some(reason) => drop(self.0.sms.change(id, |delivery| delivery.skip(reason))),
                None => {
                    self.0.sms.change(id, Delivery::claim);
                    claimed.push(self.claimed(&stored));
                }
            }
        }
        let welcomes = claimed
            .iter()
            .filter(|message| message.kind == MessageKind::Welcome);
        let welcomes = u32::try_from(welcomes.count()).unwrap_or(u32::MAX);
        self.0.sms.dispatcher.welcomes = Some(window.plus(welcomes));
        Ok(Ok(claimed))
    }

    fn write_bodies(&mut self, bodies: &[(MessageId, String)]) -> Result<(), StoreError> {
        for (id, body) in bodies {
            if let Some(stored) = self.0.sms.texts.get_mut(id)
                && stored.text.status == MessageStatus::Sending
            {
                stored.text.content.body = Some(body.clone());
            }
        }
        Ok(())
    }

    fn record_outcomes(&mut self, outcomes: &[Outcome], at: DateTime<Utc>) -> Result<(), StoreError> {
        let sms = &mut self.0.sms;
        for outcome in outcomes {
            let changed = sms.change(outcome.message, |delivery| delivery.apply_attempt(outcome, at));
            if changed && outcome.report == DeliveryReport::OptedOut {
                let stored = sms.texts.get(&outcome.message);
                let phone = stored.map(|stored| stored.text.content.phone.clone());
                sms.opted_out.extend(phone.map(|phone| (phone, true)));
            }
        }
        Ok(())
    }

    fn release_claims(&mut self, texts: &[(MessageId, u32)]) -> Result<(), StoreError> {
        for (id, attempt) in texts {
            self.0.sms.change(*id, |delivery| delivery.release(*attempt));
        }
        Ok(())
    }

    fn claim_uncertain(
        &mut self,
        fence: Fence,
        limit: u32,
        now: DateTime<Utc>,
        again_at: DateTime<Utc>,
    ) -> Result<Result<Vec<UncertainMessage>, Fenced>, StoreError> {
        let sms = &mut self.0.sms;
        if !sms.dispatcher.is(fence) {
            return Ok(Err(Fenced));
        }
        let in_doubt =
            sms.in_order(|stored| stored.text.status == MessageStatus::Unknown && stored.due_at <= now);
        let mut doubtful = Vec::new();
        for stored in in_doubt.into_iter().take(limit as usize) {
            let link = stored.tracking.map(|(_, url)| url);
            let needle = link.or(stored.text.content.body);
            sms.change(stored.text.id, |delivery| {
                delivery.look_up(needle.is_some(), again_at)
            });
            doubtful.extend(needle.map(|needle| UncertainMessage {
                id: stored.text.id,
                attempt: stored.attempt,
                phone: stored.text.content.phone,
                needle,
                queued_at: stored.text.content.at,
            }));
        }
        Ok(Ok(doubtful))
    }

    fn record_halt(&mut self, fence: Fence, halt: Halt) -> Result<bool, StoreError> {
        let dispatcher = &mut self.0.sms.dispatcher;
        let is_current = dispatcher.is(fence);
        if is_current {
            dispatcher.halt = Some(halt);
        }
        Ok(is_current)
    }

    fn clear_halt(&mut self) -> Result<(), StoreError> {
        self.0.sms.dispatcher.halt = None;
        Ok(())
    }

    fn halt(&self) -> Result<Option<Halt>, StoreError> {
        Ok(self.0.sms.dispatcher.halt)
    }
}

impl MemTx {
    fn why_not_now(&self, stored: &StoredMessage) -> Option<SkipReason> {
        let campaigns = &self.0.sms.campaigns;
        let campaign = campaigns
            .iter()
            .find(|campaign| Some(campaign.id) == stored.campaign);
        let is_of_entrants = campaign.is_some_and(|campaign| campaign.plan.audience.is_of_entrants());
        let content = &stored.text.content;
        self.0.why_not(&content.phone, content.entrant, is_of_entrants)
    }

    fn claimed(&self, stored: &StoredMessage) -> ClaimedMessage {
        let content = &stored.text.content;
        let entrant = self
            .0
            .entrants
            .iter()
            .find(|entrant| Some(entrant.id) == content.entrant);
        let welcome = entrant
            .filter(|_| content.kind == MessageKind::Welcome)
            .map(|entrant| (entrant.raffle, entrant.referral_code.clone()));
        ClaimedMessage {
            id: stored.text.id,
            kind: content.kind,
            phone: content.phone.clone(),
            body: content.body.clone(),
            welcome,
            attempt: stored.attempt + 1,
        }
    }

    fn begin(&mut self, id: CampaignId, now: DateTime<Utc>) {
        let Some(plan) = self.0.sms.campaign(id).map(|campaign| campaign.plan.clone()) else {
            return;
        };
        let mut recipients = self.0.audience(&plan.audience);
        recipients.reverse();
        let templates = self.0.sms.templates.clone();
        let template = templates.iter().find(|template| template.id == plan.template);
        let Some((campaign, template)) = self.0.sms.campaign(id).zip(template) else {
            return;
        };
        campaign.sending = Some(SendingCampaign {
            id,
            message: template.content.message.clone(),
            raffle: template.content.raffle,
            link_base: plan.link_base,
            secret: plan.secret,
        });
        campaign.status = CampaignStatus::Sending;
        campaign.started_at = Some(now);
        campaign.figures.recipients = number(recipients.len());
        campaign.recipients = recipients;
    }

    /// Counts one more text of the month, if there may be one.
    fn count_in_month(&mut self, phone: &Phone, month: NaiveDate, cap: u32) -> bool {
        let texts = self.0.sms.monthly.entry((phone.clone(), month)).or_default();
        let may = *texts < cap;
        *texts += u32::from(may);
        may
    }
}

impl CampaignDispatching for MemTx {
    fn start_due_campaigns(
        &mut self,
        fence: Fence,
        now: DateTime<Utc>,
    ) -> Result<Result<Vec<CampaignId>, Fenced>, StoreError> {
        let sms = &self.0.sms;
        if !sms.dispatcher.is(fence) {
            return Ok(Err(Fenced));
        }
        let due = sms.campaigns.iter().filter(|campaign| {
            campaign.status == CampaignStatus::Pending && campaign.plan.scheduled_at <= now
        });
        let mut due: Vec<_> = due
            .map(|campaign| (campaign.plan.scheduled_at, campaign.id))
            .collect();
        due.sort();
        let due: Vec<_> = due.into_iter().map(|(_, id)| id).collect();
        for id in &due {
            self.begin(*id, now);
        }
        Ok(Ok(due))
    }

    fn next_campaign(&self) -> Result<Option<SendingCampaign>, StoreError> {
        let campaigns = self.0.sms.campaigns.iter();
        let left = campaigns.filter(|campaign| !campaign.recipients.is_empty());
        let earliest =
            left.min_by_key(|campaign| (campaign.started_at, campaign.plan.scheduled_at, campaign.id));
        Ok(earliest.and_then(|campaign| campaign.sending.clone()))
    }

    fn take_recipients(
        &mut self,
        fence: Fence,
        campaign: CampaignId,
        limit: u32,
        month: NaiveDate,
        monthly_cap: u32,
    ) -> Result<Result<Vec<Recipient>, Fenced>, StoreError> {
        if !self.0.sms.dispatcher.is(fence) {
            return Ok(Err(Fenced));
        }
        let Some(sending) = self.0.sms.campaign(campaign) else {
            return Ok(Ok(Vec::new()));
        };
        let is_of_entrants = sending.plan.audience.is_of_entrants();
        let left = sending.recipients.len().saturating_sub(limit as usize);
        let taken = sending.recipients.split_off(left);
        let mut recipients = Vec::with_capacity(taken.len());
        for phone in taken.into_iter().rev() {
            let entrant = self.0.entrant_at(&phone);
            let mut skip = self.0.why_not(&phone, entrant.map(|(id, _)| id), is_of_entrants);
            if skip.is_none() && is_of_entrants && !self.count_in_month(&phone, month, monthly_cap) {
                skip = Some(SkipReason::MonthlyCap);
            }
            recipients.push(Recipient {
                phone,
                entrant: entrant.map(|(id, _)| id),
                raffle: entrant.map(|(_, raffle)| raffle),
                skip,
            });
        }
        Ok(Ok(recipients))
    }

    fn add_campaign_messages(
        &mut self,
        _: Fence,
        campaign: CampaignId,
        texts: &[NewCampaignMessage],
        at: DateTime<Utc>,
    ) -> Result<Vec<MessageId>, StoreError> {
        let mut ids = Vec::with_capacity(texts.len());
        for new in texts {
            let is_sent = new.recipient.skip.is_none();
            let id = self.queue_message(&NewMessage {
                kind: MessageKind::Campaign,
                entrant: new.recipient.entrant,
                phone: new.recipient.phone.clone(),
                body: is_sent.then(|| new.body.clone()),
                at,
            })?;
            if let Some(stored) = self.0.sms.texts.get_mut(&id) {
                stored.campaign = Some(campaign);
                stored.tracking = is_sent.then(|| (new.tracking_id.clone(), new.tracking_url.clone()));
            }
            self.0.sms.change(id, |delivery| match new.recipient.skip {
                None => delivery.claim(),
                Some(reason) => delivery.skip(reason),
            });
            ids.push(id);
        }
        Ok(ids)
    }

    fn finish_campaigns(&mut self, at: DateTime<Utc>) -> Result<Vec<CampaignId>, StoreError> {
        let sms = &mut self.0.sms;
        let on_their_way = sms.texts.values().filter(|stored| stored.text.status.is_open());
        let busy: BTreeSet<_> = on_their_way.filter_map(|stored| stored.campaign).collect();
        let mut ended = Vec::new();
        for campaign in &mut sms.campaigns {
            let is_over = campaign.recipients.is_empty() && !busy.contains(&campaign.id);
            if campaign.status == CampaignStatus::Sending && is_over {
                campaign.status = CampaignStatus::at_the_end(&campaign.figures);
                campaign.ended_at = Some(at);
                ended.push(campaign.id);
            }
        }
        Ok(ended)
    }
}

impl Templates for MemTx {
    fn add_template(&mut self, new: &NewTemplate, at: DateTime<Utc>) -> Result<TemplateId, StoreError> {
        let sms = &mut self.0.sms;
        let id = TemplateId::new(next_id(sms.templates_made));
        sms.templates_made += 1;
        sms.templates.push(Template {
            id,
            content: new.clone(),
            created_at: at,
            updated_at: at,
        });
        Ok(id)
    }

    fn change_template(
        &mut self,
        id: TemplateId,
        new: &NewTemplate,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut templates = self.0.sms.templates.iter_mut();
        let Some(template) = templates.find(|template| template.id == id) else {
            return Ok(false);
        };
        template.content = new.clone();
        template.updated_at = at;
        Ok(true)
    }

    fn find_template(&self, id: TemplateId) -> Result<Option<Template>, StoreError> {
        let mut templates = self.0.sms.templates.iter();
        Ok(templates.find(|template| template.id == id).cloned())
    }

    fn list_templates(&self) -> Result<Vec<Template>, StoreError> {
        Ok(self.0.sms.templates.iter().rev().cloned().collect())
    }
}

impl WelcomeTemplates for MemTx {
    fn add_welcome(
        &mut self,
        raffle: Raffle,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let welcomes = &mut self.0.sms.welcomes;
        let is_new = !welcomes.contains_key(&raffle);
        welcomes.entry(raffle).or_insert_with(|| WelcomeTemplate {
            raffle,
            message: message.clone(),
            created_at: at,
            updated_at: at,
        });
        Ok(is_new)
    }

    fn change_welcome(
        &mut self,
        raffle: Raffle,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let Some(welcome) = self.0.sms.welcomes.get_mut(&raffle) else {
            return Ok(false);
        };
        welcome.message = message.clone();
        welcome.updated_at = at;
        Ok(true)
    }

    fn delete_welcome(&mut self, raffle: Raffle) -> Result<bool, StoreError> {
        Ok(self.0.sms.welcomes.remove(&raffle).is_some())
    }

    fn list_welcomes(&self) -> Result<Vec<WelcomeTemplate>, StoreError> {
        Ok(self.0.sms.welcomes.values().cloned().collect())
    }
}

impl Campaigns for MemTx {
    fn add_campaign(&mut self, new: &NewCampaign) -> Result<CampaignId, StoreError> {
        if let Some(key) = &new.idempotency_key
            && self.find_campaign_by_key(key)?.is_some()
        {
            return Err(StoreError::Duplicate(UniqueKey::CampaignKey));
        }
        let sms = &mut self.0.sms;
        let id = CampaignId::new(next_id(sms.campaigns_made));
        sms.campaigns_made += 1;
        sms.campaigns.push(StoredCampaign {
            id,
            plan: new.clone(),
            status: CampaignStatus::Pending,
            sending: None,
            recipients: Vec::new(),
            figures: CampaignFigures::default(),
            started_at: None,
            ended_at: None,
        });
        Ok(id)
    }

    fn find_campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError> {
        let sms = &self.0.sms;
        let found = sms.campaigns.iter().find(|campaign| campaign.id == id);
        Ok(found.map(|campaign| sms.shown(campaign)))
    }

    fn find_campaign_by_key(&self, key: &IdempotencyKey) -> Result<Option<Campaign>, StoreError> {
        let sms = &self.0.sms;
        let found = sms
            .campaigns
            .iter()
            .find(|campaign| campaign.plan.idempotency_key.as_ref() == Some(key));
        Ok(found.map(|campaign| sms.shown(campaign)))
    }

    fn list_campaigns(&self, page: PageRequest) -> Result<Vec<Campaign>, StoreError> {
        let sms = &self.0.sms;
        let newest_first = sms.campaigns.iter().rev();
        let part = newest_first.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.map(|campaign| sms.shown(campaign)).collect())
    }

    fn count_campaigns(&self) -> Result<i64, StoreError> {
        Ok(number(self.0.sms.campaigns.len()))
    }

    fn cancel_campaign(&mut self, id: CampaignId) -> Result<bool, StoreError> {
        let campaign = self.0.sms.campaign(id);
        let pending = campaign.filter(|campaign| campaign.status == CampaignStatus::Pending);
        Ok(pending
            .map(|campaign| campaign.status = CampaignStatus::Cancelled)
            .is_some())
    }

    fn audience_size(
        &self,
        audience: &Audience,
        month: NaiveDate,
        monthly_cap: u32,
    ) -> Result<AudienceSize, StoreError> {
        let sms = &self.0.sms;
        let mut recipients = self.0.audience(audience);
        recipients.retain(|phone| !sms.has_opted_out(phone));
        let texts = |phone: &Phone| sms.monthly.get(&(phone.clone(), month)).copied();
        let over_cap = recipients
            .iter()
            .filter(|phone| audience.is_of_entrants() && texts(phone).unwrap_or(0) >= monthly_cap);
        Ok(AudienceSize {
            recipients: number(recipients.len()),
            over_cap: number(over_cap.count()),
        })
    }

    fn report_campaign(&self, id: CampaignId) -> Result<CampaignReport, StoreError> {
        let sms = &self.0.sms;
        let campaign = sms.campaigns.iter().find(|campaign| campaign.id == id);
        let left = campaign.map_or(0, |campaign| campaign.recipients.len());
        let own = || sms.texts.values().filter(|stored| stored.campaign == Some(id));
        let with_status = |wanted: &'static [MessageStatus]| {
            own()
                .map(|stored| &stored.text)
                .filter(|text| wanted.contains(&text.status))
        };
        let failed = with_status(&[MessageStatus::Failed, MessageStatus::Undelivered])
            .map(|text| text.reason.as_deref().unwrap_or_default());
        let failed = tallied(failed, |reason| reason);
        let skipped = with_status(&[MessageStatus::Skipped])
            .filter_map(|text| text.reason.as_deref()?.parse().ok())
            .map(SkipReason::as_str);
        let skipped = tallied(skipped, |name| name).into_iter();
        Ok(CampaignReport {
            waiting: number(left + with_status(&[MessageStatus::Pending, MessageStatus::Sending]).count()),
            unknown: number(with_status(&[MessageStatus::Unknown]).count()),
            failed: failed
                .into_iter()
                .map(|(reason, count)| (reason.to_owned(), count))
                .collect(),
            skipped: skipped
                .filter_map(|(name, count)| Some((name.parse().ok()?, count)))
                .collect(),
        })
    }

    fn export_messages(
        &self,
        id: CampaignId,
        after: MessageId,
        limit: u32,
    ) -> Result<Vec<ExportedMessage>, StoreError> {
        let sms = &self.0.sms;
        let own = sms
            .texts
            .values()
            .filter(|stored| stored.campaign == Some(id) && stored.text.id > after);
        let exported = own.take(limit as usize).map(|stored| {
            let tracking_id = stored.tracking.as_ref().map(|(id, _)| id);
            let click = tracking_id.and_then(|id| sms.clicks.get(id));
            ExportedMessage {
                id: stored.text.id,
                phone: stored.text.content.phone.clone(),
                status: stored.text.status,
                reason: stored.text.reason.clone(),
                sent_at: stored.text.sent_at,
                clicked_at: click.map(|click| click.at),
                cta_clicked_at: click.and_then(|click| click.cta_at),
                tracking_id: tracking_id.cloned(),
            }
        });
        Ok(exported.collect())
    }

    fn sum_campaigns(&self) -> Result<CampaignFigures, StoreError> {
        let mut sum = CampaignFigures::default();
        for CampaignFigures {
            recipients,
            sent,
            delivered,
            failed,
            skipped,
            clicked,
            cta_clicked,
        } in self.0.sms.campaigns.iter().map(|campaign| campaign.figures)
        {
            sum.recipients += recipients;
            sum.sent += sent;
            sum.delivered += delivered;
            sum.failed += failed;
            sum.skipped += skipped;
            sum.clicked += clicked;
            sum.cta_clicked += cta_clicked;
        }
        Ok(sum)
    }
}

impl Clicks for MemTx {
    fn record_click(&mut self, click: &NewClick) -> Result<Option<TrackedMessage>, StoreError> {
        let tracked = self.0.sms.texts.values().find(|stored| {
            stored
                .tracking
                .as_ref()
                .is_some_and(|(id, _)| *id == click.tracking_id)
        });
        let Some((text, id)) = tracked.and_then(|stored| Some((&stored.text, stored.campaign?))) else {
            return Ok(None);
        };
        let (entrant, phone) = (text.content.entrant, text.content.phone.clone());
        let theirs = entrant.and_then(|_| self.0.entrant_at(&phone));
        let earlier = self.0.sms.clicks.get(&click.tracking_id).cloned();
        let cta_before = earlier.as_ref().is_some_and(|click| click.cta_at.is_some());
        let goes_on = click.cta && !cta_before;
        let Some(campaign) = self.0.sms.campaign(id) else {
            return Ok(None);
        };
        campaign.figures.clicked += i64::from(earlier.is_none());
        campaign.figures.cta_clicked += i64::from(goes_on);
        let of_campaign = campaign.sending.as_ref().map(|sending| sending.raffle);
        let raffle = theirs.map(|(_, page)| page).or(of_campaign);
        let mut noted = earlier.unwrap_or(Click {
            at: click.at,
            cta_at: None,
        });
        if goes_on {
            noted.cta_at = Some(click.at);
        }
        self.0.sms.clicks.insert(click.tracking_id.clone(), noted);
        Ok(raffle.map(|raffle| TrackedMessage { entrant, raffle }))
    }
}

impl OptOuts for MemTx {
    fn opt_out(&mut self, phone: &Phone, _: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.sms.opted_out.insert(phone.clone(), true);
        Ok(())
    }

    fn opt_in(&mut self, phone: &Phone, _: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.sms.opted_out.insert(phone.clone(), false);
        Ok(())
    }

    fn has_opted_out(&self, phone: &Phone) -> Result<bool, StoreError> {
        Ok(self.0.sms.has_opted_out(phone))
    }

    fn record_inbound(&mut self, provider_id: &str, _: DateTime<Utc>) -> Result<bool, StoreError> {
        Ok(self.0.sms.inbound.insert(provider_id.to_owned()))
    }
}

impl SmsSettings for MemTx {
    fn sealed_credentials(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.sms.credentials.clone())
    }

    fn save_sealed_credentials(&mut self, sealed: &[u8], _: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.sms.credentials = Some(sealed.to_vec());
        Ok(())
    }
}

impl SmsClearing for MemTx {
    fn count_sms(&self) -> Result<SmsCounts, StoreError> {
        let sms = &self.0.sms;
        Ok(SmsCounts {
            campaigns: number(sms.campaigns.len()),
            messages: sms.count(|stored| stored.campaign.is_some()),
            clicks: number(sms.clicks.len()),
            templates: number(sms.templates.len()),
        })
    }

    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError> {
        let counts = self.count_sms()?;
        let sms = &mut self.0.sms;
        sms.campaigns.clear();
        sms.clicks.clear();
        sms.texts.retain(|_, stored| stored.campaign.is_none());
        Ok(SmsCounts {
            templates: 0,
            ..counts
        })
    }

    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError> {
        let templates = number(self.0.sms.templates.len());
        let counts = self.clear_campaigns()?;
        self.0.sms.templates.clear();
        Ok(SmsCounts { templates, ..counts })
    }
}
