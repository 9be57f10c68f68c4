//! CSV without cells that a spreadsheet would run as formulas.

use crate::ApiError;
use actix_web::web::Bytes;
use chrono::{DateTime, SecondsFormat, Utc};
use std::borrow::Cow;

/// Characters with which a formula begins.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Columns: the name of each, and what a row has in it.
pub(crate) type Columns<R> = &'static [(&'static str, fn(&R) -> String)];

/// A row of a CSV file.
pub(crate) trait CsvRow: Sized + 'static {
    const COLUMNS: Columns<Self>;
}

/// The line with the names of the columns.
pub(crate) fn csv_header<R: CsvRow>() -> Result<Bytes, ApiError> {
    lines([R::COLUMNS.iter().map(|(name, _)| (*name).to_owned())])
}

/// The lines of these rows.
pub(crate) fn csv_lines<'a, R: CsvRow>(rows: impl IntoIterator<Item = &'a R>) -> Result<Bytes, ApiError> {
    let cells = |row: &'a R| R::COLUMNS.iter().map(move |(_, cell)| cell(row));
    lines(rows.into_iter().map(cells))
}

/// A cell that may be empty.
pub(crate) fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A cell with a time.
pub(crate) fn time_cell(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Lines of CSV. A cell that a spreadsheet would take for a formula gets a `'` in front.
fn lines(rows: impl IntoIterator<Item = impl Iterator<Item = String>>) -> Result<Bytes, ApiError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let cells = row.map(|cell| escape_formula(&cell).into_owned());
        writer.write_record(cells).map_err(|_| ApiError::internal())?;
    }
    let lines = writer.into_inner().map_err(|_| ApiError::internal())?;
    Ok(lines.into())
}

fn escape_formula(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA) {
        format!("'{cell}").into()
    } else {
        cell.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cells: [&str; 2]) -> String {
        let bytes = lines([cells.map(str::to_owned).into_iter()]).unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[test]
    fn a_formula_is_escaped() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "=HYPERLINK(\"http://a\")"] {
            let written = line([formula, "x"]);
            let cell = written.trim_start_matches('"');
            assert!(cell.starts_with('\''), "{written}");
        }
        assert_eq!(line(["\rx", "y"]), "\"'\rx\",y\n");
        assert_eq!(line(["a=b", "2025-08-01"]), "a=b,2025-08-01\n");
    }

    #[test]
    fn separators_and_quotes_stay_within_their_cell() {
        assert_eq!(
            line(["a,b", "say \"no\"\nor yes"]),
            "\"a,b\",\"say \"\"no\"\"\nor yes\"\n"
        );
        assert_eq!(line(["", ""]), ",\n");
    }
}
