//! The copy of a person's data: a ZIP with a JSON file for each table, named after the table, and one HTML page that
//! shows the same to a reader.

use crate::client::escape::escape;
use chrono::{DateTime, SecondsFormat, Utc};
use claims::{ClaimDetails, ClaimId, ClaimSecrets};
use kernel::Sealer;
use privacy::ExportedTable;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1c1c1c}\
h2{margin:2.5rem 0 0}div{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem;margin-top:.5rem}\
th,td{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;vertical-align:top}th{background:#f3f3f3}";

/// Why a copy cannot be made.
pub(crate) type ArchiveError = Box<dyn Error + Send + Sync>;

struct Table {
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
) -> Result<Vec<u8>, ArchiveError> {
    let tables: Vec<Table> = tables.iter().map(read).collect::<Result<_, _>>()?;
    let tables: Vec<Table> = tables.into_iter().map(|table| opened(table, details)).collect();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    zip.start_file("your-data.html", options)?;
    zip.write_all(page(&tables, site_name, made_at).as_bytes())?;
    for table in &tables {
        zip.start_file(format!("{}.json", table.name), options)?;
        serde_json::to_writer_pretty(&mut zip, &table.rows)?;
    }
    Ok(zip.finish()?.into_inner())
}

fn read(table: &ExportedTable) -> Result<Table, ArchiveError> {
    let rows = table.rows.iter().map(|row| serde_json::from_str(row));
    Ok(Table {
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

/// One page without scripts or links, in English.
fn page(tables: &[Table], site_name: &str, made_at: DateTime<Utc>) -> String {
    let made = made_at.to_rfc3339_opts(SecondsFormat::Secs, true);
    let title = format!("Your data at {}", escape(site_name));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>Everything that we store about you, on {made}. The files beside this page hold the same for \
         programs. Times are in UTC.</p>\n"
    );
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        section(&mut page, table);
    }
    let empty: Vec<_> = tables.iter().filter(|table| table.rows.is_empty()).collect();
    page.push_str("<h2>Nothing stored</h2>\n<ul>\n");
    for table in empty {
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "<li>{} <code>{}</code></li>",
            escape(table.about),
            table.name
        );
    }
    page.push_str("</ul>\n");
    page
}

fn section(page: &mut String, table: &Table) {
    let columns: Vec<&String> = table
        .rows
        .first()
        .map(|row| row.keys().collect())
        .unwrap_or_default();
    let _ = write!(
        page,
        "<h2>{}</h2>\n<p>{}</p>\n<div><table>\n<tr>",
        table.name,
        escape(table.about)
    );
    for column in &columns {
        let _ = write!(page, "<th>{}</th>", escape(column));
    }
    page.push_str("</tr>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for column in &columns {
            let _ = write!(page, "<td>{}</td>", escape(&cell(row.get(*column))));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
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
        let bytes = archive(tables, "Bees & Co.", details, DateTime::UNIX_EPOCH).unwrap();
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
            name,
            about: "About.",
            rows: rows.iter().map(Value::to_string).collect(),
        }
    }

    #[test]
    fn each_table_is_a_file_and_a_part_of_the_page() {
        let rows = [json!({"id": 7, "body": "<b>Hi</b>", "note": null, "tags": ["a"]})];
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
        assert!(page.contains("<td>&lt;b&gt;Hi&lt;/b&gt;</td>"), "{page}");
        assert!(page.contains("<li>About. <code>purchases</code></li>"), "{page}");
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
