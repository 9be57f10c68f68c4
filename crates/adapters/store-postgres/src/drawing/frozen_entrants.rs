//! `drawing::FrozenEntrants`: reading the entrants of a raffle, and the chunks of the lists.

mod copy;

use crate::PgTx;
use crate::drawing::drawings::bigint;
use crate::raffle::ledger::with_kinds;
use crate::rows::{CountRow, rows};
use crate::schema::{drawing_chunks, users};
use chrono::{DateTime, Utc};
use copy::{Kinds, Participant, read_rows};
use diesel::pg::{CopyFormat, CopyTarget, Pg};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Text, Timestamptz};
use drawing::{Candidate, Chunk, DrawingId, FrozenEntrants, Hash, LeftOut};
use kernel::{EntrantId, PersonTag, StoreError};
use raffle::RaffleKey;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io;

/// COPY takes no parameters, so they are passed as settings of the transaction.
///
/// Also makes the planner use the index that has the wanted order: for a small raffle, or without statistics, it would
/// sort the whole table for every chunk. The statements that follow in the transaction read single rows.
const SET_VALUES: &str = "
SELECT set_config('tombola.landing_page', $1, true), set_config('tombola.after', encode($2, 'hex'), true),
       set_config('tombola.limit', $3::text, true),
       set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)";

/// The settings are read in subqueries, which are evaluated once and not for each row.
const PARTICIPANTS: &str = "(
SELECT id, base_entries, bonus_entries, paid_entries - held_entries, person_tag FROM users
WHERE landing_page = (SELECT current_setting('tombola.landing_page'))
    AND person_tag > (SELECT decode(current_setting('tombola.after'), 'hex'))
    AND NOT is_flagged AND erased_at IS NULL
ORDER BY person_tag
LIMIT current_setting('tombola.limit')::bigint
)";

/// What entrants got since the cut-off. Its index needs a bitmap scan: it is a BRIN index.
const LATE: &str = "
SELECT user_id AS id, sum(delta * base)::bigint AS base, sum(delta * bonus)::bigint AS bonus,
       sum(delta * (paid - held))::bigint AS purchased
FROM entry_ledger
JOIN {kinds} USING (kind)
WHERE created_at >= $6
GROUP BY user_id";

/// Those who moved to another raffle since the cut-off, with the raffle that they were in by then; their entries of now.
const MOVED: &str = "
SELECT DISTINCT ON (user_id) user_id AS id, from_page, base_entries, bonus_entries, paid_entries - held_entries AS purchased,
       person_tag, is_flagged OR erased_at IS NOT NULL AS cannot_win
FROM raffle_moves
JOIN users ON users.id = user_id
WHERE moved_at >= $1
ORDER BY user_id, raffle_moves.number";

/// Makes the planner choose again after [`SET_VALUES`].
const PLAN_FREELY: &str = "
SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL enable_bitmapscan TO DEFAULT; SET LOCAL enable_sort TO DEFAULT;
SET LOCAL max_parallel_workers_per_gather TO DEFAULT";

const TAGS: &str = "
SELECT wanted.id, person_tag
FROM unnest($1) WITH ORDINALITY AS wanted (id, place)
LEFT JOIN users ON users.id = wanted.id
ORDER BY place";

const IMPORTED: &str = "
SELECT coalesce(sum(delta), 0)::bigint AS n
FROM entry_ledger
JOIN users ON users.id = user_id
LEFT JOIN raffle_moves AS moved ON moved.user_id = users.id AND moved.number = 1
WHERE kind = 'imported' AND entry_ledger.created_at < $2 AND NOT is_flagged AND erased_at IS NULL
    AND coalesce(from_page, landing_page) = $1 AND (moved_at IS NULL OR moved_at >= $2)";

