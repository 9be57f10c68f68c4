mod rows;

use crate::PgTx;
use crate::drawing::drawings::bigint;
use crate::rows::{CountRow, TimeRow, rows};
use crate::schema::{drawing_announcements, drawing_late_rounds, drawing_voids, drawings};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Text, Timestamptz};
use drawing::steps::{
    Announced, DrawingState, DrawingSteps, Drawn, DueDrawings, LateRound, Logged, Plan, Sealed, Voided,
};
use drawing::{DrawingId, DrawingKind, DrawingSort, Period};
use kernel::{IdempotencyKey, PageRequest, Phone, SortOrder, StoreError};
use raffle::RaffleKey;
use serde_json::Value;

/// The announcement is read back from the drawing: a trigger accepts only the newest one.
const ADD_SEAL: &str = "
INSERT INTO drawing_seals (drawing_id, announcement, log_id, random_seed, salt_key, merkle_root, weights_hash,
                           total_participants, total_entries, cut_off, created_at)
SELECT $1, max(number), $2, $3, $4, $5, $6, $7, $8, $9, $10
FROM drawing_announcements
WHERE drawing_id = $1";

const ADD_RESULT: &str = "
INSERT INTO drawing_results (id, landing_page, winner_id, winner_phone_number, winning_entry_number, verification_hash,
                             beacon_signature, created_at)
SELECT id, landing_page, $2, $3, $4, $5, $6, $7
FROM drawings
JOIN drawing_seals ON drawing_id = id
WHERE id = $1";

const ADD_RANKS: &str = "
INSERT INTO drawing_ranks (drawing_id, rank, entry_number, leaf_index, user_id)
SELECT $1, * FROM unnest($2, $3, $4, $5)";

/// The index of open drawings has the few rows that this reads every second.
const DUE: &str = "
SELECT id, status = 'announced' AS is_announced
FROM drawings
JOIN LATERAL (
    SELECT CASE status WHEN 'announced' THEN seal_due_at ELSE round_at END AS due_at
    FROM drawing_announcements
    WHERE drawing_id = id
    ORDER BY number DESC
    LIMIT 1
) AS newest ON due_at <= clock_timestamp()
WHERE status IN ('announced', 'sealed')
ORDER BY id";

const REGULAR: &str = "landing_page = $1 AND period = $2 AND NOT is_additional AND status <> 'void'";

const UNREPLACED_VOID: &str = "
id = (
    SELECT void.id FROM drawings AS void JOIN drawing_seals ON drawing_id = void.id
    WHERE void.landing_page = $1 AND void.status = 'void' AND NOT is_replaced(void.id)
        AND NOT EXISTS (SELECT FROM drawings AS other WHERE other.replaces = void.id AND other.status <> 'void')
    ORDER BY void.id
    LIMIT 1
)";

const REPLACEMENT: &str = "
id = (
    SELECT id FROM drawings LEFT JOIN drawing_seals ON drawing_id = id
    WHERE replaces = $1
    ORDER BY drawing_id IS NULL, id DESC
    LIMIT 1
)";

const COPY_CHUNKS: &str = "
INSERT INTO drawing_chunks (drawing_id, number, first_entry, first_tag, root, packed)
SELECT $2, number, first_entry, first_tag, root, packed FROM drawing_chunks WHERE drawing_id = $1";

const UNUSED_COMMITMENT: &str = "
id = (
    SELECT id FROM drawings AS empty
    WHERE landing_page = $1 AND status = 'void'
        AND NOT EXISTS (
            SELECT FROM drawings AS other
            LEFT JOIN drawing_seals ON drawing_id = other.id
            WHERE other.commitment = empty.commitment AND (other.status <> 'void' OR drawing_id IS NOT NULL)
        )
    ORDER BY id DESC
    LIMIT 1
)";

const OPEN: &str = "
id = (
    SELECT id FROM drawings WHERE landing_page = $1 AND status IN ('announced', 'sealed') ORDER BY id DESC LIMIT 1
)";

