//! Rows of queries that find one value.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};

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
