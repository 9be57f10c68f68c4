//! `sms::SendingEvidence`: what allowed a text.

use crate::PgTx;
use crate::campaigns::corrupt_campaign;
use crate::outbox::corrupt_message;
use crate::rows::IdRow;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{Phone, StoreError};
use sms::{
    CampaignId, ConsentBasis, ConsentId, Consents, MessageEvidence, MessageId, OptOutChange, SendingEvidence,
    TrackingId,
};

const EVIDENCE: &str = "
SELECT message.phone_number, message.consent_id, message.campaign_id, campaign.consent_basis, message.sent_at,
       coalesce(counted.texts, 0) AS month_count
FROM sms_sent_messages AS message
LEFT JOIN sms_scheduled_campaigns AS campaign ON campaign.id = message.campaign_id
LEFT JOIN sms_monthly_counts AS counted ON counted.phone_number = message.phone_number
    AND counted.month = date_trunc('month', message.created_at AT TIME ZONE $2)::date
WHERE message.id = $1 AND message.phone_number IS NOT NULL";

/// The replies that said so, and the present state, which stays when replies are cleared and which providers may set too.
const OPT_OUTS: &str = "
SELECT keyword = 'stop' AS opted_out, created_at AS at FROM sms_replies
WHERE phone_number = $1 AND keyword IN ('stop', 'start')
UNION
SELECT opted_out, changed_at FROM sms_opt_outs WHERE phone_number = $1
ORDER BY at";

const FIND: &str = "SELECT id FROM sms_sent_messages WHERE tracking_id = ANY ($2) AND campaign_id = $1";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    phone_number: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    consent_id: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    campaign_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    consent_basis: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    sent_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = BigInt)]
    month_count: i64,
}

#[derive(QueryableByName)]
struct ChangeRow {
    #[diesel(sql_type = Bool)]
    opted_out: bool,
    #[diesel(sql_type = Timestamptz)]
    at: DateTime<Utc>,
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
        let list = sql_query(OPT_OUTS).bind::<Text, _>(&row.phone_number);
        let changes: Vec<ChangeRow> = self.query(|connection| list.load(connection))?;
        let basis = row.consent_basis.as_deref().map(|text| {
            let campaign = row.campaign_id.unwrap_or_default();
            ConsentBasis::parse(text).ok_or_else(|| corrupt_campaign(campaign, "consent_basis"))
        });
        let phone = Phone::from_e164(&row.phone_number);
        Ok(Some(MessageEvidence {
            phone: phone.ok_or_else(|| corrupt_message(id.get(), "phone_number"))?,
            consent,
            consent_basis: basis.transpose()?,
            opt_outs: changes
                .into_iter()
                .map(|change| OptOutChange {
                    opted_out: change.opted_out,
                    at: change.at,
                })
                .collect(),
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
