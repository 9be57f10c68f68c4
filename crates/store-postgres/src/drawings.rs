use crate::PgTx;
use crate::schema::drawing_results;
use crate::sorting::order_by;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Nullable, Text, Timestamptz};
use drawing::{
    Commitment, CommitmentId, Commitments, Drawing, DrawingId, DrawingSort, Drawings, NewCommitment,
    NewDrawing, RaffleStatistics, Record, SaltKey,
};
use kernel::{EntrantId, IdempotencyKey, PageRequest, Phone, Raffle, SortOrder, StoreError};
use strum::IntoEnumIterator;

/// SET and LOCK TABLE take no snapshot. The snapshot is taken after the lock was granted, so it contains everything
/// that earlier holders of the lock committed.
///
/// Because the lock excludes other drawings, REPEATABLE READ is enough; SERIALIZABLE would also track every entrant
/// that is read.
const BEGIN_DRAWING: &str = "
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
SET LOCAL lock_timeout = '60s';
SET LOCAL statement_timeout = '60s';
LOCK TABLE drawing_turns IN SHARE ROW EXCLUSIVE MODE";

const OPEN_COMMITMENT: &str = "
SELECT id, landing_page, commitment, source, sealed, created_at
FROM drawing_commitments AS commitment
WHERE landing_page = $1
    AND number = (SELECT max(number) FROM drawing_commitments WHERE landing_page = $1)
    AND NOT EXISTS (SELECT FROM drawing_results WHERE commitment_id = commitment.id)";

/// Two concurrent calls would insert the same number, of which only one succeeds.
const ADD_COMMITMENT: &str = "
WITH newest AS (
    SELECT number, EXISTS (SELECT FROM drawing_results WHERE commitment_id = commitment.id) AS used_up
    FROM drawing_commitments AS commitment
    WHERE landing_page = $1
    ORDER BY number DESC
    LIMIT 1
)
INSERT INTO drawing_commitments (landing_page, number, commitment, source, sealed, created_at)
SELECT $1, coalesce((SELECT number FROM newest), 0) + 1, $2, $3, $4, $5
WHERE coalesce((SELECT used_up FROM newest), true)
ON CONFLICT (landing_page, number) DO NOTHING
RETURNING id";

/// The columns of [`Row`], for a query that joins as [`drawings_where`].
pub(crate) const RESULT_COLUMNS: &str = "
result.id, result.landing_page, commitment.commitment, commitment.created_at AS committed_at, commitment.source,
result.random_seed, result.merkle_root, result.total_participants, result.total_entries, result.winning_entry_number,
result.created_at, result.verification_hash, log.hash AS audit_log_hash, result.salt_key, result.winner_id,
result.winner_phone_number, result.winner_index";

fn drawings_where(rest: &str) -> String {
    format!(
        "SELECT {RESULT_COLUMNS}
         FROM drawing_results AS result
         JOIN drawing_commitments AS commitment ON commitment.id = result.commitment_id
         LEFT JOIN drawing_audit_logs AS log ON log.drawing_id = result.id AND log.action = 'drawing_performed'
         {rest}"
    )
}

const RAFFLE_STATISTICS: &str = "
SELECT landing_page, count(*) AS participants, sum(total_entries - held_entries)::bigint AS entries
FROM users
WHERE NOT is_flagged AND erased_at IS NULL AND total_entries > held_entries
GROUP BY landing_page";

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

#[derive(QueryableByName)]
pub(crate) struct CommitmentRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    landing_page: String,
    #[diesel(sql_type = Text)]
    commitment: String,
    #[diesel(sql_type = Text)]
    source: String,
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
    #[diesel(sql_type = Timestamptz)]
    created_at: DateTime<Utc>,
}

impl TryFrom<CommitmentRow> for Commitment {
    type Error = StoreError;

    fn try_from(row: CommitmentRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::Corrupt {
            table: "drawing_commitments",
            column,
            row: row.id,
        };
        Ok(Self {
            id: CommitmentId::new(row.id),
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            commitment: row.commitment.parse().map_err(|_| corrupt("commitment"))?,
            source: row.source.parse().map_err(|_| corrupt("source"))?,
            sealed: row.sealed,
            committed_at: row.created_at,
        })
    }
}

#[derive(Insertable)]
#[diesel(table_name = drawing_results)]
struct NewRow<'a> {
    id: i64,
    landing_page: &'a str,
    winner_id: i64,
    winner_phone_number: &'a str,
    winner_index: i64,
    total_participants: i64,
    total_entries: i64,
    winning_entry_number: i64,
    drawing_method: &'a str,
    commitment_id: i64,
    merkle_root: String,
    random_seed: String,
    salt_key: &'a [u8],
    verification_hash: String,
    idempotency_key: Option<&'a str>,
    admin_session_id: i64,
    created_at: DateTime<Utc>,
}

