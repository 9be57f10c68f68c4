//! Files that a spreadsheet wrote, or that we wrote.

use super::cells::unescape;
use csv::{ReaderBuilder, StringRecord};
use encoding_rs::{Encoding, UTF_8};

/// What may stand between cells. Excel writes semicolons in many countries, and tabs as 'Unicode text'.
const SEPARATORS: [u8; 3] = [b'\t', b';', b','];
const NOT_TEXT: &str = "The file is not text in UTF-8. In a spreadsheet, save it as 'CSV UTF-8'.";

/// A row with these columns. Where the row is too short, its cells are empty.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row<const N: usize> {
    /// Its number, as a spreadsheet shows it.
    pub(crate) number: u64,
    pub(crate) cells: [String; N],
}

/// What keeps a row, and so the file, from being read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadRow {
    pub(crate) number: u64,
    pub(crate) error: String,
}

/// Reads the rows below the first one, which names the columns in any order and case. Other columns and empty rows are
/// skipped.
///
/// # Errors
/// The rows with more cells than there are columns, or the first one when the whole file cannot be read.
pub(crate) fn read_csv<const N: usize>(bytes: &[u8], columns: [&str; N]) -> Result<Vec<Row<N>>, Vec<BadRow>> {
    let rows = decode(bytes).and_then(|text| all_rows(&text));
    let mut rows = rows.ok_or_else(|| bad_file(NOT_TEXT.to_owned()))?.into_iter();
    let header = rows.next().map(|(_, cells)| cells).unwrap_or_default();
    let places = find_columns(&header, columns).map_err(bad_file)?;
    let is_long = |cells: &[String]| cells.iter().skip(header.len()).any(|cell| !cell.is_empty());
    let (bad, good): (Vec<_>, Vec<_>) = rows.partition(|(_, cells)| is_long(cells));
    let bad = bad.into_iter().map(|(number, _)| BadRow {
        number,
        error: format!("The line has more cells than the {} columns", header.len()),
    });
    let bad: Vec<_> = bad.collect();
    let good = good.into_iter().map(|(number, cells)| Row {
        number,
        cells: places.map(|place| cells.get(place).cloned().unwrap_or_default()),
    });
    match bad.is_empty() {
        true => Ok(good.collect()),
        false => Err(bad),
    }
}

fn bad_file(error: String) -> Vec<BadRow> {
    vec![BadRow { number: 1, error }]
}

/// Reads UTF-8, and whatever a byte order mark says. Each line ends with one line feed.
fn decode(bytes: &[u8]) -> Option<String> {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let (_, text) = bytes.split_at_checked(mark)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(text)?;
    Some(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// All rows that are not empty, each with its number.
fn all_rows(text: &str) -> Option<Vec<(u64, Vec<String>)>> {
    let (separator, text) = separator(text);
    let mut reader = reader(text, separator);
    let mut record = StringRecord::new();
    let mut number = 0;
    let mut rows = Vec::new();
    loop {
        let start = usize::try_from(reader.position().byte()).ok()?;
        if !reader.read_record(&mut record).ok()? {
            return Some(rows);
        }
        // A row may have several lines, and the reader skips empty ones.
        let rest = text.as_bytes().get(start..)?;
        let empty = rest.iter().take_while(|byte| **byte == b'\n').count();
        number += 1 + u64::try_from(empty).ok()?;
        let cells: Vec<_> = record.iter().map(|cell| unescape(cell).into_owned()).collect();
        if cells.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push((number, cells));
        }
    }
}

fn reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes())
}

/// What stands between the cells, and the text without the line `sep=;` in which a spreadsheet is told so.
fn separator(text: &str) -> (u8, &str) {
    let told = text.strip_prefix("sep=").and_then(|rest| rest.split_once('\n'));
    if let Some((&[separator], rest)) = told.map(|(separator, rest)| (separator.as_bytes(), rest)) {
        return (separator, rest);
    }
    let first_line = text.trim_start_matches('\n').lines().next().unwrap_or_default();
    let cells = |separator: &u8| {
        let first = reader(first_line, *separator).into_records().next();
        first.and_then(Result::ok).map_or(0, |record| record.len())
    };
    let separator = SEPARATORS.into_iter().max_by_key(cells).unwrap_or(b',');
    (separator, text)
}

