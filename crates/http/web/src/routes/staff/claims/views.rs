//! Claims in answers to staff.

use crate::AppState;
use crate::callers::right::{Right, ShownNumber};
use crate::http::views::{LandingPageView, PrizeView};
use crate::routes::claims::views::{
    ClaimRejectionView, ClaimStatusView, ShipmentView, VerificationMethodView,
};
use chrono::{DateTime, Utc};
use claims::{ClaimDetails, ClaimEvent};
use serde::Serialize;
use usecases::claims::Parcel;
use usecases::claims::review::{ClaimCase, ClaimFile, ClaimList, ShownCallCode};
use utoipa::ToSchema;

/// A claim in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimRowView {
    id: i64,
    drawing_id: i64,
    landing_page: LandingPageView,
    prize: PrizeView,
    /// 0 for the entry that was drawn first.
    rank: u32,
    status: ClaimStatusView,
    entrant_id: i64,
    /// In full; screens show the last four digits.
    #[schema(example = "+15551234567", value_type = String)]
    phone_number: ShownNumber,
    created_at: DateTime<Utc>,
    /// The deadline, while the winner has something to do. Null until a text was delivered or a call was noted.
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
    /// How many texts told the winner about the claim; the first one counts, codes do not.
    notifications_sent: u32,
    #[schema(required)]
    last_notification_at: Option<DateTime<Utc>>,
    /// Whether no text reaches the winner, so that staff must call.
    needs_call: bool,
    /// Whether an open payment dispute pauses the claim.
    paused: bool,
    /// How many calls were noted.
    calls: usize,
}

impl ClaimRowView {
    fn new(case: &ClaimCase, right: Right) -> Self {
        let claim = &case.claim;
        Self {
            id: claim.id.get(),
            drawing_id: claim.drawing.get(),
            landing_page: case.raffle.into(),
            prize: (&case.prize).into(),
            rank: claim.rank,
            status: claim.status.into(),
            entrant_id: claim.entrant.get(),
            phone_number: ShownNumber::or_erased(Some(right), case.phone.as_ref()),
            created_at: claim.created_at,
            expires_at: claim.expires_at(),
            notifications_sent: claim.notifications,
            last_notification_at: claim.last_notification_at,
            needs_call: claim.needs_call && claim.status.waits_for_winner(),
            paused: claim.paused_at.is_some(),
            calls: case.calls.len(),
        }
    }
}

/// A page of claims.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimsView {
    claims: Vec<ClaimRowView>,
    /// The number of all claims that match.
    total: i64,
    /// The number of all claims that wait for staff: submitted, in need of a call, or with an objection.
    waiting: i64,
}

impl ClaimsView {
    pub(super) fn new(list: &ClaimList, right: Right) -> Self {
        Self {
            claims: list
                .cases
                .iter()
                .map(|case| ClaimRowView::new(case, right))
                .collect(),
            total: list.total,
            waiting: list.waiting,
        }
    }
}

/// A call that staff noted.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimCallView {
    at: DateTime<Utc>,
    note: String,
}

impl From<&ClaimEvent> for ClaimCallView {
    fn from(event: &ClaimEvent) -> Self {
        Self {
            at: event.at,
            note: event.note.clone().unwrap_or_default(),
        }
    }
}

/// Who the winner is, and where the prize goes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimDetailsView {
    name: String,
    address_line1: String,
    #[schema(required)]
    address_line2: Option<String>,
    city: String,
    #[schema(example = "NY")]
    state: String,
    #[schema(example = "10001")]
    postal_code: String,
    /// Whether the first name and the state may be published.
    publicity: bool,
}

impl ClaimDetailsView {
    fn new(details: &ClaimDetails, _: Right) -> Self {
        let second_line = details.address_line2.as_ref();
        Self {
            name: details.name.as_str().to_owned(),
            address_line1: details.address_line1.as_str().to_owned(),
            address_line2: second_line.map(|line| line.as_str().to_owned()),
            city: details.city.as_str().to_owned(),
            state: details.state.as_str().to_owned(),
            postal_code: details.postal_code.as_str().to_owned(),
            publicity: details.publicity,
        }
    }
}

