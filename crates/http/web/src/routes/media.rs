//! Uploaded pictures, as pages show them.

use super::Store;
use crate::http::conditional::{has_current, mark_immutable, not_modified};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use raffle::PictureHash;
use raffle::pictures::Medium;
use usecases::pictures::medium;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Pages); find::<S>]
}

/// A picture's hash in a path.
pub(crate) fn path_hash(hash: &str) -> Result<PictureHash, ApiError> {
    hash.parse().map_err(|_| ApiError::not_found())
}

/// An uploaded picture in one size. It never changes; HEAD answers with the same headers.
#[utoipa::path(
    get, path = "/media/{hash}", operation_id = "find_medium",
    params(("hash" = String, Path, description = "The SHA-256 of the file, in lower-case hexadecimal digits")),
    responses(
        (
            status = 200, body = String, content_type = "image/jpeg",
            headers(("ETag" = String, description = "The hash"))
        ),
        (status = 304, description = "`If-None-Match` has the ETag"),
        (status = 410, description = "`withdrawn`: staff took the picture off the site")
    )
)]
pub(crate) async fn find<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    hash: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let hash = path_hash(&hash)?;
    let found = pools.visitor_reads.run(move |store| medium(store, hash)).await?;
    let etag = format!("\"{hash}\"");
    match found {
        None => Err(ApiError::not_found()),
        Some(Medium::Withdrawn) => Err(ApiError::new(
            StatusCode::GONE,
            "withdrawn",
            "This picture is not shown any more.",
        )),
        Some(Medium::Jpeg(_)) if has_current(&request, &etag) => Ok(not_modified(&etag).finish()),
        Some(Medium::Jpeg(jpeg)) => {
            let mut response = HttpResponse::Ok();
            mark_immutable(&mut response, &etag);
            Ok(response.content_type("image/jpeg").body(jpeg))
        }
    }
}
