//! The raffles that everybody may know of, and what they say.

use super::Store;
use crate::http::conditional::{changing_json, has_current, mark_immutable, not_modified};
use crate::http::fields::path_raffle;
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::raffle_views::{ContentView, RaffleCardView};
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, RequestPools};
use actix_web::http::header::ContentType;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use drawing::Hash;
use serde::Serialize;
use sha2::{Digest, Sha256};
use usecases::raffles::PublicRaffle;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); public_raffles::<S>, public_raffle::<S>, version::<S>]
}

/// The raffles that were ever open, in the order in which they are shown.
#[derive(Serialize, ToSchema)]
pub(crate) struct PublicRafflesView {
    raffles: Vec<RaffleCardView>,
}

/// A raffle, and what it says.
#[derive(Serialize, ToSchema)]
pub(crate) struct PublicRaffleView {
    #[serde(flatten)]
    card: RaffleCardView,
    content: ContentView,
}

impl From<&PublicRaffle> for RaffleCardView {
    fn from(raffle: &PublicRaffle) -> Self {
        let (version, waiting) = (&raffle.in_force, raffle.waiting.as_ref());
        Self::new(
            &raffle.raffle,
            raffle.status,
            &version.content,
            Some(version.number),
            waiting,
        )
    }
}

/// Lists the raffles that were ever open.
#[utoipa::path(
    get, path = "/api/raffles", operation_id = "list_public_raffles",
    responses(
        (status = 200, body = PublicRafflesView, headers(("ETag" = String, description = "Of the answer"))),
        (status = 304, description = "`If-None-Match` has the ETag")
    )
)]
pub(crate) async fn public_raffles<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
) -> Result<HttpResponse, ApiError> {
    let raffles = pools
        .visitor_reads
        .run(|store| usecases::raffles::public(store))
        .await?;
    let raffles = raffles.iter().map(Into::into).collect();
    changing_json(&request, &PublicRafflesView { raffles })
}

/// Gets a raffle that was ever open, with what it says now.
#[utoipa::path(
    get, path = "/api/raffles/{landingPage}", operation_id = "get_public_raffle",
    params(("landingPage" = LandingPageView, Path)),
    responses(
        (status = 200, body = PublicRaffleView, headers(("ETag" = String, description = "Of the answer"))),
        (status = 304, description = "`If-None-Match` has the ETag")
    )
)]
pub(crate) async fn public_raffle<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    landing_page: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let key = path_raffle(&landing_page)?;
    let raffles = pools
        .visitor_reads
        .run(|store| usecases::raffles::public(store))
        .await?;
    let found = raffles.into_iter().find(|raffle| raffle.raffle.key == key);
    let raffle = found.ok_or_else(ApiError::not_found)?;
    let view = PublicRaffleView {
        card: (&raffle).into(),
        content: raffle.in_force.content.into(),
    };
    changing_json(&request, &view)
}

/// Gets what a version of a raffle says: the bytes whose SHA-256 the announcements of drawings name. They never change.
#[utoipa::path(
    get, path = "/api/raffles/{landingPage}/versions/{n}", operation_id = "get_raffle_version",
    params(("landingPage" = LandingPageView, Path), ("n" = i64, Path)),
    responses(
        (status = 200, body = ContentView, headers(("ETag" = String, description = "The SHA-256 of the bytes"))),
        (status = 304, description = "`If-None-Match` has the ETag")
    )
)]
pub(crate) async fn version<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (landing_page, number) = path.into_inner();
    let raffle = path_raffle(&landing_page)?;
    let number: i64 = number.parse().map_err(|_| ApiError::not_found())?;
    let bytes = pools
        .visitor_reads
        .run(move |store| usecases::raffles::public_version(store, raffle, number))
        .await?
        .ok_or_else(ApiError::not_found)?;
    let etag = format!("\"{}\"", Hash::new(Sha256::digest(&bytes).into()));
    if has_current(&request, &etag) {
        return Ok(not_modified(&etag).finish());
    }
    let mut response = HttpResponse::Ok();
    mark_immutable(&mut response, &etag);
    Ok(response.insert_header(ContentType::json()).body(bytes))
}
