//! `drawing::PublishedLists`.

use crate::PgTx;
use crate::drawing::drawings::bigint;
use crate::rows::IdRow;
use crate::schema::{drawing_list_parts, drawing_lists};
use diesel::prelude::*;
use diesel::sql_query;
use drawing::{DrawingId, Hash, ListForm, ListPart, ListProgress, PublishedList, PublishedLists};
use kernel::StoreError;

/// Goes from one drawing to the next in the index, because each has thousands of chunks.
const UNPUBLISHED: &str = "
WITH RECURSIVE frozen (id) AS (
    SELECT max(drawing_id) FROM drawing_chunks
    UNION ALL
    SELECT (SELECT max(drawing_id) FROM drawing_chunks WHERE drawing_id < frozen.id)
    FROM frozen WHERE frozen.id IS NOT NULL
)
SELECT id FROM frozen
WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM drawing_lists WHERE drawing_id = frozen.id)
ORDER BY id DESC";

#[derive(Queryable, Selectable)]
#[diesel(table_name = drawing_list_parts)]
struct PartRow {
    drawing_id: i64,
    number: i64,
    csv_start: i64,
    csv_end: i64,
    deflated_start: i64,
    deflated_end: i64,
    csv_crc: i64,
    deflated_crc: i64,
    bytes: Vec<u8>,
}

impl TryFrom<PartRow> for ListPart {
    type Error = StoreError;

    fn try_from(row: PartRow) -> Result<Self, StoreError> {
        let table = Table("drawing_list_parts", row.drawing_id);
        Ok(Self {
            number: table.read("number", row.number)?,
            csv: table.read("csv_start", row.csv_start)?..table.read("csv_end", row.csv_end)?,
            deflated: table.read("deflated_start", row.deflated_start)?
                ..table.read("deflated_end", row.deflated_end)?,
            csv_crc: table.read("csv_crc", row.csv_crc)?,
            deflated_crc: table.read("deflated_crc", row.deflated_crc)?,
            bytes: row.bytes,
        })
    }
}

/// A part without its bytes.
#[derive(Queryable, Selectable)]
#[diesel(table_name = drawing_list_parts)]
struct ProgressRow {
    drawing_id: i64,
    number: i64,
    csv_end: i64,
    deflated_end: i64,
    csv_crc: i64,
    deflated_crc: i64,
}

impl TryFrom<ProgressRow> for ListProgress {
    type Error = StoreError;

