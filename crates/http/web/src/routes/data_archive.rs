//! The copy of a person's data: a ZIP with a JSON file for each table, named after the table, and one HTML page that
//! says the same in words.

use crate::client::escape::escape;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use claims::{ClaimDetails, ClaimId, ClaimSecrets};
use kernel::Sealer;
use privacy::{ExportPart, ExportedTable};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use strum::IntoEnumIterator;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:44rem;padding:0 1rem;color:#1c1c1c}\
h2{margin:2.5rem 0 0}h3{margin:1.5rem 0 .5rem;font-size:1rem}dl{margin:0 0 .5rem;padding:.5rem .75rem;border:1px solid #ccc;border-radius:.5rem}\
dl div{display:grid;grid-template-columns:9rem 1fr;gap:.75rem}dt{color:#595959}dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}\
summary{padding:.5rem 0}";

/// Why a copy cannot be made.
pub(crate) type ArchiveError = Box<dyn Error + Send + Sync>;

struct Table {
    part: ExportPart,
    name: &'static str,
    about: &'static str,
    rows: Vec<Map<String, Value>>,
}

/// The bytes of the ZIP. Each table has a file, also one without rows. `details` opens the name and the address that a winner
/// gave; without it, they are not in the copy.
///
/// # Errors
/// When a row is no JSON object. The archive is in memory, so writing it does not fail.
pub(crate) fn archive(
    tables: Vec<ExportedTable>,
    site_name: &str,
    details: Option<&dyn Sealer<ClaimSecrets>>,
    made_at: DateTime<Utc>,
    zone: Tz,
) -> Result<Vec<u8>, ArchiveError> {
    let tables: Vec<Table> = tables.iter().map(read).collect::<Result<_, _>>()?;
    let tables: Vec<Table> = tables.into_iter().map(|table| opened(table, details)).collect();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    zip.start_file("your-data.html", options)?;
    zip.write_all(page(&tables, site_name, made_at, zone).as_bytes())?;
    for table in &tables {
        zip.start_file(format!("{}.json", table.name), options)?;
        serde_json::to_writer_pretty(&mut zip, &table.rows)?;
    }
    Ok(zip.finish()?.into_inner())
}

fn read(table: &ExportedTable) -> Result<Table, ArchiveError> {
    let rows = table.rows.iter().map(|row| serde_json::from_str(row));
    Ok(Table {
        part: table.part,
        name: table.name,
        about: table.about,
        rows: rows.collect::<Result<_, _>>()?,
    })
}

/// The table with the name and address of a winner decrypted, or without them.
fn opened(mut table: Table, sealer: Option<&dyn Sealer<ClaimSecrets>>) -> Table {
    if table.name != "winner_verification" {
        return table;
    }
    for row in &mut table.rows {
        match sealer {
            Some(sealer) => open_details(row, sealer),
            None => leave_out_details(row),
        }
    }
    table
}

fn leave_out_details(row: &mut Map<String, Value>) {
    if let Some(details) = row
        .get_mut("verification_data")
        .filter(|details| !details.is_null())
    {
        *details = json!("Only in the copy that you make yourself, on your own page.");
    }
}

/// Details whose key is not configured any more stay as they are stored.
fn open_details(row: &mut Map<String, Value>, sealer: &dyn Sealer<ClaimSecrets>) {
    let id = row.get("id").and_then(Value::as_i64).map(ClaimId::new);
    let sealed = row.get("verification_data").and_then(Value::as_str);
    let bytes = sealed.and_then(|text| hex::decode(text.trim_start_matches("\\x")).ok());
    let Some((id, bytes)) = id.zip(bytes) else {
        return;
    };
    let Ok(details) = ClaimDetails::open(sealer, id, &bytes) else {
        return;
    };
    let line2 = details.address_line2.as_ref().map(|line| line.as_str());
    let opened = json!({
        "name": details.name.as_str(),
        "addressLine1": details.address_line1.as_str(),
        "addressLine2": line2,
        "city": details.city.as_str(),
        "state": details.state.as_str(),
        "postalCode": details.postal_code.as_str(),
        "publicity": details.publicity,
    });
    row.insert("verification_data".to_owned(), opened);
}

/// More rows than this are folded.
const OPEN_ROWS: usize = 10;
/// Columns in cents.
const CENTS: [&str; 3] = ["amount", "price", "refunded"];

/// One page without scripts or links, in English: in words what the files hold for programs.
fn page(tables: &[Table], site_name: &str, made_at: DateTime<Utc>, zone: Tz) -> String {
    let title = format!("Your data at {}", escape(site_name));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>Everything that we store about you, on {}. The files beside this page hold the same for \
         programs, with the numbers that link their rows.</p>\n",
        moment_in_words(made_at, zone)
    );
    for part in ExportPart::iter() {
        section(&mut page, part, tables, zone);
    }
    page.push_str("<h2>Nothing stored</h2>\n<ul>\n");
    for table in tables.iter().filter(|table| table.rows.is_empty()) {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "<li>{}</li>", escape(table.about));
    }
    page.push_str("</ul>\n");
    page
}

