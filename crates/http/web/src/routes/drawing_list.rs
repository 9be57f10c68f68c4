//! The published list of a drawing: stored once, sent whole or in part.

use super::Store;
use crate::callers::limited::count;
use crate::http::conditional::{Wanted, mark_immutable, not_modified};
use crate::http::negotiation::Accepted;
use crate::http::path_id::PathId;
use crate::http::responses::{CsvParts, csv_response, csv_stream};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, RequestPools};
use actix_web::body::SizedStream;
use actix_web::http::header::{self, ContentEncoding, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use drawing::{DrawingId, Hash, ListForm, PublishedList, csv_header, csv_lines, csv_tag};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use std::ops::Range;
use usecases::published_lists::{FoundList, bytes_at, find, frozen_leaves};

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); entrants::<S>]
}

/// Exports the list of a drawing's entrants, without ids and phone numbers.
///
/// The list never changes. It is sent compressed to clients that accept gzip, and has an ETag in each form. One range of
/// bytes can be requested, so that a download can be continued; several ranges get the whole list. HEAD answers with the
/// same headers. For the first seconds after a drawing, until the list is stored, only the whole CSV is sent, without its
/// length.
#[utoipa::path(
    get, path = "/api/drawings/{id}/entrants", operation_id = "export_drawing_entrants",
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns index, firstEntry, weight and blindedId, a line for each entrant",
            headers(
                ("ETag" = String, description = "Of the CSV, or of the compressed CSV"),
                ("Accept-Ranges" = String, description = "`bytes`, once the list is stored")
            )
        ),
        (
            status = 206,
            body = String,
            content_type = "text/csv",
            description = "The range that `Range` asks for, if `If-Range` is the ETag or is not sent",
            headers(("Content-Range" = String, description = "The range, and the length of the list"))
        ),
        (status = 304, description = "`If-None-Match` has the ETag"),
        (
            status = 416,
            description = "The list ends before the range",
            headers(("Content-Range" = String, description = "The length of the list"))
        ),
        (status = 429, description = "An address can have 60 whole lists a minute; a range of more than half of a list counts as one")
    )
)]
pub(crate) async fn entrants<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    PathId(id): PathId<DrawingId>,
) -> Result<HttpResponse, ApiError> {
    match pools.visitor_reads.run(move |store| find(store, id)).await? {
        FoundList::Published(list) => send_published(&request, pools, id, list).await,
        FoundList::Frozen { root } => send_frozen(&request, pools, id, &root).await,
    }
}

async fn send_published<S: Store>(
    request: &HttpRequest,
    pools: Data<RequestPools<S>>,
    id: DrawingId,
    list: PublishedList,
) -> Result<HttpResponse, ApiError> {
    let form = match Accepted::of(request).gzip {
        true => ListForm::Gzip,
        false => ListForm::Csv,
    };
    let (etag, length) = (quoted(&list.tag(form)), list.length(form));
    let range = match Wanted::of(request, &etag, length) {
        Wanted::NotModified => return Ok(vary(&mut not_modified(&etag)).finish()),
        Wanted::Unsatisfiable => return Ok(unsatisfiable(length)),
        Wanted::Part(range) => Some(range),
        Wanted::Whole => None,
    };
    let mut response = head(id, &etag);
    response.insert_header((header::ACCEPT_RANGES, "bytes"));
    if form == ListForm::Gzip {
        response.insert_header(ContentEncoding::Gzip);
    }
    if let Some(Range { start, end }) = &range {
        let last = end.saturating_sub(1);
        response
            .status(StatusCode::PARTIAL_CONTENT)
            .insert_header((header::CONTENT_RANGE, format!("bytes {start}-{last}/{length}")));
    }
    if request.method() == Method::HEAD {
        return Ok(response.body(SizedStream::new(
            length,
            stream::empty::<Result<Bytes, actix_web::Error>>(),
        )));
    }
    let range = range.unwrap_or(0..length);
    let size = range.end.saturating_sub(range.start);
    if size > length / 2 {
        count(Limit::WholeLists, request).await?;
    }
    let mut bytes = StoredBytes {
        pools,
        id,
        list,
        form,
        range,
    };
    // Read the first bytes before the response begins, so that an error gets an error response and not half a file.
    let first = bytes.next().await?.unwrap_or_default();
    let rest = stream::try_unfold(bytes, |mut bytes| async move {
        let next = bytes.next().await?;
        Ok(next.map(|next| (next, bytes)))
    });
    let all = stream::iter([Ok::<_, ApiError>(first)]).chain(rest);
    Ok(response.body(SizedStream::new(size, all.map_err(actix_web::Error::from))))
}

