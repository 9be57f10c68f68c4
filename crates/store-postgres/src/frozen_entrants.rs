use crate::PgTx;
use crate::drawings::bigint;
use crate::schema::{drawing_chunks, users};
use diesel::pg::{CopyFormat, CopyTarget, Pg};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Text};
use drawing::{Chunk, DrawingId, FrozenEntrants, Hash};
use kernel::{EntrantId, Raffle, StoreError};
use std::io::{self, BufRead};

/// COPY takes no parameters, so they are passed as settings of the transaction.
///
/// Also makes the planner use the index that has the wanted order: for a small raffle, or without statistics, it would
/// sort the whole table for every chunk. The statements that follow in the transaction read single rows.
const SET_VALUES: &str = "
SELECT set_config('tombola.landing_page', $1, true), set_config('tombola.after', $2::text, true),
       set_config('tombola.limit', $3::text, true),
       set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
       set_config('jit', 'off', true)";

/// The landing page is read in a subquery, which is evaluated once and not for each row.
const PARTICIPANTS: &str = "(
SELECT id, total_entries - held_entries FROM users
WHERE id > current_setting('tombola.after')::bigint
    AND landing_page = (SELECT current_setting('tombola.landing_page'))
    AND NOT is_flagged AND total_entries > held_entries
ORDER BY id
LIMIT current_setting('tombola.limit')::bigint
)";

const ADD_CHUNKS: &str = "
INSERT INTO drawing_chunks (drawing_id, number, first_entry, first_user_id, root, packed)
SELECT $1, * FROM unnest($2, $3, $4, $5, $6)";

struct Participants;

impl CopyTarget for Participants {
    type Table = users::table;
    type SqlType = (BigInt, BigInt);

    fn walk_target(mut out: AstPass<'_, '_, Pg>) -> QueryResult<()> {
        out.push_sql(PARTICIPANTS);
        Ok(())
    }
}

/// The header of binary COPY: its signature, no flags, no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// The length of a row with two 8-byte integers: the number of fields, then each field after its length.
const ROW: usize = 2 + 2 * (4 + 8);

/// Reads the rows of a binary COPY. Each buffer contains whole rows.
///
/// # Errors
/// `UnexpectedEof` when the stream ends before the trailer, `InvalidData` when it contains anything but such rows.
fn read_rows(mut copy: impl BufRead, each: &mut dyn FnMut(EntrantId, u64)) -> io::Result<()> {
    let mut header = HEADER;
    loop {
        let buffer = copy.fill_buf()?;
        if buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = buffer.len();
        let rows = buffer.strip_prefix(header).ok_or(io::ErrorKind::InvalidData)?;
        header = &[];
        let (rows, rest) = rows.as_chunks::<ROW>();
        for row in rows {
            let (id, weight) = read_row(row).ok_or(io::ErrorKind::InvalidData)?;
            each(id, weight);
        }
        match rest {
            [] => copy.consume(length),
            [0xff, 0xff] => return Ok(()),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

fn read_row(row: &[u8; ROW]) -> Option<(EntrantId, u64)> {
    let row = row.strip_prefix(&[0, 2])?;
    let (id, row) = row.strip_prefix(&[0, 0, 0, 8])?.split_first_chunk()?;
    let weight = row.strip_prefix(&[0, 0, 0, 8])?.try_into().ok()?;
    let weight = u64::try_from(i64::from_be_bytes(weight)).ok()?;
    Some((EntrantId::new(i64::from_be_bytes(*id)), weight))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = drawing_chunks)]
struct Row {
    drawing_id: i64,
    number: i64,
    first_entry: i64,
    first_user_id: i64,
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
            first_id: EntrantId::new(row.first_user_id),
            root: read_root(&row.root).ok_or_else(|| corrupt("root"))?,
            packed: row.packed,
        })
    }
}

fn corrupt(drawing: i64, column: &'static str) -> StoreError {
    StoreError::Corrupt {
        table: "drawing_chunks",
        column,
        row: drawing,
    }
}

fn read_root(bytes: &[u8]) -> Option<Hash> {
    bytes.try_into().ok().map(Hash::new)
}

