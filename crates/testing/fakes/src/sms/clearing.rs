use crate::mem_store::MemTx;
use crate::state::sms::number;
use kernel::StoreError;
use sms::{CampaignId, Keyword, MessageCut, MessageId, MessageStatus, Reply, SmsClearing, SmsCounts};

/// STOP and START stay, and so does what may be a STOP that nobody has read yet.
fn is_cleared(reply: &Reply) -> bool {
    matches!(reply.keyword, None | Some(Keyword::Help)) && !reply.is_unclear
}

impl SmsClearing for MemTx {
    fn count_sms(&self) -> Result<SmsCounts, StoreError> {
        let sms = &self.0.sms;
        Ok(SmsCounts {
            campaigns: number(sms.campaigns.len()),
            messages: sms.count(|stored| stored.campaign.is_some_and(|id| sms.has_campaign(id))),
            clicks: sms
                .campaigns
                .iter()
                .map(|campaign| campaign.figures.clicked)
                .sum(),
            templates: number(sms.templates.len()),
            replies: number(
                sms.replies
                    .iter()
                    .filter(|stored| is_cleared(&stored.reply))
                    .count(),
            ),
        })
    }

    fn cut_campaigns(&mut self, with_templates: bool) -> Result<Option<(SmsCounts, MessageCut)>, StoreError> {
        let sms = &mut self.0.sms;
        let open: Vec<_> = sms
            .messages
            .iter()
            .filter(|(_, stored)| stored.campaign.is_some() && is_open(stored.message.status))
            .map(|(id, _)| *id)
            .collect();
        let mut deleted = sms.delete_messages(&open);
        deleted.campaigns = number(sms.campaigns.drain(..).len());
        if with_templates {
            deleted.templates = number(sms.templates.drain(..).len());
            let before = sms.replies.len();
            sms.replies.retain(|stored| !is_cleared(&stored.reply));
            deleted.replies = number(before - sms.replies.len());
        }
        let cut = MessageCut {
            last_campaign: CampaignId::new(number(sms.campaigns_made)),
            campaign: CampaignId::new(0),
            message: MessageId::new(0),
        };
        Ok(Some((deleted, cut)))
    }

    fn delete_messages(&mut self, cut: &mut MessageCut, limit: u32) -> Result<Option<SmsCounts>, StoreError> {
        let sms = &mut self.0.sms;
        let mut next: Vec<_> = sms
            .messages
            .iter()
            .filter_map(|(id, stored)| Some((stored.campaign?, *id)))
            .filter(|key| *key > (cut.campaign, cut.message) && key.0 <= cut.last_campaign)
            .collect();
        next.sort_unstable();
        next.truncate(limit as usize);
        let Some((campaign, message)) = next.last().copied() else {
            return Ok(None);
        };
        (cut.campaign, cut.message) = (campaign, message);
        let ids: Vec<_> = next.into_iter().map(|(_, id)| id).collect();
        Ok(Some(sms.delete_messages(&ids)))
    }
}

/// Whether the delivery has not ended, or may have to be tried again.
fn is_open(status: MessageStatus) -> bool {
    matches!(
        status,
        MessageStatus::Pending | MessageStatus::Sending | MessageStatus::Unknown
    )
}
