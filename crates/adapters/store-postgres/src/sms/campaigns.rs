//! `sms::Campaigns`: campaigns as staff manage them.

mod report;
mod results;
mod rows;

pub(crate) use rows::{corrupt_campaign, read_secret};

use report::{ExportRow, ReasonRow, campaign_report};
use rows::{FiguresRow, Row, read_numbers};

use crate::PgTx;
use crate::rows::{CountRow, rows};
use crate::schema::sms_scheduled_campaigns;
use crate::sorting::order_by;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Date, Nullable, Text};
use kernel::{IdempotencyKey, PageRequest, Phone, SortOrder, StaffName, StoreError};
use serde_json::Value;
use sms::{
    Audience, AudienceSize, Campaign, CampaignFigures, CampaignFilter, CampaignId, CampaignReport,
    CampaignRules, CampaignSort, Campaigns, ConsentBasis, ExportedMessage, MessageId, NewCampaign,
    RequestHash,
};

/// The phone numbers of entrants who consented, are not flagged and have not opted out; `$1` is the raffle, or null for
/// all. The newest consent decides. It reads all consents in one pass, which is far faster than a lookup per entrant. Each
/// recipient is judged again by [`CampaignRules::skip`] before a message goes out.
pub(crate) const CONSENTING: &str = "
SELECT users.phone_number
FROM users
JOIN (
    SELECT user_id, max(id * 2 + (granted AND revoked_at IS NULL)::int) AS newest
    FROM user_consent
    WHERE consent_type = 'sms_campaigns'
    GROUP BY user_id
) AS consent ON consent.user_id = users.id AND consent.newest % 2 <> 0
WHERE NOT users.is_flagged AND users.erased_at IS NULL AND ($1 IS NULL OR users.landing_page = $1)
    AND NOT EXISTS (
        SELECT FROM sms_opt_outs WHERE sms_opt_outs.phone_number = users.phone_number AND opted_out
    )";

/// Listed numbers that have not opted out, without entrants who did not consent.
const COUNT_NUMBERS: &str = "
SELECT count(*) AS recipients, count(*) FILTER (WHERE coalesce(texts, 0) >= $3) AS over_cap
FROM unnest($1::text[]) AS listed (phone_number)
LEFT JOIN users ON users.phone_number = listed.phone_number
LEFT JOIN LATERAL (
    SELECT granted AND revoked_at IS NULL AS is_valid
    FROM user_consent
    WHERE user_id = users.id AND consent_type = 'sms_campaigns'
    ORDER BY id DESC
    LIMIT 1
) AS consent ON true
LEFT JOIN sms_monthly_counts AS counted ON counted.phone_number = listed.phone_number AND month = $2
WHERE NOT EXISTS (SELECT FROM sms_opt_outs WHERE sms_opt_outs.phone_number = listed.phone_number AND opted_out)
    AND (users.id IS NULL OR consent.is_valid)";

/// Whether `number` gets texts, as in `SmsCountries::permit`: `area_codes` has the refused ones of North America, and
/// `calling_codes` the permitted ones of the rest of the world.
fn permitted(number: &str, area_codes: &str, calling_codes: &str) -> String {
    format!(
        "CASE WHEN {number} LIKE '+1%' THEN left({number}, 5) <> ALL ({area_codes}::text[])
              ELSE left({number}, 2) = ANY ({calling_codes}::text[]) OR left({number}, 3) = ANY ({calling_codes})
                   OR left({number}, 4) = ANY ({calling_codes})
         END"
    )
}

/// Only the beginning of a long list of phone numbers is read. Deltas that were not folded yet count.
const CAMPAIGNS: &str = "
SELECT campaign.id, template_id, template.name AS template_name, campaign_name, scheduled_date, target_audience,
       landing_page_filter, jsonb_path_query_array(custom_phone_numbers, '$[0 to 99]') AS custom_phone_numbers,
       custom_number_count, consent_basis, tracking_url_base, secret, idempotency_key, status, recipient_count,
       sent_count + delta.sent AS sent_count, delivered_count + delta.delivered AS delivered_count,
       error_count + delta.error AS error_count, skipped_count + delta.skipped AS skipped_count,
       clicked_count + clicks.clicked AS clicked_count, cta_clicked_count + clicks.cta_clicked AS cta_clicked_count,
       campaign.created_by, campaign.created_at, started_at, sent_at
FROM sms_scheduled_campaigns AS campaign
JOIN sms_campaign_templates AS template ON template.id = template_id
CROSS JOIN LATERAL (
    SELECT coalesce(sum(sent), 0)::bigint AS sent, coalesce(sum(delivered), 0)::bigint AS delivered,
           coalesce(sum(error), 0)::bigint AS error, coalesce(sum(skipped), 0)::bigint AS skipped
    FROM sms_campaign_deltas
    WHERE campaign_id = campaign.id
) AS delta
CROSS JOIN LATERAL (
    SELECT coalesce(sum(clicked), 0)::bigint AS clicked, coalesce(sum(cta_clicked), 0)::bigint AS cta_clicked
    FROM sms_click_deltas
    WHERE campaign_id = campaign.id
) AS clicks";

