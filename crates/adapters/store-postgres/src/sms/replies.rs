//! `sms::Replies`: what people text to our number.

use crate::PgTx;
use crate::rows::{CountRow, rows};
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{EntrantId, PageRequest, Phone, StoreError};
use sms::{Keyword, NewReply, Replies, Reply, ReplyFilter, ReplyId, ReplyKind, ReplyOrder};

const ADD: &str = "
INSERT INTO sms_replies (provider_message_id, user_id, phone_number, body, keyword, is_unclear, created_at)
VALUES ($1, (SELECT id FROM users WHERE phone_number = $2), $2, $3, $4, $5, $6)
ON CONFLICT ON CONSTRAINT sms_replies_provider_message_id_key DO NOTHING";

const COLUMNS: &str =
    "SELECT id, user_id, phone_number, body, keyword, is_unclear, created_at FROM sms_replies";

/// The replies that a filter lets through. `strpos` takes the text as it is; in a pattern, `%` and `_` would match more.
const MATCHING: &str = "
WHERE ($1 IS NULL OR strpos(lower(body), lower($1)) > 0 OR strpos(phone_number, $2) > 0)
    AND CASE $3
        WHEN 'message' THEN keyword IS NULL
        WHEN 'keyword' THEN keyword IS NOT NULL
        WHEN 'unclear' THEN is_unclear
        ELSE true
    END
    AND ($4 IS NULL OR id < $4)";

const DECIDE: &str = "UPDATE sms_replies SET keyword = $2, is_unclear = false WHERE id = $1";

rows! {
    struct Row {
        id: i64,
        user_id: Option<i64>,
        phone_number: String,
        body: String,
        keyword: Option<String>,
        is_unclear: bool,
        created_at: DateTime<Utc>,
    }
}

impl TryFrom<Row> for Reply {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("sms_replies", column, row.id);
        let keyword = row.keyword.map(|name| name.parse()).transpose();
        Ok(Self {
            id: ReplyId::new(row.id),
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            entrant: row.user_id.map(EntrantId::new),
            body: row.body,
            keyword: keyword.map_err(|_| corrupt("keyword"))?,
            is_unclear: row.is_unclear,
            at: row.created_at,
        })
    }
}

/// A query with the parameters of [`MATCHING`].
fn matching(sql: String, filter: &ReplyFilter) -> BoxedSqlQuery<'_, Pg, SqlQuery> {
    let search = filter.search.as_ref();
    sql_query(sql)
        .into_boxed()
        .bind::<Nullable<Text>, _>(search.map(|search| search.text.as_str()))
        .bind::<Nullable<Text>, _>(search.and_then(|search| search.digits.as_deref()))
        .bind::<Nullable<Text>, _>(filter.kind.map(ReplyKind::as_str))
        .bind::<Nullable<BigInt>, _>(filter.before.map(ReplyId::get))
}

impl Replies for PgTx {
    fn add_reply(&mut self, new: &NewReply) -> Result<bool, StoreError> {
        let insert = sql_query(ADD)
            .bind::<Text, _>(new.provider_id.as_str())
            .bind::<Text, _>(new.phone.as_e164())
            .bind::<Text, _>(new.body.as_str())
            .bind::<Nullable<Text>, _>(new.keyword.map(Keyword::as_str))
            .bind::<Bool, _>(new.is_unclear)
            .bind::<Timestamptz, _>(new.at);
        let added = self.query(|connection| insert.execute(connection))?;
        Ok(added > 0)
    }

    fn list_replies(
        &self,
        filter: &ReplyFilter,
        order: ReplyOrder,
        page: PageRequest,
    ) -> Result<Vec<Reply>, StoreError> {
        let order = match order {
            ReplyOrder::UnclearFirst => "is_unclear DESC, id DESC",
            ReplyOrder::NewestFirst => "id DESC",
        };
        let sql = format!("{COLUMNS} {MATCHING} ORDER BY {order} LIMIT $5 OFFSET $6");
        let query = matching(sql, filter)
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Reply::try_from).collect()
    }

    fn lock_reply(&mut self, id: ReplyId) -> Result<Option<Reply>, StoreError> {
        let lock =
            sql_query(format!("{COLUMNS} WHERE id = $1 FOR NO KEY UPDATE")).bind::<BigInt, _>(id.get());
        let row: Option<Row> = self.query(|connection| lock.get_result(connection).optional())?;
        row.map(Reply::try_from).transpose()
    }

    fn decide_reply(&mut self, id: ReplyId, keyword: Option<Keyword>) -> Result<(), StoreError> {
        let decide = sql_query(DECIDE)
            .bind::<BigInt, _>(id.get())
            .bind::<Nullable<Text>, _>(keyword.map(Keyword::as_str));
        self.query(|connection| decide.execute(connection)).map(drop)
    }

    fn count_replies(&self, filter: &ReplyFilter) -> Result<i64, StoreError> {
        let sql = format!("SELECT count(*) AS n FROM sms_replies {MATCHING}");
        let query = matching(sql, filter);
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }
}
