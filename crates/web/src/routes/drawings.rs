//! The public data of drawings (D17).

use super::Store;
use crate::conditional::immutable_json;
use crate::error::ErrorView;
use crate::fields::{path_id, path_raffle};
use crate::limits::Limit;
use crate::proof_document::{LeafDocument, ProofDocument};
use crate::query::PageQuery;
use crate::responses::page_of;
use crate::route_table::{Routes, routes};
use crate::views::LandingPageView;
use crate::visitor::BrowserEntrant;
use crate::{ApiError, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use drawing::{Commitment, Drawing, DrawingId, DrawingSort};
use kernel::SortOrder;
use serde::Serialize;
use usecases::drawings::{FindDrawingError, OwnLeaf};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); commitment::<S>, list::<S>, proof::<S>, own_leaf::<S>]
}

impl From<FindDrawingError> for ApiError {
    fn from(error: FindDrawingError) -> Self {
        match error {
            FindDrawingError::UnknownDrawing | FindDrawingError::NotInIt => Self::not_found(),
            FindDrawingError::Store(error) => error.into(),
        }
    }
}

/// 409: a raffle has no open commitment.
pub(crate) const fn no_commitment() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "no_commitment",
        "This raffle has no published commitment yet, so nobody could check the drawing.",
    )
}

/// The commitment to the seed of the next drawing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommitmentView {
    landing_page: LandingPageView,
    /// The SHA-256 of the next drawing's seed.
    #[schema(example = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")]
    commitment: String,
    /// The source of the seed: `os`.
    seed_source: &'static str,
    committed_at: DateTime<Utc>,
}

impl From<Commitment> for CommitmentView {
    fn from(commitment: Commitment) -> Self {
        Self {
            landing_page: commitment.raffle.into(),
            commitment: commitment.commitment.to_string(),
            seed_source: commitment.source.as_str(),
            committed_at: commitment.committed_at,
        }
    }
}

/// The public part of a drawing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicDrawingView {
    id: i64,
    landing_page: LandingPageView,
    created_at: DateTime<Utc>,
    total_participants: u64,
    total_entries: u64,
    winning_entry_number: u64,
    /// The last four digits of the winner's phone number.
    #[schema(example = "4567")]
    winner_last4: String,
}

impl From<&Drawing> for PublicDrawingView {
    fn from(drawing: &Drawing) -> Self {
        Self {
            id: drawing.record.drawing.get(),
            landing_page: drawing.record.raffle.into(),
            created_at: drawing.record.drawn_at,
            total_participants: drawing.record.participants,
            total_entries: drawing.record.entries,
            winning_entry_number: drawing.record.winning_entry_number,
            winner_last4: drawing.winner_phone.last_four().to_owned(),
        }
    }
}

/// An entrant's own line in a list, with the salt that proves it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnLeafView {
    entrant_id: i64,
    /// The blinded id is computed from the id and this salt.
    salt: String,
    leaf: LeafDocument,
    /// The sibling hashes on the path to the root, the lowest first.
    path: Vec<String>,
}

impl From<OwnLeaf> for OwnLeafView {
    fn from(own: OwnLeaf) -> Self {
        Self {
            entrant_id: own.participant.id.get(),
            salt: own.participant.salt.to_string(),
            leaf: (&own.participant.leaf).into(),
            path: own.path.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Gets the commitment of a raffle: the hash of the next drawing's seed.
#[utoipa::path(
    get,
    path = "/api/raffles/{landingPage}/commitment",
    operation_id = "get_commitment",
    tag = "drawings",
    params(("landingPage" = LandingPageView, Path)),
    responses(
        (status = 200, body = CommitmentView),
        (status = 404, body = ErrorView),
        (status = 409, body = ErrorView, description = "The raffle has no open commitment"),
        (status = 429, body = ErrorView),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn commitment<S: Store>(
    pools: Data<RequestPools<S>>,
    landing_page: Path<String>,
) -> Result<Json<CommitmentView>, ApiError> {
    let raffle = path_raffle(&landing_page)?;
    let find = move |store: &S| usecases::commitments::find_open(store, raffle);
    let commitment = pools.visitor_reads.run(find).await?;
    Ok(Json(commitment.ok_or_else(no_commitment)?.into()))
}

/// Lists past drawings, newest first. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/drawings",
    operation_id = "list_drawings",
    tag = "drawings",
    params(PageQuery),
    responses(
        (
            status = 200,
            body = Vec<PublicDrawingView>,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        ),
        (status = 400, body = ErrorView),
        (status = 429, body = ErrorView),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn list<S: Store>(
    pools: Data<RequestPools<S>>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = page.page()?;
    let (sort, order) = (DrawingSort::CreatedAt, SortOrder::Descending);
    let list = pools
        .visitor_reads
        .run(move |store| usecases::drawings::list(store, sort, order, page))
        .await?;
    let views: Vec<PublicDrawingView> = list.drawings.iter().map(Into::into).collect();
    Ok(page_of(list.total, views))
}

/// Gets the proof of a drawing. It never changes, and has an ETag.
#[utoipa::path(
    get,
    path = "/api/drawings/{id}/proof",
    operation_id = "get_drawing_proof",
    tag = "drawings",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = ProofDocument, headers(("ETag" = String))),
        (status = 304, description = "`If-None-Match` has the ETag"),
        (status = 404, body = ErrorView),
        (status = 429, body = ErrorView),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn proof<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = path_id(&id, DrawingId::new)?;
    let proof = pools
        .visitor_reads
        .run(move |store| usecases::drawings::proof(store, id))
        .await?;
    immutable_json(&request, &ProofDocument::from(&proof))
}

/// Gets the visitor's own line in a drawing's list, if this browser entered and the entrant took part.
#[utoipa::path(
    get,
    path = "/api/drawings/{id}/own-leaf",
    operation_id = "get_own_leaf",
    tag = "drawings",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = OwnLeafView),
        (status = 404, body = ErrorView),
        (status = 429, body = ErrorView),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn own_leaf<S: Store>(
    pools: Data<RequestPools<S>>,
    browser: BrowserEntrant,
    id: Path<String>,
) -> Result<Json<OwnLeafView>, ApiError> {
    let id = path_id(&id, DrawingId::new)?;
    let entrant = browser.entrant().ok_or_else(ApiError::not_found)?;
    let own = pools
        .visitor_reads
        .run(move |store| usecases::drawings::own_leaf(store, id, entrant))
        .await?;
    Ok(Json(own.into()))
}