/// The campaigns that a filter lets through. `strpos` takes the text as it is; in a pattern, `%` and `_` would match more.
const MATCHING: &str = "
WHERE ($1 IS NULL OR campaign.status = $1) AND ($2 IS NULL OR strpos(lower(campaign_name), lower($2)) > 0)
    AND ($3 IS NULL OR campaign.id < $3)";

const REASONS: &str = "
SELECT status, error_message, count(*) AS messages
FROM sms_sent_messages
WHERE campaign_id = $1 AND status IN ('undelivered', 'failed', 'skipped')
GROUP BY status, error_message";

const COUNT_OPEN: &str = "
SELECT open_count + coalesce((SELECT sum(open) FROM sms_campaign_deltas WHERE campaign_id = $1), 0)::bigint AS open, (
    SELECT count(*) FROM sms_sent_messages WHERE status = 'unknown' AND campaign_id = $1
) AS unknown
FROM sms_scheduled_campaigns
WHERE id = $1";

const EXPORT: &str = "
SELECT message.id, phone_number, status, error_message, sent_at, click.clicked_at, click.cta_clicked_at,
       message.tracking_id
FROM sms_sent_messages AS message
LEFT JOIN sms_click_tracking AS click ON click.tracking_id = message.tracking_id
WHERE message.campaign_id = $1 AND message.id > $2 AND phone_number IS NOT NULL
ORDER BY message.id
LIMIT $3";

const SUM: &str = "
SELECT coalesce(sum(recipient_count), 0)::bigint AS recipient_count, coalesce(sum(sent_count), 0)::bigint AS sent_count,
       coalesce(sum(delivered_count), 0)::bigint AS delivered_count, coalesce(sum(error_count), 0)::bigint AS error_count,
       coalesce(sum(skipped_count), 0)::bigint AS skipped_count, coalesce(sum(clicked_count), 0)::bigint AS clicked_count,
       coalesce(sum(cta_clicked_count), 0)::bigint AS cta_clicked_count
FROM (
    SELECT recipient_count, sent_count, delivered_count, error_count, skipped_count, clicked_count, cta_clicked_count
    FROM sms_scheduled_campaigns
    UNION ALL
    SELECT 0, sent, delivered, error, skipped, 0, 0
    FROM sms_campaign_deltas
    JOIN sms_scheduled_campaigns AS campaign ON campaign.id = campaign_id
    UNION ALL
    SELECT 0, 0, 0, 0, 0, clicked, cta_clicked
    FROM sms_click_deltas
    JOIN sms_scheduled_campaigns AS campaign ON campaign.id = campaign_id
) AS counted";

rows! {
    struct SizeRow {
        recipients: i64,
        over_cap: i64,
    }

    struct OpenRow {
        open: i64,
        unknown: i64,
    }
}

const fn column_of(sort: CampaignSort) -> &'static str {
    match sort {
        CampaignSort::CreatedAt => "campaign.id",
        CampaignSort::ScheduledAt => "scheduled_date",
        CampaignSort::Name => "lower(campaign_name) COLLATE \"C\"",
    }
}

/// A query with the parameters of [`MATCHING`].
fn matching(sql: String, filter: &CampaignFilter) -> BoxedSqlQuery<'_, Pg, SqlQuery> {
    sql_query(sql)
        .into_boxed()
        .bind::<Nullable<Text>, _>(filter.status.map(|status| status.as_str()))
        .bind::<Nullable<Text>, _>(filter.name_part.as_ref().map(|part| part.as_str()))
        .bind::<Nullable<BigInt>, _>(filter.before.map(|before| before.get()))
}

/// The numbers of a custom list.
fn numbers_of(audience: &Audience) -> Option<Vec<&str>> {
    match audience {
        Audience::Custom(phones) => Some(phones.iter().map(Phone::as_e164).collect()),
        Audience::All | Audience::Raffle(_) => None,
    }
}

impl PgTx {
    fn find_one(&self, filter: &str, value: Option<&str>, id: i64) -> Result<Option<Campaign>, StoreError> {
        let query = sql_query(format!("{CAMPAIGNS} WHERE {filter}"))
            .bind::<BigInt, _>(id)
            .bind::<Nullable<Text>, _>(value);
        let row: Option<Row> = self.query(|connection| query.get_result(connection).optional())?;
        row.map(Campaign::try_from).transpose()
    }
}

