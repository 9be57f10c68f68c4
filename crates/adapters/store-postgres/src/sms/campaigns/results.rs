//! `sms::CampaignResults`: what came of a campaign.

use super::corrupt_campaign;
use crate::PgTx;
use crate::rows::rows;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Integer};
use kernel::StoreError;
use sms::{
    CampaignId, CampaignOutcomes, CampaignResults, ClicksInHour, MessageTemplate, OUTCOME_DAYS, SentTexts,
};

/// From so many recipients on, their rows are read at once and not looked up one by one.
const MANY: i64 = 20_000;

/// The days of each recipient begin with their own text, which may have waited for the morning.
const OUTCOMES: &str = "
WITH sent AS (
    SELECT user_id, sent_at AS since, sent_at + make_interval(days => $2) AS until
    FROM sms_sent_messages
    WHERE campaign_id = $1 AND user_id IS NOT NULL AND sent_at IS NOT NULL
)
SELECT (
    SELECT count(*) FROM sent WHERE EXISTS (
        SELECT FROM social_shares AS share
        WHERE share.user_id = sent.user_id AND share.created_at >= since AND share.created_at < until
    )
) AS shared, (
    SELECT count(*) FROM sent WHERE EXISTS (
        SELECT FROM referrals AS referral
        WHERE referrer_id = sent.user_id AND NOT is_reversed AND referral.created_at >= since
            AND referral.created_at < until
    )
) AS referred, (
    SELECT count(*) FROM sent WHERE EXISTS (
        SELECT FROM purchases AS purchase
        WHERE purchase.user_id = sent.user_id AND status = 'completed' AND completed_at >= since AND completed_at < until
    )
) AS bought";

/// Texts of one campaign that are equally long differ only in their links.
const SENT_TEXTS: &str = "
SELECT min(message_body) AS body, count(*) AS texts
FROM sms_sent_messages
WHERE campaign_id = $1 AND sent_at IS NOT NULL
GROUP BY length(message_body)";

const CLICKS: &str = "
SELECT floor(extract(epoch FROM greatest(clicked_at - started_at, interval '0')) / 3600)::int AS hour, count(*) AS clicked
FROM sms_click_tracking AS click
JOIN sms_scheduled_campaigns AS campaign ON campaign.id = campaign_id
WHERE campaign_id = $1 AND clicked_at < started_at + make_interval(days => $2)
GROUP BY hour
ORDER BY hour";

/// As it was when the campaign started; before that, as the template is now.
const MESSAGE: &str = "
SELECT campaign.id, coalesce(campaign.message_template, template.message_template) AS message_template,
       coalesce(campaign.link_placeholder, template.link_placeholder) AS link_placeholder,
       coalesce(campaign.landing_page, template.landing_page) AS landing_page
FROM sms_scheduled_campaigns AS campaign
JOIN sms_campaign_templates AS template ON template.id = template_id
WHERE campaign.id = $1";

const RECIPIENTS: &str = "SELECT recipient_count AS n FROM sms_scheduled_campaigns WHERE id = $1";

rows! {
    struct OutcomesRow {
        shared: i64,
        referred: i64,
        bought: i64,
    }

    struct TextsRow {
        body: Option<String>,
        texts: i64,
    }

    struct ClicksRow {
        hour: i32,
        clicked: i64,
    }

    struct MessageRow {
        id: i64,
        message_template: String,
        link_placeholder: String,
        landing_page: String,
    }
}

const fn outcome_days() -> i32 {
    OUTCOME_DAYS as i32
}

impl CampaignResults for PgTx {
    fn count_outcomes(&self, id: CampaignId) -> Result<CampaignOutcomes, StoreError> {
        let query = sql_query(RECIPIENTS).bind::<BigInt, _>(id.get());
        let recipients: Option<crate::rows::CountRow> =
            self.query(|connection| query.get_result(connection).optional())?;
        if recipients.is_some_and(|recipients| recipients.n > MANY) {
            self.expect_many_rows()?;
        }
        let query = sql_query(OUTCOMES)
            .bind::<BigInt, _>(id.get())
            .bind::<Integer, _>(outcome_days());
        let row: OutcomesRow = self.query(|connection| query.get_result(connection))?;
        Ok(CampaignOutcomes {
            shared: row.shared,
            referred: row.referred,
            bought: row.bought,
        })
    }

    fn list_sent_texts(&self, id: CampaignId) -> Result<Vec<SentTexts>, StoreError> {
        let query = sql_query(SENT_TEXTS).bind::<BigInt, _>(id.get());
        let rows: Vec<TextsRow> = self.query(|connection| query.load(connection))?;
        let texts = rows.into_iter().map(|row| SentTexts {
            body: row.body,
            count: row.texts,
        });
        Ok(texts.collect())
    }

    fn list_clicks_by_hour(&self, id: CampaignId) -> Result<Vec<ClicksInHour>, StoreError> {
        let query = sql_query(CLICKS)
            .bind::<BigInt, _>(id.get())
            .bind::<Integer, _>(outcome_days());
        let rows: Vec<ClicksRow> = self.query(|connection| query.load(connection))?;
        let clicks = rows.into_iter().map(|row| ClicksInHour {
            hour: row.hour.unsigned_abs(),
            clicked: row.clicked,
        });
        Ok(clicks.collect())
    }

    fn message_of(&self, id: CampaignId) -> Result<Option<(MessageTemplate, raffle::RaffleKey)>, StoreError> {
        let query = sql_query(MESSAGE).bind::<BigInt, _>(id.get());
        let row: Option<MessageRow> = self.query(|connection| query.get_result(connection).optional())?;
        let Some(row) = row else {
            return Ok(None);
        };
        let corrupt = |column| corrupt_campaign(row.id, column);
        let message = MessageTemplate::parse(&row.message_template, &row.link_placeholder);
        Ok(Some((
            message.map_err(|_| corrupt("message_template"))?,
            row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
        )))
    }
}
