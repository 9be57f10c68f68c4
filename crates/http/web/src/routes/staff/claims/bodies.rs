//! The bodies of staff's requests about claims.

use crate::http::body::JsonBody;
use crate::http::fields::{All, FieldErrors, Messages, REQUIRED, field, message, required, rule};
use claims::RejectReason;
use kernel::{StoredText, StoredTextError};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

/// Why a claim is rejected.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct RejectionBody {
    #[schema(value_type = crate::routes::claims::views::RejectionReasonView, required)]
    #[validate(required(message = "Required"), custom(function = reason_rule))]
    reason: Option<String>,
    /// What the winner reads about it: 3 to 500 characters without the spaces around it.
    #[schema(value_type = String, required, min_length = 3, max_length = 500)]
    #[validate(required(message = "Required"), custom(function = note_rule))]
    note: Option<String>,
}

impl JsonBody for RejectionBody {}

impl RejectionBody {
    pub(super) fn rejection(&self) -> Result<(RejectReason, StoredText), FieldErrors> {
        let reason = required(self.reason.as_deref()).and_then(read_reason);
        let note = required(self.note.as_deref()).and_then(read_note);
        (field("reason", reason), field("note", note)).all()
    }
}

fn read_reason(name: &str) -> Result<RejectReason, Messages> {
    name.parse().map_err(|_| message("There is no such reason"))
}

fn reason_rule(name: &str) -> Result<(), ValidationError> {
    rule(read_reason(name))
}

/// What came of a call.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ClaimNoteBody {
    /// 3 to 500 characters without the spaces around it.
    #[schema(value_type = String, required, min_length = 3, max_length = 500)]
    #[validate(required(message = "Required"), custom(function = note_rule))]
    note: Option<String>,
}

impl JsonBody for ClaimNoteBody {}

impl ClaimNoteBody {
    pub(super) fn note(&self) -> Result<StoredText, FieldErrors> {
        field("note", required(self.note.as_deref()).and_then(read_note))
    }
}

/// A note may have several lines.
fn read_note(text: &str) -> Result<StoredText, Messages> {
    let wrong = || message("Must have 3 to 500 characters");
    match StoredText::lines(text, 500) {
        Ok(note) if note.as_str().chars().count() < 3 => Err(wrong()),
        Ok(note) => Ok(note),
        Err(StoredTextError::Blank) => Err(message(REQUIRED)),
        Err(StoredTextError::TooLong) => Err(wrong()),
        Err(StoredTextError::ControlCharacter) => Err(message("Must not contain control characters")),
    }
}

fn note_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_note(text))
}
