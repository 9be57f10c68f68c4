use crate::mem_store::MemTx;
use crate::state::sms::StoredMessage;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{Phone, StoreError};
use sms::{
    CampaignId, Consents, MessageEvidence, MessageId, OptOutChange, SendingEvidence, TrackingId, month_of,
    opt_out_changes,
};

impl MemTx {
    fn opt_out_changes(&self, phone: &Phone) -> Vec<OptOutChange> {
        let sms = &self.0.sms;
        let of_number = sms.replies.iter().filter(|stored| stored.reply.phone == *phone);
        let said = of_number.filter_map(|stored| Some((stored.reply.keyword?, stored.reply.at)));
        let now = sms.opted_out.get(phone);
        let now = now.map(|(opted_out, at)| OptOutChange {
            opted_out: *opted_out,
            at: *at,
        });
        opt_out_changes(said, now)
    }

    fn month_count(&self, phone: &Phone, at: DateTime<Utc>, zone: Tz) -> i64 {
        let month = (phone.clone(), month_of(at, &zone));
        i64::from(self.0.sms.monthly.get(&month).copied().unwrap_or_default())
    }
}

impl SendingEvidence for MemTx {
    fn find_evidence(&self, id: MessageId, zone: Tz) -> Result<Option<MessageEvidence>, StoreError> {
        let sms = &self.0.sms;
        let Some(stored) = sms.known().find(|stored| stored.message.id == id) else {
            return Ok(None);
        };
        let StoredMessage { message, .. } = stored;
        let phone = &message.content.phone;
        let campaign = sms
            .campaigns
            .iter()
            .find(|campaign| Some(campaign.id) == stored.campaign);
        let consent = match stored.consent {
            Some(id) => self.find_consent(id)?,
            None => None,
        };
        Ok(Some(MessageEvidence {
            phone: phone.clone(),
            consent,
            consent_basis: campaign.and_then(|campaign| campaign.plan.consent_basis.clone()),
            opt_outs: self.opt_out_changes(phone),
            month_count: self.month_count(phone, message.content.at, zone),
            sent_at: message.sent_at,
        }))
    }

    fn find_campaign_message(
        &self,
        campaign: CampaignId,
        links: &[TrackingId],
    ) -> Result<Option<MessageId>, StoreError> {
        let mut messages = self.0.sms.known();
        let has_link = |stored: &&StoredMessage| {
            let link = stored.tracking.as_ref().map(|(link, _)| link);
            stored.campaign == Some(campaign) && link.is_some_and(|link| links.contains(link))
        };
        Ok(messages.find(has_link).map(|stored| stored.message.id))
    }
}
