//! The list of people. Each way to read a query has an index; a filter that is not given is not in the statement, so that
//! the planner sees what is.

use super::read_tags;
use crate::PgTx;
use crate::rows::CountRow;
use crate::schema::users;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool, Jsonb, Text};
use kernel::{EntrantId, PageRequest, Phone, ReferralCode, StoreError};
use people::{PeopleFilter, PeopleQuery, PersonRow};
use serde_json::Value;

const ROW: &str = "
SELECT users.id, phone_number, referral_code, landing_page, total_entries, is_flagged, users.created_at,
       coalesce(noted.is_duplicate, false) AS is_duplicate, coalesce(noted.tags, '[]') AS tags
FROM users LEFT JOIN user_data_management AS noted ON noted.user_id = users.id";

const NEWEST: &str = "ORDER BY sequence_number DESC";

#[derive(QueryableByName)]
#[diesel(table_name = users)]
pub(super) struct Row {
    id: i64,
    phone_number: Option<String>,
    referral_code: String,
    landing_page: String,
    #[diesel(sql_type = BigInt)]
    total_entries: i64,
    #[diesel(sql_type = Bool)]
    is_flagged: bool,
    created_at: DateTime<Utc>,
    #[diesel(sql_type = Bool)]
    is_duplicate: bool,
    #[diesel(sql_type = Jsonb)]
    tags: Value,
}

/// A number; `None` once it was erased.
pub(super) fn read_phone(id: i64, number: Option<&str>) -> Result<Option<Phone>, StoreError> {
    let Some(number) = number else { return Ok(None) };
    let phone = Phone::from_e164(number);
    phone
        .map(Some)
        .ok_or(StoreError::corrupt("users", "phone_number", id))
}

impl TryFrom<Row> for PersonRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("users", column, row.id);
        Ok(Self {
            id: EntrantId::new(row.id),
            phone: read_phone(row.id, row.phone_number.as_deref())?,
            referral_code: ReferralCode::parse(&row.referral_code).map_err(|_| corrupt("referral_code"))?,
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            total_entries: row.total_entries,
            is_flagged: row.is_flagged,
            is_duplicate: row.is_duplicate,
            tags: read_tags(row.id, row.tags)?,
            created_at: row.created_at,
        })
    }
}

/// A value of a statement that is put together.
enum Bound {
    Text(String),
    Number(i64),
}

/// Conditions, with their values.
#[derive(Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Bound>,
}

impl Conditions {
    fn of(filter: &PeopleFilter) -> Self {
        let mut all = Self::default();
        all.sql.push("erased_at IS NULL".to_owned());
        if let Some(query) = &filter.query {
            let found = all.found_by(query);
            all.sql.push(format!("users.id IN ({found})"));
        }
        match filter.is_flagged {
            Some(true) => all.sql.push("is_flagged".to_owned()),
            Some(false) => all.sql.push("NOT is_flagged".to_owned()),
            None => {}
        }
        if let Some(raffle) = filter.raffle {
            let raffle = all.text(raffle.as_str());
            all.sql.push(format!("landing_page = {raffle}"));
        }
        if let Some(tag) = &filter.tag {
            let tag = all.text(tag);
            all.sql.push(format!(
                "users.id IN (SELECT user_id FROM user_data_management \
                 WHERE tags <> '[]' AND tags @> jsonb_build_array({tag}))"
            ));
        }
        all
    }

    /// The ids that a query finds, in each way in which it can be read.
    fn found_by(&mut self, query: &PeopleQuery) -> String {
        let mut ways = Vec::new();
        if let Some(phone) = &query.phone {
            let phone = self.text(phone.as_e164());
            ways.push(format!("SELECT id FROM users WHERE phone_number = {phone}"));
        }
        if let Some(digits) = &query.last_four {
            let digits = self.text(digits);
            ways.push(format!(
                "SELECT id FROM users WHERE right(phone_number, 4) = {digits}"
            ));
        }
        if let Some(code) = &query.code {
            let code = self.text(code.as_str());
            ways.push(format!("SELECT id FROM users WHERE referral_code = {code}"));
        }
        if let Some(id) = query.id {
            let id = self.number(id.get());
            ways.push(format!("SELECT id FROM users WHERE id = {id}"));
        }
        ways.join(" UNION ")
    }

    fn text(&mut self, text: &str) -> String {
        self.values.push(Bound::Text(text.to_owned()));
        format!("${}::text", self.values.len())
    }

    fn number(&mut self, number: i64) -> String {
        self.values.push(Bound::Number(number));
        format!("${}", self.values.len())
    }

    fn clause(&self) -> String {
        format!("WHERE {}", self.sql.join(" AND "))
    }

    fn bind(self, sql: String) -> BoxedSqlQuery<'static, Pg, SqlQuery> {
        let query = sql_query(sql).into_boxed();
        self.values.into_iter().fold(query, |query, value| match value {
            Bound::Text(text) => query.bind::<Text, _>(text),
            Bound::Number(number) => query.bind::<BigInt, _>(number),
        })
    }
}

impl PgTx {
    pub(super) fn search(
        &self,
        filter: &PeopleFilter,
        page: PageRequest,
    ) -> Result<Vec<PersonRow>, StoreError> {
        let mut conditions = Conditions::of(filter);
        let (limit, offset) = (
            conditions.number(i64::from(page.limit)),
            conditions.number(i64::from(page.offset)),
        );
        let found = conditions.clause();
        let query = conditions.bind(format!(
            "WITH page AS MATERIALIZED (SELECT id FROM users {found} {NEWEST} LIMIT {limit} OFFSET {offset})
             {ROW} WHERE users.id IN (SELECT id FROM page) {NEWEST}"
        ));
        self.prefer_indexes(filter)?;
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(PersonRow::try_from).collect()
    }

    pub(super) fn count_matches(&self, filter: &PeopleFilter, most: u32) -> Result<i64, StoreError> {
        let mut conditions = Conditions::of(filter);
        let most = conditions.number(i64::from(most));
        let found = conditions.clause();
        let query = conditions.bind(format!(
            "SELECT count(*) AS n FROM (SELECT FROM users {found} LIMIT {most}) AS part"
        ));
        self.prefer_indexes(filter)?;
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    /// The row of one entrant.
    pub(super) fn person_row(&self, id: EntrantId) -> Result<Option<PersonRow>, StoreError> {
        let query = sql_query(format!("{ROW} WHERE users.id = $1")).bind::<BigInt, _>(id.get());
        let row: Option<Row> = self.query(|connection| query.get_result(connection).optional())?;
        row.map(PersonRow::try_from).transpose()
    }

    /// A query finds a few entrants among millions, which the statistics of a growing table do not know.
    fn prefer_indexes(&self, filter: &PeopleFilter) -> Result<(), StoreError> {
        match filter.query.is_some() {
            true => self.expect_few_rows(),
            false => Ok(()),
        }
    }
}
