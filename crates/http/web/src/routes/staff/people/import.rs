//! The import of people from a CSV file.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::CsvBody;
use crate::http::query::{FlagField, Params, QueryType, flag};
use crate::routes::staff::two_people::{ProposedView, propose};
use actix_web::HttpResponse;
use people::{BadLine, IMPORT_COLUMNS, ImportFile, ImportLine, MOST_IMPORTED, read_lines};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use usecases::approvals::Request;
use usecases::people::{ImportError, ImportTools, Imported, import, try_import};
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
///
/// Where two people decide (`TWO_PERSON`), a file with more than 1,000 people is proposed first. Nothing of it is kept: once
/// somebody else has approved it, whoever proposed it sends the same file again within 24 hours.
#[utoipa::path(
    post, path = "/api/admin/people/import", operation_id = "import_people",
    request_body(content = String, content_type = "text/csv"),
    responses(
        (status = 200, body = ImportView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it, and then the same file is sent again"),
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
    let file = match read_file(&body.0) {
        Ok(lines) => Arc::new(ImportFile::new(&body.0, lines)),
        Err(bad) => return Ok(bad_lines(bad)),
    };
    if is_dry_run {
        return Ok(HttpResponse::Ok().json(ImportView::from(try_file(&admin, file).await?)));
    }
    let sent = Arc::clone(&file);
    let done = admin.run(move |call| {
        let tools = ImportTools {
            clock: call.clock,
            entropy: &*call.state.entropy,
            alone: call.state.staff.second_person(),
        };
        match import(call.store, tools, (call.member.id, call.actor), &sent) {
            Err(ImportError::NeedsApproval(_)) => Ok(None),
            Err(ImportError::Store(error)) => Err(error),
            Ok(done) => Ok(Some(done)),
        }
    });
    if let Some(done) = done.await? {
        return Ok(HttpResponse::Ok().json(ImportView::from(done)));
    }
    // The answer to the import of the same file may have been lost.
    let tried = try_file(&admin, Arc::clone(&file)).await?;
    if tried.imported == 0 {
        return Ok(HttpResponse::Ok().json(ImportView::from(tried)));
    }
    let request = Request::ImportPeople {
        sha256: file.sha256.clone(),
        people: file.lines.len(),
        raffles: file.raffles(),
    };
    propose(&admin, request).await
}

async fn try_file<S: Store>(
    admin: &Admin<S, may::ImportPeople>,
    file: Arc<ImportFile>,
) -> Result<Imported, ApiError> {
    admin
        .run_in(&admin.pools().console, DEADLINE, move |call| {
            try_import(call.store, &file.lines)
        })
        .await
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
