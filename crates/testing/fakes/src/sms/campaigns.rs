use crate::mem_store::MemTx;
use crate::state::sms::{Click, StoredCampaign, number};
use crate::state::{directed, next_id, storable};
use kernel::{IdempotencyKey, PageRequest, Phone, SortOrder, StoreError, UniqueKey};
use sms::{
    Audience, AudienceSize, Campaign, CampaignFigures, CampaignFilter, CampaignId, CampaignReport,
    CampaignRules, CampaignSort, CampaignStatus, Campaigns, Clicks, ExportedMessage, Label, MessageId,
    MessageStatus, NewCampaign, NewClick, RequestHash, SkipReason, TrackedMessage,
};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// Counts each reason. Sorted by count, the most frequent first, then by name.
fn tallied<R: Copy + Ord, N: Ord>(reasons: impl Iterator<Item = R>, name: impl Fn(R) -> N) -> Vec<(R, i64)> {
    let mut counts: BTreeMap<R, i64> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(reason, count)| (Reverse(*count), name(*reason)));
    counts
}

fn folded(name: &Label) -> String {
    name.as_str().to_ascii_lowercase()
}

fn matches(filter: &CampaignFilter, campaign: &StoredCampaign) -> bool {
    let name = folded(&campaign.plan.name);
    filter.status.is_none_or(|status| campaign.status == status)
        && filter
            .name_part
            .as_ref()
            .is_none_or(|part| name.contains(&folded(part)))
        && filter.before.is_none_or(|before| campaign.id < before)
}

fn compare(sort: CampaignSort, one: &StoredCampaign, other: &StoredCampaign) -> Ordering {
    let by_column = match sort {
        CampaignSort::CreatedAt => Ordering::Equal,
        CampaignSort::ScheduledAt => one.plan.scheduled_at.cmp(&other.plan.scheduled_at),
        CampaignSort::Name => folded(&one.plan.name).cmp(&folded(&other.plan.name)),
    };
    by_column.then(one.id.cmp(&other.id))
}

