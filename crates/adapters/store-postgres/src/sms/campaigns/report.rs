use crate::rows::rows;
use crate::schema::sms_sent_messages;
use crate::sms::outbox::corrupt_message;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text, Timestamptz};
use kernel::{Phone, StoreError};
use sms::{CampaignReport, ExportedMessage, MessageId, SkipReason, TrackingId};

rows! {
    pub(super) struct ReasonRow {
        status: String,
        error_message: Option<String>,
        messages: i64,
    }
}

#[derive(QueryableByName)]
#[diesel(table_name = sms_sent_messages)]
pub(super) struct ExportRow {
    id: i64,
    #[diesel(sql_type = Text)]
    phone_number: String,
    status: String,
    error_message: Option<String>,
    sent_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    clicked_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    cta_clicked_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Text>)]
    tracking_id: Option<String>,
}

impl TryFrom<ExportRow> for ExportedMessage {
    type Error = StoreError;

    fn try_from(row: ExportRow) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        let tracking_id = match &row.tracking_id {
            Some(id) => Some(TrackingId::parse(id).ok_or_else(|| corrupt("tracking_id"))?),
            None => None,
        };
        Ok(Self {
            id: MessageId::new(row.id),
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            status: row.status.parse().map_err(|_| corrupt("status"))?,
            reason: row.error_message,
            sent_at: row.sent_at,
            clicked_at: row.clicked_at,
            cta_clicked_at: row.cta_clicked_at,
            tracking_id,
        })
    }
}

/// Combines failed and undelivered messages by reason, the most frequent first.
pub(super) fn campaign_report(rows: Vec<ReasonRow>, open: i64, unknown: i64) -> CampaignReport {
    let mut report = CampaignReport {
        waiting: open - unknown,
        unknown,
        ..CampaignReport::default()
    };
    for row in rows {
        let reason = row.error_message.unwrap_or_default();
        if let Some(skip) = reason
            .parse::<SkipReason>()
            .ok()
            .filter(|_| row.status == "skipped")
        {
            report.skipped.push((skip, row.messages));
            continue;
        }
        match report.failed.iter_mut().find(|(of, _)| *of == reason) {
            Some((_, messages)) => *messages += row.messages,
            None => report.failed.push((reason, row.messages)),
        }
    }
    report
        .failed
        .sort_by(|(a, more), (b, less)| (less, a).cmp(&(more, b)));
    report
        .skipped
        .sort_by_key(|(reason, messages)| (-messages, reason.as_str()));
    report
}
