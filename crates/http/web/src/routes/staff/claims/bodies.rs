//! The bodies of staff's requests about claims.

use crate::http::body::JsonBody;
use crate::http::field::{Field, StaffLines};
use crate::routes::claims::views::RejectReasonField;
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

type NoteField = Field<StaffLines<3, 500>>;

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

/// What came of a call.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ClaimNoteBody {
    /// 3 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) note: NoteField,
}

impl JsonBody for ClaimNoteBody {}
