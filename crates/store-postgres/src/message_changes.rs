//! How texts go on: the domain's rules, on rows that are locked.
//!
//! Texts are locked in the order of their numbers and their campaigns after them, so that those who change the same ones
//! wait for each other.

use crate::PgTx;
use crate::outbox::corrupt_message;
use crate::schema::{sms_scheduled_campaigns, sms_sent_messages};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz};
use kernel::StoreError;
use sms::{DeliveryReport, MessageStatus, Outcome, ProviderMessage, SkipReason, Tally};
use std::collections::BTreeMap;

const CHANGE_TEXTS: &str = include_str!("../sql/update_messages.sql");

/// What a text that failed says when the provider does not say why.
const NO_REASON: &str = "No reason was given";

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_sent_messages)]
struct Row {
    id: i64,
    campaign_id: Option<i64>,
    status: String,
    attempt: i32,
    provider_message_id: Option<String>,
    sent_at: Option<DateTime<Utc>>,
}

/// A text that is locked, and how it is to go on.
pub(crate) struct LockedMessage {
    pub(crate) id: i64,
    campaign: Option<i64>,
    before: MessageStatus,
    status: MessageStatus,
    attempt: i64,
    reason: Option<String>,
    provider_id: Option<String>,
    sent_at: Option<DateTime<Utc>>,
    due_at: Option<DateTime<Utc>>,
    changed: bool,
}

impl TryFrom<Row> for LockedMessage {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let status = row
            .status
            .parse()
            .map_err(|_| corrupt_message(row.id, "status"))?;
        Ok(Self {
            id: row.id,
            campaign: row.campaign_id,
            before: status,
            status,
            attempt: row.attempt.into(),
            reason: None,
            provider_id: row.provider_message_id,
            sent_at: row.sent_at,
            due_at: None,
            changed: false,
        })
    }
}

impl LockedMessage {
    /// Takes in what the provider tells. Whether it changes anything.
    pub(crate) fn hear(&mut self, told: &ProviderMessage, at: DateTime<Utc>) -> bool {
        let is_another = self
            .provider_id
            .as_deref()
            .is_some_and(|id| id != told.id.as_str());
        let Some(status) = self.status.after_report(told.status).filter(|_| !is_another) else {
            return false;
        };
        self.go_on(status);
        self.provider_id = Some(told.id.as_str().to_owned());
        if matches!(status, MessageStatus::Undelivered | MessageStatus::Failed) {
            let reason = told.failure.as_ref().map(ToString::to_string);
            self.reason = Some(reason.unwrap_or_else(|| NO_REASON.to_owned()));
        }
        if status != MessageStatus::Failed {
            self.sent_at.get_or_insert(at);
        }
        true
    }

    /// Takes in what became of an attempt. Whether it changes anything.
    pub(crate) fn settle(&mut self, outcome: &Outcome, at: DateTime<Utc>) -> bool {
        let told = &outcome.what;
        if let DeliveryReport::Has(text) = told {
            return self.hear(text, at);
        }
        let is_last = i64::from(outcome.attempt) == self.attempt;
        let Some(status) = told.status_after(self.status).filter(|_| is_last) else {
            return false;
        };
        self.go_on(status);
        match told {
            DeliveryReport::NotSent { again_at: due_at }
            | DeliveryReport::MaybeSent { look_up_at: due_at } => {
                self.due_at = Some(*due_at);
            }
            DeliveryReport::OptedOut => self.reason = Some(SkipReason::OptedOut.as_str().to_owned()),
            DeliveryReport::Refused(failure) => self.reason = Some(failure.to_string()),
            DeliveryReport::Has(_) => {}
        }
        true
    }

    /// Is not to be sent after all.
    pub(crate) fn skip(&mut self, reason: SkipReason) {
        self.go_on(MessageStatus::Skipped);
        self.reason = Some(reason.as_str().to_owned());
    }

    fn go_on(&mut self, status: MessageStatus) {
        self.status = status;
        self.reason = None;
        self.changed = true;
    }
}

/// How a campaign's counts change.
#[derive(Default)]
struct CampaignChange {
    tally: Tally,
    closed: i64,
}

impl PgTx {
    /// Changes texts by a rule, and the counts of their campaigns with them. Whether any changed.
    pub(crate) fn update_messages(
        &mut self,
        ids: &[i64],
        mut change: impl FnMut(&mut LockedMessage),
    ) -> Result<bool, StoreError> {
        if ids.is_empty() {
            return Ok(false);
        }
        self.look_for_few_rows()?;
        let query = sms_sent_messages::table
            .filter(sms_sent_messages::id.eq_any(ids))
            .order(sms_sent_messages::id)
            .select(Row::as_select())
            .for_no_key_update();
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        let mut changed = Vec::with_capacity(rows.len());
        for row in rows {
            let mut text = LockedMessage::try_from(row)?;
            change(&mut text);
            if text.changed {
                changed.push(text);
            }
        }
        self.write_message_changes(&changed)?;
        self.count_changes(&changed)?;
        Ok(!changed.is_empty())
    }

    fn write_message_changes(&mut self, texts: &[LockedMessage]) -> Result<(), StoreError> {
        if texts.is_empty() {
            return Ok(());
        }
        fn column<'a, T>(texts: &'a [LockedMessage], of: impl Fn(&'a LockedMessage) -> T) -> Vec<T> {
            texts.iter().map(of).collect()
        }
        let update = sql_query(CHANGE_TEXTS)
            .bind::<Array<BigInt>, _>(column(texts, |text| text.id))
            .bind::<Array<Text>, _>(column(texts, |text| text.status.as_str()))
            .bind::<Array<Nullable<Text>>, _>(column(texts, |text| text.reason.as_deref()))
            .bind::<Array<Nullable<Text>>, _>(column(texts, |text| text.provider_id.as_deref()))
            .bind::<Array<Nullable<Timestamptz>>, _>(column(texts, |text| text.sent_at))
            .bind::<Array<Nullable<Timestamptz>>, _>(column(texts, |text| text.due_at));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn count_changes(&mut self, texts: &[LockedMessage]) -> Result<(), StoreError> {
        let mut changes: BTreeMap<i64, CampaignChange> = BTreeMap::new();
        for text in texts {
            let Some(campaign) = text.campaign else { continue };
            let change = changes.entry(campaign).or_default();
            change.tally = change.tally.plus(Tally::of(text.before, text.status));
            change.closed += i64::from(text.before.is_open() && !text.status.is_open());
        }
        for (campaign, change) in changes {
            self.count_campaign_change(campaign, change.tally, change.closed)?;
        }
        Ok(())
    }

    /// Adds to a campaign's counts; `closed` of its texts are not on their way any more.
    pub(crate) fn count_campaign_change(
        &mut self,
        campaign: i64,
        tally: Tally,
        closed: i64,
    ) -> Result<(), StoreError> {
        use sms_scheduled_campaigns::{delivered_count, error_count, open_count, sent_count, skipped_count};
        if tally == Tally::default() && closed == 0 {
            return Ok(());
        }
        let update = diesel::update(sms_scheduled_campaigns::table.find(campaign)).set((
            open_count.eq(open_count - closed),
            sent_count.eq(sent_count + tally.sent),
            delivered_count.eq(delivered_count + tally.delivered),
            error_count.eq(error_count + tally.failed),
            skipped_count.eq(skipped_count + tally.skipped),
        ));
        self.query(|connection| update.execute(connection)).map(drop)
    }
}
