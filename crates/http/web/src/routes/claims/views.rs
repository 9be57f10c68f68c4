//! Claims in answers to winners, and the parts of them that staff and everybody see too.

use crate::callers::right::{ShownNumber, site_number};
use crate::http::field::{Field, ReadByName};
use crate::http::names::{Name, Named};
use crate::http::views::{LandingPageView, PrizeView};
use crate::routes::codes::AwaitedCodeView;
use chrono::{DateTime, Utc};
use claims::{ClaimStatus, RejectReason, Rejection, Shipment, VerifiedBy};
use kernel::Phone;
use serde::Serialize;
use usecases::claims::winner::ClaimPage;
use utoipa::ToSchema;

pub(crate) type ClaimStatusView = Name<ClaimStatus>;

impl Named for ClaimStatus {
    const VIEW: &'static str = "ClaimStatusView";
    const ABOUT: Option<&'static str> = Some("How far a claim is.");
}

pub(crate) type RejectionReasonView = Name<RejectReason>;

impl Named for RejectReason {
    const VIEW: &'static str = "RejectionReasonView";
    const ABOUT: Option<&'static str> = Some("Why a claim was rejected.");
}

impl ReadByName for RejectReason {
    const REFUSAL: &'static str = "There is no such reason";
}

pub(crate) type RejectReasonField = Field<RejectReason>;

pub(crate) type VerificationMethodView = Name<VerifiedBy>;

impl Named for VerifiedBy {
    const VIEW: &'static str = "VerificationMethodView";
    const ABOUT: Option<&'static str> = Some("How a winner proved the number.");
}

/// What the winner wrote against a rejection.
#[derive(Serialize, ToSchema)]
pub(crate) struct ObjectionView {
    message: String,
    at: DateTime<Utc>,
}

/// Why a claim was rejected.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimRejectionView {
    reason: RejectionReasonView,
    /// What staff wrote to the winner.
    note: String,
    rejected_at: DateTime<Utc>,
    /// Until when the winner can object.
    object_until: DateTime<Utc>,
    /// Null until the winner objects.
    #[schema(required)]
    objection: Option<ObjectionView>,
}

impl From<&Rejection> for ClaimRejectionView {
    fn from(rejection: &Rejection) -> Self {
        let objection = rejection.objection.as_ref();
        Self {
            reason: rejection.reason.into(),
            note: rejection.note.clone(),
            rejected_at: rejection.at,
            object_until: rejection.object_until(),
            objection: objection.map(|objection| ObjectionView {
                message: objection.message.clone(),
                at: objection.at,
            }),
        }
    }
}

/// How the prize was sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentView {
    #[schema(example = "UPS")]
    carrier: String,
    #[schema(example = "1Z999AA10123456784")]
    tracking_number: String,
    /// Where the carrier shows the parcel. Null for a carrier that we don't know.
    #[schema(required, example = "https://www.ups.com/track?tracknum=1Z999AA10123456784")]
    tracking_url: Option<String>,
    shipped_at: DateTime<Utc>,
}

impl From<&Shipment> for ShipmentView {
    fn from(shipment: &Shipment) -> Self {
        Self {
            carrier: shipment.carrier.as_str().to_owned(),
            tracking_number: shipment.tracking_number.as_str().to_owned(),
            tracking_url: shipment.tracking_url(),
            shipped_at: shipment.at,
        }
    }
}

/// A claim, as its winner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimView {
    status: ClaimStatusView,
    prize: PrizeView,
    landing_page: LandingPageView,
    drawing_id: i64,
    /// 0 for the entry that was drawn first.
    rank: u32,
    /// The deadline. Null until the first text was delivered or a call was noted, and after the details were sent.
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
    /// Masked.
    #[schema(example = "***-***-4567", value_type = String)]
    phone_number: ShownNumber,
    /// Whether this browser proved the number. Only it can submit, decline or object.
    is_this_browser: bool,
    /// Whether codes can be sent to the number.
    can_text: bool,
    /// Whether the number sent STOP.
    has_opted_out: bool,
    /// The number that texts come from.
    #[schema(required)]
    texts_from: Option<String>,
    /// Whether this browser can prove the number without a code.
    can_prove: bool,
    /// The code that was sent for this browser and is valid.
    #[schema(required)]
    code: Option<AwaitedCodeView>,
    /// Whether an open payment dispute pauses the claim: nothing is taken, and the deadline rests.
    paused: bool,
    /// Null unless the claim was rejected.
    #[schema(required)]
    rejection: Option<ClaimRejectionView>,
    /// How the prize was sent, for the browser that proved the number. Null before, and for any other browser.
    #[schema(required)]
    shipment: Option<ShipmentView>,
}

impl ClaimView {
    /// `from` is the number that texts come from.
    pub(super) fn of(page: &ClaimPage, from: Option<&Phone>) -> Self {
        let claim = &page.claim;
        let rejection = claim.rejection.as_ref();
        Self {
            status: claim.status.into(),
            prize: (&page.prize).into(),
            landing_page: page.raffle.into(),
            drawing_id: claim.drawing.get(),
            rank: claim.rank,
            expires_at: claim.expires_at(),
            phone_number: ShownNumber::masked(&page.phone),
            is_this_browser: page.is_this_browser,
            can_text: page.can_text,
            has_opted_out: page.has_opted_out,
            texts_from: from.map(site_number),
            can_prove: page.can_prove,
            code: page.code.map(Into::into),
            paused: claim.paused_at.is_some(),
            rejection: rejection
                .filter(|_| claim.status == ClaimStatus::Rejected)
                .map(Into::into),
            shipment: claim
                .shipment
                .as_ref()
                .filter(|_| page.is_this_browser)
                .map(Into::into),
        }
    }
}
