//! The public data of drawings.

use super::Store;
use crate::callers::right::{Right, ShownNumber};
use crate::callers::visitor::BrowserEntrant;
use crate::http::conditional::{changing_json, immutable_json};
use crate::http::path_id::PathId;
use crate::http::query::{LandingPageQuery, PageQuery, Params};
use crate::http::responses::page_of;
use crate::identity::limits::Limit;
use crate::routes::beacon_rounds;
use crate::routes::drawing_views::PublicDrawingView;
use crate::routes::proof_document::{LeafDocument, ProofDocument};
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingState;
use drawing::{DrawingId, DrawingSort, Outcome};
use kernel::{SortOrder, StoreError};
use raffle::RaffleKey;
use serde::Serialize;
use std::collections::BTreeMap;
use usecases::claims::{PublicRecord, public_records};
use usecases::drawings::{FindDrawingError, OwnLeaf};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); list::<S>, one::<S>, proof::<S>, own_leaf::<S>]
        .and(beacon_rounds::routes::<S>())
}

impl From<FindDrawingError> for ApiError {
    fn from(error: FindDrawingError) -> Self {
        match error {
            FindDrawingError::UnknownDrawing | FindDrawingError::NotInIt => Self::not_found(),
            FindDrawingError::Store(error) => error.into(),
        }
    }
}

/// An entrant's own line in a list, with everything that its hash is made of.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnLeafView {
    /// The id that the list has.
    entrant_id: i64,
    /// The number that the entrant has now.
    #[schema(example = "+15551234567", value_type = String)]
    phone_number: ShownNumber,
    /// The random bytes behind the tag. Null once they are erased.
    person_salt: Option<String>,
    /// The blinded id is computed from the salt, the id and this tag.
    tag: String,
    /// The salt of the blinded id.
    salt: String,
    leaf: LeafDocument,
    /// The sibling hashes on the path to the root, the lowest first.
    path: Vec<String>,
    /// The newest entry of the log.
    log_head: Option<LogHeadView>,
}

/// An entry of the log, to compare later.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogHeadView {
    id: i64,
    hash: String,
}

impl OwnLeafView {
    fn new(own: OwnLeaf, right: Right) -> Self {
        let log_head = own.log_head.map(|(id, hash)| LogHeadView {
            id,
            hash: hash.to_string(),
        });
        Self {
            entrant_id: own.participant.id.get(),
            phone_number: ShownNumber::full(&own.phone, right),
            person_salt: own.person_salt.map(|salt| hex::encode(salt.as_bytes())),
            tag: hex::encode(own.tag.as_bytes()),
            salt: own.participant.salt.to_string(),
            leaf: (&own.participant.leaf).into(),
            path: own.path.iter().map(ToString::to_string).collect(),
            log_head,
        }
    }
}

/// Lists drawings that are sealed, drawn or void, newest first. `X-Total-Count` has their number.
#[utoipa::path(
    get, path = "/api/drawings", operation_id = "list_drawings",
    responses(
        (
            status = 200,
            body = Vec<PublicDrawingView>,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        )
    )
)]
pub(crate) async fn list<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    Params((raffle, page)): Params<(LandingPageQuery, PageQuery)>,
) -> Result<HttpResponse, ApiError> {
    let (sort, order) = (DrawingSort::CreatedAt, SortOrder::Descending);
    let list = move |store: &S| {
        let list = usecases::drawings::list(store, raffle, sort, order, page)?;
        let records = public_records(store, &list.drawings)?;
        Ok::<_, StoreError>((list, usecases::drawings::voids(store)?, records))
    };
    let (list, voids, records) = pools.visitor_reads.run(list).await?;
    let now = state.clock.now();
    let views = list
        .drawings
        .iter()
        .map(|drawing| view_of(drawing, &voids, &records, now));
    Ok(page_of(list.total, views.collect::<Vec<_>>()).into())
}

fn view_of(
    drawing: &DrawingState,
    voids: &[(RaffleKey, i64)],
    records: &BTreeMap<DrawingId, PublicRecord>,
    now: DateTime<Utc>,
) -> PublicDrawingView {
    let voids = voids.iter().find(|(raffle, _)| *raffle == drawing.plan.raffle);
    let voids = voids.map_or(0, |(_, count)| *count);
    PublicDrawingView::of(drawing, voids, records.get(&drawing.id), now)
}

/// Gets a drawing as everybody sees it.
#[utoipa::path(get, path = "/api/drawings/{id}", operation_id = "get_public_drawing")]
pub(crate) async fn one<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    PathId(id): PathId<DrawingId>,
) -> Result<Json<PublicDrawingView>, ApiError> {
    let one = move |store: &S| {
        let drawing = usecases::drawings::find(store, id)?;
        // Without a list there is nothing to see yet.
        if drawing.participants().is_none() {
            return Err(FindDrawingError::UnknownDrawing);
        }
        let records = public_records(store, std::slice::from_ref(&drawing))?;
        Ok((drawing, usecases::drawings::voids(store)?, records))
    };
    let (drawing, voids, records) = pools.visitor_reads.run(one).await?;
    Ok(Json(view_of(&drawing, &voids, &records, state.clock.now())))
}

/// Gets the proof of a drawing that is sealed, drawn or void. Once it is drawn, it never changes.
#[utoipa::path(
    get, path = "/api/drawings/{id}/proof", operation_id = "get_drawing_proof",
    responses(
        (status = 200, body = ProofDocument, headers(("ETag" = String))),
        (status = 304, description = "`If-None-Match` has the ETag")
    )
)]
pub(crate) async fn proof<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    PathId(id): PathId<DrawingId>,
) -> Result<HttpResponse, ApiError> {
    let proof = pools
        .visitor_reads
        .run(move |store| usecases::drawings::proof(store, id))
        .await?;
    let document = ProofDocument::from(&proof);
    match proof.outcome {
        Outcome::Drawn(_) => immutable_json(&request, &document),
        // The round of a void drawing may still come.
        Outcome::Sealed { .. } | Outcome::Void { .. } => changing_json(&request, &document),
    }
}

/// Gets the visitor's own line in a drawing's list, if this browser entered and the entrant took part.
#[utoipa::path(get, path = "/api/drawings/{id}/own-leaf", operation_id = "get_own_leaf")]
pub(crate) async fn own_leaf<S: Store>(
    pools: Data<RequestPools<S>>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<DrawingId>,
) -> Result<Json<OwnLeafView>, ApiError> {
    let (entrant, right) = browser.own().ok_or_else(ApiError::not_found)?;
    let own = pools
        .visitor_reads
        .run(move |store| usecases::drawings::own_leaf(store, id, entrant))
        .await?;
    Ok(Json(OwnLeafView::new(own, right)))
}