impl<'a> From<&'a NewDrawing> for NewRow<'a> {
    fn from(new: &'a NewDrawing) -> Self {
        let record = &new.record;
        Self {
            id: record.drawing.get(),
            landing_page: record.raffle.as_str(),
            winner_id: new.winner.get(),
            winner_phone_number: new.winner_phone.as_e164(),
            winner_index: bigint(new.winner_index),
            total_participants: bigint(record.participants),
            total_entries: bigint(record.entries),
            winning_entry_number: bigint(record.winning_entry_number),
            drawing_method: Drawing::METHOD,
            commitment_id: new.commitment.get(),
            merkle_root: record.root.to_string(),
            random_seed: record.seed.reveal(),
            salt_key: new.salt_key.as_bytes(),
            verification_hash: record.verification_hash().to_string(),
            idempotency_key: new.idempotency_key.as_ref().map(|key| key.as_str()),
            admin_session_id: new.session,
            created_at: record.drawn_at,
        }
    }
}

#[derive(QueryableByName)]
pub(crate) struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    landing_page: String,
    #[diesel(sql_type = Text)]
    commitment: String,
    #[diesel(sql_type = Timestamptz)]
    committed_at: DateTime<Utc>,
    #[diesel(sql_type = Text)]
    source: String,
    #[diesel(sql_type = Text)]
    random_seed: String,
    #[diesel(sql_type = Text)]
    merkle_root: String,
    #[diesel(sql_type = BigInt)]
    total_participants: i64,
    #[diesel(sql_type = BigInt)]
    total_entries: i64,
    #[diesel(sql_type = BigInt)]
    winning_entry_number: i64,
    #[diesel(sql_type = Timestamptz)]
    created_at: DateTime<Utc>,
    #[diesel(sql_type = Text)]
    verification_hash: String,
    #[diesel(sql_type = Nullable<Text>)]
    audit_log_hash: Option<String>,
    #[diesel(sql_type = Binary)]
    salt_key: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    winner_id: i64,
    #[diesel(sql_type = Nullable<Text>)]
    winner_phone_number: Option<String>,
    #[diesel(sql_type = BigInt)]
    winner_index: i64,
}

impl Row {
    fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::Corrupt {
            table: "drawing_results",
            column,
            row: self.id,
        }
    }

    fn record(&self) -> Result<Record, StoreError> {
        let number = |column, value| u64::try_from(value).map_err(|_| self.corrupt(column));
        let hash = |column, text: &str| text.parse().map_err(|_| self.corrupt(column));
        let landing_page = self.landing_page.parse();
        let seed_source = self.source.parse();
        Ok(Record {
            drawing: DrawingId::new(self.id),
            raffle: landing_page.map_err(|_| self.corrupt("landing_page"))?,
            commitment: hash("commitment_id", &self.commitment)?,
            committed_at: self.committed_at,
            seed_source: seed_source.map_err(|_| self.corrupt("commitment_id"))?,
            seed: self
                .random_seed
                .parse()
                .map_err(|_| self.corrupt("random_seed"))?,
            root: hash("merkle_root", &self.merkle_root)?,
            participants: number("total_participants", self.total_participants)?,
            entries: number("total_entries", self.total_entries)?,
            winning_entry_number: number("winning_entry_number", self.winning_entry_number)?,
            drawn_at: self.created_at,
        })
    }
}

impl TryFrom<Row> for Drawing {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let hash = |text: &str| text.parse().ok();
        let audit_log_hash = row.audit_log_hash.as_deref().and_then(hash);
        let salt_key = row.salt_key.as_slice().try_into();
        let winner_phone = row.winner_phone_number.as_deref().map(Phone::from_e164);
        let winner_index = u64::try_from(row.winner_index);
        Ok(Self {
            record: row.record()?,
            verification_hash: hash(&row.verification_hash)
                .ok_or_else(|| row.corrupt("verification_hash"))?,
            audit_log_hash: audit_log_hash.ok_or(StoreError::Corrupt {
                table: "drawing_audit_logs",
                column: "hash",
                row: row.id,
            })?,
            salt_key: SaltKey::new(salt_key.map_err(|_| row.corrupt("salt_key"))?),
            winner: EntrantId::new(row.winner_id),
            winner_phone: winner_phone
                .map(|phone| phone.ok_or_else(|| row.corrupt("winner_phone_number")))
                .transpose()?,
            winner_index: winner_index.map_err(|_| row.corrupt("winner_index"))?,
        })
    }
}

