//! Applies the delivery rules of the `sms` crate to locked rows.
//!
//! Every transaction locks messages in the order of their ids, so that concurrent changes wait for each other instead of
//! deadlocking. It does not lock their campaigns.

use crate::PgTx;
use crate::schema::sms_sent_messages;
use crate::sms::outbox::{corrupt_message, read_provider_id};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz};
use kernel::StoreError;
use sms::{Delivery, MessageId, Tally};
use std::collections::BTreeMap;

const UPDATE_MESSAGES: &str = include_str!("../../sql/update_messages.sql");

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_sent_messages)]
struct Row {
    id: i64,
    campaign_id: Option<i64>,
    status: String,
    attempt: i32,
    error_message: Option<String>,
    provider_message_id: Option<String>,
    created_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    sent_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Delivery {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        let provider_id = read_provider_id(row.id, row.provider_message_id.as_deref())?;
        Ok(Self {
            status: row.status.parse().map_err(|_| corrupt("status"))?,
            attempt: u32::try_from(row.attempt).map_err(|_| corrupt("attempt"))?,
            reason: row.error_message,
            provider_id,
            queued_at: row.created_at,
            due_at: row.due_at,
            sent_at: row.sent_at,
        })
    }
}

/// The id and the new delivery state of a changed message.
type Changed = (i64, Delivery);

impl PgTx {
    /// Applies a delivery rule to messages and updates the counts of their campaigns. Returns whether any message
    /// changed.
    pub(crate) fn update_messages(
        &mut self,
        ids: &[i64],
        mut rule: impl FnMut(MessageId, &mut Delivery) -> Option<Tally>,
    ) -> Result<bool, StoreError> {
        if ids.is_empty() {
            return Ok(false);
        }
        self.expect_few_rows()?;
        let query = sms_sent_messages::table
            .filter(sms_sent_messages::id.eq_any(ids))
            .order(sms_sent_messages::id)
            .select(Row::as_select())
            .for_no_key_update();
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        let mut changed = Vec::with_capacity(rows.len());
        let mut tallies: BTreeMap<i64, Tally> = BTreeMap::new();
        for row in rows {
            let (id, campaign) = (row.id, row.campaign_id);
            let mut delivery = Delivery::try_from(row)?;
            let Some(tally) = rule(MessageId::new(id), &mut delivery) else {
                continue;
            };
            changed.push((id, delivery));
            if let Some(campaign) = campaign {
                let sum = tallies.entry(campaign).or_default();
                *sum = sum.plus(tally);
            }
        }
        self.save_deliveries(&changed)?;
        for (campaign, tally) in tallies {
            self.count_campaign_change(campaign, tally)?;
        }
        Ok(!changed.is_empty())
    }

    fn save_deliveries(&mut self, changed: &[Changed]) -> Result<(), StoreError> {
        if changed.is_empty() {
            return Ok(());
        }
        fn column<'a, T>(changed: &'a [Changed], of: impl Fn(&'a Delivery) -> T) -> Vec<T> {
            changed.iter().map(|(_, delivery)| of(delivery)).collect()
        }
        let ids: Vec<i64> = changed.iter().map(|(id, _)| *id).collect();
        let provider_id = |delivery: &Delivery| delivery.provider_id.as_ref().map(ToString::to_string);
        let update = sql_query(UPDATE_MESSAGES)
            .bind::<Array<BigInt>, _>(ids)
            .bind::<Array<Text>, _>(column(changed, |delivery| delivery.status.as_str()))
            .bind::<Array<Nullable<Text>>, _>(column(changed, |delivery| delivery.reason.as_deref()))
            .bind::<Array<Nullable<Text>>, _>(column(changed, provider_id))
            .bind::<Array<Nullable<Timestamptz>>, _>(column(changed, |delivery| delivery.sent_at))
            .bind::<Array<Timestamptz>, _>(column(changed, |delivery| delivery.due_at));
        self.query(|connection| update.execute(connection)).map(drop)
    }
}
