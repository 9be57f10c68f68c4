use crate::mem_store::MemTx;
use crate::state::sms::number;
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Phone, StoreError};
use sms::{
    CampaignDispatching, CampaignId, CampaignRules, CampaignStatus, Fence, Fenced, MessageId, MessageKind,
    NewCampaignMessage, NewMessage, Outbox, Recipient, SendingCampaign, SkipReason,
};
use std::collections::BTreeSet;

impl MemTx {
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

    /// Counts one more message in the month. Returns `false` if the cap is reached.
    fn count_in_month(&mut self, phone: &Phone, month: NaiveDate, cap: u32) -> bool {
        let messages = self.0.sms.monthly.entry((phone.clone(), month)).or_default();
        let is_below_cap = *messages < cap;
        *messages += u32::from(is_below_cap);
        is_below_cap
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
        rules: &CampaignRules<'_>,
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
            let addressee = self.0.addressee(entrant.map(|(id, _)| id), is_of_entrants);
            let mut skip = rules.skip(&phone, self.0.sms.has_opted_out(&phone), &addressee);
            if skip.is_none() && !self.count_in_month(&phone, rules.month, rules.monthly_cap) {
                skip = Some(SkipReason::MonthlyCap);
            }
            recipients.push(Recipient {
                phone,
                entrant: entrant.map(|(id, _)| id),
                raffle: entrant.map(|(_, raffle)| raffle),
                consent: addressee.consent(),
                skip,
            });
        }
        Ok(Ok(recipients))
    }

    fn add_campaign_messages(
        &mut self,
        _: Fence,
        campaign: CampaignId,
        messages: &[NewCampaignMessage],
        at: DateTime<Utc>,
    ) -> Result<Vec<MessageId>, StoreError> {
        let mut ids = Vec::with_capacity(messages.len());
        for new in messages {
            let is_sent = new.recipient.skip.is_none();
            let id = self.queue_message(&NewMessage {
                kind: MessageKind::Campaign,
                entrant: new.recipient.entrant,
                phone: new.recipient.phone.clone(),
                body: is_sent.then(|| new.body.clone().into()),
                at,
            })?;
            if let Some(stored) = self.0.sms.messages.get_mut(&id) {
                stored.campaign = Some(campaign);
                stored.consent = new.recipient.consent;
                stored.tracking = is_sent.then(|| (new.tracking_id.clone(), new.tracking_url.clone()));
            }
            self.0
                .sms
                .change(id, |delivery| match (new.recipient.skip, new.wait_until) {
                    (Some(reason), _) => delivery.skip(reason),
                    (None, Some(until)) => delivery.postpone(until),
                    (None, None) => delivery.claim(),
                });
            ids.push(id);
        }
        Ok(ids)
    }

    fn finish_campaigns(&mut self, at: DateTime<Utc>) -> Result<Vec<CampaignId>, StoreError> {
        let sms = &mut self.0.sms;
        let on_their_way = sms
            .messages
            .values()
            .filter(|stored| stored.message.status.is_open());
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
