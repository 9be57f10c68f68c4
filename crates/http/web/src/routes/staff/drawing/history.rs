//! Sealed, drawn and void drawings: as pages and as CSV.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::callers::right::{Right, ShownNumber};
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::ReadByName;
use crate::http::names::{Name, Named};
use crate::http::query::{PageQuery, Params, Sorting};
use crate::http::responses::{Csv, page_of};
use crate::identity::limits::Limit;
use crate::routes::drawing_views::{DRAWING_METHOD, DrawingView, void_reason};
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use drawing::DrawingSort;
use drawing::steps::DrawingState;
use kernel::{PageRequest, SortOrder, StoreError};
use usecases::audit::{NumberList, record_export};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); history::<S>, export::<S>]
}

pub(crate) type DrawingSortView = Name<DrawingSort>;

impl Named for DrawingSort {
    const VIEW: &'static str = "DrawingSortView";
    const ABOUT: Option<&'static str> = Some("The fields by which drawings can be sorted.");
}

impl ReadByName for DrawingSort {
    const REFUSAL: &'static str = "Drawings cannot be sorted by this";
}

/// Lists sealed, drawn and void drawings. `X-Total-Count` has their number.
#[utoipa::path(
    get, path = "/api/admin/drawing/history", operation_id = "list_drawing_history",
    responses(
        (
            status = 200,
            body = Vec<DrawingView>,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        )
    )
)]
pub(crate) async fn history<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params(((sort, order), page)): Params<(Sorting<DrawingSort>, PageQuery)>,
) -> Result<HttpResponse, ApiError> {
    let list = admin
        .run(move |call| usecases::drawings::list(call.store, None, sort, order, page))
        .await?;
    let (sight, now) = (admin.sight(), admin.state().clock.now());
    let views = list
        .drawings
        .iter()
        .map(|drawing| DrawingView::of(drawing, sight, now));
    Ok(page_of(list.total, views.collect::<Vec<_>>()).into())
}

/// With the right to the winner's number.
pub(crate) type DrawingRow = (DrawingState, Right);

impl CsvRow for DrawingRow {
    const COLUMNS: Columns<Self> = &[
        ("id", |(state, _)| state.id.to_string()),
        ("createdAt", |(state, _)| time_cell(state.plan.at)),
        ("landingPage", |(state, _)| state.plan.raffle.to_string()),
        ("winnerId", |(state, _)| {
            cell(state.winner().map(|winner| winner.entrant))
        }),
        ("winnerPhoneNumber", |(state, right)| {
            cell(state.winner_phone().map(|phone| ShownNumber::full(phone, *right)))
        }),
        ("winningEntryNumber", |(state, _)| {
            cell(state.winning_entry_number())
        }),
        ("totalParticipants", |(state, _)| cell(state.participants())),
        ("totalEntries", |(state, _)| cell(state.entries())),
        ("drawingMethod", |_| DRAWING_METHOD.to_owned()),
        ("verificationHash", |(state, _)| {
            cell(state.result.as_ref().map(|result| result.step.verification_hash))
        }),
        ("status", |(state, _)| state.status.to_string()),
        ("period", |(state, _)| state.plan.period.to_string()),
        ("reason", |(state, _)| cell(state.plan.reason.as_deref())),
        ("voidReason", |(state, _)| cell(void_reason(state))),
    ];
}

/// Exports past drawings as CSV, newest first. The export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history/export",
    operation_id = "export_drawing_history"
)]
pub(crate) async fn export<S: Store>(admin: Admin<S, may::ExportLists>) -> Result<Csv<DrawingRow>, ApiError> {
    // A few for each raffle and month: those of many years fit into one response.
    let all = PageRequest {
        limit: i32::MAX as u32,
        offset: 0,
    };
    let (sort, order) = (DrawingSort::CreatedAt, SortOrder::Descending);
    let list = admin
        .run(move |call| {
            let list = usecases::drawings::list(call.store, None, sort, order, all)?;
            record_export(
                call.store,
                call.clock,
                call.actor,
                NumberList::Drawings,
                list.total,
                false,
            )?;
            Ok::<_, StoreError>(list)
        })
        .await?;
    let row = |drawing| (drawing, admin.right());
    let rows: Vec<DrawingRow> = list.drawings.into_iter().map(row).collect();
    Csv::whole("drawings.csv", &rows)
}
