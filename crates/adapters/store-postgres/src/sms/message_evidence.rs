//! `sms::SendingEvidence`: what allowed a text.

use crate::PgTx;
use crate::rows::{IdRow, rows};
use crate::schema::sms_opt_outs;
use crate::sms::campaigns::corrupt_campaign;
use crate::sms::outbox::corrupt_message;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Text};
use kernel::{Phone, StoreError};
use sms::{
    CampaignId, ConsentBasis, ConsentId, Consents, Keyword, MessageEvidence, MessageId, OptOutChange,
    SendingEvidence, TrackingId, opt_out_changes,
};

const EVIDENCE: &str = "
SELECT message.phone_number, message.consent_id, message.campaign_id, campaign.consent_basis, message.sent_at,
       coalesce(counted.texts, 0) AS month_count
FROM sms_sent_messages AS message
LEFT JOIN sms_scheduled_campaigns AS campaign ON campaign.id = message.campaign_id
LEFT JOIN sms_monthly_counts AS counted ON counted.phone_number = message.phone_number
    AND counted.month = date_trunc('month', message.created_at AT TIME ZONE $2)::date
WHERE message.id = $1 AND message.phone_number IS NOT NULL";

const KEYWORDS: &str = "
SELECT id, keyword, created_at AS at FROM sms_replies WHERE phone_number = $1 AND keyword IS NOT NULL";

const FIND: &str = "SELECT id FROM sms_sent_messages WHERE tracking_id = ANY ($2) AND campaign_id = $1";

rows! {
    struct Row {
        phone_number: String,
        consent_id: Option<i64>,
        campaign_id: Option<i64>,
        consent_basis: Option<String>,
        sent_at: Option<DateTime<Utc>>,
        month_count: i64,
    }

    struct KeywordRow {
        id: i64,
        keyword: String,
        at: DateTime<Utc>,
    }
}

impl PgTx {
    /// The keywords that a number texted.
    fn keywords_of(&self, number: &str) -> Result<Vec<(Keyword, DateTime<Utc>)>, StoreError> {
        let list = sql_query(KEYWORDS).bind::<Text, _>(number);
        let rows: Vec<KeywordRow> = self.query(|connection| list.load(connection))?;
        let keyword = |row: KeywordRow| {
            let corrupt = |_| StoreError::corrupt("sms_replies", "keyword", row.id);
            Ok((row.keyword.parse().map_err(corrupt)?, row.at))
        };
        rows.into_iter().map(keyword).collect()
    }

    fn opt_out_of(&self, number: &str) -> Result<Option<OptOutChange>, StoreError> {
        let query = sms_opt_outs::table
            .find(number)
            .select((sms_opt_outs::opted_out, sms_opt_outs::changed_at));
        let row: Option<(bool, DateTime<Utc>)> =
            self.query(|connection| query.first(connection).optional())?;
        Ok(row.map(|(opted_out, at)| OptOutChange { opted_out, at }))
    }
}

impl SendingEvidence for PgTx {
    fn find_evidence(&self, id: MessageId, zone: Tz) -> Result<Option<MessageEvidence>, StoreError> {
        let find = sql_query(EVIDENCE)
            .bind::<BigInt, _>(id.get())
            .bind::<Text, _>(zone.name());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        let Some(row) = row else { return Ok(None) };
        let consent = match row.consent_id {
            Some(consent) => self.find_consent(ConsentId::new(consent))?,
            None => None,
        };
        let basis = row.consent_basis.as_deref().map(|text| {
            let campaign = row.campaign_id.unwrap_or_default();
            ConsentBasis::parse(text).ok_or_else(|| corrupt_campaign(campaign, "consent_basis"))
        });
        let phone = Phone::from_e164(&row.phone_number);
        Ok(Some(MessageEvidence {
            phone: phone.ok_or_else(|| corrupt_message(id.get(), "phone_number"))?,
            consent,
            consent_basis: basis.transpose()?,
            opt_outs: opt_out_changes(
                self.keywords_of(&row.phone_number)?,
                self.opt_out_of(&row.phone_number)?,
            ),
            month_count: row.month_count,
            sent_at: row.sent_at,
        }))
    }

    fn find_campaign_message(
        &self,
        campaign: CampaignId,
        links: &[TrackingId],
    ) -> Result<Option<MessageId>, StoreError> {
        let links: Vec<&str> = links.iter().map(TrackingId::as_str).collect();
        let find = sql_query(FIND)
            .bind::<BigInt, _>(campaign.get())
            .bind::<Array<Text>, _>(links);
        let row: Option<IdRow> = self.query(|connection| find.get_result(connection).optional())?;
        Ok(row.map(|row| MessageId::new(row.id)))
    }
}
