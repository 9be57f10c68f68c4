use crate::mem_store::MemTx;
use crate::state::sms::{StoredCampaign, StoredMessage};
use crate::state::{State, storable};
use chrono::{DateTime, Utc};
use kernel::StoreError;
use raffle::Entrant;
use sms::{
    Claim, Claimed, ClaimedMessage, ConsentId, Consents, Delivery, DeliveryReport, Dispatching, Fence,
    Fenced, Halt, MessageBody, MessageId, MessageKind, MessageStatus, NewMessage, OptOuts, Outcome,
    RecipientRules, Tally, UncertainMessage, Verdict, WaitingMessage,
};
use std::collections::HashMap;

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
        for id in sms.messages.keys().copied().collect::<Vec<_>>() {
            sms.change(id, |delivery| {
                let is_sending = delivery.status == MessageStatus::Sending;
                is_sending.then(|| wait(delivery, MessageStatus::Unknown, look_up_at))
            });
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

    fn claim_messages(
        &mut self,
        claim: &Claim,
        recipients: &RecipientRules<'_>,
    ) -> Result<Result<Claimed, Fenced>, StoreError> {
        if !self.0.sms.dispatcher.is(claim.fence) {
            return Ok(Err(Fenced));
        }
        let window = claim.welcome_window(self.0.sms.dispatcher.welcomes);
        let quotas = claim.quotas(Some(window));
        let mut taken: HashMap<MessageKind, u32> = HashMap::new();
        let due = self.0.sms.in_order(|stored| {
            stored.message.status == MessageStatus::Pending && stored.message.due_at <= claim.now
        });
        let is_code = |stored: &StoredMessage| stored.message.content.kind == MessageKind::Code;
        let (codes, others): (Vec<_>, Vec<_>) = due.into_iter().partition(is_code);
        let is_of_campaign = |stored: &StoredMessage| stored.campaign.is_some();
        let (campaigns, others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_of_campaign);
        let in_order = codes.into_iter().rev().chain(others).chain(campaigns);
        let due = in_order.filter(|stored| {
            let taken = taken.entry(stored.message.content.kind).or_default();
            *taken += 1;
            *taken <= quotas.of(stored.message.content.kind)
        });
        let due: Vec<_> = due.take(claim.limit as usize).collect();
        let found = due.len();
        let mut claimed = Vec::new();
        for stored in due {
            let id = stored.message.id;
            let waiting = self.waiting(&stored);
            let _ = match recipients.judge(&waiting, claim.now) {
                Verdict::Skip(reason) => self.0.sms.change(id, |delivery| delivery.skip(reason)),
                Verdict::Wait(until) => self.0.sms.change(id, |delivery| delivery.postpone(until)),
                Verdict::Send => {
                    claimed.push(self.claimed(&stored));
                    let consent = waiting.campaign.and_then(|addressee| addressee.consent());
                    self.note_consent(id, consent);
                    self.0.sms.change(id, Delivery::claim)
                }
            };
        }
        let welcomes = claimed
            .iter()
            .filter(|message| message.kind == MessageKind::Welcome);
        let welcomes = u32::try_from(welcomes.count()).unwrap_or(u32::MAX);
        self.0.sms.dispatcher.welcomes = Some(window.plus(welcomes));
        Ok(Ok(Claimed {
            held_back: found - claimed.len(),
            messages: claimed,
        }))
    }

    fn write_bodies(&mut self, bodies: &[(MessageId, String)]) -> Result<(), StoreError> {
        storable(bodies.iter().map(|(_, body)| body.as_str()))?;
        for (id, body) in bodies {
            if let Some(stored) = self.0.sms.messages.get_mut(id)
                && stored.message.status == MessageStatus::Sending
            {
                stored.message.content.body = Some(MessageBody::Clear(body.clone()));
            }
        }
        Ok(())
    }

    fn record_outcomes(&mut self, outcomes: &[Outcome], at: DateTime<Utc>) -> Result<(), StoreError> {
        for outcome in outcomes {
            let sms = &mut self.0.sms;
            let changed = sms.change(outcome.message, |delivery| delivery.apply_attempt(outcome, at));
            let stored = sms.messages.get(&outcome.message);
            let stored = stored.filter(|_| changed && outcome.report == DeliveryReport::OptedOut);
            if let Some(phone) = stored.map(|stored| stored.message.content.phone.clone()) {
                self.opt_out(&phone, at)?;
                self.revoke_consents(&phone, at)?;
            }
        }
        Ok(())
    }

    fn release_claims(&mut self, messages: &[(MessageId, u32)]) -> Result<(), StoreError> {
        for (id, attempt) in messages {
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
        let due = sms.in_order(|stored| {
            stored.message.status == MessageStatus::Unknown && stored.message.due_at <= now
        });
        let mut uncertain = Vec::new();
        for stored in due.into_iter().take(limit as usize) {
            let link = stored.tracking.map(|(_, url)| url);
            let needle = link.map(MessageBody::Clear).or(stored.message.content.body);
            sms.change(stored.message.id, |delivery| {
                // A message that was never composed was never sent.
                let status = match needle.is_some() {
                    true => MessageStatus::Unknown,
                    false => MessageStatus::Pending,
                };
                let is_uncertain = delivery.status == MessageStatus::Unknown;
                is_uncertain.then(|| wait(delivery, status, again_at))
            });
            uncertain.extend(needle.map(|needle| UncertainMessage {
                id: stored.message.id,
                attempt: stored.attempt,
                phone: stored.message.content.phone,
                needle,
                queued_at: stored.message.content.at,
            }));
        }
        Ok(Ok(uncertain))
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
    fn waiting(&self, stored: &StoredMessage) -> WaitingMessage {
        let State { sms, .. } = &self.0;
        let content = &stored.message.content;
        let mut campaigns = sms.campaigns.iter();
        let campaign = campaigns.find(|campaign| Some(campaign.id) == stored.campaign);
        let addressee = |campaign: &StoredCampaign| {
            let is_of_entrants = campaign.plan.audience.is_of_entrants();
            self.0.addressee(content.entrant, is_of_entrants)
        };
        let welcome = self
            .entrant_of(content)
            .and_then(|entrant| sms.welcomes.get(&entrant.raffle));
        WaitingMessage {
            kind: content.kind,
            phone: content.phone.clone(),
            queued_at: content.at,
            is_erased: sms.erased.contains(&stored.message.id),
            has_opted_out: sms.has_opted_out(&content.phone),
            welcome_is_active: welcome.map(|welcome| welcome.is_active),
            campaign: campaign.map(addressee),
        }
    }

    /// The consent that allows the message now may be another one than when it was queued.
    fn note_consent(&mut self, id: MessageId, consent: Option<ConsentId>) {
        if let Some(message) = self.0.sms.messages.get_mut(&id) {
            message.consent = consent;
        }
    }

    fn entrant_of(&self, content: &NewMessage) -> Option<&Entrant> {
        let mut entrants = self.0.entrants.iter();
        entrants.find(|entrant| Some(entrant.id) == content.entrant)
    }

    fn claimed(&self, stored: &StoredMessage) -> ClaimedMessage {
        let content = &stored.message.content;
        let welcome = self
            .entrant_of(content)
            .filter(|_| content.kind == MessageKind::Welcome)
            .map(|entrant| (entrant.raffle, entrant.referral_code.clone()));
        ClaimedMessage {
            id: stored.message.id,
            kind: content.kind,
            phone: content.phone.clone(),
            body: content.body.clone(),
            welcome,
            attempt: stored.attempt + 1,
        }
    }
}

/// Changes an open message into another open status, which counts alike.
fn wait(delivery: &mut Delivery, status: MessageStatus, due_at: DateTime<Utc>) -> Tally {
    delivery.status = status;
    delivery.due_at = due_at;
    Tally::default()
}
