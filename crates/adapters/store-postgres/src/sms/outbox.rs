use crate::PgTx;
use crate::rows::rows;
use crate::schema::sms_sent_messages;
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Nullable, Text as SqlText, Timestamptz};
use kernel::{EntrantId, Phone, StoreError};
use sms::{
    Message, MessageBody, MessageId, NewMessage, OpenMessages, Outbox, ProviderMessage, ProviderMessageId,
    PutOff,
};

const QUEUE_MESSAGE: &str = include_str!("../../sql/queue_message.sql");

const COUNT_OPEN: &str = "
SELECT (SELECT count(*) FROM sms_sent_messages WHERE status = 'pending')
       + (SELECT count(*) FROM sms_sent_messages WHERE status = 'sending')
       + (SELECT coalesce(sum(recipient_count - taken_count), 0)::bigint
          FROM sms_scheduled_campaigns WHERE status = 'sending') AS waiting,
       (SELECT count(*) FROM sms_sent_messages WHERE status = 'unknown') AS unknown";

const COUNT_PUT_OFF: &str = "
SELECT count(*) AS messages, min(due_at) AS next_at FROM sms_sent_messages
WHERE status = 'pending' AND kind IN ('welcome', 'victory', 'campaign') AND due_at > $1 AND attempt = 0";

struct NewRow<'a> {
    kind: &'a str,
    user_id: Option<i64>,
    phone_number: &'a str,
    message_body: Option<&'a str>,
    sealed_body: Option<&'a [u8]>,
    at: DateTime<Utc>,
}

values!(
    NewRow<'_>: QUEUE_MESSAGE,
    kind: SqlText,
    user_id: Nullable<BigInt>,
    phone_number: SqlText,
    message_body: Nullable<SqlText>,
    sealed_body: Nullable<Binary>,
    at: Timestamptz,
);

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_sent_messages)]
struct Row {
    id: i64,
    kind: String,
    user_id: Option<i64>,
    phone_number: Option<String>,
    message_body: Option<String>,
    sealed_body: Option<Vec<u8>>,
    status: String,
    error_message: Option<String>,
    provider_message_id: Option<String>,
    sent_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
}

/// The error for a stored message that is not valid.
pub(crate) fn corrupt_message(id: i64, column: &'static str) -> StoreError {
    StoreError::corrupt("sms_sent_messages", column, id)
}

/// The body in one of its two columns.
pub(crate) fn read_body(clear: Option<String>, sealed: Option<Vec<u8>>) -> Option<MessageBody> {
    clear
        .map(MessageBody::Clear)
        .or_else(|| sealed.map(MessageBody::Sealed))
}

pub(crate) fn read_provider_id(
    message: i64,
    column: Option<&str>,
) -> Result<Option<ProviderMessageId>, StoreError> {
    let parse =
        |id| ProviderMessageId::parse(id).ok_or_else(|| corrupt_message(message, "provider_message_id"));
    column.map(parse).transpose()
}

impl TryFrom<Row> for Message {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        let provider_id = read_provider_id(row.id, row.provider_message_id.as_deref())?;
        let phone = row.phone_number.as_deref().and_then(Phone::from_e164);
        Ok(Self {
            id: MessageId::new(row.id),
            content: NewMessage {
                kind: row.kind.parse().map_err(|_| corrupt("kind"))?,
                entrant: row.user_id.map(EntrantId::new),
                phone: phone.ok_or_else(|| corrupt("phone_number"))?,
                body: read_body(row.message_body, row.sealed_body),
                at: row.created_at,
            },
            status: row.status.parse().map_err(|_| corrupt("status"))?,
            reason: row.error_message,
            provider_id,
            sent_at: row.sent_at,
            due_at: row.due_at,
        })
    }
}

rows! {
    struct OpenRow {
        waiting: i64,
        unknown: i64,
    }

    struct PutOffRow {
        messages: i64,
        next_at: Option<DateTime<Utc>>,
    }
}

impl Outbox for PgTx {
    fn queue_message(&mut self, message: &NewMessage) -> Result<MessageId, StoreError> {
        if message.entrant.is_none() {
            self.recall_stops(std::slice::from_ref(&message.phone))?;
        }
        let row = NewRow {
            kind: message.kind.as_str(),
            user_id: message.entrant.map(EntrantId::get),
            phone_number: message.phone.as_e164(),
            message_body: message.body.as_ref().and_then(MessageBody::as_clear),
            sealed_body: message.body.as_ref().and_then(MessageBody::as_sealed),
            at: message.at,
        };
        let id = self.run_statement(&row)?;
        id.map(MessageId::new)
            .ok_or_else(|| StoreError::Failed("the queued message got no id".into()))
    }

    fn find_message(&self, id: MessageId) -> Result<Option<Message>, StoreError> {
        let query = sms_sent_messages::table
            .find(id.get())
            .filter(sms_sent_messages::phone_number.is_not_null())
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Message::try_from)
            .transpose()
    }

    fn record_report(
        &mut self,
        id: MessageId,
        report: &ProviderMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.update_messages(&[id.get()], |_, delivery| delivery.apply_report(report, at))
    }

    fn count_put_off(&self, now: DateTime<Utc>) -> Result<PutOff, StoreError> {
        let count = sql_query(COUNT_PUT_OFF).bind::<Timestamptz, _>(now);
        let row: PutOffRow = self.query(|connection| count.get_result(connection))?;
        Ok(PutOff {
            messages: row.messages,
            next_at: row.next_at,
        })
    }

    fn count_open_messages(&self) -> Result<OpenMessages, StoreError> {
        let row: OpenRow = self.query(|connection| sql_query(COUNT_OPEN).get_result(connection))?;
        Ok(OpenMessages {
            waiting: row.waiting,
            unknown: row.unknown,
        })
    }
}
