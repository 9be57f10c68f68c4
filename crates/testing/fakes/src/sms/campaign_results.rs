use crate::mem_store::MemTx;
use crate::state::sms::{StoredMessage, number};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, StoreError};
use pricing::PurchaseStatus;
use raffle::RaffleKey;
use sms::{
    CampaignId, CampaignOutcomes, CampaignResults, ClicksInHour, MessageBody, MessageTemplate, OUTCOME_DAYS,
    SentTexts,
};
use std::collections::BTreeMap;

fn days() -> TimeDelta {
    TimeDelta::days(i64::from(OUTCOME_DAYS))
}

impl MemTx {
    fn texts_of(&self, id: CampaignId) -> impl Iterator<Item = &StoredMessage> {
        let messages = self.0.sms.messages.values();
        messages.filter(move |stored| stored.campaign == Some(id))
    }

    /// The number of recipients who did something in the days after their text.
    fn count_acts(&self, id: CampaignId, acts: &[(EntrantId, DateTime<Utc>)]) -> i64 {
        let acted = self.texts_of(id).filter(|stored| {
            let message = &stored.message;
            let (Some(entrant), Some(since)) = (message.content.entrant, message.sent_at) else {
                return false;
            };
            let counts = |at| since <= at && at < since + days();
            acts.iter().any(|(who, at)| *who == entrant && counts(*at))
        });
        number(acted.count())
    }
}

impl CampaignResults for MemTx {
    fn count_outcomes(&self, id: CampaignId) -> Result<CampaignOutcomes, StoreError> {
        let shares = self.0.analytics.shares.iter();
        let shares: Vec<_> = shares
            .filter_map(|share| Some((share.entrant?, share.at)))
            .collect();
        let credits = &self.0.credits;
        let stands = |friend| credits.get(friend).is_some_and(|(credit, _)| !credit.is_reversed);
        let friends = self.0.referrals.iter().filter(|(_, friend, _)| stands(friend));
        let friends: Vec<_> = friends
            .map(|(by, _, referral)| (*by, referral.created_at))
            .collect();
        let purchases = self.0.pricing.purchases.iter();
        let purchases: Vec<_> = purchases
            .filter(|stored| stored.purchase.status == PurchaseStatus::Completed)
            .filter_map(|stored| Some((stored.purchase.sold.entrant, stored.completed_at?)))
            .collect();
        Ok(CampaignOutcomes {
            shared: self.count_acts(id, &shares),
            referred: self.count_acts(id, &friends),
            bought: self.count_acts(id, &purchases),
        })
    }

    fn list_sent_texts(&self, id: CampaignId) -> Result<Vec<SentTexts>, StoreError> {
        let mut by_length: BTreeMap<Option<usize>, SentTexts> = BTreeMap::new();
        let erased = &self.0.sms.erased;
        for stored in self
            .texts_of(id)
            .filter(|stored| stored.message.sent_at.is_some())
        {
            let message = &stored.message;
            let body = message.content.body.as_ref().and_then(MessageBody::as_clear);
            let body = body.filter(|_| !erased.contains(&message.id)).map(str::to_owned);
            let length = body.as_ref().map(|body| body.chars().count());
            let first = SentTexts { body, count: 0 };
            by_length.entry(length).or_insert(first).count += 1;
        }
        Ok(by_length.into_values().collect())
    }

    fn list_clicks_by_hour(&self, id: CampaignId) -> Result<Vec<ClicksInHour>, StoreError> {
        let campaigns = &self.0.sms.campaigns;
        let campaign = campaigns.iter().find(|campaign| campaign.id == id);
        let Some(started_at) = campaign.and_then(|campaign| campaign.started_at) else {
            return Ok(Vec::new());
        };
        let mut by_hour: BTreeMap<u32, i64> = BTreeMap::new();
        for (link, _) in self.texts_of(id).filter_map(|stored| stored.tracking.as_ref()) {
            let click = self.0.sms.clicks.get(link);
            let Some(after) = click.map(|click| (click.at - started_at).max(TimeDelta::zero())) else {
                continue;
            };
            if after < days() {
                let hour = u32::try_from(after.num_hours()).unwrap_or(u32::MAX);
                *by_hour.entry(hour).or_default() += 1;
            }
        }
        let clicks = by_hour.into_iter();
        Ok(clicks
            .map(|(hour, clicked)| ClicksInHour { hour, clicked })
            .collect())
    }

    fn message_of(&self, id: CampaignId) -> Result<Option<(MessageTemplate, RaffleKey)>, StoreError> {
        let sms = &self.0.sms;
        let Some(campaign) = sms.campaigns.iter().find(|campaign| campaign.id == id) else {
            return Ok(None);
        };
        if let Some(sending) = &campaign.sending {
            return Ok(Some((sending.message.clone(), sending.raffle)));
        }
        let template = sms
            .templates
            .iter()
            .find(|template| template.id == campaign.plan.template);
        Ok(template.map(|template| (template.content.message.clone(), template.content.raffle)))
    }
}
