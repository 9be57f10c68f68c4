use super::number;
use crate::mem_store::MemTx;
use kernel::StoreError;
use sms::{SmsClearing, SmsCounts};

impl SmsClearing for MemTx {
    fn count_sms(&self) -> Result<SmsCounts, StoreError> {
        let sms = &self.0.sms;
        Ok(SmsCounts {
            campaigns: number(sms.campaigns.len()),
            messages: sms.count(|stored| stored.campaign.is_some()),
            clicks: number(sms.clicks.len()),
            templates: number(sms.templates.len()),
            replies: number(sms.replies.len()),
        })
    }

    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError> {
        let counts = self.count_sms()?;
        let sms = &mut self.0.sms;
        sms.campaigns.clear();
        sms.clicks.clear();
        sms.messages.retain(|_, stored| stored.campaign.is_none());
        Ok(SmsCounts {
            templates: 0,
            replies: 0,
            ..counts
        })
    }

    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError> {
        let counts = self.count_sms()?;
        self.clear_campaigns()?;
        self.0.sms.templates.clear();
        self.0.sms.replies.clear();
        Ok(counts)
    }
}
