//! Responses of several routes: 201, a page of a list, a CSV file.

use crate::ApiError;
use crate::http::csv::csv_lines;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Serialize;

/// 201 with the new resource.
pub(crate) fn created(view: impl Serialize) -> HttpResponse {
    HttpResponse::Created().json(view)
}

/// A page of a list, with the length of the whole list in `X-Total-Count`.
pub(crate) fn page_of(total: i64, page: impl Serialize) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("X-Total-Count", total.to_string()))
        .json(page)
}

/// A CSV file to download.
pub(crate) fn csv_file<const N: usize>(
    name: &str,
    columns: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<HttpResponse, ApiError> {
    let columns = columns.map(str::to_owned);
    let lines = csv_lines(std::iter::once(columns).chain(rows))?;
    Ok(csv_response(name).body(lines))
}

/// The rows of a CSV file, read in parts.
pub(crate) trait CsvParts {
    /// The lines of the next part, or `None` after the last one.
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError>;
}

/// A CSV file to download that is sent while it is read. `response` has its headers, as [`csv_response`] makes them.
pub(crate) async fn csv_stream(
    mut response: HttpResponseBuilder,
    header: Bytes,
    mut parts: impl CsvParts + 'static,
) -> Result<HttpResponse, ApiError> {
    // Read the first part before the response begins, so that an error gets an error response and not half a file.
    let first = parts.next().await?.unwrap_or_default();
    let rest = stream::try_unfold(parts, |mut parts| async move {
        let part = parts.next().await?;
        Ok(part.map(|part| (part, parts)))
    });
    let parts = stream::iter([Ok::<_, ApiError>(header), Ok(first)]).chain(rest);
    Ok(response.streaming(parts.map_err(actix_web::Error::from)))
}

/// 200 with the headers of a CSV file to download.
pub(crate) fn csv_response(name: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    response
}
