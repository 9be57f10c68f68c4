//! The import of people from a CSV file.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::CsvBody;
use crate::http::query::{FlagField, Params, QueryType, flag};
use actix_web::HttpResponse;
use people::{BadLine, IMPORT_COLUMNS, ImportLine, MOST_IMPORTED, read_lines};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use usecases::people::{Imported, import, try_import};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

/// How long an import of the largest file may take.
const DEADLINE: Duration = Duration::from_secs(60);

/// Whether to import.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportQuery {
    /// Only says what an import would do.
    #[param(inline)]
    #[validate(nested)]
    dry_run: Option<FlagField>,
}

impl QueryType for ImportQuery {
    type Value = bool;

    fn value(self) -> Result<bool, ApiError> {
        Ok(flag(self.dry_run)?.unwrap_or(false))
    }
}

/// What an import did, or would do.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportView {
    /// The id of the import, which its people have; null for a dry run, and when nobody is new.
    #[schema(required)]
    import_batch_id: Option<String>,
    /// The number of people who are new.
    imported: usize,
    /// The number of lines whose number has entered before. They are left as they are.
    known: usize,
}

impl From<Imported> for ImportView {
    fn from(done: Imported) -> Self {
        Self {
            import_batch_id: done.batch,
            imported: done.imported,
            known: done.known,
        }
    }
}

/// A line that cannot be imported.
#[derive(Serialize, ToSchema)]
pub(crate) struct BadLineView {
    /// Its number in the file; the line with the names of the columns is 1.
    line: u64,
    error: String,
}

/// The bad lines of a file, of which nothing was imported.
#[derive(Serialize, ToSchema)]
pub(crate) struct BadLinesView {
    error: &'static str,
    #[schema(example = "bad_lines")]
    code: &'static str,
    lines: Vec<BadLineView>,
}

fn bad_lines(lines: Vec<BadLine>) -> HttpResponse {
    let lines = lines.into_iter().map(|bad| BadLineView {
        line: bad.line,
        error: bad.error,
    });
    HttpResponse::BadRequest().json(BadLinesView {
        error: "Some lines cannot be imported, so nothing was imported.",
        code: "bad_lines",
        lines: lines.collect(),
    })
}

/// Imports people from a CSV file: all lines, or none if some are bad.
///
/// The columns are `phoneNumber`, `landingPage` and `consentBasis`, why we may text the number. At most 100,000 lines. Each
/// person gets one entry and no welcome text. Numbers that have entered before are left as they are.
#[utoipa::path(
    post, path = "/api/admin/people/import", operation_id = "import_people",
    request_body(content = String, content_type = "text/csv"),
    responses(
        (status = 200, body = ImportView),
        (
            status = 400,
            body = BadLinesView,
            description = "`bad_lines`: every bad line, and nothing was imported"
        ),
        (status = 408, description = "The file took too long to arrive"),
        (status = 413, description = "The file is larger than 10 MiB"),
        (status = 415, description = "The content type is not text/csv")
    )
)]
pub(crate) async fn import_people<S: Store>(
    admin: Admin<S, may::ImportPeople>,
    Params(is_dry_run): Params<ImportQuery>,
    body: CsvBody,
) -> Result<HttpResponse, ApiError> {
    let lines = match read_file(&body.0) {
        Ok(lines) => lines,
        Err(bad) => return Ok(bad_lines(bad)),
    };
    let done = match is_dry_run {
        true => {
            admin
                .run_in(&admin.pools().console, DEADLINE, move |call| {
                    try_import(call.store, &lines)
                })
                .await
        }
        false => {
            admin
                .run(move |call| {
                    let entropy = &*call.state.entropy;
                    import(call.store, call.clock, entropy, call.actor, &lines)
                })
                .await
        }
    };
    Ok(HttpResponse::Ok().json(ImportView::from(done?)))
}

/// A byte order mark, as spreadsheets write it, is skipped.
fn read_file(bytes: &[u8]) -> Result<Vec<ImportLine>, Vec<BadLine>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes);
    let mut lines = Vec::new();
    for record in reader.records() {
        let Ok(record) = record else {
            let line = lines.last().map_or(1, |(line, _): &(u64, Vec<String>)| line + 1);
            return Err(one(line, "The line is not CSV in UTF-8"));
        };
        let line = record.position().map_or(0, csv::Position::line);
        lines.push((line, record.iter().map(str::to_owned).collect()));
    }
    let mut lines = lines.into_iter();
    let header = lines.next();
    if header.is_none_or(|(_, cells)| cells != IMPORT_COLUMNS) {
        return Err(one(
            1,
            "The first line must be phoneNumber,landingPage,consentBasis",
        ));
    }
    if lines.len() > MOST_IMPORTED {
        return Err(one(1, "A file must have at most 100,000 people"));
    }
    if lines.len() == 0 {
        return Err(one(1, "There is nobody in the file"));
    }
    read_lines(lines)
}

fn one(line: u64, error: &str) -> Vec<BadLine> {
    vec![BadLine {
        line,
        error: error.to_owned(),
    }]
}
