//! Responses of several routes: 201, a page of a list, a CSV file.

use crate::ApiError;
use crate::http::csv::{CsvRow, csv_header, csv_lines};
use crate::http::description::{Describe, Description};
use actix_web::body::BoxBody;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Responder};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Serialize;
use std::marker::PhantomData;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::{PartialSchema, ToSchema};

/// 201 with the new resource.
pub(crate) struct Created<T>(pub(crate) T);

impl<T: Serialize> Responder for Created<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Created().json(self.0)
    }
}

impl<T: ToSchema> Describe for Created<T> {
    fn describe(call: &mut Description) {
        call.answer::<T>("201");
    }
}

/// A page of a list, with the length of the whole list in `X-Total-Count`.
pub(crate) struct Listed<T> {
    total: i64,
    page: T,
}

/// The page of a list of `total` rows.
pub(crate) const fn page_of<T>(total: i64, page: T) -> Listed<T> {
    Listed { total, page }
}

const TOTAL: &str = "X-Total-Count";

impl<T: Serialize> From<Listed<T>> for HttpResponse {
    fn from(list: Listed<T>) -> Self {
        let total = (TOTAL, list.total.to_string());
        Self::Ok().insert_header(total).json(list.page)
    }
}

impl<T: Serialize> Responder for Listed<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        self.into()
    }
}

impl<T: ToSchema> Describe for Listed<T> {
    fn describe(call: &mut Description) {
        let total = HeaderBuilder::new()
            .schema(Some(i64::schema()))
            .description(Some("The number of all rows"));
        let answer = call.answer::<T>("200");
        answer.headers.insert(TOTAL.to_owned(), total.build().into());
    }
}

/// A CSV file to download, with rows `R`.
pub(crate) struct Csv<R>(HttpResponse, PhantomData<R>);

impl<R: CsvRow> Csv<R> {
    /// A file with all these rows.
    pub(crate) fn whole<'a>(name: &str, rows: impl IntoIterator<Item = &'a R>) -> Result<Self, ApiError> {
        let lines = [csv_header::<R>()?, csv_lines(rows)?].concat();
        Ok(Self(csv_response(name).body(lines), PhantomData))
    }

    /// A file whose rows are sent while they are read.
    pub(crate) async fn of(name: &str, export: impl Export<Row = R>) -> Result<Self, ApiError> {
        let response = csv_stream(csv_response(name), csv_header::<R>()?, Lines(export)).await?;
        Ok(Self(response, PhantomData))
    }
}

impl<R> Responder for Csv<R> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        self.0
    }
}

impl<R: CsvRow> Describe for Csv<R> {
    fn describe(call: &mut Description) {
        let names: Vec<_> = R::COLUMNS.iter().map(|(name, _)| *name).collect();
        call.file("text/csv", &format!("Columns {}", names.join(", ")));
    }
}

/// A list that is exported.
pub(crate) trait Export: 'static {
    type Row: CsvRow;

    /// The rows after those that were read before; none after the last one.
    async fn next(&mut self) -> Result<Vec<Self::Row>, ApiError>;
}

struct Lines<E>(E);

impl<E: Export> CsvParts for Lines<E> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let rows = self.0.next().await?;
        match rows.is_empty() {
            true => Ok(None),
            false => csv_lines(&rows).map(Some),
        }
    }
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
