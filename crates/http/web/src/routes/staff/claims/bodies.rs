//! The bodies of staff's requests about claims.

use crate::http::body::JsonBody;
use crate::http::field::{Field, StaffLine, StaffLines, WithExample, parsed, text, texts};
use crate::routes::claims::views::RejectReasonField;
use claims::{Shipment, TrackingNumber};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

type NoteField = Field<StaffLines<3, 500>>;
type CarrierField = Field<StaffLine<2, { Shipment::CARRIER_CHARS }>>;
type TrackingNumberField = Field<TrackingNumber>;

/// Why a claim is rejected.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct RejectionBody {
    #[validate(nested)]
    pub(super) reason: RejectReasonField,
    /// What the winner reads about it: 3 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) note: NoteField,
}

impl JsonBody for RejectionBody {}

/// How a prize was sent.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShipmentBody {
    /// 2 to 40 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) carrier: CarrierField,
    /// 6 to 40 letters, digits and dashes; spaces are left out.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) tracking_number: TrackingNumberField,
}

impl JsonBody for ShipmentBody {}

texts! {
    TrackingNumber: text().max_length(Some(80)).with_example("1Z999AA10123456784"), |sent| parsed(Self::parse(&sent));
}

/// What came of a call.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ClaimNoteBody {
    /// 3 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) note: NoteField,
}

impl JsonBody for ClaimNoteBody {}
