//! `sms::CampaignDispatching`: starting campaigns, taking their recipients, and finishing them.

use crate::PgTx;
use crate::rows::{IdRow, TextRow};
use crate::schema::{sms_recipients, sms_scheduled_campaigns};
use crate::sms::addressees::EntrantColumns;
use crate::sms::campaigns::{CONSENTING, corrupt_campaign, read_secret};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Date, Nullable, Text, Timestamptz};
use kernel::{EntrantId, Phone, StoreError};
use sms::{
    CampaignDispatching, CampaignFigures, CampaignId, CampaignRules, CampaignStatus, ConsentId, Fence,
    Fenced, LinkBase, MessageId, MessageTemplate, NewCampaignMessage, Recipient, SendingCampaign, SkipReason,
    Tally,
};
use std::collections::HashSet;

const TAKE_RECIPIENTS: &str = include_str!("../../sql/take_recipients.sql");
const ADD_CAMPAIGN_MESSAGES: &str = include_str!("../../sql/add_campaign_messages.sql");

const LIST_NUMBERS: &str = "
INSERT INTO sms_recipients (campaign_id, phone_number)
SELECT id, jsonb_array_elements_text(custom_phone_numbers) FROM sms_scheduled_campaigns WHERE id = $1
ON CONFLICT DO NOTHING";

const BEGIN: &str = "
UPDATE sms_scheduled_campaigns AS campaign
SET status = 'sending', started_at = $2, recipient_count = $3, open_count = $3,
    message_template = template.message_template, link_placeholder = template.link_placeholder,
    landing_page = template.landing_page
FROM sms_campaign_templates AS template
WHERE campaign.id = $1 AND template.id = campaign.template_id";

/// Counts one more message for each number that is below the monthly cap. The counts are locked in the order of the numbers,
/// as in every other transaction.
const COUNT_IN_MONTH: &str = "
INSERT INTO sms_monthly_counts (phone_number, month, texts)
SELECT phone_number, $2, 1 FROM unnest($1::text[]) AS recipient (phone_number)
ORDER BY phone_number
ON CONFLICT (phone_number, month) DO UPDATE SET texts = sms_monthly_counts.texts + 1
WHERE sms_monthly_counts.texts < $3
RETURNING phone_number AS text";

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_scheduled_campaigns)]
struct SendingRow {
    id: i64,
    message_template: Option<String>,
    link_placeholder: Option<String>,
    landing_page: Option<String>,
    tracking_url_base: String,
    secret: Vec<u8>,
}

impl TryFrom<SendingRow> for SendingCampaign {
    type Error = StoreError;

    fn try_from(row: SendingRow) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_campaign(row.id, column);
        let message = row.message_template.as_deref().unwrap_or_default();
        let placeholder = row.link_placeholder.as_deref().unwrap_or_default();
        let landing_page = row.landing_page.as_deref().unwrap_or_default();
        Ok(Self {
            id: CampaignId::new(row.id),
            message: MessageTemplate::parse(message, placeholder).map_err(|_| corrupt("message_template"))?,
            raffle: landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            link_base: LinkBase::parse(&row.tracking_url_base).ok_or_else(|| corrupt("tracking_url_base"))?,
            secret: read_secret(row.id, &row.secret)?,
        })
    }
}

#[derive(QueryableByName)]
struct RecipientRow {
    #[diesel(sql_type = Text)]
    phone_number: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    user_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    landing_page: Option<String>,
    #[diesel(sql_type = Bool)]
    has_opted_out: bool,
    #[diesel(embed)]
    entrant: EntrantColumns,
}

