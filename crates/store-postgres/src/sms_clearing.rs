//! `sms::SmsClearing`: deleting campaigns, their messages and templates.

use crate::PgTx;
use crate::schema::{sms_campaign_templates, sms_dispatcher};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use kernel::StoreError;
use sms::{SmsClearing, SmsCounts};

/// Adds up the counts of the campaigns instead of counting messages and clicks, of which there may be millions.
const COUNT: &str = "
SELECT count(*) AS campaigns, coalesce(sum(taken_count), 0)::bigint AS messages,
       coalesce(sum(clicked_count), 0)::bigint AS clicks, (SELECT count(*) FROM sms_campaign_templates) AS templates,
       (SELECT count(*) FROM sms_replies) AS replies
FROM sms_scheduled_campaigns";

/// In the order in which every transaction locks rows: a message, its click, its campaign.
const CLEAR: &str = "
DELETE FROM sms_sent_messages WHERE campaign_id IS NOT NULL;
DELETE FROM sms_click_tracking;
TRUNCATE sms_recipients;
DELETE FROM sms_scheduled_campaigns";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    campaigns: i64,
    #[diesel(sql_type = BigInt)]
    messages: i64,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    templates: i64,
    #[diesel(sql_type = BigInt)]
    replies: i64,
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

    /// Locks the dispatcher's row: until this transaction ends, no campaign starts and no message is claimed.
    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError> {
        self.expect_many_rows()?;
        let row = sms_dispatcher::table.select(sms_dispatcher::fence).for_update();
        self.query(|connection| row.first::<i64>(connection))?;
        let counts = self.count_sms()?;
        self.run(CLEAR)?;
        Ok(SmsCounts {
            templates: 0,
            replies: 0,
            ..counts
        })
    }

    /// Locks the templates: until this transaction ends, no campaign is scheduled with one of them.
    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError> {
        self.run("SELECT FROM sms_campaign_templates ORDER BY id FOR UPDATE")?;
        let counts = self.clear_campaigns()?;
        let templates = diesel::delete(sms_campaign_templates::table);
        let templates = self.query(|connection| templates.execute(connection))?;
        let replies = self.query(|connection| sql_query("DELETE FROM sms_replies").execute(connection))?;
        Ok(SmsCounts {
            templates: i64::try_from(templates).unwrap_or(i64::MAX),
            replies: i64::try_from(replies).unwrap_or(i64::MAX),
            ..counts
        })
    }
}