impl Campaigns for PgTx {
    fn add_campaign(&mut self, new: &NewCampaign) -> Result<CampaignId, StoreError> {
        if let Audience::Custom(phones) = &new.audience {
            self.recall_stops(phones)?;
        }
        let numbers = numbers_of(&new.audience);
        let count = numbers.as_ref().map_or(0, Vec::len);
        let hash = new.idempotency_key.as_ref().map(|_| new.request_hash());
        let row = (
            sms_scheduled_campaigns::template_id.eq(new.template.get()),
            sms_scheduled_campaigns::campaign_name.eq(new.name.as_str()),
            sms_scheduled_campaigns::scheduled_date.eq(new.scheduled_at),
            sms_scheduled_campaigns::target_audience.eq(new.audience.as_str()),
            sms_scheduled_campaigns::landing_page_filter
                .eq(new.audience.raffle().map(|raffle| raffle.to_string())),
            sms_scheduled_campaigns::custom_phone_numbers.eq(numbers.map(Value::from)),
            sms_scheduled_campaigns::custom_number_count.eq(i64::try_from(count).unwrap_or(i64::MAX)),
            sms_scheduled_campaigns::consent_basis.eq(new.consent_basis.as_ref().map(ConsentBasis::as_str)),
            sms_scheduled_campaigns::tracking_url_base.eq(new.link_base.as_str()),
            sms_scheduled_campaigns::secret.eq(new.secret.bytes().as_slice()),
            sms_scheduled_campaigns::idempotency_key
                .eq(new.idempotency_key.as_ref().map(IdempotencyKey::as_str)),
            sms_scheduled_campaigns::created_by.eq(new.created_by.as_ref().map(StaffName::as_str)),
            sms_scheduled_campaigns::idempotency_hash
                .eq(hash.as_ref().map(|hash| hash.as_bytes().as_slice())),
            sms_scheduled_campaigns::created_at.eq(new.at),
        );
        let insert = diesel::insert_into(sms_scheduled_campaigns::table)
            .values(row)
            .returning(sms_scheduled_campaigns::id);
        self.query(|connection| insert.get_result(connection))
            .map(CampaignId::new)
    }

    fn find_campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError> {
        self.find_one("campaign.id = $1", None, id.get())
    }

    fn list_custom_numbers(&self, id: CampaignId) -> Result<Vec<Phone>, StoreError> {
        let query = sms_scheduled_campaigns::table
            .find(id.get())
            .select(sms_scheduled_campaigns::custom_phone_numbers);
        let listed: Option<Option<Value>> = self.query(|connection| query.first(connection).optional())?;
        match listed.flatten() {
            Some(numbers) => {
                read_numbers(&numbers).ok_or_else(|| corrupt_campaign(id.get(), "custom_phone_numbers"))
            }
            None => Ok(Vec::new()),
        }
    }

    fn find_campaign_by_key(&self, key: &IdempotencyKey) -> Result<Option<Campaign>, StoreError> {
        self.find_one("idempotency_key = $2", Some(key.as_str()), 0)
    }

    fn request_hash_of(&self, key: &IdempotencyKey) -> Result<Option<RequestHash>, StoreError> {
        let query = sms_scheduled_campaigns::table
            .filter(sms_scheduled_campaigns::idempotency_key.eq(key.as_str()))
            .select((
                sms_scheduled_campaigns::id,
                sms_scheduled_campaigns::idempotency_hash,
            ));
        let found: Option<(i64, Option<Vec<u8>>)> =
            self.query(|connection| query.first(connection).optional())?;
        let Some((id, Some(hash))) = found else {
            return Ok(None);
        };
        let hash = hash
            .try_into()
            .map_err(|_| corrupt_campaign(id, "idempotency_hash"))?;
        Ok(Some(RequestHash::new(hash)))
    }

    fn list_campaigns(
        &self,
        filter: &CampaignFilter,
        sort: CampaignSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<Campaign>, StoreError> {
        let order_by = order_by(column_of(sort), "campaign.id", order);
        let query = matching(
            format!("{CAMPAIGNS} {MATCHING} {order_by} LIMIT $4 OFFSET $5"),
            filter,
        )
        .bind::<BigInt, _>(i64::from(page.limit))
        .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Campaign::try_from).collect()
    }