/// A drawing that replaces another takes the other's list.
const NEXT_CUT_OFF: &str = "
SELECT min(coalesce(cut_off, seal_due_at)) AS at
FROM drawings
CROSS JOIN LATERAL (
    SELECT seal_due_at FROM drawing_announcements WHERE drawing_id = drawings.id ORDER BY number DESC LIMIT 1
) AS newest
WHERE landing_page = $1 AND status = 'announced' AND replaces IS NULL AND coalesce(cut_off, seal_due_at) > $2";

const LISTED: &str = "
id = (
    SELECT id FROM drawings WHERE landing_page = $1 AND status IN ('sealed', 'drawn') ORDER BY id DESC LIMIT 1
)";

/// A drawing has a list from its seal on.
const COUNT: &str = "
SELECT count(*) AS n FROM drawing_seals JOIN drawings ON drawings.id = drawing_id
WHERE $1::text IS NULL OR landing_page = $1";

const COUNT_VOIDS: &str = "
SELECT count(*) AS n FROM drawings JOIN drawing_seals ON drawing_id = id WHERE landing_page = $1 AND status = 'void'";

const LAST_CHECKPOINT: &str = "
SELECT \"timestamp\" AS at FROM drawing_audit_logs WHERE action = 'checkpoint' ORDER BY id DESC LIMIT 1";

#[derive(Insertable)]
#[diesel(table_name = drawings)]
struct PlanRow<'a> {
    id: i64,
    landing_page: &'a str,
    period: String,
    is_additional: bool,
    status: &'a str,
    commitment: String,
    seed_source: &'a str,
    sealed_secrets: &'a [u8],
    cut_off: Option<DateTime<Utc>>,
    chain: String,
    reason: Option<&'a str>,
    prize: Value,
    replaces: Option<i64>,
    idempotency_key: Option<&'a str>,
    request_hash: Option<&'a [u8]>,
    admin_session_id: Option<i64>,
    admin_member_id: Option<i64>,
    created_at: DateTime<Utc>,
}

impl<'a> PlanRow<'a> {
    fn new(id: DrawingId, plan: &'a Plan) -> Self {
        let request = plan.request.as_ref();
        Self {
            id: id.get(),
            landing_page: plan.raffle.as_str(),
            period: plan.period.to_string(),
            is_additional: plan.kind == DrawingKind::Additional,
            status: "announced",
            commitment: plan.commitment.to_string(),
            seed_source: plan.seed_source.as_str(),
            sealed_secrets: &plan.sealed_secrets,
            cut_off: plan.cut_off,
            chain: plan.beacon.to_string(),
            reason: plan.reason.as_deref(),
            // Texts, whole numbers and lists of them can always be written.
            prize: serde_json::to_value(&plan.prize).unwrap_or_default(),
            replaces: plan.replaces.map(DrawingId::get),
            idempotency_key: request.map(|request| request.key.as_str()),
            request_hash: request.map(|request| request.body.as_bytes().as_slice()),
            admin_session_id: plan.session,
            admin_member_id: plan.member,
            created_at: plan.at,
        }
    }
}

rows! {
    struct DueRow {
        id: i64,
        is_announced: bool,
    }

    struct NextRow {
        at: Option<DateTime<Utc>>,
    }

}

fn refused(why: &'static str) -> StoreError {
    StoreError::Failed(why.into())
}

const fn column_of(sort: DrawingSort) -> &'static str {
    match sort {
        DrawingSort::CreatedAt => "drawings.created_at",
        DrawingSort::Raffle => "drawings.landing_page",
        DrawingSort::WinningEntryNumber => "winning_entry_number",
        DrawingSort::TotalParticipants => "seal.total_participants",
        DrawingSort::TotalEntries => "seal.total_entries",
    }
}

fn direction(order: SortOrder) -> &'static str {
    match order {
        SortOrder::Ascending => "ASC",
        SortOrder::Descending => "DESC",
    }
}

impl PgTx {
    /// The drawing that fulfills a condition with the raffle as `$1`.
    fn find_of_raffle(&self, condition: &str, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        let query = sql_query(rows::one(condition)).bind::<Text, _>(raffle.as_str());
        rows::one_drawing(self.query(|connection| query.load(connection))?)
    }

