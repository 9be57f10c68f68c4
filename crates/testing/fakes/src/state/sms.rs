//! What the store has of `sms`.

use super::State;
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{EntrantId, Phone};
use people::{ReplyLine, TextLine};
use raffle::{Entrant, RaffleKey};
use sms::{
    AddressedEntrant, Addressee, Audience, Campaign, CampaignFigures, CampaignId, CampaignStatus, ConsentId,
    Delivery, Fence, Halt, Message, MessageBody, MessageId, NewCampaign, Reply, SendingCampaign, SkipReason,
    SmsCounts, StoredConsent, Tally, Template, TrackingId, WelcomeTemplate, WelcomeWindow,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Messages and campaigns. Ids are never reused, so they are counted separately.
#[derive(Clone, Default)]
pub(crate) struct SmsState {
    pub(crate) templates: Vec<Template>,
    pub(crate) templates_made: usize,
    pub(crate) campaigns: Vec<StoredCampaign>,
    pub(crate) campaigns_made: usize,
    pub(crate) messages: BTreeMap<MessageId, StoredMessage>,
    pub(crate) messages_made: usize,
    pub(crate) clicks: BTreeMap<TrackingId, Click>,
    pub(crate) welcomes: BTreeMap<RaffleKey, WelcomeTemplate>,
    pub(crate) opted_out: HashMap<Phone, (bool, DateTime<Utc>)>,
    pub(crate) inbound: BTreeSet<String>,
    /// Texts of erased people.
    pub(crate) erased: BTreeSet<MessageId>,
    pub(crate) replies: Vec<StoredReply>,
    pub(crate) replies_made: usize,
    pub(crate) monthly: HashMap<(Phone, NaiveDate), u32>,
    pub(crate) daily: BTreeMap<NaiveDate, u32>,
    pub(crate) dispatcher: Dispatcher,
    pub(crate) credentials: Option<Vec<u8>>,
}

#[derive(Clone, Default)]
pub(crate) struct Dispatcher {
    pub(crate) owner: Option<String>,
    pub(crate) fence: i64,
    pub(crate) expires_at: Option<DateTime<Utc>>,
    pub(crate) halt: Option<Halt>,
    pub(crate) welcomes: Option<WelcomeWindow>,
}

impl Dispatcher {
    pub(crate) fn is(&self, fence: Fence) -> bool {
        self.fence == fence.get()
    }
}

#[derive(Clone)]
pub(crate) struct StoredCampaign {
    pub(crate) id: CampaignId,
    pub(crate) plan: NewCampaign,
    pub(crate) status: CampaignStatus,
    pub(crate) sending: Option<SendingCampaign>,
    /// Recipients without a message yet, in reverse order.
    pub(crate) recipients: Vec<Phone>,
    pub(crate) figures: CampaignFigures,
    pub(crate) started_at: Option<DateTime<Utc>>,
    pub(crate) ended_at: Option<DateTime<Utc>>,
}

#[derive(Clone)]
pub(crate) struct StoredMessage {
    pub(crate) message: Message,
    pub(crate) campaign: Option<CampaignId>,
    pub(crate) consent: Option<ConsentId>,
    pub(crate) tracking: Option<(TrackingId, String)>,
    pub(crate) attempt: u32,
}

#[derive(Clone)]
pub(crate) struct Click {
    pub(crate) at: DateTime<Utc>,
    pub(crate) cta_at: Option<DateTime<Utc>>,
}

impl StoredMessage {
    pub(crate) fn delivery(&self) -> Delivery {
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

    pub(crate) fn save(&mut self, delivery: Delivery) {
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
    pub(crate) fn campaign(&mut self, id: CampaignId) -> Option<&mut StoredCampaign> {
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

    pub(crate) fn text_line(&self, stored: &StoredMessage) -> TextLine {
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

    pub(crate) fn has_campaign(&self, id: CampaignId) -> bool {
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
    pub(crate) fn known(&self) -> impl Iterator<Item = &StoredMessage> {
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
    pub(crate) fn change(
        &mut self,
        id: MessageId,
        change: impl FnOnce(&mut Delivery) -> Option<Tally>,
    ) -> bool {
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

    pub(crate) fn in_order(&self, which: impl Fn(&StoredMessage) -> bool) -> Vec<StoredMessage> {
        let mut messages: Vec<_> = self
            .messages
            .values()
            .filter(|message| which(message))
            .cloned()
            .collect();
        messages.sort_by_key(|stored| (stored.message.due_at, stored.message.id));
        messages
    }

    pub(crate) fn count(&self, which: impl Fn(&StoredMessage) -> bool) -> i64 {
        number(self.messages.values().filter(|message| which(message)).count())
    }

    pub(crate) fn to_campaign(&self, stored: &StoredCampaign) -> Campaign {
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
    pub(crate) fn leave(&mut self, phone: &Phone) {
        if let Audience::Custom(phones) = &mut self.plan.audience {
            phones.retain(|listed| listed != phone);
        }
        let before = self.recipients.len();
        self.recipients.retain(|recipient| recipient != phone);
        self.figures.recipients -= number(before - self.recipients.len());
    }

    pub(crate) fn count(&mut self, tally: Tally) {
        self.figures.sent += tally.sent;
        self.figures.delivered += tally.delivered;
        self.figures.failed += tally.failed;
        self.figures.skipped += tally.skipped;
    }
}

impl State {
    pub(crate) fn entrant_at(&self, phone: &Phone) -> Option<(EntrantId, RaffleKey)> {
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

    pub(crate) fn may_get_campaigns(&self, entrant: &Entrant) -> bool {
        let addressee = self.addressee(Some(entrant.id), true);
        !self.sms.has_opted_out(&entrant.phone) && addressee.skip().is_none()
    }

    /// The recipients of a campaign that starts now.
    pub(crate) fn audience(&self, audience: &Audience) -> Vec<Phone> {
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

pub(crate) fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl SmsState {
    /// Deletes these messages and the clicks on them.
    pub(crate) fn delete_messages(&mut self, ids: &[MessageId]) -> SmsCounts {
        let mut deleted = SmsCounts::default();
        for stored in ids.iter().filter_map(|id| self.messages.remove(id)) {
            deleted.messages += 1;
            let click = stored.tracking.and_then(|(link, _)| self.clicks.remove(&link));
            deleted.clicks += i64::from(click.is_some());
        }
        deleted
    }
}

/// A stored reply. Clearing deletes it, so ids are counted separately.
#[derive(Clone)]
pub(crate) struct StoredReply {
    pub(crate) provider_id: String,
    pub(crate) reply: Reply,
}

impl SmsState {
    /// What an entrant texted, the newest first.
    pub(crate) fn replies_of(&self, entrant: EntrantId) -> Vec<ReplyLine> {
        let newest_first = self.replies.iter().rev().map(|stored| &stored.reply);
        let of_entrant = newest_first.filter(|reply| reply.entrant == Some(entrant));
        let line = |reply: &Reply| ReplyLine {
            id: reply.id.get(),
            body: reply.body.clone(),
            keyword: reply.keyword.map(|keyword| keyword.as_str().to_owned()),
            created_at: reply.at,
        };
        of_entrant.map(line).collect()
    }
}