/// A prize that is to be sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParcelView {
    claim_id: i64,
    drawing_id: i64,
    landing_page: LandingPageView,
    prize: PrizeView,
    #[schema(required)]
    approved_at: Option<DateTime<Utc>>,
    details: ClaimDetailsView,
}

impl ParcelView {
    pub(super) fn new(parcel: &Parcel, right: Right) -> Self {
        Self {
            claim_id: parcel.claim.get(),
            drawing_id: parcel.drawing.get(),
            landing_page: parcel.raffle.into(),
            prize: (&parcel.prize).into(),
            approved_at: parcel.approved_at,
            details: ClaimDetailsView::new(&parcel.details, right),
        }
    }
}

/// The prizes that are to be sent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ShippingListView {
    pub(crate) parcels: Vec<ParcelView>,
}

/// A claim with all that staff need to decide it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimDetailView {
    #[serde(flatten)]
    row: ClaimRowView,
    /// When the number was proved first.
    #[schema(required)]
    verified_at: Option<DateTime<Utc>>,
    #[schema(required)]
    verification_method: Option<VerificationMethodView>,
    /// The noted calls, oldest first.
    note_calls: Vec<ClaimCallView>,
    /// Whether the number still makes the drawn leaf. Without that the claim cannot be approved.
    number_matches: bool,
    /// Whether staff called on three days.
    may_be_unreachable: bool,
    #[schema(required)]
    submitted_at: Option<DateTime<Utc>>,
    /// When it was approved or rejected last.
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    /// Null until the prize was sent with a tracking number, and after the details were erased.
    #[schema(required)]
    shipment: Option<ShipmentView>,
    #[schema(required)]
    delivered_at: Option<DateTime<Utc>>,
    /// The newest rejection. It stays when staff approve after an objection.
    #[schema(required)]
    rejection: Option<ClaimRejectionView>,
    /// For owners only. Null before they are submitted and after they are erased.
    #[schema(required)]
    details: Option<ClaimDetailsView>,
    /// What an approval publishes, for whoever may decide: the first name and the state. Null if the winner did not agree.
    #[schema(required, example = "Ada, NY")]
    public_name: Option<String>,
    #[schema(required)]
    details_erased_at: Option<DateTime<Utc>>,
    /// Only in the answer to `confirm-number`.
    #[schema(required)]
    call_code: Option<CallCodeView>,
}

/// A code that opens the claim in one browser, once. It is shown once, to be read out on the call.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallCodeView {
    #[schema(example = "ABCDE-23456")]
    code: String,
    /// The page on which the winner enters it.
    page: String,
    expires_at: DateTime<Utc>,
}

impl CallCodeView {
    pub(crate) fn new(shown: &ShownCallCode, state: &AppState) -> Self {
        Self {
            code: shown.code.grouped(),
            page: format!("{}/claim", state.public_origin),
            expires_at: shown.expires_at,
        }
    }
}

impl ClaimDetailView {
    pub(crate) fn new(file: &ClaimFile, right: Right, state: &AppState) -> Self {
        let claim = &file.case.claim;
        let rejection = claim.rejection.as_ref();
        Self {
            row: ClaimRowView::new(&file.case, right),
            verified_at: claim.verified.map(|(_, at)| at),
            verification_method: claim.verified.map(|(by, _)| by.into()),
            note_calls: file.case.calls.iter().map(Into::into).collect(),
            number_matches: file.number_matches,
            may_be_unreachable: file.may_be_unreachable,
            submitted_at: claim.submitted_at,
            decided_at: claim.approved_at.or(rejection.map(|rejection| rejection.at)),
            shipment: claim.shipment.as_ref().map(Into::into),
            delivered_at: claim.delivered_at,
            rejection: rejection.map(Into::into),
            details: file
                .details
                .as_ref()
                .map(|details| ClaimDetailsView::new(details, right)),
            public_name: file
                .public_winner
                .as_ref()
                .map(|winner| format!("{}, {}", winner.first_name, winner.state)),
            details_erased_at: claim.details_erased_at,
            call_code: file
                .call_code
                .as_ref()
                .map(|shown| CallCodeView::new(shown, state)),
        }
    }
}