#[derive(QueryableByName)]
struct StatisticsRow {
    #[diesel(sql_type = Text)]
    landing_page: String,
    #[diesel(sql_type = BigInt)]
    participants: i64,
    #[diesel(sql_type = BigInt)]
    entries: i64,
}

/// Converts to `bigint`. Larger numbers become its maximum, which the table's checks reject and no stored number
/// exceeds.
pub(crate) fn bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

const fn column_of(sort: DrawingSort) -> &'static str {
    match sort {
        DrawingSort::CreatedAt => "result.created_at",
        DrawingSort::Raffle => "result.landing_page",
        DrawingSort::WinningEntryNumber => "winning_entry_number",
        DrawingSort::TotalParticipants => "total_participants",
        DrawingSort::TotalEntries => "total_entries",
    }
}

impl Commitments for PgTx {
    fn open_commitment(&self, landing_page: Raffle) -> Result<Option<Commitment>, StoreError> {
        let query = sql_query(OPEN_COMMITMENT).bind::<Text, _>(landing_page.as_str());
        self.query(|connection| query.get_result::<CommitmentRow>(connection).optional())?
            .map(Commitment::try_from)
            .transpose()
    }

    fn add_commitment(&mut self, new: &NewCommitment) -> Result<Option<CommitmentId>, StoreError> {
        let query = sql_query(ADD_COMMITMENT)
            .bind::<Text, _>(new.raffle.as_str())
            .bind::<Text, _>(new.commitment.to_string())
            .bind::<Text, _>(new.source.as_str())
            .bind::<Binary, _>(&new.sealed)
            .bind::<Timestamptz, _>(new.at);
        let added = self.query(|connection| query.get_result::<NumberRow>(connection).optional())?;
        Ok(added.map(|row| CommitmentId::new(row.id)))
    }
}

impl Drawings for PgTx {
    fn begin_drawing(&mut self) -> Result<(), StoreError> {
        self.run(BEGIN_DRAWING)
    }

    fn reserve_drawing_id(&mut self) -> Result<DrawingId, StoreError> {
        let query = sql_query("SELECT nextval('drawing_numbers') AS id");
        let row: NumberRow = self.query(|connection| query.get_result(connection))?;
        Ok(DrawingId::new(row.id))
    }

    fn add_drawing(&mut self, drawing: &NewDrawing) -> Result<(), StoreError> {
        let insert = diesel::insert_into(drawing_results::table).values(NewRow::from(drawing));
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn find_drawing(&self, id: DrawingId) -> Result<Option<Drawing>, StoreError> {
        let query = sql_query(drawings_where("WHERE result.id = $1")).bind::<BigInt, _>(id.get());
        self.query(|connection| query.get_result::<Row>(connection).optional())?
            .map(Drawing::try_from)
            .transpose()
    }

    fn find_drawing_by_key(&self, key: &IdempotencyKey) -> Result<Option<Drawing>, StoreError> {
        let query = sql_query(drawings_where("WHERE idempotency_key = $1")).bind::<Text, _>(key.as_str());
        self.query(|connection| query.get_result::<Row>(connection).optional())?
            .map(Drawing::try_from)
            .transpose()
    }

    fn list_drawings(
        &self,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<Drawing>, StoreError> {
        let order_by = order_by(column_of(sort), "result.id", order);
        let query = sql_query(drawings_where(&format!("{order_by} LIMIT $1 OFFSET $2")))
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Drawing::try_from).collect()
    }

    fn count_drawings(&self) -> Result<i64, StoreError> {
        let of_version_1 = drawing_results::table.filter(drawing_results::scheme.eq(1));
        self.query(|connection| of_version_1.count().get_result(connection))
    }

    fn raffle_statistics(&self) -> Result<Vec<RaffleStatistics>, StoreError> {
        // The query reads every entrant, which may be millions.
        self.run("SET LOCAL statement_timeout = '60s'")?;
        let rows: Vec<StatisticsRow> =
            self.query(|connection| sql_query(RAFFLE_STATISTICS).load(connection))?;
        let number = |value: Option<i64>| u64::try_from(value.unwrap_or(0)).unwrap_or(0);
        let statistics = |landing_page: Raffle| {
            let row = rows.iter().find(|row| row.landing_page == landing_page.as_str());
            RaffleStatistics {
                raffle: landing_page,
                participants: number(row.map(|row| row.participants)),
                entries: number(row.map(|row| row.entries)),
            }
        };
        Ok(Raffle::iter().map(statistics).collect())
    }
}