    fn count_campaigns(&self, filter: &CampaignFilter) -> Result<i64, StoreError> {
        let count = "SELECT count(*) AS n FROM sms_scheduled_campaigns AS campaign";
        let query = matching(format!("{count} {MATCHING}"), filter);
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    fn change_campaign(&mut self, id: CampaignId, new: &NewCampaign) -> Result<bool, StoreError> {
        if let Audience::Custom(phones) = &new.audience {
            self.recall_stops(phones)?;
        }
        let numbers = numbers_of(&new.audience);
        let count = numbers.as_ref().map_or(0, Vec::len);
        let pending = sms_scheduled_campaigns::table
            .find(id.get())
            .filter(sms_scheduled_campaigns::status.eq("pending"));
        let update = diesel::update(pending).set((
            sms_scheduled_campaigns::template_id.eq(new.template.get()),
            sms_scheduled_campaigns::campaign_name.eq(new.name.as_str()),
            sms_scheduled_campaigns::scheduled_date.eq(new.scheduled_at),
            sms_scheduled_campaigns::target_audience.eq(new.audience.as_str()),
            sms_scheduled_campaigns::landing_page_filter
                .eq(new.audience.raffle().map(|raffle| raffle.to_string())),
            sms_scheduled_campaigns::custom_phone_numbers.eq(numbers.map(Value::from)),
            sms_scheduled_campaigns::custom_number_count.eq(i64::try_from(count).unwrap_or(i64::MAX)),
            sms_scheduled_campaigns::consent_basis.eq(new.consent_basis.as_ref().map(ConsentBasis::as_str)),
            sms_scheduled_campaigns::tracking_url_base.eq(new.link_base.as_str()),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn cancel_campaign(&mut self, id: CampaignId) -> Result<bool, StoreError> {
        let pending = sms_scheduled_campaigns::table
            .find(id.get())
            .filter(sms_scheduled_campaigns::status.eq("pending"));
        let update = diesel::update(pending).set(sms_scheduled_campaigns::status.eq("cancelled"));
        let cancelled = self.query(|connection| update.execute(connection))?;
        Ok(cancelled > 0)
    }

    fn audience_size(
        &self,
        audience: &Audience,
        rules: &CampaignRules<'_>,
    ) -> Result<AudienceSize, StoreError> {
        let CampaignRules {
            month,
            monthly_cap,
            countries,
        } = *rules;
        self.expect_many_rows()?;
        let row: SizeRow = match audience {
            Audience::Custom(phones) => {
                let numbers: Vec<_> = phones.iter().map(Phone::as_e164).collect();
                let permitted = permitted("listed.phone_number", "$4", "$5");
                let query = sql_query(format!("{COUNT_NUMBERS} AND {permitted}"))
                    .bind::<Array<Text>, _>(numbers)
                    .bind::<Date, _>(month)
                    .bind::<BigInt, _>(i64::from(monthly_cap))
                    .bind::<Array<Text>, _>(countries.refused_area_codes())
                    .bind::<Array<Text>, _>(countries.calling_codes());
                self.query(|connection| query.get_result(connection))?
            }
            Audience::All | Audience::Raffle(_) => {
                let permitted = permitted("audience.phone_number", "$4", "$5");
                let query = sql_query(format!(
                    "SELECT count(*) AS recipients, count(*) FILTER (WHERE coalesce(texts, 0) >= $3) AS over_cap
                     FROM ({CONSENTING}) AS audience
                     LEFT JOIN sms_monthly_counts AS counted
                         ON counted.phone_number = audience.phone_number AND month = $2
                     WHERE {permitted}"
                ));
                let query = query
                    .bind::<Nullable<Text>, _>(audience.raffle().map(|raffle| raffle.to_string()))
                    .bind::<Date, _>(month)
                    .bind::<BigInt, _>(i64::from(monthly_cap))
                    .bind::<Array<Text>, _>(countries.refused_area_codes())
                    .bind::<Array<Text>, _>(countries.calling_codes());
                self.query(|connection| query.get_result(connection))?
            }
        };
        Ok(AudienceSize {
            recipients: row.recipients,
            over_cap: row.over_cap,
        })
    }

    fn report_campaign(&self, id: CampaignId) -> Result<CampaignReport, StoreError> {
        let query = sql_query(COUNT_OPEN).bind::<BigInt, _>(id.get());
        let counts: Option<OpenRow> = self.query(|connection| query.get_result(connection).optional())?;
        let query = sql_query(REASONS).bind::<BigInt, _>(id.get());
        let reasons: Vec<ReasonRow> = self.query(|connection| query.load(connection))?;
        let (open, unknown) = counts.map_or((0, 0), |counts| (counts.open, counts.unknown));
        Ok(campaign_report(reasons, open, unknown))
    }

    fn export_messages(
        &self,
        id: CampaignId,
        after: MessageId,
        limit: u32,
    ) -> Result<Vec<ExportedMessage>, StoreError> {
        let query = sql_query(EXPORT)
            .bind::<BigInt, _>(id.get())
            .bind::<BigInt, _>(after.get())
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<ExportRow> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(ExportedMessage::try_from).collect()
    }

    fn sum_campaigns(&self) -> Result<CampaignFigures, StoreError> {
        let row: FiguresRow = self.query(|connection| sql_query(SUM).get_result(connection))?;
        Ok(row.into())
    }
}
