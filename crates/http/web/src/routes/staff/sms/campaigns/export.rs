//! Exports a campaign's messages as CSV.

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::csv::csv_lines;
use crate::http::fields::path_id;
use crate::http::responses::{CsvParts, csv_response, csv_stream};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::{Bytes, Path};
use chrono::{DateTime, SecondsFormat, Utc};
use sms::{CampaignId, ExportedMessage, MessageId};
use usecases::audit::{NumberList, record_export};
use usecases::campaigns::CampaignError;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); export::<S>]
}

const COLUMNS: [&str; 7] = [
    "phoneNumber",
    "status",
    "reason",
    "sentAt",
    "clickedAt",
    "ctaClickedAt",
    "trackingId",
];
/// How many rows are read at once.
const ROWS: u32 = 2_000;

/// Exports a campaign's messages as CSV. The export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/{id}/export",
    operation_id = "export_campaign",
    params(("id" = i64, Path)),
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns phoneNumber, status, reason, sentAt, clickedAt, ctaClickedAt and trackingId"
        )
    )
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let campaign = path_id(&id, CampaignId::new)?;
    admin
        .run(move |call| {
            let (found, _) = usecases::campaigns::find(call.store, campaign, false)?;
            let (list, rows) = (NumberList::Campaign(campaign), found.figures.recipients);
            record_export(call.store, call.clock, call.actor, list, rows, false)?;
            Ok::<_, CampaignError>(())
        })
        .await?;
    let parts = ExportParts {
        admin,
        campaign,
        after: MessageId::new(0),
    };
    let header = csv_lines([COLUMNS.map(str::to_owned)])?;
    csv_stream(csv_response(&format!("campaign-{campaign}.csv")), header, parts).await
}

/// The messages of a campaign that have not been read yet.
struct ExportParts<S> {
    admin: Admin<S, may::ExportLists>,
    campaign: CampaignId,
    after: MessageId,
}

impl<S: Store> CsvParts for ExportParts<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let (campaign, after) = (self.campaign, self.after);
        let read =
            move |call: Call<'_, S>| usecases::campaigns::export_messages(call.store, campaign, after, ROWS);
        let messages = self.admin.run(read).await?;
        let Some(last) = messages.last() else {
            return Ok(None);
        };
        self.after = last.id;
        csv_lines(messages.iter().map(cells)).map(Some)
    }
}

fn cells(message: &ExportedMessage) -> [String; 7] {
    let time = |time: Option<DateTime<Utc>>| {
        time.map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
            .unwrap_or_default()
    };
    let tracking_id = message.tracking_id.as_ref();
    [
        message.phone.as_e164().to_owned(),
        message.status.as_str().to_owned(),
        message.reason.clone().unwrap_or_default(),
        time(message.sent_at),
        time(message.clicked_at),
        time(message.cta_clicked_at),
        tracking_id.map(|id| id.as_str().to_owned()).unwrap_or_default(),
    ]
}