    fn try_from(row: ProgressRow) -> Result<Self, StoreError> {
        let table = Table("drawing_list_parts", row.drawing_id);
        Ok(Self {
            parts: table.read("number", row.number.saturating_add(1))?,
            csv: table.read("csv_end", row.csv_end)?,
            deflated: table.read("deflated_end", row.deflated_end)?,
            csv_crc: table.read("csv_crc", row.csv_crc)?,
            deflated_crc: table.read("deflated_crc", row.deflated_crc)?,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = drawing_lists)]
struct ListRow {
    drawing_id: i64,
    last_part: i64,
    root: Vec<u8>,
    csv_end: i64,
    deflated_end: i64,
    csv_crc: i64,
    deflated_crc: i64,
}

impl TryFrom<ListRow> for PublishedList {
    type Error = StoreError;

    fn try_from(row: ListRow) -> Result<Self, StoreError> {
        let table = Table("drawing_lists", row.drawing_id);
        let root: [u8; 32] = row.root.try_into().map_err(|_| table.corrupt("root"))?;
        Ok(Self {
            root: Hash::new(root),
            end: ListProgress {
                parts: table.read("last_part", row.last_part.saturating_add(1))?,
                csv: table.read("csv_end", row.csv_end)?,
                deflated: table.read("deflated_end", row.deflated_end)?,
                csv_crc: table.read("csv_crc", row.csv_crc)?,
                deflated_crc: table.read("deflated_crc", row.deflated_crc)?,
            },
        })
    }
}

/// The name of a table, and the drawing whose row is read.
struct Table(&'static str, i64);

impl Table {
    fn read<N: TryFrom<i64>>(&self, column: &'static str, number: i64) -> Result<N, StoreError> {
        N::try_from(number).map_err(|_| self.corrupt(column))
    }

    fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::corrupt(self.0, column, self.1)
    }
}

impl PublishedLists for PgTx {
    fn unpublished_lists(&self) -> Result<Vec<DrawingId>, StoreError> {
        let rows: Vec<IdRow> = self.query(|connection| sql_query(UNPUBLISHED).load(connection))?;
        Ok(rows.into_iter().map(|row| DrawingId::new(row.id)).collect())
    }

    fn list_progress(&self, drawing: DrawingId) -> Result<ListProgress, StoreError> {
        let query = drawing_list_parts::table
            .filter(drawing_list_parts::drawing_id.eq(drawing.get()))
            .order(drawing_list_parts::number.desc())
            .select(ProgressRow::as_select());
        let last: Option<ProgressRow> = self.query(|connection| query.first(connection).optional())?;
        last.map_or(Ok(ListProgress::default()), ListProgress::try_from)
    }

    fn add_list_part(&mut self, drawing: DrawingId, part: &ListPart) -> Result<bool, StoreError> {
        let row = (
            drawing_list_parts::drawing_id.eq(drawing.get()),
            drawing_list_parts::number.eq(i64::from(part.number)),
            drawing_list_parts::csv_start.eq(bigint(part.csv.start)),
            drawing_list_parts::csv_end.eq(bigint(part.csv.end)),
            drawing_list_parts::deflated_start.eq(bigint(part.deflated.start)),
            drawing_list_parts::deflated_end.eq(bigint(part.deflated.end)),
            drawing_list_parts::csv_crc.eq(i64::from(part.csv_crc)),
            drawing_list_parts::deflated_crc.eq(i64::from(part.deflated_crc)),
            drawing_list_parts::bytes.eq(&part.bytes),
        );
        // Of any constraint: when two servers insert one part at the same time, the second one may meet the first in
        // another unique index than the primary key's.
        let insert = diesel::insert_into(drawing_list_parts::table)
            .values(row)
            .on_conflict_do_nothing();
        let added = self.query(|connection| insert.execute(connection))?;
        Ok(added == 1)
    }

    fn add_list(&mut self, drawing: DrawingId, list: &PublishedList) -> Result<bool, StoreError> {
        let row = (
            drawing_lists::drawing_id.eq(drawing.get()),
            drawing_lists::last_part.eq(i64::from(list.end.parts) - 1),
            drawing_lists::root.eq(list.root.as_bytes().as_slice()),
            drawing_lists::csv_end.eq(bigint(list.end.csv)),
            drawing_lists::deflated_end.eq(bigint(list.end.deflated)),
            drawing_lists::csv_crc.eq(i64::from(list.end.csv_crc)),
            drawing_lists::deflated_crc.eq(i64::from(list.end.deflated_crc)),
        );
        let insert = diesel::insert_into(drawing_lists::table)
            .values(row)
            .on_conflict(drawing_lists::drawing_id)
            .do_nothing();
        let added = self.query(|connection| insert.execute(connection))?;
        Ok(added == 1)
    }

    fn find_list(&self, drawing: DrawingId) -> Result<Option<PublishedList>, StoreError> {
        let query = drawing_lists::table
            .find(drawing.get())
            .select(ListRow::as_select());
        let row: Option<ListRow> = self.query(|connection| query.first(connection).optional())?;
        row.map(PublishedList::try_from).transpose()
    }

    fn find_list_part(
        &self,
        drawing: DrawingId,
        form: ListForm,
        offset: u64,
    ) -> Result<Option<ListPart>, StoreError> {
        let parts = drawing_list_parts::table.filter(drawing_list_parts::drawing_id.eq(drawing.get()));
        let row: Option<PartRow> = match form {
            ListForm::Csv => {
                let query = parts
                    .filter(drawing_list_parts::csv_end.gt(bigint(offset)))
                    .order(drawing_list_parts::csv_end)
                    .select(PartRow::as_select());
                self.query(|connection| query.first(connection).optional())?
            }
            ListForm::Gzip => {
                let query = parts
                    .filter(drawing_list_parts::deflated_end.gt(bigint(offset)))
                    .order(drawing_list_parts::deflated_end)
                    .select(PartRow::as_select());
                self.query(|connection| query.first(connection).optional())?
            }
        };
        row.map(ListPart::try_from).transpose()
    }
}