    fn add_ranks(&mut self, id: DrawingId, drawn: &Drawn) -> Result<(), StoreError> {
        let all = |column: fn(&drawing::steps::DrawnRank) -> i64| -> Vec<i64> {
            drawn.ranks.iter().map(column).collect()
        };
        let insert = sql_query(ADD_RANKS)
            .bind::<BigInt, _>(id.get())
            .bind::<Array<BigInt>, _>(all(|rank| rank.rank.into()))
            .bind::<Array<BigInt>, _>(all(|rank| bigint(rank.entry_number)))
            .bind::<Array<BigInt>, _>(all(|rank| bigint(rank.index)))
            .bind::<Array<BigInt>, _>(all(|rank| rank.entrant.get()));
        self.query(|connection| insert.execute(connection)).map(drop)
    }
}

impl DrawingSteps for PgTx {
    fn add_plan(&mut self, id: DrawingId, plan: &Plan) -> Result<(), StoreError> {
        let insert = diesel::insert_into(drawings::table).values(PlanRow::new(id, plan));
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn add_announcement(&mut self, id: DrawingId, announced: &Logged<Announced>) -> Result<(), StoreError> {
        use drawing_announcements as columns;
        let (step, entry) = (&announced.step, &announced.entry);
        let insert = diesel::insert_into(columns::table).values((
            columns::drawing_id.eq(id.get()),
            columns::number.eq(i64::from(step.number)),
            columns::round.eq(step.round.map_or(0, |round| bigint(round.number()))),
            columns::round_at.eq(step.round_at),
            columns::seal_due_at.eq(step.seal_due_at),
            columns::seal_before.eq(step.seal_before),
            columns::log_id.eq(entry.id),
            columns::created_at.eq(entry.entry.at),
        ));
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn add_seal(&mut self, id: DrawingId, sealed: &Logged<Sealed>) -> Result<(), StoreError> {
        let (step, entry) = (&sealed.step, &sealed.entry);
        let insert = sql_query(ADD_SEAL)
            .bind::<BigInt, _>(id.get())
            .bind::<BigInt, _>(entry.id)
            .bind::<Text, _>(step.seed.reveal())
            .bind::<Binary, _>(step.salt_key.as_bytes().as_slice())
            .bind::<Text, _>(step.root.to_string())
            .bind::<Text, _>(step.weights_hash.to_string())
            .bind::<BigInt, _>(bigint(step.participants))
            .bind::<BigInt, _>(bigint(step.entries))
            .bind::<Timestamptz, _>(step.cut_off)
            .bind::<Timestamptz, _>(entry.entry.at);
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn add_result(&mut self, id: DrawingId, drawn: &Logged<Drawn>) -> Result<(), StoreError> {
        let (step, entry) = (&drawn.step, &drawn.entry);
        let winner = step.ranks.first().ok_or_else(|| refused("nobody was drawn"))?;
        let insert = sql_query(ADD_RESULT)
            .bind::<BigInt, _>(id.get())
            .bind::<BigInt, _>(winner.entrant.get())
            .bind::<Nullable<Text>, _>(step.winner_phone.as_ref().map(Phone::as_e164))
            .bind::<BigInt, _>(bigint(winner.entry_number))
            .bind::<Text, _>(step.verification_hash.to_string())
            .bind::<Nullable<Binary>, _>(
                step.signature
                    .as_ref()
                    .map(|signature| signature.as_bytes().as_slice()),
            )
            .bind::<Timestamptz, _>(entry.entry.at);
        match self.query(|connection| insert.execute(connection))? {
            0 => Err(refused("a drawing without a seal has no result")),
            _ => self.add_ranks(id, step),
        }
    }

    fn add_void(&mut self, id: DrawingId, voided: &Logged<Voided>) -> Result<(), StoreError> {
        use drawing_voids as columns;
        let (step, entry) = (&voided.step, &voided.entry);
        let insert = diesel::insert_into(columns::table).values((
            columns::drawing_id.eq(id.get()),
            columns::reason.eq(&step.reason),
            columns::log_id.eq(entry.id),
            columns::admin_session_id.eq(entry.entry.session),
            columns::created_at.eq(entry.entry.at),
        ));
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn add_late_round(&mut self, id: DrawingId, late: &Logged<LateRound>) -> Result<(), StoreError> {
        use drawing_late_rounds as columns;
        let (step, entry) = (&late.step, &late.entry);
        let insert = diesel::insert_into(columns::table).values((
            columns::drawing_id.eq(id.get()),
            columns::signature.eq(step.signature.as_bytes().as_slice()),
            columns::entry_number.eq(bigint(step.entry_number)),
            columns::log_id.eq(entry.id),
            columns::created_at.eq(entry.entry.at),
        ));
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn copy_chunks(&mut self, from: DrawingId, to: DrawingId) -> Result<(), StoreError> {
        let copy = sql_query(COPY_CHUNKS)
            .bind::<BigInt, _>(from.get())
            .bind::<BigInt, _>(to.get());
        self.query(|connection| copy.execute(connection)).map(drop)
    }

    fn find_state(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError> {
        let query = sql_query(rows::one("id = $1")).bind::<BigInt, _>(id.get());
        rows::one_drawing(self.query(|connection| query.load(connection))?)
    }

    fn find_state_by_key(&self, key: &IdempotencyKey) -> Result<Option<DrawingState>, StoreError> {
        let query = sql_query(rows::one("idempotency_key = $1")).bind::<Text, _>(key.as_str());
        rows::one_drawing(self.query(|connection| query.load(connection))?)
    }

    fn regular_drawing_of(
        &self,
        raffle: RaffleKey,
        period: Period,
    ) -> Result<Option<DrawingState>, StoreError> {
        let query = sql_query(rows::one(REGULAR))
            .bind::<Text, _>(raffle.as_str())
            .bind::<Text, _>(period.to_string());
        rows::one_drawing(self.query(|connection| query.load(connection))?)
    }

    fn unreplaced_void(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        self.find_of_raffle(UNREPLACED_VOID, raffle)
    }

    fn replacement_of(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError> {
        let query = sql_query(rows::one(REPLACEMENT)).bind::<BigInt, _>(id.get());
        rows::one_drawing(self.query(|connection| query.load(connection))?)
    }

    fn unused_commitment(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        self.find_of_raffle(UNUSED_COMMITMENT, raffle)
    }

    fn open_drawing(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        self.find_of_raffle(OPEN, raffle)
    }

    fn next_cut_off(
        &self,
        raffle: RaffleKey,
        after: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        let query = sql_query(NEXT_CUT_OFF)
            .bind::<Text, _>(raffle.as_str())
            .bind::<Timestamptz, _>(after);
        let row: NextRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.at)
    }

    fn newest_listed(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        self.find_of_raffle(LISTED, raffle)
    }

    fn list_due(&self) -> Result<DueDrawings, StoreError> {
        let rows: Vec<DueRow> = self.query(|connection| sql_query(DUE).load(connection))?;
        let (announced, sealed): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_announced);
        let ids = |rows: Vec<DueRow>| rows.iter().map(|row| DrawingId::new(row.id)).collect();
        Ok(DueDrawings {
            to_seal: ids(announced),
            to_draw: ids(sealed),
        })
    }

    fn list_drawings(
        &self,
        raffle: Option<RaffleKey>,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<DrawingState>, StoreError> {
        let query = sql_query(rows::page(column_of(sort), direction(order)))
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(i64::from(page.offset))
            .bind::<Nullable<Text>, _>(raffle.as_ref().map(RaffleKey::as_str));
        rows::drawings(self.query(|connection| query.load(connection))?)
    }

    fn count_drawings(&self, raffle: Option<RaffleKey>) -> Result<i64, StoreError> {
        let count = sql_query(COUNT).bind::<Nullable<Text>, _>(raffle.as_ref().map(RaffleKey::as_str));
        let row: CountRow = self.query(|connection| count.get_result(connection))?;
        Ok(row.n)
    }

    fn count_voids(&self, raffle: RaffleKey) -> Result<i64, StoreError> {
        let query = sql_query(COUNT_VOIDS).bind::<Text, _>(raffle.as_str());
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    fn last_checkpoint_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let last = self.query(|connection| {
            sql_query(LAST_CHECKPOINT)
                .get_result::<TimeRow>(connection)
                .optional()
        })?;
        Ok(last.map(|row| row.at))
    }
}
