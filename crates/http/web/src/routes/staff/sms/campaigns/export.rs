//! Exports a campaign's messages as CSV.

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::{Right, ShownNumber};
use crate::http::csv::{Columns, CsvRow, cell};
use crate::http::path_id::PathId;
use crate::http::responses::{Csv, Export};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use chrono::{DateTime, SecondsFormat, Utc};
use sms::{CampaignId, ExportedMessage, MessageId, TrackingId};
use usecases::audit::{NumberList, record_export};
use usecases::campaigns::CampaignError;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); export::<S>]
}

/// With the right to the numbers.
pub(crate) type MessageRow = (ExportedMessage, Right);

impl CsvRow for MessageRow {
    const COLUMNS: Columns<Self> = &[
        ("phoneNumber", |(message, right)| {
            ShownNumber::full(&message.phone, *right).to_string()
        }),
        ("status", |(message, _)| message.status.as_str().to_owned()),
        ("reason", |(message, _)| cell(message.reason.as_ref())),
        ("sentAt", |(message, _)| whole_seconds(message.sent_at)),
        ("clickedAt", |(message, _)| whole_seconds(message.clicked_at)),
        ("ctaClickedAt", |(message, _)| {
            whole_seconds(message.cta_clicked_at)
        }),
        ("trackingId", |(message, _)| {
            cell(message.tracking_id.as_ref().map(TrackingId::as_str))
        }),
    ];
}

fn whole_seconds(time: Option<DateTime<Utc>>) -> String {
    cell(time.map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true)))
}

/// How many rows are read at once.
const ROWS: u32 = 2_000;

/// Exports a campaign's messages as CSV. The export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/{id}/export",
    operation_id = "export_campaign"
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    PathId(campaign): PathId<CampaignId>,
) -> Result<Csv<MessageRow>, ApiError> {
    admin
        .run(move |call| {
            let (found, _) = usecases::campaigns::find(call.store, campaign, false)?;
            let (list, rows) = (NumberList::Campaign(campaign), found.figures.recipients);
            record_export(call.store, call.clock, call.actor, list, rows, false)?;
            Ok::<_, CampaignError>(())
        })
        .await?;
    let messages = Messages {
        admin,
        campaign,
        after: MessageId::new(0),
    };
    Csv::of(&format!("campaign-{campaign}.csv"), messages).await
}

/// The messages of a campaign that have not been read yet.
struct Messages<S> {
    admin: Admin<S, may::ExportLists>,
    campaign: CampaignId,
    after: MessageId,
}

impl<S: Store> Export for Messages<S> {
    type Row = MessageRow;

    async fn next(&mut self) -> Result<Vec<MessageRow>, ApiError> {
        let (campaign, after) = (self.campaign, self.after);
        let read =
            move |call: Call<'_, S>| usecases::campaigns::export_messages(call.store, campaign, after, ROWS);
        let messages = self.admin.run(read).await?;
        self.after = messages.last().map_or(self.after, |last| last.id);
        let right = self.admin.right();
        Ok(messages.into_iter().map(|message| (message, right)).collect())
    }
}
