use crate::PgTx;
use crate::drawing::drawings::bigint;
use crate::rows::rows;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz};
use drawing::{DrawingId, DrawingLog, Hash, LogEntry, NewLogEntry};
use kernel::StoreError;

const LAST: &str = "SELECT id, hash FROM drawing_audit_logs ORDER BY id DESC LIMIT 1";

const ADD: &str = "
INSERT INTO drawing_audit_logs (id, drawing_id, action, details, random_seed, participant_count, verification_hash,
                                admin_session_id, \"timestamp\", previous_hash, hash)
VALUES ($1, $2, $3, $4::json, $5, $6, $7, $8, $9, $10, $11)";

/// The columns of [`Row`], for a query in which the log is called `entry`. The details are read as text, because the hash
/// covers their exact spelling.
pub(crate) const ENTRY_COLUMNS: &str = "
entry.id AS entry_id, entry.drawing_id AS entry_drawing_id, entry.action AS entry_action,
entry.details::text AS entry_details, entry.random_seed AS entry_random_seed,
entry.participant_count AS entry_participant_count, entry.verification_hash AS entry_verification_hash,
entry.admin_session_id AS entry_session, entry.\"timestamp\" AS entry_at, entry.previous_hash AS entry_previous_hash,
entry.hash AS entry_hash";

rows! {
    struct LastRow {
        id: i64,
        hash: String,
    }

    pub(crate) struct Row {
        entry_id: i64,
        entry_drawing_id: Option<i64>,
        entry_action: String,
        entry_details: String,
        entry_random_seed: Option<String>,
        entry_participant_count: Option<i64>,
        entry_verification_hash: Option<String>,
        entry_session: Option<i64>,
        entry_at: DateTime<Utc>,
        entry_previous_hash: String,
        entry_hash: String,
    }
}

fn corrupt(row: i64, column: &'static str) -> StoreError {
    StoreError::corrupt("drawing_audit_logs", column, row)
}

impl TryFrom<Row> for LogEntry {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt(row.entry_id, column);
        let random_seed = row.entry_random_seed.map(|text| text.parse()).transpose();
        let participant_count = row.entry_participant_count.map(u64::try_from).transpose();
        let verification_hash = row.entry_verification_hash.map(|text| text.parse()).transpose();
        Ok(Self {
            id: row.entry_id,
            entry: NewLogEntry {
                action: row.entry_action.parse().map_err(|_| corrupt("action"))?,
                drawing: row.entry_drawing_id.map(DrawingId::new),
                details: row.entry_details,
                random_seed: random_seed.map_err(|_| corrupt("random_seed"))?,
                participant_count: participant_count.map_err(|_| corrupt("participant_count"))?,
                verification_hash: verification_hash.map_err(|_| corrupt("verification_hash"))?,
                session: row.entry_session,
                at: row.entry_at,
            },
            previous: row
                .entry_previous_hash
                .parse()
                .map_err(|_| corrupt("previous_hash"))?,
            hash: row.entry_hash.parse().map_err(|_| corrupt("hash"))?,
        })
    }
}

impl DrawingLog for PgTx {
    fn last_log_entry(&self) -> Result<Option<(i64, Hash)>, StoreError> {
        let last = self.query(|connection| sql_query(LAST).get_result::<LastRow>(connection).optional())?;
        let read = |row: LastRow| Ok((row.id, row.hash.parse().map_err(|_| corrupt(row.id, "hash"))?));
        last.map(read).transpose()
    }

    fn add_log_entry(&mut self, log_entry: &LogEntry) -> Result<(), StoreError> {
        let entry = &log_entry.entry;
        let insert = sql_query(ADD)
            .bind::<BigInt, _>(log_entry.id)
            .bind::<Nullable<BigInt>, _>(entry.drawing.map(DrawingId::get))
            .bind::<Text, _>(entry.action.as_str())
            .bind::<Text, _>(&entry.details)
            .bind::<Nullable<Text>, _>(entry.random_seed.map(|seed| seed.reveal()))
            .bind::<Nullable<BigInt>, _>(entry.participant_count.map(bigint))
            .bind::<Nullable<Text>, _>(entry.verification_hash.map(|hash| hash.to_string()))
            .bind::<Nullable<BigInt>, _>(entry.session)
            .bind::<Timestamptz, _>(entry.at)
            .bind::<Text, _>(log_entry.previous.to_string())
            .bind::<Text, _>(log_entry.hash.to_string());
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn list_log(&self, after: i64, limit: u32) -> Result<Vec<LogEntry>, StoreError> {
        let list = format!(
            "SELECT {ENTRY_COLUMNS} FROM drawing_audit_logs AS entry WHERE id > $1 ORDER BY id LIMIT $2"
        );
        let query = sql_query(list)
            .bind::<BigInt, _>(after)
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(LogEntry::try_from).collect()
    }
}
