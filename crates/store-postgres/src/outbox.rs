use crate::PgTx;
use crate::schema::sms_sent_messages;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{EntrantId, Phone, StoreError};
use sms::{NewText, Outbox, TextKind};

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_sent_messages)]
struct Row {
    id: i64,
    kind: String,
    phone_number: String,
    message_body: String,
    created_at: DateTime<Utc>,
}

impl Row {
    fn into_text(self, entrant: EntrantId) -> Result<NewText, StoreError> {
        let corrupt = |column| StoreError::Corrupt {
            table: "sms_sent_messages",
            column,
            row: self.id,
        };
        Ok(NewText {
            kind: TextKind::from_name(&self.kind).ok_or_else(|| corrupt("kind"))?,
            entrant,
            phone: Phone::from_e164(&self.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            body: self.message_body,
            at: self.created_at,
        })
    }
}

impl Outbox for PgTx {
    fn queue_text(&mut self, text: &NewText) -> Result<(), StoreError> {
        let row = (
            sms_sent_messages::kind.eq(text.kind.name()),
            sms_sent_messages::user_id.eq(text.entrant.get()),
            sms_sent_messages::phone_number.eq(text.phone.as_e164()),
            sms_sent_messages::message_body.eq(&text.body),
            sms_sent_messages::created_at.eq(text.at),
        );
        let insert = diesel::insert_into(sms_sent_messages::table).values(row);
        self.ask(|connection| insert.execute(connection)).map(drop)
    }

    fn list_texts_to(&mut self, entrant: EntrantId) -> Result<Vec<NewText>, StoreError> {
        let query = sms_sent_messages::table
            .filter(sms_sent_messages::user_id.eq(entrant.get()))
            .order(sms_sent_messages::id)
            .select(Row::as_select());
        let rows: Vec<Row> = self.ask(|connection| query.load(connection))?;
        rows.into_iter().map(|row| row.into_text(entrant)).collect()
    }
}