/// Finds the flagged entrants and those with held entries through indexes. Their entries from before the cut-off are the
/// counters of now without what the late rows changed.
const LEFT_OUT: &str = "
WITH late AS MATERIALIZED (
    SELECT user_id, sum(delta * (base + bonus + paid))::bigint AS total, sum(delta * held)::bigint AS held
    FROM entry_ledger
    JOIN {kinds} USING (kind)
    WHERE created_at >= $7
    GROUP BY user_id
), candidates AS (
    SELECT id FROM users WHERE is_flagged
    UNION
    SELECT id FROM users WHERE held_entries > 0
    UNION
    SELECT user_id FROM late WHERE held <> 0
), entered AS (
    SELECT is_flagged, coalesce(mark.has_set_flag, false) AS is_duplicate, flagged_at >= now() - interval '48 hours' AS is_recent,
           total_entries - coalesce(late.total, 0) AS total, held_entries - coalesce(late.held, 0) AS held
    FROM candidates
    JOIN users USING (id)
    LEFT JOIN late ON late.user_id = users.id
    LEFT JOIN user_data_management AS mark ON mark.user_id = users.id
    WHERE erased_at IS NULL AND coalesce((
        SELECT from_page FROM raffle_moves WHERE user_id = users.id AND moved_at >= $7 ORDER BY number LIMIT 1
    ), landing_page) = $6
)
SELECT count(*) FILTER (WHERE is_flagged AND NOT is_duplicate) AS flagged,
       count(*) FILTER (WHERE is_flagged AND NOT is_duplicate AND is_recent) AS flagged_recently,
       count(*) FILTER (WHERE is_flagged AND is_duplicate) AS duplicate,
       count(*) FILTER (WHERE NOT is_flagged AND held > 0) AS disputed
FROM entered
WHERE total > 0";

const ADD_CHUNKS: &str = "
INSERT INTO drawing_chunks (drawing_id, number, first_entry, first_tag, root, packed)
SELECT $1, * FROM unnest($2, $3, $4, $5, $6)";

struct Participants;

impl CopyTarget for Participants {
    type Table = users::table;
    type SqlType = (BigInt, BigInt, BigInt, BigInt, Binary);

    fn walk_target(mut out: AstPass<'_, '_, Pg>) -> QueryResult<()> {
        out.push_sql(PARTICIPANTS);
        Ok(())
    }
}

rows! {
    struct LateRow {
        id: i64,
        base: i64,
        bonus: i64,
        purchased: i64,
    }

    struct MovedRow {
        id: i64,
        from_page: String,
        base_entries: i64,
        bonus_entries: i64,
        purchased: i64,
        person_tag: Vec<u8>,
        cannot_win: bool,
    }

    struct TagRow {
        id: i64,
        person_tag: Option<Vec<u8>>,
    }
}

impl LateRow {
    fn into_kinds(self) -> (i64, Kinds) {
        let kinds = Kinds {
            base: self.base,
            bonus: self.bonus,
            purchased: self.purchased,
        };
        (self.id, kinds)
    }
}

impl TagRow {
    fn tag(self) -> Result<PersonTag, StoreError> {
        let tag = self.person_tag.and_then(|tag| tag.try_into().ok());
        tag.map(PersonTag::new)
            .ok_or(StoreError::corrupt("users", "person_tag", self.id))
    }
}

rows! {
    struct LeftOutRow {
        flagged: i64,
        flagged_recently: i64,
        duplicate: i64,
        disputed: i64,
    }
}

/// Of those who moved since a cut-off: the ones who were in this raffle by then and can win, by ascending tag, and the ids of all.
fn gone_and_moved(
    rows: Vec<MovedRow>,
    raffle: RaffleKey,
    after: Option<PersonTag>,
) -> Result<(VecDeque<Participant>, HashSet<i64>), StoreError> {
    let moved = rows.iter().map(|row| row.id).collect();
    let mut gone = Vec::new();
    for row in rows {
        if row.from_page == raffle.as_str() && !row.cannot_win {
            gone.push(row.participant()?);
        }
    }
    gone.retain(|row| after.is_none_or(|after| after < row.tag));
    gone.sort_by_key(|row| row.tag);
    Ok((gone.into(), moved))
}

impl MovedRow {
    fn participant(self) -> Result<Participant, StoreError> {
        let tag = self.person_tag.try_into();
        Ok(Participant {
            id: self.id,
            tag: tag
                .map(PersonTag::new)
                .map_err(|_| StoreError::corrupt("users", "person_tag", self.id))?,
            now: Kinds {
                base: self.base_entries,
                bonus: self.bonus_entries,
                purchased: self.purchased,
            },
        })
    }
}