fn section(page: &mut String, part: ExportPart, tables: &[Table], zone: Tz) {
    let mut tables = tables
        .iter()
        .filter(|table| table.part == part && !table.rows.is_empty())
        .peekable();
    if tables.peek().is_none() {
        return;
    }
    let _ = writeln!(page, "<h2>{}</h2>", part.heading());
    for table in tables {
        let _ = writeln!(page, "<h3>{}</h3>", escape(table.about));
        let is_folded = table.rows.len() > OPEN_ROWS;
        if is_folded {
            let _ = writeln!(page, "<details><summary>Show all {}</summary>", table.rows.len());
        }
        for row in &table.rows {
            record(page, row, zone);
        }
        if is_folded {
            page.push_str("</details>\n");
        }
    }
}

fn record(page: &mut String, row: &Map<String, Value>, zone: Tz) {
    page.push_str("<dl>\n");
    for (column, value) in row.iter().filter(|(column, _)| !is_link(column)) {
        if let Some(words) = in_words(column, value, zone) {
            let _ = writeln!(
                page,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                escape(&name_in_words(column)),
                escape(&words)
            );
        }
    }
    page.push_str("</dl>\n");
}

/// Whether a column only links rows.
fn is_link(column: &str) -> bool {
    column == "id" || ["_id", "_key", "_hash"].iter().any(|end| column.ends_with(end))
}

/// `Created at` for `created_at`, and `Postal code` for `postalCode`.
fn name_in_words(column: &str) -> String {
    let mut words = String::new();
    for letter in column.chars() {
        match letter {
            '_' => words.push(' '),
            _ if words.is_empty() => words.extend(letter.to_uppercase()),
            _ if letter.is_ascii_uppercase() => {
                words.push(' ');
                words.extend(letter.to_lowercase());
            }
            _ => words.push(letter),
        }
    }
    words
}

/// Nothing for what is not there, and for bytes, which nobody reads.
fn in_words(column: &str, value: &Value, zone: Tz) -> Option<String> {
    let words = match value {
        Value::Null => return None,
        Value::Bool(true) => "Yes".to_owned(),
        Value::Bool(false) => "No".to_owned(),
        Value::Number(number) => match number.as_i64().filter(|_| CENTS.contains(&column)) {
            Some(cents) => format!("${}.{:02}", cents / 100, cents % 100),
            None => number.to_string(),
        },
        Value::String(text) if text.starts_with("\\x") => return None,
        Value::String(text) => time_in_words(text, zone).unwrap_or_else(|| text.clone()),
        Value::Array(values) => {
            let words = values.iter().filter_map(|value| in_words(column, value, zone));
            words.collect::<Vec<_>>().join(", ")
        }
        Value::Object(fields) => {
            let words = fields.iter().filter_map(|(name, value)| {
                Some(format!(
                    "{}: {}",
                    name_in_words(name),
                    in_words(name, value, zone)?
                ))
            });
            words.collect::<Vec<_>>().join("; ")
        }
    };
    (!words.is_empty()).then_some(words)
}

/// A moment or a date, as PostgreSQL writes them into JSON.
fn time_in_words(text: &str, zone: Tz) -> Option<String> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment_in_words(moment.to_utc(), zone));
    }
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(date.format("%B %-d, %Y").to_string())
}