impl RecipientRow {
    /// The recipient, skipped by the rules but for the monthly cap.
    fn into_recipient(
        self,
        campaign: CampaignId,
        is_of_entrants: bool,
        rules: &CampaignRules<'_>,
    ) -> Result<Recipient, StoreError> {
        let corrupt = |column| StoreError::corrupt("sms_recipients", column, campaign.get());
        let landing_page = self.landing_page.map(|key| key.parse()).transpose();
        let phone = Phone::from_e164(&self.phone_number).ok_or_else(|| corrupt("phone_number"))?;
        let addressee = self.entrant.addressee(is_of_entrants);
        Ok(Recipient {
            entrant: self.user_id.map(EntrantId::new),
            raffle: landing_page.map_err(|_| corrupt("user_id"))?,
            consent: addressee.consent(),
            skip: rules.skip(&phone, self.has_opted_out, &addressee),
            phone,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_scheduled_campaigns)]
struct EndingRow {
    id: i64,
    recipient_count: i64,
    error_count: i64,
    skipped_count: i64,
}

impl EndingRow {
    fn end(&self) -> CampaignStatus {
        CampaignStatus::at_the_end(&CampaignFigures {
            recipients: self.recipient_count,
            failed: self.error_count,
            skipped: self.skipped_count,
            ..CampaignFigures::default()
        })
    }
}

/// A campaign that is due: its id, its audience, and the raffle that it is limited to.
type DueCampaign = (i64, String, Option<String>);

impl PgTx {
    fn list_recipients(&mut self, (id, audience, landing_page): &DueCampaign) -> Result<usize, StoreError> {
        if audience == "custom" {
            let insert = sql_query(LIST_NUMBERS).bind::<BigInt, _>(id);
            return self.query(|connection| insert.execute(connection));
        }
        let insert = sql_query(format!(
            "INSERT INTO sms_recipients (campaign_id, phone_number)
             SELECT $2, phone_number FROM ({CONSENTING}) AS audience ORDER BY phone_number"
        ));
        let insert = insert
            .bind::<Nullable<Text>, _>(landing_page.as_deref())
            .bind::<BigInt, _>(id);
        self.query(|connection| insert.execute(connection))
    }

    /// Counts one more message for each recipient who is not skipped, and skips those who have reached the monthly cap.
    fn skip_over_cap(
        &mut self,
        recipients: &mut [Recipient],
        rules: &CampaignRules<'_>,
    ) -> Result<(), StoreError> {
        let reached = recipients.iter_mut().filter(|recipient| recipient.skip.is_none());
        let mut reached: Vec<_> = reached.collect();
        let phones: Vec<&str> = reached
            .iter()
            .map(|recipient| recipient.phone.as_e164())
            .collect();
        let counted = self.count_in_month(&phones, rules)?;
        for recipient in &mut reached {
            if !counted.contains(recipient.phone.as_e164()) {
                recipient.skip = Some(SkipReason::MonthlyCap);
            }
        }
        Ok(())
    }

    /// The numbers that are counted, because they are below the cap.
    fn count_in_month(
        &mut self,
        phones: &[&str],
        rules: &CampaignRules<'_>,
    ) -> Result<HashSet<String>, StoreError> {
        if phones.is_empty() || rules.monthly_cap == 0 {
            return Ok(HashSet::new());
        }
        let count = sql_query(COUNT_IN_MONTH)
            .bind::<Array<Text>, _>(phones)
            .bind::<Date, _>(rules.month)
            .bind::<BigInt, _>(i64::from(rules.monthly_cap));
        let counted: Vec<TextRow> = self.query(|connection| count.load(connection))?;
        Ok(counted.into_iter().map(|row| row.text).collect())
    }
}

impl CampaignDispatching for PgTx {
    fn start_due_campaigns(
        &mut self,
        fence: Fence,
        now: DateTime<Utc>,
    ) -> Result<Result<Vec<CampaignId>, Fenced>, StoreError> {
        if !self.hold_fence(fence)? {
            return Ok(Err(Fenced));
        }
        let query = sms_scheduled_campaigns::table
            .filter(
                sms_scheduled_campaigns::status
                    .eq("pending")
                    .and(sms_scheduled_campaigns::scheduled_date.le(now)),
            )
            .order((
                sms_scheduled_campaigns::scheduled_date,
                sms_scheduled_campaigns::id,
            ))
            .select((
                sms_scheduled_campaigns::id,
                sms_scheduled_campaigns::target_audience,
                sms_scheduled_campaigns::landing_page_filter,
            ))
            .for_no_key_update();
        let due: Vec<DueCampaign> = self.query(|connection| query.load(connection))?;
        if !due.is_empty() {
            self.expect_many_rows()?;
        }
        for campaign in &due {
            let listed = self.list_recipients(campaign)?;
            let begin = sql_query(BEGIN)
                .bind::<BigInt, _>(campaign.0)
                .bind::<Timestamptz, _>(now)
                .bind::<BigInt, _>(i64::try_from(listed).unwrap_or(i64::MAX));
            self.query(|connection| begin.execute(connection))?;
        }
        Ok(Ok(due.into_iter().map(|(id, ..)| CampaignId::new(id)).collect()))
    }

    fn next_campaign(&self) -> Result<Option<SendingCampaign>, StoreError> {
        let query = sms_scheduled_campaigns::table
            .filter(
                sms_scheduled_campaigns::status
                    .eq("sending")
                    .and(sms_scheduled_campaigns::taken_count.lt(sms_scheduled_campaigns::recipient_count)),
            )
            .order((
                sms_scheduled_campaigns::started_at,
                sms_scheduled_campaigns::scheduled_date,
                sms_scheduled_campaigns::id,
            ))
            .select(SendingRow::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(SendingCampaign::try_from)
            .transpose()
    }

    fn take_recipients(
        &mut self,
        fence: Fence,
        campaign: CampaignId,
        limit: u32,
        rules: &CampaignRules<'_>,
    ) -> Result<Result<Vec<Recipient>, Fenced>, StoreError> {
        if !self.hold_fence(fence)? {
            return Ok(Err(Fenced));
        }
        let sending = sms_scheduled_campaigns::table
            .find(campaign.get())
            .filter(sms_scheduled_campaigns::status.eq("sending"))
            .select((
                sms_scheduled_campaigns::last_recipient,
                sms_scheduled_campaigns::target_audience.ne("custom"),
            ))
            .for_no_key_update();
        let found: Option<(String, bool)> = self.query(|connection| sending.first(connection).optional())?;
        let Some((after, is_of_entrants)) = found else {
            return Ok(Ok(Vec::new()));
        };
        self.expect_few_rows()?;
        let take = sql_query(TAKE_RECIPIENTS)
            .bind::<BigInt, _>(campaign.get())
            .bind::<Text, _>(after)
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<RecipientRow> = self.query(|connection| take.load(connection))?;
        let recipients = rows
            .into_iter()
            .map(|row| row.into_recipient(campaign, is_of_entrants, rules));
        let mut recipients = recipients.collect::<Result<Vec<_>, _>>()?;
        self.skip_over_cap(&mut recipients, rules)?;
        let taken = i64::try_from(recipients.len()).unwrap_or(i64::MAX);
        if let Some(last) = recipients.last() {
            let advance = diesel::update(sms_scheduled_campaigns::table.find(campaign.get())).set((
                sms_scheduled_campaigns::last_recipient.eq(last.phone.as_e164()),
                sms_scheduled_campaigns::taken_count.eq(sms_scheduled_campaigns::taken_count + taken),
            ));
            self.query(|connection| advance.execute(connection))?;
        }
        Ok(Ok(recipients))
    }

    /// The fence is already held since [`CampaignDispatching::take_recipients`].
    fn add_campaign_messages(
        &mut self,
        _: Fence,
        campaign: CampaignId,
        messages: &[NewCampaignMessage],
        at: DateTime<Utc>,
    ) -> Result<Vec<MessageId>, StoreError> {
        if messages.is_empty() {
            return Ok(Vec::new());
        }
        fn column<'a, T>(
            messages: &'a [NewCampaignMessage],
            of: impl Fn(&'a NewCampaignMessage) -> T,
        ) -> Vec<T> {
            messages.iter().map(of).collect()
        }
        // Skipped messages have neither a body nor a link.
        fn unless_skipped<'a>(message: &NewCampaignMessage, value: &'a str) -> Option<&'a str> {
            message.recipient.skip.is_none().then_some(value)
        }
        let insert = sql_query(ADD_CAMPAIGN_MESSAGES)
            .bind::<BigInt, _>(campaign.get())
            .bind::<Timestamptz, _>(at)
            .bind::<Array<Nullable<BigInt>>, _>(column(messages, |message| {
                message.recipient.entrant.map(EntrantId::get)
            }))
            .bind::<Array<Text>, _>(column(messages, |message| message.recipient.phone.as_e164()))
            .bind::<Array<Nullable<Text>>, _>(column(messages, |message| {
                unless_skipped(message, &message.body)
            }))
            .bind::<Array<Nullable<Text>>, _>(column(messages, |message| {
                unless_skipped(message, message.tracking_id.as_str())
            }))
            .bind::<Array<Nullable<Text>>, _>(column(messages, |message| {
                unless_skipped(message, &message.tracking_url)
            }))
            .bind::<Array<Nullable<Text>>, _>(column(messages, |message| {
                message.recipient.skip.map(SkipReason::as_str)
            }))
            .bind::<Array<Nullable<Timestamptz>>, _>(column(messages, |message| message.wait_until))
            .bind::<Array<Nullable<BigInt>>, _>(column(messages, |message| {
                message.recipient.consent.map(ConsentId::get)
            }));
        let rows: Vec<IdRow> = self.query(|connection| insert.load(connection))?;
        // Ids are assigned in the order of the rows, but RETURNING may list them in another order.
        let mut ids: Vec<_> = rows.into_iter().map(|row| MessageId::new(row.id)).collect();
        ids.sort_unstable();
        let skipped = messages.iter().filter(|message| message.recipient.skip.is_some());
        let skipped = i64::try_from(skipped.count()).unwrap_or(i64::MAX);
        let tally = Tally {
            skipped,
            closed: skipped,
            ..Tally::default()
        };
        self.count_campaign_change(campaign.get(), tally)?;
        Ok(ids)
    }

    fn finish_campaigns(&mut self, at: DateTime<Utc>) -> Result<Vec<CampaignId>, StoreError> {
        let folded = self.fold_campaigns()?;
        if folded.is_empty() {
            return Ok(Vec::new());
        }
        let query = sms_scheduled_campaigns::table
            .filter(sms_scheduled_campaigns::id.eq_any(folded))
            .filter(
                sms_scheduled_campaigns::status
                    .eq("sending")
                    .and(sms_scheduled_campaigns::open_count.eq(0)),
            )
            .order(sms_scheduled_campaigns::id)
            .select(EndingRow::as_select());
        let ending: Vec<EndingRow> = self.query(|connection| query.load(connection))?;
        if !ending.is_empty() {
            self.expect_many_rows()?;
        }
        for campaign in &ending {
            let end = diesel::update(sms_scheduled_campaigns::table.find(campaign.id)).set((
                sms_scheduled_campaigns::status.eq(campaign.end().as_str()),
                sms_scheduled_campaigns::sent_at.eq(at),
            ));
            self.query(|connection| end.execute(connection))?;
            let listed = sms_recipients::table.filter(sms_recipients::campaign_id.eq(campaign.id));
            self.query(|connection| diesel::delete(listed).execute(connection))?;
        }
        Ok(ending
            .into_iter()
            .map(|campaign| CampaignId::new(campaign.id))
            .collect())
    }
}
