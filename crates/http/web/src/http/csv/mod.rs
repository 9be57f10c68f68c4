//! CSV files of the console, as spreadsheets read and write them (D61).

mod cells;
mod reader;

pub(crate) use reader::{BadRow, read_csv};

use crate::ApiError;
use actix_web::web::Bytes;
use cells::escape;
use chrono::{DateTime, SecondsFormat, Utc};
use csv::{QuoteStyle, WriterBuilder};

/// Tells a spreadsheet that a file is in UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Columns: the name of each, and what a row has in it.
pub(crate) type Columns<R> = &'static [(&'static str, fn(&R) -> String)];

/// A row of a CSV file.
pub(crate) trait CsvRow: Sized + 'static {
    const COLUMNS: Columns<Self>;
}

/// The beginning of a file: the line with the names of the columns.
pub(crate) fn csv_header<R: CsvRow>() -> Result<Bytes, ApiError> {
    let names = lines([R::COLUMNS.iter().map(|(name, _)| (*name).to_owned())])?;
    Ok([BYTE_ORDER_MARK.as_bytes(), &names].concat().into())
}

/// The lines of these rows.
pub(crate) fn csv_lines<'a, R: CsvRow>(rows: impl IntoIterator<Item = &'a R>) -> Result<Bytes, ApiError> {
    let cells = |row: &'a R| R::COLUMNS.iter().map(move |(_, cell)| cell(row));
    Ok(lines(rows.into_iter().map(cells))?.into())
}

/// A cell that may be empty.
pub(crate) fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A cell with a time.
pub(crate) fn time_cell(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// All cells are quoted: a spreadsheet may expect another separator.
fn lines(rows: impl IntoIterator<Item = impl Iterator<Item = String>>) -> Result<Vec<u8>, ApiError> {
    let mut writer = WriterBuilder::new()
        .quote_style(QuoteStyle::Always)
        .from_writer(Vec::new());
    for row in rows {
        let cells = row.map(|cell| escape(&cell).into_owned());
        writer.write_record(cells).map_err(|_| ApiError::internal())?;
    }
    writer.into_inner().map_err(|_| ApiError::internal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Pair([String; 2]);

    impl CsvRow for Pair {
        const COLUMNS: Columns<Self> = &[("id", |row| row.0[0].clone()), ("body", |row| row.0[1].clone())];
    }

    fn written(rows: &[Pair]) -> Vec<u8> {
        [csv_header::<Pair>().unwrap(), csv_lines(rows).unwrap()].concat()
    }

    #[test]
    fn a_file_has_a_byte_order_mark_and_quotes_around_every_cell() {
        let rows = [
            Pair(["4250107085993647".into(), "Café 😀;=1+1".into()]),
            Pair([String::new(), "say \"no\"\nor yes".into()]),
        ];
        assert_eq!(
            String::from_utf8(written(&rows)).unwrap(),
            "\u{feff}\"id\",\"body\"\n\"'4250107085993647\",\"'Café 😀;'=1+1\"\n\"\",\"say \"\"no\"\"\nor yes\"\n"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(cells in prop::collection::vec(["[^\r]{1,9}", "[-'=+,;\t\n\"a1]{0,9}"], 0..9)) {
            let rows: Vec<_> = cells.into_iter().map(|[id, body]| Pair([format!("x{id}"), body])).collect();
            let read = read_csv(&written(&rows), ["body", "id"]).unwrap();
            let read: Vec<_> = read.into_iter().map(|row| row.cells).collect();
            let sent: Vec<_> = rows.into_iter().map(|Pair([id, body])| [body, id]).collect();
            prop_assert_eq!(read, sent);
        }
    }
}