/// A count or a sum of the database, which is not negative.
fn number(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

impl PgTx {
    /// What entrants got since the cut-off.
    fn late_entries(&self, cut_off: DateTime<Utc>) -> Result<HashMap<i64, Kinds>, StoreError> {
        self.run(PLAN_FREELY)?;
        let query = with_kinds(LATE).bind::<Timestamptz, _>(cut_off);
        let rows: Vec<LateRow> = self.query(|connection| query.load(connection))?;
        Ok(rows.into_iter().map(LateRow::into_kinds).collect())
    }

    /// Those who moved to another raffle since the cut-off.
    fn moved_since(&self, cut_off: DateTime<Utc>) -> Result<Vec<MovedRow>, StoreError> {
        let query = sql_query(MOVED).bind::<Timestamptz, _>(cut_off);
        self.query(|connection| query.load(connection))
    }

    /// Reads the next rows of [`PARTICIPANTS`].
    fn copy_participants(
        &self,
        landing_page: RaffleKey,
        after: Option<PersonTag>,
        limit: u32,
        each: &mut dyn FnMut(Participant),
    ) -> Result<(), StoreError> {
        let values = sql_query(SET_VALUES)
            .bind::<Text, _>(landing_page.as_str())
            .bind::<Binary, _>(after.as_ref().map_or(&[][..], |tag| tag.as_bytes()))
            .bind::<BigInt, _>(i64::from(limit));
        self.query(|connection| values.execute(connection))?;
        let copy = diesel::copy_to(Participants).with_format(CopyFormat::Binary);
        let read = self.query(|connection| Ok(read_rows(copy.load_raw(connection)?, each)))?;
        // A COPY that failed just ends early. The next statement discards what libpq still holds of it, and fails if
        // the connection is lost or the transaction has failed.
        let ended = self.run("SELECT 1");
        read.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => StoreError::Failed(error.into()),
            _ => StoreError::Unavailable(error.into()),
        })?;
        ended
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = drawing_chunks)]
struct Row {
    drawing_id: i64,
    number: i64,
    first_entry: i64,
    first_tag: Vec<u8>,
    root: Vec<u8>,
    packed: Vec<u8>,
}

impl TryFrom<Row> for Chunk {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt(row.drawing_id, column);
        Ok(Self {
            number: u32::try_from(row.number).map_err(|_| corrupt("number"))?,
            first_entry: u64::try_from(row.first_entry).map_err(|_| corrupt("first_entry"))?,
            first_tag: row
                .first_tag
                .try_into()
                .map(PersonTag::new)
                .map_err(|_| corrupt("first_tag"))?,
            root: read_root(&row.root).ok_or_else(|| corrupt("root"))?,
            packed: row.packed,
        })
    }
}

fn corrupt(drawing: i64, column: &'static str) -> StoreError {
    StoreError::corrupt("drawing_chunks", column, drawing)
}

fn read_root(bytes: &[u8]) -> Option<Hash> {
    bytes.try_into().ok().map(Hash::new)
}

impl FrozenEntrants for PgTx {
    fn read_participants(
        &self,
        landing_page: RaffleKey,
        cut_off: DateTime<Utc>,
        after: Option<PersonTag>,
        limit: u32,
        each: &mut dyn FnMut(Candidate),
    ) -> Result<(), StoreError> {
        let late = self.late_entries(cut_off)?;
        let (mut gone, moved) = gone_and_moved(self.moved_since(cut_off)?, landing_page, after)?;
        let (mut after, mut left, mut asked) = (after, limit, limit);
        // How many more are wanted then.
        let mut offer = |row: Participant| {
            let entries = row.now.without(late.get(&row.id).copied().unwrap_or_default());
            if left > 0 && entries.total() > 0 {
                left -= 1;
                each(Candidate {
                    id: EntrantId::new(row.id),
                    entries,
                    tag: row.tag,
                });
            }
            left
        };
        while asked > 0 {
            let (mut read, mut wanted) = (0, asked);
            self.copy_participants(landing_page, after, asked, &mut |row| {
                (after, read) = (Some(row.tag), read + 1);
                while let Some(before) = gone.pop_front_if(|gone| gone.tag < row.tag) {
                    wanted = offer(before);
                }
                if !moved.contains(&row.id) {
                    wanted = offer(row);
                }
            })?;
            // Whoever has no entries was read, but does not count.
            if read < asked {
                for row in gone {
                    offer(row);
                }
                return Ok(());
            }
            asked = wanted;
        }
        Ok(())
    }