/// The place of each column in the first row.
fn find_columns<const N: usize>(header: &[String], columns: [&str; N]) -> Result<[usize; N], String> {
    let bare = |name: &str| name.replace(' ', "").to_lowercase();
    let places = columns.map(|column| {
        let named = header
            .iter()
            .enumerate()
            .filter(|(_, name)| bare(name) == bare(column));
        let mut places = named.map(|(place, _)| place);
        places.next().filter(|_| places.next().is_none())
    });
    let unclear = columns.iter().zip(places).filter(|(_, place)| place.is_none());
    let unclear: Vec<_> = unclear.map(|(column, _)| *column).collect();
    match unclear.is_empty() {
        true => Ok(places.map(Option::unwrap_or_default)),
        false => Err(format!(
            "The first line must name each of these columns once: {}. Please check {}.",
            columns.join(", "),
            unclear.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 2] = ["phoneNumber", "consentBasis"];

    fn rows(file: impl AsRef<[u8]>) -> Vec<(u64, [String; 2])> {
        let rows = read_csv(file.as_ref(), COLUMNS).unwrap();
        rows.into_iter().map(|row| (row.number, row.cells)).collect()
    }

    fn errors(file: impl AsRef<[u8]>) -> Vec<(u64, String)> {
        let bad = read_csv(file.as_ref(), COLUMNS).unwrap_err();
        bad.into_iter().map(|bad| (bad.number, bad.error)).collect()
    }

    fn row(number: u64, phone: &str, basis: &str) -> (u64, [String; 2]) {
        (number, [phone.to_owned(), basis.to_owned()])
    }

    fn utf_16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn what_spreadsheets_write_is_read() {
        let expected = [row(2, "5551234567", "Café, June")];
        for file in [
            "phoneNumber,consentBasis\n5551234567,\"Café, June\"",
            "\u{feff}phoneNumber;consentBasis\r\n5551234567;Café, June\r\n",
            "sep=;\r\nphoneNumber;consentBasis\r\n5551234567;Café, June\r\n",
            "PHONENUMBER\tName\tConsent Basis\r5551234567\tAnn\tCafé, June\r",
            "\"Consent basis\",\"note\",\" phone number \"\n\"Café, June\",,5551234567,,\n",
            "phoneNumber;consentBasis\n=\"5551234567\";Café, June\n;\n",
        ] {
            assert_eq!(rows(file), expected, "{file}");
        }
        let text = "phoneNumber\tconsentBasis\r\n5551234567\tCafé, June\r\n";
        assert_eq!(rows(utf_16(text, u16::to_le_bytes)), expected);
        assert_eq!(rows(utf_16(text, u16::to_be_bytes)), expected);
    }

    #[test]
    fn rows_are_numbered_as_a_spreadsheet_shows_them() {
        let file = "\nphoneNumber,consentBasis\n1,\"two\nlines\"\n\n\n,\n2,x\n3";
        let expected = [row(3, "1", "two\nlines"), row(7, "2", "x"), row(8, "3", "")];
        for line_break in ["\n", "\r\n", "\r"] {
            assert_eq!(rows(file.replace('\n', line_break)), expected, "{line_break:?}");
        }
        let told = format!("sep=,\n{file}");
        assert_eq!(rows(told), expected);
    }

    #[test]
    fn a_row_with_more_cells_than_columns_is_bad() {
        let file = "phoneNumber,consentBasis\n1,a\n2,Booth, June\n3,b,,\n4,a,b,c\n";
        let error = || "The line has more cells than the 2 columns".to_owned();
        assert_eq!(errors(file), [(3, error()), (5, error())]);
    }

    #[test]
    fn a_file_that_names_a_column_never_or_twice_says_which() {
        let sentence = |column: &str| {
            format!(
                "The first line must name each of these columns once: phoneNumber, consentBasis. Please check {column}."
            )
        };
        for (file, columns) in [
            ("", "phoneNumber, consentBasis"),
            ("5551234567;x\n", "phoneNumber, consentBasis"),
            ("phoneNumber,basis\n", "consentBasis"),
            ("phoneNumber,consentBasis,Phone Number\n", "phoneNumber"),
        ] {
            assert_eq!(errors(file), [(1, sentence(columns))], "{file}");
        }
    }

    #[test]
    fn a_file_that_is_not_text_says_what_to_do() {
        for file in [
            &b"phoneNumber,consentBasis\n1,Caf\xe9\n"[..],
            b"PK\x03\x04\xff",
            b"\xff\xfea",
        ] {
            assert_eq!(errors(file), [(1, NOT_TEXT.to_owned())]);
        }
    }
}
