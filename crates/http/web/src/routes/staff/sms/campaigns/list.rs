//! Lists campaigns, as JSON in pages and as CSV.

use super::views::{CampaignView, CampaignsView};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::{Field, ReadByName, optional};
use crate::http::names::{Name, Named};
use crate::http::query::{PageQuery, Params, QueryType, SearchField, Sorting, search_label};
use crate::http::responses::{Csv, Export, Listed, page_of};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use serde::Deserialize;
use sms::{Campaign, CampaignFilter, CampaignSort, CampaignStatus};
use utoipa::IntoParams;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>]
}

/// The campaigns to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct CampaignQuery {
    /// Only campaigns with this status.
    #[validate(nested)]
    status: Option<StatusField>,
    /// Only campaigns whose name contains this text. The case of the letters A to Z does not matter.
    #[param(inline)]
    #[validate(nested)]
    search: Option<SearchField>,
}

type StatusField = Field<CampaignStatus>;

impl ReadByName for CampaignStatus {
    const REFUSAL: &'static str = "There is no such status";
}

impl QueryType for CampaignQuery {
    type Value = CampaignFilter;

    fn value(self) -> Result<CampaignFilter, ApiError> {
        Ok(CampaignFilter {
            status: optional(self.status)?,
            name_part: search_label(self.search)?,
            before: None,
        })
    }
}

pub(crate) type CampaignSortView = Name<CampaignSort>;

impl Named for CampaignSort {
    const VIEW: &'static str = "CampaignSortView";
    const ABOUT: Option<&'static str> = Some("The fields by which campaigns can be sorted.");
}

impl ReadByName for CampaignSort {
    const REFUSAL: &'static str = "Campaigns cannot be sorted by this";
}

/// Lists campaigns. `X-Total-Count` has their number.
#[utoipa::path(get, path = "/api/admin/sms/campaigns", operation_id = "list_campaigns")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params((filter, (sort, order), page)): Params<(CampaignQuery, Sorting<CampaignSort>, PageQuery)>,
) -> Result<Listed<CampaignsView>, ApiError> {
    let list = admin
        .run(move |call| usecases::campaigns::list(call.store, &filter, sort, order, page))
        .await?;
    let right = admin.sight().numbers;
    let view = |campaign| CampaignView::new(campaign, right);
    let campaigns = list.campaigns.into_iter().map(view).collect();
    Ok(page_of(list.total, CampaignsView { campaigns }))
}

impl CsvRow for Campaign {
    const COLUMNS: Columns<Self> = &[
        ("id", |campaign| campaign.id.to_string()),
        ("campaignName", |campaign| campaign.plan.name.as_str().to_owned()),
        ("templateName", |campaign| campaign.template_name.clone()),
        ("createdAt", |campaign| time_cell(campaign.plan.at)),
        ("scheduledDate", |campaign| time_cell(campaign.plan.scheduled_at)),
        ("targetAudience", |campaign| {
            campaign.plan.audience.as_str().to_owned()
        }),
        ("landingPageFilter", |campaign| {
            cell(campaign.plan.audience.raffle())
        }),
        ("customPhoneNumberCount", |campaign| {
            campaign.custom_number_count.to_string()
        }),
        ("status", |campaign| campaign.status.as_str().to_owned()),
        ("recipientCount", |campaign| {
            campaign.figures.recipients.to_string()
        }),
        ("sentCount", |campaign| campaign.figures.sent.to_string()),
        ("deliveredCount", |campaign| {
            campaign.figures.delivered.to_string()
        }),
        ("errorCount", |campaign| campaign.figures.failed.to_string()),
        ("skippedCount", |campaign| campaign.figures.skipped.to_string()),
        ("clickedCount", |campaign| campaign.figures.clicked.to_string()),
        ("ctaClickedCount", |campaign| {
            campaign.figures.cta_clicked.to_string()
        }),
        ("startedAt", |campaign| cell(campaign.started_at.map(time_cell))),
        ("sentAt", |campaign| cell(campaign.ended_at.map(time_cell))),
    ];
}

/// Exports campaigns with their figures as CSV: all that match, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/export",
    operation_id = "export_campaigns"
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    Params(filter): Params<CampaignQuery>,
) -> Result<Csv<Campaign>, ApiError> {
    Csv::of("campaigns.csv", Campaigns { admin, filter }).await
}

/// How many campaigns are read at once: each may come with a hundred numbers.
const PART: u32 = 500;

/// The campaigns of an export that have not been read yet.
struct Campaigns<S> {
    admin: Admin<S, may::ExportLists>,
    filter: CampaignFilter,
}

impl<S: Store> Export for Campaigns<S> {
    type Row = Campaign;

    async fn next(&mut self) -> Result<Vec<Campaign>, ApiError> {
        let filter = self.filter.clone();
        let read = move |call: Call<'_, S>| usecases::campaigns::newest(call.store, &filter, PART);
        let campaigns = self.admin.run(read).await?;
        self.filter.before = campaigns.last().map(|oldest| oldest.id);
        Ok(campaigns)
    }
}
