//! Lists campaigns, as JSON in pages and as CSV.

use super::views::{CampaignStatusView, CampaignView, CampaignsView};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::csv::csv_lines;
use crate::http::error::ErrorView;
use crate::http::fields::{All, FieldErrors, Messages, field, message};
use crate::http::names::{Name, Named};
use crate::http::query::{PageQuery, SortOrderView, read_search, read_sorting};
use crate::http::responses::{CsvParts, csv_response, csv_stream, page_of};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::{Bytes, Query};
use chrono::{DateTime, SecondsFormat, Utc};
use kernel::SortOrder;
use serde::Deserialize;
use sms::{Campaign, CampaignFilter, CampaignSort, CampaignStatus};
use utoipa::IntoParams;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>]
}

/// The campaigns to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CampaignQuery {
    /// Only campaigns with this status.
    #[param(value_type = Option<CampaignStatusView>)]
    status: Option<String>,
    /// Only campaigns whose name contains this text. The case of the letters A to Z does not matter.
    #[param(max_length = 80)]
    search: Option<String>,
}

impl CampaignQuery {
    fn filter(&self) -> Result<CampaignFilter, FieldErrors> {
        let status = field("status", read_status(self.status.as_deref()));
        let search = field("search", read_search(self.search.as_deref()));
        let (status, name_part) = (status, search).all()?;
        Ok(CampaignFilter {
            status,
            name_part,
            before: None,
        })
    }
}

fn read_status(name: Option<&str>) -> Result<Option<CampaignStatus>, Messages> {
    let Some(name) = name else { return Ok(None) };
    match name.parse() {
        Ok(status) => Ok(Some(status)),
        Err(_) => Err(message("There is no such status")),
    }
}

/// The order of campaigns.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CampaignOrderQuery {
    /// The field to sort by; `createdAt` without it.
    #[param(value_type = Option<CampaignSortView>)]
    sort: Option<String>,
    /// The direction; `desc` without it.
    #[param(value_type = Option<SortOrderView>)]
    order: Option<String>,
}

pub(crate) type CampaignSortView = Name<CampaignSort>;

impl Named for CampaignSort {
    const VIEW: &'static str = "CampaignSortView";
    const ABOUT: Option<&'static str> = Some("The fields by which campaigns can be sorted.");
}

impl CampaignOrderQuery {
    fn order(&self) -> Result<(CampaignSort, SortOrder), FieldErrors> {
        let (sort, order) = (self.sort.as_deref(), self.order.as_deref());
        read_sorting(sort, order, "Campaigns cannot be sorted by this")
    }
}

/// Lists campaigns. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns",
    operation_id = "list_campaigns",
    params(CampaignQuery, CampaignOrderQuery, PageQuery),
    responses(
        (
            status = 200,
            body = CampaignsView,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        ),
        (status = 400, body = ErrorView, description = "No such status, search, order or page")
    )
)]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    (query, order, page): (Query<CampaignQuery>, Query<CampaignOrderQuery>, Query<PageQuery>),
) -> Result<HttpResponse, ApiError> {
    let (filter, (sort, order), page) = (query.filter(), order.order(), page.page()).all()?;
    let list = admin
        .run(move |call| usecases::campaigns::list(call.store, &filter, sort, order, page))
        .await?;
    let in_full = admin.sees_numbers();
    let view = |campaign| CampaignView::from(campaign).shown(in_full);
    let campaigns = list.campaigns.into_iter().map(view).collect();
    Ok(page_of(list.total, CampaignsView { campaigns }))
}

const COLUMNS: [&str; 18] = [
    "id",
    "campaignName",
    "templateName",
    "createdAt",
    "scheduledDate",
    "targetAudience",
    "landingPageFilter",
    "customPhoneNumberCount",
    "status",
    "recipientCount",
    "sentCount",
    "deliveredCount",
    "errorCount",
    "skippedCount",
    "clickedCount",
    "ctaClickedCount",
    "startedAt",
    "sentAt",
];

/// Exports campaigns with their figures as CSV: all that match, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/export",
    operation_id = "export_campaigns",
    params(CampaignQuery),
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns id, campaignName, templateName, createdAt, scheduledDate, targetAudience, landingPageFilter, customPhoneNumberCount, status, recipientCount, sentCount, deliveredCount, errorCount, skippedCount, clickedCount, ctaClickedCount, startedAt and sentAt"
        ),
        (status = 400, body = ErrorView, description = "No such status or search")
    )
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    query: Query<CampaignQuery>,
) -> Result<HttpResponse, ApiError> {
    let filter = query.filter()?;
    let columns = csv_lines([COLUMNS.map(str::to_owned)])?;
    csv_stream(csv_response("campaigns.csv"), columns, Export { admin, filter }).await
}

/// How many campaigns are read at once: each may come with a hundred numbers.
const PART: u32 = 500;

/// The campaigns of an export that have not been read yet.
struct Export<S> {
    admin: Admin<S, may::ExportLists>,
    filter: CampaignFilter,
}

impl<S: Store> CsvParts for Export<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let filter = self.filter.clone();
        let read = move |call: Call<'_, S>| usecases::campaigns::newest(call.store, &filter, PART);
        let campaigns = self.admin.run(read).await?;
        let Some(oldest) = campaigns.last() else {
            return Ok(None);
        };
        self.filter.before = Some(oldest.id);
        csv_lines(campaigns.iter().map(cells)).map(Some)
    }
}

fn cells(campaign: &Campaign) -> [String; 18] {
    let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    let (plan, figures) = (&campaign.plan, &campaign.figures);
    let raffle = plan.audience.raffle();
    [
        campaign.id.to_string(),
        plan.name.as_str().to_owned(),
        campaign.template_name.clone(),
        time(plan.at),
        time(plan.scheduled_at),
        plan.audience.as_str().to_owned(),
        raffle.map(|raffle| raffle.to_string()).unwrap_or_default(),
        campaign.custom_number_count.to_string(),
        campaign.status.as_str().to_owned(),
        figures.recipients.to_string(),
        figures.sent.to_string(),
        figures.delivered.to_string(),
        figures.failed.to_string(),
        figures.skipped.to_string(),
        figures.clicked.to_string(),
        figures.cta_clicked.to_string(),
        campaign.started_at.map(time).unwrap_or_default(),
        campaign.ended_at.map(time).unwrap_or_default(),
    ]
}
