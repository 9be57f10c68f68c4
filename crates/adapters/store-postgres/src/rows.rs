//! Rows of queries that find one value.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz};

/// The id of a row.
#[derive(QueryableByName)]
pub(crate) struct IdRow {
    #[diesel(sql_type = BigInt)]
    pub(crate) id: i64,
}

/// A count or a sum.
#[derive(QueryableByName)]
pub(crate) struct CountRow {
    #[diesel(sql_type = BigInt)]
    pub(crate) n: i64,
}

/// A time.
#[derive(QueryableByName)]
pub(crate) struct TimeRow {
    #[diesel(sql_type = Timestamptz)]
    pub(crate) at: DateTime<Utc>,
}

/// Whether something is found.
#[derive(QueryableByName)]
pub(crate) struct FoundRow {
    #[diesel(sql_type = Bool)]
    pub(crate) found: bool,
}

/// A name, or another text.
#[derive(QueryableByName)]
pub(crate) struct TextRow {
    #[diesel(sql_type = Text)]
    pub(crate) text: String,
}

/// The number of an entrant.
#[derive(QueryableByName)]
pub(crate) struct NumberRow {
    #[diesel(sql_type = Nullable<Text>)]
    pub(crate) phone_number: Option<String>,
}
