mod campaign_dispatching;
mod campaigns;
mod clearing;
mod dispatching;
mod evidence;
mod replies;
mod templates;

use crate::mem_store::{MemTx, State, next_id, storable};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{EntrantId, Phone, StoreError};
use people::TextLine;
use raffle::{Entrant, Raffle};
use sms::{
    AddressedEntrant, Addressee, Audience, Campaign, CampaignFigures, CampaignId, CampaignStatus, ConsentId,
    DailyCounts, Delivery, Fence, Halt, Message, MessageBody, MessageId, MessageStatus, NewCampaign,
    NewMessage, OpenMessages, OptOuts, Outbox, ProviderMessage, PutOff, SendingCampaign, SkipReason,
    SmsSettings, StoredConsent, Tally, Template, TrackingId, WelcomeTemplate, WelcomeWindow,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Messages and campaigns. Ids are never reused, so they are counted separately.
#[derive(Clone, Default)]
pub(crate) struct SmsState {
    templates: Vec<Template>,
    templates_made: usize,
    campaigns: Vec<StoredCampaign>,
    campaigns_made: usize,
    messages: BTreeMap<MessageId, StoredMessage>,
    messages_made: usize,
    clicks: BTreeMap<TrackingId, Click>,
    welcomes: BTreeMap<Raffle, WelcomeTemplate>,
    opted_out: HashMap<Phone, (bool, DateTime<Utc>)>,
    inbound: BTreeSet<String>,
    /// Texts of erased people.
    erased: BTreeSet<MessageId>,
    replies: Vec<replies::StoredReply>,
    replies_made: usize,
    monthly: HashMap<(Phone, NaiveDate), u32>,
    daily: BTreeMap<NaiveDate, u32>,
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
    /// Recipients without a message yet, in reverse order.
    recipients: Vec<Phone>,
    figures: CampaignFigures,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

#[derive(Clone)]
struct StoredMessage {
    message: Message,
    campaign: Option<CampaignId>,
    consent: Option<ConsentId>,
    tracking: Option<(TrackingId, String)>,
    attempt: u32,
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
        } = self.message.clone();
        Delivery {
            status,
            attempt: self.attempt,
            reason,
            provider_id,
            queued_at: content.at,
            due_at: self.message.due_at,
            sent_at,
        }
    }

    fn save(&mut self, delivery: Delivery) {
        self.attempt = delivery.attempt;
        self.message.due_at = delivery.due_at;
        self.message.status = delivery.status;
        let body = &mut self.message.content.body;
        *body = body
            .take()
            .filter(|body| delivery.status.is_open() || body.as_sealed().is_none());
        self.message.reason = delivery.reason;
        self.message.provider_id = delivery.provider_id;
        self.message.sent_at = delivery.sent_at;
    }
}

impl SmsState {
    fn campaign(&mut self, id: CampaignId) -> Option<&mut StoredCampaign> {
        self.campaigns.iter_mut().find(|campaign| campaign.id == id)
    }

    /// Texts to an entrant, the newest first.
    pub(crate) fn texts_to(&self, entrant: EntrantId) -> Vec<TextLine> {
        let known = self.known();
        let to_entrant = known.filter(|stored| stored.message.content.entrant == Some(entrant));
        let mut lines: Vec<_> = to_entrant.map(|stored| self.text_line(stored)).collect();
        lines.reverse();
        lines
    }

    fn text_line(&self, stored: &StoredMessage) -> TextLine {
        let message = &stored.message;
        let mut campaigns = self.campaigns.iter();
        let campaign = campaigns.find(|campaign| Some(campaign.id) == stored.campaign);
        let body = message.content.body.as_ref().and_then(MessageBody::as_clear);
        TextLine {
            id: message.id,
            kind: message.content.kind.as_str().to_owned(),
            campaign: campaign.map(|campaign| campaign.plan.name.as_str().to_owned()),
            status: message.status.as_str().to_owned(),
            body: body.map(str::to_owned),
            created_at: message.content.at,
            sent_at: message.sent_at,
        }
    }

    fn has_campaign(&self, id: CampaignId) -> bool {
        self.campaigns.iter().any(|campaign| campaign.id == id)
    }