    fn tags_of(&self, entrants: &[EntrantId]) -> Result<Vec<PersonTag>, StoreError> {
        let ids: Vec<i64> = entrants.iter().map(|id| id.get()).collect();
        let query = sql_query(TAGS).bind::<Array<BigInt>, _>(ids);
        let rows: Vec<TagRow> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(TagRow::tag).collect()
    }

    fn imported_entries(&self, landing_page: RaffleKey, cut_off: DateTime<Utc>) -> Result<u64, StoreError> {
        self.run(PLAN_FREELY)?;
        let query = sql_query(IMPORTED)
            .bind::<Text, _>(landing_page.as_str())
            .bind::<Timestamptz, _>(cut_off);
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(number(row.n))
    }

    fn left_out(&self, landing_page: RaffleKey, cut_off: DateTime<Utc>) -> Result<LeftOut, StoreError> {
        self.run(PLAN_FREELY)?;
        let query = with_kinds(LEFT_OUT)
            .bind::<Text, _>(landing_page.as_str())
            .bind::<Timestamptz, _>(cut_off);
        let row: LeftOutRow = self.query(|connection| query.get_result(connection))?;
        Ok(LeftOut {
            flagged: number(row.flagged),
            flagged_last_48_hours: number(row.flagged_recently),
            duplicate: number(row.duplicate),
            disputed: number(row.disputed),
        })
    }

    fn add_chunks(&mut self, drawing: DrawingId, chunks: &[Chunk]) -> Result<(), StoreError> {
        fn all<'a, T>(chunks: &'a [Chunk], column: impl Fn(&'a Chunk) -> T) -> Vec<T> {
            chunks.iter().map(column).collect()
        }
        let insert = sql_query(ADD_CHUNKS)
            .bind::<BigInt, _>(drawing.get())
            .bind::<Array<BigInt>, _>(all(chunks, |chunk| i64::from(chunk.number)))
            .bind::<Array<BigInt>, _>(all(chunks, |chunk| bigint(chunk.first_entry)))
            .bind::<Array<Binary>, _>(all(chunks, |chunk| chunk.first_tag.as_bytes().as_slice()))
            .bind::<Array<Binary>, _>(all(chunks, |chunk| chunk.root.as_bytes().as_slice()))
            .bind::<Array<Binary>, _>(all(chunks, |chunk| chunk.packed.as_slice()));
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn chunk_roots(&self, drawing: DrawingId) -> Result<Vec<Hash>, StoreError> {
        let query = drawing_chunks::table
            .filter(drawing_chunks::drawing_id.eq(drawing.get()))
            .order(drawing_chunks::number)
            .select(drawing_chunks::root);
        let roots: Vec<Vec<u8>> = self.query(|connection| query.load(connection))?;
        let root = |bytes: &Vec<u8>| read_root(bytes).ok_or_else(|| corrupt(drawing.get(), "root"));
        roots.iter().map(root).collect()
    }

    fn find_chunk(&self, drawing: DrawingId, number: u32) -> Result<Option<Chunk>, StoreError> {
        let query = drawing_chunks::table
            .find((drawing.get(), i64::from(number)))
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Chunk::try_from)
            .transpose()
    }

    fn find_chunk_with_entry(&self, drawing: DrawingId, entry: u64) -> Result<Option<Chunk>, StoreError> {
        let query = drawing_chunks::table
            .filter(drawing_chunks::drawing_id.eq(drawing.get()))
            .filter(drawing_chunks::first_entry.le(bigint(entry)))
            .order(drawing_chunks::first_entry.desc())
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Chunk::try_from)
            .transpose()
    }

    fn find_chunk_with_tag(&self, drawing: DrawingId, tag: &PersonTag) -> Result<Option<Chunk>, StoreError> {
        let query = drawing_chunks::table
            .filter(drawing_chunks::drawing_id.eq(drawing.get()))
            .filter(drawing_chunks::first_tag.le(tag.as_bytes().as_slice()))
            .order(drawing_chunks::first_tag.desc())
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Chunk::try_from)
            .transpose()
    }
}
