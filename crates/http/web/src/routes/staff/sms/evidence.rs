//! What allowed a text.

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::{Right, ShownAddress};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use chrono::{DateTime, SecondsFormat, Utc};
use kernel::ConsentAct;
use serde::Serialize;
use sms::{MessageId, OptOutChange, StoredConsent, Wording};
use usecases::campaigns::EvidenceOfText;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); find_evidence::<S>]
}

/// What allowed a text, and what was known about its recipient.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextEvidenceView {
    /// The sentence that the entrant agreed to; null for a listed number that is no entrant, and for other texts than those of
    /// campaigns. So are the next three.
    #[schema(required)]
    wording: Option<String>,
    #[schema(required, value_type = Option<ConsentActView>)]
    act: Option<&'static str>,
    /// When the entrant agreed.
    #[schema(required)]
    at: Option<DateTime<Utc>>,
    /// Where the entrant agreed from; null for START.
    #[schema(required, example = "198.51.100.7", value_type = Option<String>)]
    ip_address: Option<ShownAddress>,
    /// The number's STOP and START, oldest first. Clearing text data leaves the newest only.
    opt_outs: Vec<OptOutView>,
    /// The campaign texts to the number that count for the month of this text.
    month_count: i64,
    /// The recipient's local time when the text was sent, such as `2026-11-22T15:04:05-05:00`; one for each time zone of the
    /// area code, with ` or ` between them. Null if it was not sent.
    #[schema(required, example = "2026-11-22T15:04:05-05:00")]
    local_time: Option<String>,
    /// Why the numbers of the campaign's list may be texted, in the words of staff; null for other texts.
    #[schema(required)]
    consent_basis: Option<String>,
}

/// A STOP (`optedOut`) or a START.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OptOutView {
    opted_out: bool,
    at: DateTime<Utc>,
}

pub(crate) type ConsentActView = Name<ConsentAct>;

impl Named for ConsentAct {
    const VIEW: &'static str = "ConsentActView";
    const ABOUT: Option<&'static str> = Some(
        "How an entrant agreed: with the box on the form, by the default of a form without an answer, with the switch on the\n\
                                         entrant's page, or with START after STOP.",
    );
}

impl TextEvidenceView {
    fn new(of: EvidenceOfText, right: Right) -> Self {
        let EvidenceOfText {
            evidence,
            local_times,
        } = of;
        let times: Vec<String> = local_times
            .iter()
            .map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, false))
            .collect();
        let consent = evidence.consent;
        Self {
            wording: consent.as_ref().map(sentence),
            act: consent.as_ref().map(|consent| consent.consent.act.as_str()),
            at: consent.as_ref().map(|consent| consent.at),
            ip_address: consent
                .as_ref()
                .and_then(|consent| consent.address)
                .map(|address| ShownAddress::full(address, right)),
            opt_outs: evidence.opt_outs.into_iter().map(Into::into).collect(),
            month_count: evidence.month_count,
            local_time: (!times.is_empty()).then(|| times.join(" or ")),
            consent_basis: evidence.consent_basis.map(|basis| basis.as_str().to_owned()),
        }
    }
}

impl From<OptOutChange> for OptOutView {
    fn from(change: OptOutChange) -> Self {
        Self {
            opted_out: change.opted_out,
            at: change.at,
        }
    }
}

/// The sentence with the stored version, or the version itself if this program does not know it.
fn sentence(consent: &StoredConsent) -> String {
    let wording = Wording::find(&consent.wording);
    wording.map_or_else(|| consent.wording.clone(), |wording| wording.sentence.to_owned())
}

/// What allowed a text.
#[utoipa::path(
    get,
    path = "/api/admin/sms/messages/{id}/evidence",
    operation_id = "find_evidence"
)]
pub(crate) async fn find_evidence<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    PathId(id): PathId<MessageId>,
) -> Result<Json<TextEvidenceView>, ApiError> {
    let find = move |call: Call<'_, S>| usecases::campaigns::evidence(call.store, &call.state.sms.rules, id);
    let evidence = admin.run(find).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(TextEvidenceView::new(evidence, admin.right())))
}
