//! `sms::SmsClearing`: deleting campaigns, their messages and templates.

use crate::PgTx;
use crate::analytics::clearing::{CLEARING_LOCK_TIMEOUT, CLEARING_TIMEOUT};
use crate::rows::{IdRow, rows};
use crate::schema::{sms_campaign_templates, sms_dispatcher, sms_scheduled_campaigns};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Text};
use kernel::StoreError;
use sms::{CampaignId, MessageCut, MessageId, SmsClearing, SmsCounts};

/// Adds up the counts of the campaigns instead of counting messages and clicks, of which there may be millions.
const COUNT: &str = "
SELECT count(*) AS campaigns, coalesce(sum(taken_count), 0)::bigint AS messages,
       (coalesce(sum(clicked_count), 0) + (
           SELECT coalesce(sum(clicked), 0) FROM sms_click_deltas
           JOIN sms_scheduled_campaigns AS clicked ON clicked.id = campaign_id
       ))::bigint AS clicks,
       (SELECT count(*) FROM sms_campaign_templates) AS templates, (
           SELECT count(*) FROM sms_replies
           WHERE (keyword IS NULL OR keyword = 'help') AND NOT is_unclear
       ) AS replies
FROM sms_scheduled_campaigns";

/// The campaign with the highest id. A clearing that failed may have left messages without their campaign.
const LAST_CAMPAIGN: &str = "
SELECT greatest(
    (SELECT max(id) FROM sms_scheduled_campaigns),
    (SELECT campaign_id FROM sms_sent_messages WHERE campaign_id IS NOT NULL ORDER BY campaign_id DESC LIMIT 1),
    0
) AS id";

/// STOP and START stay, as evidence beside the consents, and so does what may be a STOP that nobody has read yet.
const DELETE_REPLIES: &str = "
DELETE FROM sms_replies WHERE (keyword IS NULL OR keyword = 'help') AND NOT is_unclear";

const LOCK_PENDING: &str = "
SELECT id, campaign_id, tracking_id FROM sms_sent_messages
WHERE status = 'pending' AND kind = 'campaign' ORDER BY id FOR UPDATE";

const LOCK_UNCERTAIN: &str = "
SELECT id, campaign_id, tracking_id FROM sms_sent_messages
WHERE status IN ('sending', 'unknown') AND campaign_id IS NOT NULL ORDER BY id FOR UPDATE";

/// A campaign with a lower id than the last one may have been scheduled after the cut: its messages are kept.
const LOCK_NEXT: &str = "
SELECT id, campaign_id, tracking_id FROM sms_sent_messages AS message
WHERE campaign_id IS NOT NULL AND (campaign_id, id) > ($1, $2) AND campaign_id <= $3
  AND NOT EXISTS (SELECT FROM sms_scheduled_campaigns AS kept WHERE kept.id = message.campaign_id)
ORDER BY campaign_id, id
LIMIT $4
FOR UPDATE OF message";

rows! {
    struct LockedRow {
        id: i64,
        campaign_id: i64,
        tracking_id: Option<String>,
    }

    struct Row {
        campaigns: i64,
        messages: i64,
        clicks: i64,
        templates: i64,
        replies: i64,
    }
}

impl SmsClearing for PgTx {
    fn count_sms(&self) -> Result<SmsCounts, StoreError> {
        let row: Row = self.query(|connection| sql_query(COUNT).get_result(connection))?;
        Ok(SmsCounts {
            campaigns: row.campaigns,
            messages: row.messages,
            clicks: row.clicks,
            templates: row.templates,
            replies: row.replies,
        })
    }

    fn cut_campaigns(&mut self, with_templates: bool) -> Result<Option<(SmsCounts, MessageCut)>, StoreError> {
        match self.cut(with_templates) {
            Err(StoreError::Unavailable(_)) => Ok(None),
            other => other.map(Some),
        }
    }

    fn delete_messages(&mut self, cut: &mut MessageCut, limit: u32) -> Result<Option<SmsCounts>, StoreError> {
        self.run(CLEARING_TIMEOUT)?;
        self.expect_few_rows()?;
        let query = sql_query(LOCK_NEXT)
            .bind::<BigInt, _>(cut.campaign.get())
            .bind::<BigInt, _>(cut.message.get())
            .bind::<BigInt, _>(cut.last_campaign.get())
            .bind::<BigInt, _>(i64::from(limit));
        let locked: Vec<LockedRow> = self.query(|connection| query.load(connection))?;
        let Some(last) = locked.last() else {
            return Ok(None);
        };
        cut.campaign = CampaignId::new(last.campaign_id);
        cut.message = MessageId::new(last.id);
        self.delete_locked(&locked).map(Some)
    }
}

impl PgTx {
    /// Locks the templates: until this transaction ends, no campaign is scheduled with one of them. Then it locks the
    /// dispatcher's row: no campaign starts, and no message is claimed. It deletes in the order in which every transaction
    /// locks rows: a message, its click, its campaign.
    fn cut(&mut self, with_templates: bool) -> Result<(SmsCounts, MessageCut), StoreError> {
        self.run(CLEARING_TIMEOUT)?;
        self.run(CLEARING_LOCK_TIMEOUT)?;
        if with_templates {
            self.run("SELECT FROM sms_campaign_templates ORDER BY id FOR UPDATE")?;
        }
        let dispatcher = sms_dispatcher::table.select(sms_dispatcher::fence).for_update();
        self.query(|connection| dispatcher.first::<i64>(connection))?;
        self.expect_few_rows()?;
        let last: IdRow = self.query(|connection| sql_query(LAST_CAMPAIGN).get_result(connection))?;
        let mut counts = SmsCounts::default();
        for lock in [LOCK_PENDING, LOCK_UNCERTAIN] {
            let locked: Vec<LockedRow> = self.query(|connection| sql_query(lock).load(connection))?;
            let deleted = self.delete_locked(&locked)?;
            counts.messages += deleted.messages;
            counts.clicks += deleted.clicks;
        }
        self.run("TRUNCATE sms_recipients")?;
        let campaigns = diesel::delete(sms_scheduled_campaigns::table);
        counts.campaigns = count(self.query(|connection| campaigns.execute(connection))?);
        if with_templates {
            let templates = diesel::delete(sms_campaign_templates::table);
            counts.templates = count(self.query(|connection| templates.execute(connection))?);
            let replies = sql_query(DELETE_REPLIES);
            counts.replies = count(self.query(|connection| replies.execute(connection))?);
        }
        let cut = MessageCut {
            last_campaign: CampaignId::new(last.id),
            campaign: CampaignId::new(0),
            message: MessageId::new(0),
        };
        Ok((counts, cut))
    }

    /// Clicks are deleted in a statement of their own, which sees the clicks that were recorded before the lock.
    fn delete_locked(&mut self, locked: &[LockedRow]) -> Result<SmsCounts, StoreError> {
        let ids: Vec<i64> = locked.iter().map(|row| row.id).collect();
        let links: Vec<&str> = locked
            .iter()
            .filter_map(|row| row.tracking_id.as_deref())
            .collect();
        let clicks = sql_query("DELETE FROM sms_click_tracking WHERE tracking_id = ANY ($1)")
            .bind::<Array<Text>, _>(links);
        let clicks = self.query(|connection| clicks.execute(connection))?;
        let messages =
            sql_query("DELETE FROM sms_sent_messages WHERE id = ANY ($1)").bind::<Array<BigInt>, _>(ids);
        let messages = self.query(|connection| messages.execute(connection))?;
        Ok(SmsCounts {
            messages: count(messages),
            clicks: count(clicks),
            ..SmsCounts::default()
        })
    }
}

fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