    /// Erases what was sent to an entrant or a number, and the number in lists. Texts that are being sent are still known to
    /// the sender.
    pub(crate) fn erase(&mut self, entrant: EntrantId, phone: &Phone) {
        let of_person = |stored: &&StoredMessage| {
            let content = &stored.message.content;
            content.entrant == Some(entrant) || (content.entrant.is_none() && content.phone == *phone)
        };
        let texts: Vec<MessageId> = self
            .messages
            .values()
            .filter(of_person)
            .map(|text| text.message.id)
            .collect();
        for id in texts {
            self.change(id, |delivery| delivery.skip(SkipReason::NoConsent));
            self.erased.insert(id);
        }
        for campaign in &mut self.campaigns {
            campaign.leave(phone);
        }
        self.replies
            .retain(|stored| stored.reply.phone != *phone && stored.reply.entrant != Some(entrant));
        self.opted_out.remove(phone);
        self.monthly.retain(|(number, _), _| number != phone);
    }

    /// The texts that were not erased. Those of erased people are seen by the sender only.
    fn known(&self) -> impl Iterator<Item = &StoredMessage> {
        let messages = self.messages.values();
        messages.filter(|stored| stored.message.status.is_open() || !self.erased.contains(&stored.message.id))
    }

    pub(crate) fn messages_to(&self, entrant: EntrantId) -> Vec<Message> {
        let messages = self.known().map(|stored| stored.message.clone());
        messages
            .filter(|message| message.content.entrant == Some(entrant))
            .collect()
    }

    pub(crate) fn opted_out_at(&self, phone: &Phone) -> Option<DateTime<Utc>> {
        let (opted_out, at) = self.opted_out.get(phone)?;
        opted_out.then_some(*at)
    }

    pub(crate) fn recall_stop(&mut self, phone: &Phone, at: DateTime<Utc>) {
        self.opted_out.entry(phone.clone()).or_insert((true, at));
    }

    pub(crate) fn counts_of(&self, phone: &Phone) -> BTreeMap<NaiveDate, u32> {
        let own = self.monthly.iter().filter(|((number, _), _)| number == phone);
        own.map(|((_, month), texts)| (*month, *texts)).collect()
    }

    pub(crate) fn recall_counts(&mut self, phone: &Phone, counts: &BTreeMap<NaiveDate, u32>) {
        for (month, texts) in counts {
            let counted = self.monthly.entry((phone.clone(), *month)).or_default();
            *counted = (*counted).max(*texts);
        }
    }

    pub(crate) fn has_opted_out(&self, phone: &Phone) -> bool {
        self.opted_out.get(phone).is_some_and(|(opted_out, _)| *opted_out)
    }

