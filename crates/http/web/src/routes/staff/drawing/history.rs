//! Sealed, drawn and void drawings: as pages and as CSV.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::error::ErrorView;
use crate::http::fields::FieldErrors;
use crate::http::names::{Name, Named};
use crate::http::query::{PageQuery, SortOrderView, read_sorting};
use crate::http::responses::{csv_file, page_of};
use crate::identity::limits::Limit;
use crate::routes::drawing_views::{DRAWING_METHOD, DrawingView, void_reason};
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::Query;
use chrono::SecondsFormat;
use drawing::DrawingSort;
use drawing::steps::DrawingState;
use kernel::{PageRequest, SortOrder, StoreError};
use serde::Deserialize;
use usecases::audit::{NumberList, record_export};
use utoipa::IntoParams;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); history::<S>, export::<S>]
}

/// The order of drawings.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DrawingOrderQuery {
    /// The field to sort by; `createdAt` without it.
    #[param(value_type = Option<DrawingSortView>)]
    sort: Option<String>,
    /// The direction; `desc` without it.
    #[param(value_type = Option<SortOrderView>)]
    order: Option<String>,
}

pub(crate) type DrawingSortView = Name<DrawingSort>;

impl Named for DrawingSort {
    const VIEW: &'static str = "DrawingSortView";
    const ABOUT: Option<&'static str> = Some("The fields by which drawings can be sorted.");
}

impl DrawingOrderQuery {
    fn order(&self) -> Result<(DrawingSort, SortOrder), FieldErrors> {
        let (sort, order) = (self.sort.as_deref(), self.order.as_deref());
        read_sorting(sort, order, "Drawings cannot be sorted by this")
    }
}

/// Lists sealed, drawn and void drawings. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history",
    operation_id = "list_drawing_history",
    params(DrawingOrderQuery, PageQuery),
    responses(
        (
            status = 200,
            body = Vec<DrawingView>,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        ),
        (status = 400, body = ErrorView, description = "No such order or page")
    )
)]
pub(crate) async fn history<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    order: Query<DrawingOrderQuery>,
    page: Query<PageQuery>,
) -> Result<HttpResponse, ApiError> {
    let (sort, order) = order.order()?;
    let page = page.page()?;
    let list = admin
        .run(move |call| usecases::drawings::list(call.store, sort, order, page))
        .await?;
    let now = admin.state().clock.now();
    let views = list.drawings.iter().map(|drawing| DrawingView::of(drawing, now));
    Ok(page_of(list.total, views.collect::<Vec<_>>()))
}

const COLUMNS: [&str; 14] = [
    "id",
    "createdAt",
    "landingPage",
    "winnerId",
    "winnerPhoneNumber",
    "winningEntryNumber",
    "totalParticipants",
    "totalEntries",
    "drawingMethod",
    "verificationHash",
    "status",
    "period",
    "reason",
    "voidReason",
];

/// Exports past drawings as CSV, newest first. The export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/admin/drawing/history/export",
    operation_id = "export_drawing_history",
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns id, createdAt, landingPage, winnerId, winnerPhoneNumber, winningEntryNumber, totalParticipants, totalEntries, drawingMethod, verificationHash, status, period, reason and voidReason"
        )
    )
)]
pub(crate) async fn export<S: Store>(admin: Admin<S, may::ExportLists>) -> Result<HttpResponse, ApiError> {
    // Four a month: even in a hundred years they fit into one response.
    let all = PageRequest {
        limit: i32::MAX as u32,
        offset: 0,
    };
    let (sort, order) = (DrawingSort::CreatedAt, SortOrder::Descending);
    let list = admin
        .run(move |call| {
            let list = usecases::drawings::list(call.store, sort, order, all)?;
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
    csv_file("drawings.csv", COLUMNS, list.drawings.iter().map(cells))
}

fn cells(state: &DrawingState) -> [String; 14] {
    fn text(value: Option<impl ToString>) -> String {
        value.map(|value| value.to_string()).unwrap_or_default()
    }
    let (plan, result) = (&state.plan, state.result.as_ref());
    [
        state.id.to_string(),
        plan.at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        plan.raffle.to_string(),
        text(state.winner().map(|winner| winner.entrant)),
        text(state.winner_phone().map(|phone| phone.as_e164())),
        text(state.winning_entry_number()),
        text(state.participants()),
        text(state.entries()),
        DRAWING_METHOD.to_owned(),
        text(result.map(|result| result.step.verification_hash)),
        state.status.to_string(),
        plan.period.to_string(),
        text(plan.reason.as_deref()),
        text(void_reason(state)),
    ]
}