impl Campaigns for MemTx {
    fn add_campaign(&mut self, new: &NewCampaign) -> Result<CampaignId, StoreError> {
        storable([new.name.as_str(), new.link_base.as_str()])?;
        if let Some(key) = &new.idempotency_key
            && self.find_campaign_by_key(key)?.is_some()
        {
            return Err(StoreError::Duplicate(UniqueKey::CampaignKey));
        }
        if let Audience::Custom(phones) = &new.audience {
            phones.iter().for_each(|phone| self.0.recall_stop(phone));
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
        Ok(found.map(|campaign| sms.to_campaign(campaign)))
    }

    fn list_custom_numbers(&self, id: CampaignId) -> Result<Vec<Phone>, StoreError> {
        let found = self.0.sms.campaigns.iter().find(|campaign| campaign.id == id);
        Ok(match found.map(|campaign| &campaign.plan.audience) {
            Some(Audience::Custom(phones)) => phones.clone(),
            _ => Vec::new(),
        })
    }

    fn find_campaign_by_key(&self, key: &IdempotencyKey) -> Result<Option<Campaign>, StoreError> {
        let sms = &self.0.sms;
        let found = sms
            .campaigns
            .iter()
            .find(|campaign| campaign.plan.idempotency_key.as_ref() == Some(key));
        Ok(found.map(|campaign| sms.to_campaign(campaign)))
    }

    fn request_hash_of(&self, key: &IdempotencyKey) -> Result<Option<RequestHash>, StoreError> {
        let mut campaigns = self.0.sms.campaigns.iter();
        let found = campaigns.find(|campaign| campaign.plan.idempotency_key.as_ref() == Some(key));
        Ok(found.map(|campaign| campaign.plan.request_hash()))
    }

    fn list_campaigns(
        &self,
        filter: &CampaignFilter,
        sort: CampaignSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<Campaign>, StoreError> {
        let sms = &self.0.sms;
        let matching = sms.campaigns.iter().filter(|campaign| matches(filter, campaign));
        let mut sorted: Vec<_> = matching.collect();
        sorted.sort_by(|one, other| directed(order, compare(sort, one, other)));
        let part = sorted.into_iter().skip(page.offset as usize);
        let part = part.take(page.limit as usize);
        Ok(part.map(|campaign| sms.to_campaign(campaign)).collect())
    }

    fn count_campaigns(&self, filter: &CampaignFilter) -> Result<i64, StoreError> {
        let campaigns = self.0.sms.campaigns.iter();
        Ok(number(
            campaigns.filter(|campaign| matches(filter, campaign)).count(),
        ))
    }

    fn change_campaign(&mut self, id: CampaignId, new: &NewCampaign) -> Result<bool, StoreError> {
        storable([new.name.as_str(), new.link_base.as_str()])?;
        if let Audience::Custom(phones) = &new.audience {
            phones.iter().for_each(|phone| self.0.recall_stop(phone));
        }
        let campaign = self.0.sms.campaign(id);
        let Some(campaign) = campaign.filter(|campaign| campaign.status == CampaignStatus::Pending) else {
            return Ok(false);
        };
        let plan = &mut campaign.plan;
        *plan = NewCampaign {
            secret: plan.secret,
            idempotency_key: plan.idempotency_key.clone(),
            created_by: plan.created_by.clone(),
            at: plan.at,
            ..new.clone()
        };
        Ok(true)
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
        rules: &CampaignRules<'_>,
    ) -> Result<AudienceSize, StoreError> {
        let sms = &self.0.sms;
        let mut recipients = self.0.audience(audience);
        let skip = |phone: &Phone| {
            let entrant = self.0.entrant_at(phone).map(|(id, _)| id);
            let addressee = self.0.addressee(entrant, audience.is_of_entrants());
            rules.skip(phone, sms.has_opted_out(phone), &addressee)
        };
        recipients.retain(|phone| skip(phone).is_none());
        let messages = |phone: &Phone| sms.monthly.get(&(phone.clone(), rules.month)).copied();
        let over_cap = recipients
            .iter()
            .filter(|phone| messages(phone).unwrap_or(0) >= rules.monthly_cap);
        Ok(AudienceSize {
            recipients: number(recipients.len()),
            over_cap: number(over_cap.count()),
        })
    }

    fn report_campaign(&self, id: CampaignId) -> Result<CampaignReport, StoreError> {
        let sms = &self.0.sms;
        let campaign = sms.campaigns.iter().find(|campaign| campaign.id == id);
        let left = campaign.map_or(0, |campaign| campaign.recipients.len());
        let own = || sms.messages.values().filter(|stored| stored.campaign == Some(id));
        let with_status = |wanted: &'static [MessageStatus]| {
            own()
                .map(|stored| &stored.message)
                .filter(|message| wanted.contains(&message.status))
        };
        let failed = with_status(&[MessageStatus::Failed, MessageStatus::Undelivered])
            .map(|message| message.reason.as_deref().unwrap_or_default());
        let failed = tallied(failed, |reason| reason);
        let skipped = with_status(&[MessageStatus::Skipped])
            .filter_map(|message| message.reason.as_deref()?.parse::<SkipReason>().ok())
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
                .filter_map(|(name, count)| Some((name.parse::<SkipReason>().ok()?, count)))
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
            .known()
            .filter(|stored| stored.campaign == Some(id) && stored.message.id > after);
        let exported = own.take(limit as usize).map(|stored| {
            let tracking_id = stored.tracking.as_ref().map(|(id, _)| id);
            let click = tracking_id.and_then(|id| sms.clicks.get(id));
            ExportedMessage {
                id: stored.message.id,
                phone: stored.message.content.phone.clone(),
                status: stored.message.status,
                reason: stored.message.reason.clone(),
                sent_at: stored.message.sent_at,
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
        storable(click.user_agent.as_deref())?;
        let tracked = self.0.sms.messages.values().find(|stored| {
            stored
                .tracking
                .as_ref()
                .is_some_and(|(id, _)| *id == click.tracking_id)
        });
        let Some((message, id)) = tracked.and_then(|stored| Some((&stored.message, stored.campaign?))) else {
            return Ok(None);
        };
        let (entrant, phone) = (message.content.entrant, message.content.phone.clone());
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