fn moment_in_words(moment: DateTime<Utc>, zone: Tz) -> String {
    moment
        .with_timezone(&zone)
        .format("%B %-d, %Y at %-I:%M %p %Z")
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use claims::{State, ZipCode};
    use fakes::PlainSealer;
    use kernel::StoredText;
    use std::io::Read;
    use zip::ZipArchive;

    fn files(
        tables: Vec<ExportedTable>,
        details: Option<&dyn Sealer<ClaimSecrets>>,
    ) -> Vec<(String, String)> {
        let bytes = archive(
            tables,
            "Bees & Co.",
            details,
            DateTime::UNIX_EPOCH,
            chrono_tz::America::New_York,
        )
        .unwrap();
        let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut files = Vec::new();
        for place in 0..zip.len() {
            let mut file = zip.by_index(place).unwrap();
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            files.push((file.name().unwrap().into_owned(), text));
        }
        files
    }

    fn table(name: &'static str, rows: &[Value]) -> ExportedTable {
        ExportedTable {
            part: ExportPart::Texts,
            name,
            about: "About.",
            rows: rows.iter().map(Value::to_string).collect(),
        }
    }

    #[test]
    fn each_table_is_a_file_and_a_part_of_the_page() {
        let rows = [json!({
            "id": 7, "user_id": 8, "body": "<b>Hi</b>", "note": null, "tags": ["a", "b"], "session": "\\x00ff",
            "created_at": "2026-12-01T04:17:30.775491+00:00", "day": "2026-12-01", "amount": 1999, "is_read": true,
            "data": {"postalCode": "12207", "line": null}
        })];
        let files = files(vec![table("sms_replies", &rows), table("purchases", &[])], None);
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["your-data.html", "sms_replies.json", "purchases.json"]);
        let json: Value = serde_json::from_str(&files[1].1).unwrap();
        assert_eq!(json, json!(rows));
        assert_eq!(files[2].1, "[]");
        let page = &files[0].1;
        assert!(
            page.contains("<title>Your data at Bees &amp; Co.</title>"),
            "{page}"
        );
        for (name, words) in [
            ("Body", "&lt;b&gt;Hi&lt;/b&gt;"),
            ("Tags", "a, b"),
            ("Created at", "November 30, 2026 at 11:17 PM EST"),
            ("Day", "December 1, 2026"),
            ("Amount", "$19.99"),
            ("Is read", "Yes"),
            ("Data", "Postal code: 12207"),
        ] {
            let row = format!("<div><dt>{name}</dt><dd>{words}</dd></div>");
            assert!(page.contains(&row), "{row} in {page}");
        }
        for hidden in ["Note", "Session", "User id", "_", "T04:17"] {
            assert!(!page.contains(hidden), "{hidden}");
        }
        assert_eq!(page.matches("<h2>").count(), 2, "the part, and what is not there");
        assert!(
            page.contains("<h2>Messages</h2>") && page.contains("<li>About.</li>"),
            "{page}"
        );
    }

    #[test]
    fn the_address_of_a_winner_can_be_read_or_is_not_there() {
        let line = |text: &str| StoredText::line(text, 100).unwrap();
        let details = ClaimDetails {
            name: line("Ann Lee"),
            address_line1: line("1 Main St"),
            address_line2: None,
            city: line("Albany"),
            state: State::parse("NY").unwrap(),
            postal_code: ZipCode::parse("12207").unwrap(),
            publicity: true,
        };
        let sealed = details.seal(&PlainSealer::default(), ClaimId::new(3));
        let row = json!({"id": 3, "verification_data": format!("\\x{}", hex::encode(sealed))});
        let sealer = PlainSealer::default();
        let claims = || vec![table("winner_verification", std::slice::from_ref(&row))];
        let own = files(claims(), Some(&sealer));
        let json: Value = serde_json::from_str(&own[1].1).unwrap();
        assert_eq!(json[0]["verification_data"]["name"], "Ann Lee");
        assert_eq!(json[0]["verification_data"]["postalCode"], "12207");
        let by_staff = files(claims(), None);
        let json: Value = serde_json::from_str(&by_staff[1].1).unwrap();
        assert!(
            json[0]["verification_data"]
                .as_str()
                .unwrap()
                .starts_with("Only in the copy"),
            "{json}"
        );
        let hidden = hex::encode(details.seal(&sealer, ClaimId::new(3)));
        assert!(by_staff.iter().all(|(_, text)| !text.contains(&hidden)));
    }
}
