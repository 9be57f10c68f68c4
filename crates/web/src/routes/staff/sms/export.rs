//! A campaign's texts as CSV.

use super::campaigns::read_id;
use crate::admin::Admin;
use crate::csv::csv_lines;
use crate::error::ErrorView;
use crate::routes::staff::{StaffRefused, Store};
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::{Bytes, Data, Path};
use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use sms::{CampaignId, ExportedMessage, MessageId};

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

/// A campaign's texts as CSV.
#[utoipa::path(
    get,
    path = "/api/admin/sms/campaigns/{id}/export",
    operation_id = "export_campaign",
    tag = "texts",
    security(("bearer" = []), ("session_token" = [])),
    params(("id" = i64, Path)),
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns phoneNumber, status, reason, sentAt, clickedAt, ctaClickedAt and trackingId"
        ),
        (status = 404, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn export<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = read_id(&id)?;
    let find = store.clone();
    state
        .flows
        .run(move || usecases::campaigns::find(&**find, id))
        .await?;
    let mut texts = Texts {
        store,
        state,
        campaign: id,
        after: MessageId::new(0),
    };
    // Read before the answer begins, so that trouble is an error instead of half a list.
    let first = texts.next().await?;
    let header = csv_lines([COLUMNS.map(str::to_owned)])?;
    let rest = stream::try_unfold(texts, |mut texts| async move {
        let part = texts.next().await?;
        Ok(part.map(|part| (part, texts)))
    });
    let parts = stream::iter([Ok::<_, ApiError>(header), Ok(first.unwrap_or_default())]).chain(rest);
    let file = format!("attachment; filename=\"campaign-{id}.csv\"");
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, file))
        .streaming(parts.map_err(actix_web::Error::from)))
}

/// The rest of a campaign's texts.
struct Texts<S> {
    store: Data<S>,
    state: Data<AppState>,
    campaign: CampaignId,
    after: MessageId,
}

impl<S: Store> Texts<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let (store, campaign, after) = (self.store.clone(), self.campaign, self.after);
        let read = move || usecases::campaigns::export_messages(&**store, campaign, after, ROWS);
        let texts = self.state.flows.run(read).await?;
        let Some(last) = texts.last() else {
            return Ok(None);
        };
        self.after = last.id;
        csv_lines(texts.iter().map(cells)).map(Some)
    }
}

fn cells(text: &ExportedMessage) -> [String; 7] {
    let time = |time: Option<DateTime<Utc>>| {
        time.map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
            .unwrap_or_default()
    };
    let tracking_id = text.tracking_id.as_ref();
    [
        text.phone.as_e164().to_owned(),
        text.status.as_str().to_owned(),
        text.reason.clone().unwrap_or_default(),
        time(text.sent_at),
        time(text.clicked_at),
        time(text.cta_clicked_at),
        tracking_id.map(|id| id.as_str().to_owned()).unwrap_or_default(),
    ]
}