/// The bytes of a stored list that have not been sent yet. It has at most one part of the list in memory.
struct StoredBytes<S> {
    pools: Data<RequestPools<S>>,
    id: DrawingId,
    list: PublishedList,
    form: ListForm,
    range: Range<u64>,
}

impl<S: Store> StoredBytes<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        if self.range.is_empty() {
            return Ok(None);
        }
        let (id, list, form, offset) = (self.id, self.list, self.form, self.range.start);
        let read = move |store: &S| bytes_at(store, id, &list, form, offset);
        let mut bytes = self.pools.visitor_reads.run(read).await?;
        let left = self.range.end.saturating_sub(offset);
        bytes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        if bytes.is_empty() {
            tracing::error!(drawing = id.get(), offset, "the list ends too early");
            return Err(ApiError::internal());
        }
        self.range.start += bytes.len() as u64;
        Ok(Some(bytes.into()))
    }
}

/// Sends a list that is not stored yet. Its CSV has the ETag that it will have when it is stored.
async fn send_frozen<S: Store>(
    request: &HttpRequest,
    pools: Data<RequestPools<S>>,
    id: DrawingId,
    root: &Hash,
) -> Result<HttpResponse, ApiError> {
    let etag = quoted(&csv_tag(root));
    if Wanted::of(request, &etag, 0) == Wanted::NotModified {
        return Ok(vary(&mut not_modified(&etag)).finish());
    }
    if request.method() == Method::HEAD {
        return Ok(head(id, &etag).streaming(stream::empty::<Result<Bytes, actix_web::Error>>()));
    }
    count(Limit::WholeLists, request).await?;
    let chunks = FrozenChunks { pools, id, next: 0 };
    csv_stream(head(id, &etag), csv_header().into(), chunks).await
}

/// The chunks of a list that have not been sent yet.
struct FrozenChunks<S> {
    pools: Data<RequestPools<S>>,
    id: DrawingId,
    next: u32,
}

impl<S: Store> CsvParts for FrozenChunks<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let (id, number) = (self.id, self.next);
        self.next += 1;
        let read = move |store: &S| {
            let leaves = frozen_leaves(store, id, number)?;
            Ok::<_, ApiError>(leaves.map(|leaves| csv_lines(&leaves).into()))
        };
        self.pools.visitor_reads.run(read).await
    }
}

/// 200 with the headers that every whole or partial list has.
fn head(id: DrawingId, etag: &str) -> HttpResponseBuilder {
    let mut response = csv_response(&format!("drawing-{id}-entrants.csv"));
    mark_immutable(&mut response, etag);
    vary(&mut response);
    response
}

fn vary(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response.insert_header((header::VARY, "Accept-Encoding"))
}

fn quoted(tag: &str) -> String {
    format!("\"{tag}\"")
}

fn unsatisfiable(length: u64) -> HttpResponse {
    let error = ApiError::new(
        StatusCode::RANGE_NOT_SATISFIABLE,
        "range_not_satisfiable",
        "The list ends before this range.",
    );
    let mut response = error.error_response();
    if let Ok(range) = HeaderValue::from_str(&format!("bytes */{length}")) {
        response.headers_mut().insert(header::CONTENT_RANGE, range);
    }
    response
}
