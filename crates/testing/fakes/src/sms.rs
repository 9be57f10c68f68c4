mod campaign_dispatching;
mod campaign_results;
mod campaigns;
mod clearing;
mod dispatching;
mod evidence;
mod replies;
mod templates;

use crate::mem_store::MemTx;
use crate::state::sms::{StoredMessage, number};
use crate::state::{next_id, storable};
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Phone, StoreError};
use sms::{
    DailyCounts, Message, MessageBody, MessageId, MessageStatus, NewMessage, OpenMessages, OptOuts, Outbox,
    ProviderMessage, PutOff, SmsSettings,
};

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