    /// Changes a message's delivery state and its campaign's figures. Returns whether anything changed.
    fn change(&mut self, id: MessageId, change: impl FnOnce(&mut Delivery) -> Option<Tally>) -> bool {
        let Some(stored) = self.messages.get_mut(&id) else {
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
        let mut messages: Vec<_> = self
            .messages
            .values()
            .filter(|message| which(message))
            .cloned()
            .collect();
        messages.sort_by_key(|stored| (stored.message.due_at, stored.message.id));
        messages
    }

    fn count(&self, which: impl Fn(&StoredMessage) -> bool) -> i64 {
        number(self.messages.values().filter(|message| which(message)).count())
    }

    fn to_campaign(&self, stored: &StoredCampaign) -> Campaign {
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
    /// Takes a number out of the list, and of the recipients that have no text yet.
    fn leave(&mut self, phone: &Phone) {
        if let Audience::Custom(phones) = &mut self.plan.audience {
            phones.retain(|listed| listed != phone);
        }
        let before = self.recipients.len();
        self.recipients.retain(|recipient| recipient != phone);
        self.figures.recipients -= number(before - self.recipients.len());
    }

    fn count(&mut self, tally: Tally) {
        self.figures.sent += tally.sent;
        self.figures.delivered += tally.delivered;
        self.figures.failed += tally.failed;
        self.figures.skipped += tally.skipped;
    }
}

impl State {
    pub(crate) fn entrant_at(&self, phone: &Phone) -> Option<(EntrantId, Raffle)> {
        let mut entrants = self.entrants.iter();
        let entrant = entrants.find(|entrant| entrant.phone == *phone)?;
        Some((entrant.id, entrant.raffle))
    }

    /// To whom a campaign sends a message.
    pub(crate) fn addressee(&self, entrant: Option<EntrantId>, is_of_entrants: bool) -> Addressee {
        let entrant = entrant.map(|id| AddressedEntrant {
            is_flagged: self.fraud.flags.contains_key(&id),
            newest_answer: self.newest_consent(id).map(StoredConsent::answer),
        });
        Addressee {
            is_of_entrants,
            entrant,
        }
    }

    fn may_get_campaigns(&self, entrant: &Entrant) -> bool {
        let addressee = self.addressee(Some(entrant.id), true);
        !self.sms.has_opted_out(&entrant.phone) && addressee.skip().is_none()
    }

    /// The recipients of a campaign that starts now.
    fn audience(&self, audience: &Audience) -> Vec<Phone> {
        let mut phones: Vec<Phone> = match audience {
            Audience::Custom(phones) => phones.clone(),
            Audience::All | Audience::Raffle(_) => self
                .entrants
                .iter()
                .filter(|entrant| audience.raffle().is_none_or(|page| page == entrant.raffle))
                .filter(|entrant| self.may_get_campaigns(entrant))
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

impl Outbox for MemTx {
    fn queue_message(&mut self, message: &NewMessage) -> Result<MessageId, StoreError> {
        storable(message.body.as_ref().and_then(MessageBody::as_clear))?;
        if message.entrant.is_none() {
            self.0.recall_stop(&message.phone);
        }
        let sms = &mut self.0.sms;
        let id = MessageId::new(next_id(sms.messages_made));
        sms.messages_made += 1;
        let stored = StoredMessage {
            message: Message {
                id,
                content: message.clone(),
                status: MessageStatus::Pending,
                reason: None,
                provider_id: None,
                sent_at: None,
                due_at: message.at,
            },
            campaign: None,
            consent: None,
            tracking: None,
            attempt: 0,
        };
        sms.messages.insert(id, stored);
        Ok(id)
    }

    fn find_message(&self, id: MessageId) -> Result<Option<Message>, StoreError> {
        let mut known = self.0.sms.known();
        let found = known.find(|stored| stored.message.id == id);
        Ok(found.map(|stored| stored.message.clone()))
    }

    fn record_report(
        &mut self,
        id: MessageId,
        report: &ProviderMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self
            .0
            .sms
            .change(id, |delivery| delivery.apply_report(report, at)))
    }

    fn count_put_off(&self, now: DateTime<Utc>) -> Result<PutOff, StoreError> {
        let is_put_off = |stored: &StoredMessage| {
            let Message { status, due_at, .. } = stored.message;
            status == MessageStatus::Pending && stored.attempt == 0 && due_at > now
        };
        let put_off = self.0.sms.in_order(is_put_off);
        Ok(PutOff {
            messages: number(put_off.len()),
            next_at: put_off.first().map(|stored| stored.message.due_at),
        })
    }

    fn count_open_messages(&self) -> Result<OpenMessages, StoreError> {
        let sms = &self.0.sms;
        let is_waiting = |status| matches!(status, MessageStatus::Pending | MessageStatus::Sending);
        let recipients = sms.campaigns.iter().map(|campaign| campaign.recipients.len());
        Ok(OpenMessages {
            waiting: sms.count(|stored| is_waiting(stored.message.status)) + number(recipients.sum()),
            unknown: sms.count(|stored| stored.message.status == MessageStatus::Unknown),
        })
    }
}

impl OptOuts for MemTx {
    fn opt_out(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.sms.opted_out.insert(phone.clone(), (true, at));
        Ok(())
    }

    fn opt_in(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.sms.opted_out.insert(phone.clone(), (false, at));
        Ok(())
    }

    fn has_opted_out(&self, phone: &Phone) -> Result<bool, StoreError> {
        Ok(self.0.sms.has_opted_out(phone))
    }

    fn record_inbound(&mut self, provider_id: &str, _: DateTime<Utc>) -> Result<bool, StoreError> {
        storable([provider_id])?;
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

impl DailyCounts for MemTx {
    fn count_text(&mut self, at: DateTime<Utc>, most: u32) -> Result<bool, StoreError> {
        let texts = self.0.sms.daily.entry(at.date_naive()).or_default();
        let counts = *texts < most;
        *texts += u32::from(counts);
        Ok(counts)
    }

    fn count_texts(&mut self, at: DateTime<Utc>, texts: u32) -> Result<(), StoreError> {
        *self.0.sms.daily.entry(at.date_naive()).or_default() += texts;
        Ok(())
    }

    fn texts_on(&self, day: NaiveDate) -> Result<u32, StoreError> {
        Ok(self.0.sms.daily.get(&day).copied().unwrap_or_default())
    }
}
