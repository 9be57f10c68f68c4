//! The import of people from a CSV file.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::CsvBody;
use crate::http::csv::{BadRow, read_csv};
use crate::http::query::{FlagField, Params, QueryType, flag};
use crate::routes::staff::two_people::{ProposedView, propose};
use actix_web::HttpResponse;
use kernel::StoreError;
use people::{BadLine, IMPORT_COLUMNS, ImportFile, ImportLine, MOST_IMPORTED, read_lines};
use raffle::NotOpen;
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
    /// Its number in the file, as a spreadsheet shows it.
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
/// The first line names the columns `phoneNumber`, `landingPage` and `consentBasis`, why we may text the number, in any order;
/// others are skipped. Commas, semicolons or tabs stand between cells; the text is UTF-8, or UTF-16 with a byte order mark. At
/// most 100,000 people. Each gets one entry and no welcome text. Numbers that have entered before are left as they are, and
/// those of erased people are bad lines.
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
        return answer(try_file(&admin, file).await?);
    }
    let done = import_file(&admin, Arc::clone(&file)).await?;
    if !matches!(done, Err(ImportError::NeedsApproval(_))) {
        return answer(done);
    }
    // The answer to the import of the same file may have been lost.
    let tried = try_file(&admin, Arc::clone(&file)).await?;
    if !matches!(&tried, Ok(tried) if tried.imported > 0) {
        return answer(tried);
    }
    let request = Request::ImportPeople {
        sha256: file.sha256.clone(),
        people: file.lines.len(),
        raffles: file.raffles(),
    };
    propose(&admin, request).await
}

/// What became of a file, when the store did not fail.
type Outcome = Result<Imported, ImportError>;

async fn import_file<S: Store>(
    admin: &Admin<S, may::ImportPeople>,
    file: Arc<ImportFile>,
) -> Result<Outcome, ApiError> {
    let import = move |call: Call<'_, S>| {
        let tools = ImportTools {
            clock: call.clock,
            entropy: &*call.state.entropy,
            alone: call.state.staff.second_person(),
        };
        stored(import(call.store, tools, (call.member.id, call.actor), &file))
    };
    admin.run(import).await
}

async fn try_file<S: Store>(
    admin: &Admin<S, may::ImportPeople>,
    file: Arc<ImportFile>,
) -> Result<Outcome, ApiError> {
    admin
        .run_in(&admin.pools().console, DEADLINE, move |call| {
            stored(try_import(call.store, &file.lines))
        })
        .await
}

fn stored(outcome: Outcome) -> Result<Outcome, StoreError> {
    match outcome {
        Err(ImportError::Store(error)) => Err(error),
        outcome => Ok(outcome),
    }
}

fn answer(outcome: Outcome) -> Result<HttpResponse, ApiError> {
    match outcome {
        Ok(done) => Ok(HttpResponse::Ok().json(ImportView::from(done))),
        Err(ImportError::Erased(lines)) => Ok(erased_lines(lines)),
        Err(ImportError::NotOpen(lines)) => Ok(lines_not_open(lines)),
        Err(ImportError::NeedsApproval(needed)) => Err(needed.into()),
        Err(ImportError::Store(error)) => Err(error.into()),
    }
}

fn read_file(bytes: &[u8]) -> Result<Vec<ImportLine>, Vec<BadLine>> {
    let rows =
        read_csv(bytes, IMPORT_COLUMNS).map_err(|bad| bad.into_iter().map(bad_line).collect::<Vec<_>>())?;
    if rows.len() > MOST_IMPORTED {
        return Err(one("A file must have at most 100,000 people"));
    }
    if rows.is_empty() {
        return Err(one("There is nobody in the file"));
    }
    read_lines(rows.into_iter().map(|row| (row.number, row.cells)))
}

fn bad_line(bad: BadRow) -> BadLine {
    BadLine {
        line: bad.number,
        error: bad.error,
    }
}

/// What is wrong with the whole file.
fn one(error: &str) -> Vec<BadLine> {
    vec![BadLine {
        line: 1,
        error: error.to_owned(),
    }]
}

fn lines_not_open(lines: Vec<(u64, NotOpen)>) -> HttpResponse {
    let bad = lines.into_iter().map(|(line, error)| BadLine {
        line,
        error: match error {
            NotOpen::Unknown => "There is no such landing page".to_owned(),
            NotOpen::Closed => "This raffle is not open".to_owned(),
        },
    });
    bad_lines(bad.collect())
}

fn erased_lines(lines: Vec<u64>) -> HttpResponse {
    let bad = lines.into_iter().map(|line| BadLine {
        line,
        error: "Somebody with this number had their data erased. Only they can enter it again".to_owned(),
    });
    bad_lines(bad.collect())
}