impl FrozenEntrants for PgTx {
    fn read_participants(
        &self,
        landing_page: Raffle,
        after: Option<EntrantId>,
        limit: u32,
        each: &mut dyn FnMut(EntrantId, u64),
    ) -> Result<(), StoreError> {
        let values = sql_query(SET_VALUES)
            .bind::<Text, _>(landing_page.as_str())
            .bind::<BigInt, _>(after.map_or(i64::MIN, EntrantId::get))
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

    fn add_chunks(&mut self, drawing: DrawingId, chunks: &[Chunk]) -> Result<(), StoreError> {
        fn all<'a, T>(chunks: &'a [Chunk], column: impl Fn(&'a Chunk) -> T) -> Vec<T> {
            chunks.iter().map(column).collect()
        }
        let insert = sql_query(ADD_CHUNKS)
            .bind::<BigInt, _>(drawing.get())
            .bind::<Array<BigInt>, _>(all(chunks, |chunk| i64::from(chunk.number)))
            .bind::<Array<BigInt>, _>(all(chunks, |chunk| bigint(chunk.first_entry)))
            .bind::<Array<BigInt>, _>(all(chunks, |chunk| chunk.first_id.get()))
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

    fn find_chunk_with_entrant(
        &self,
        drawing: DrawingId,
        entrant: EntrantId,
    ) -> Result<Option<Chunk>, StoreError> {
        let query = drawing_chunks::table
            .filter(drawing_chunks::drawing_id.eq(drawing.get()))
            .filter(drawing_chunks::first_user_id.le(entrant.get()))
            .order(drawing_chunks::first_user_id.desc())
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Chunk::try_from)
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAILER: &[u8] = &[0xff, 0xff];

    fn row(id: i64, weight: i64) -> Vec<u8> {
        let field = |number: i64| [&8u32.to_be_bytes()[..], &number.to_be_bytes()].concat();
        [vec![0, 2], field(id), field(weight)].concat()
    }

    /// Returns one buffer after the other, as libpq does.
    struct Buffers(Vec<Vec<u8>>);

    impl io::Read for Buffers {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!("only whole buffers are read")
        }
    }

    impl BufRead for Buffers {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(self.0.first().map_or(&[], Vec::as_slice))
        }

        fn consume(&mut self, amount: usize) {
            assert_eq!(amount, self.0.remove(0).len());
        }
    }

    fn read(buffers: &[&[u8]]) -> (Vec<(i64, u64)>, Result<(), io::ErrorKind>) {
        let mut rows = Vec::new();
        let buffers = Buffers(buffers.iter().map(|buffer| buffer.to_vec()).collect());
        let result = read_rows(buffers, &mut |id, weight| rows.push((id.get(), weight)));
        (rows, result.map_err(|error| error.kind()))
    }

    #[test]
    fn rows_are_read_however_they_are_split_into_buffers() {
        let (one, two) = (row(1, 7), row(i64::MAX, 0));
        let expected = vec![(1, 7), (i64::MAX, 0)];
        let first = [HEADER, &one].concat();
        let all = [HEADER, &one, &two, TRAILER].concat();
        assert_eq!(read(&[&first, &two, TRAILER]), (expected.clone(), Ok(())));
        assert_eq!(read(&[HEADER, &one, &two, TRAILER]), (expected.clone(), Ok(())));
        assert_eq!(read(&[&all]), (expected, Ok(())));
        assert_eq!(read(&[&[HEADER, TRAILER].concat()]), (vec![], Ok(())));
    }

    #[test]
    fn an_end_without_the_trailer_is_an_error() {
        let eof = Err(io::ErrorKind::UnexpectedEof);
        assert_eq!(read(&[]), (vec![], eof));
        assert_eq!(read(&[&[HEADER, &row(1, 2)].concat()]), (vec![(1, 2)], eof));
    }

    #[test]
    fn invalid_rows_are_rejected() {
        let invalid = Err(io::ErrorKind::InvalidData);
        let whole = row(1, 2);
        let mut three_fields = whole.clone();
        three_fields[1] = 3;
        let mut long_id = whole.clone();
        long_id[5] = 9;
        let mut long_weight = whole.clone();
        long_weight[17] = 9;
        let no_header = [&whole[..], TRAILER].concat();
        let cut = &whole[..ROW - 1];
        assert_eq!(read(&[&no_header]), (vec![], invalid));
        for wrong in [three_fields.as_slice(), &long_id, &long_weight, &row(1, -1), cut] {
            assert_eq!(read(&[HEADER, wrong, TRAILER]), (vec![], invalid), "{wrong:?}");
        }
        assert_eq!(read(&[HEADER, HEADER]), (vec![], invalid));
    }
}
