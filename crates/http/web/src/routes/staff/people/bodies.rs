//! The bodies of requests about people.

use crate::http::body::JsonBody;
use crate::http::fields::{All, FieldErrors, Messages, REQUIRED, field, message, required, rule};
use kernel::{EntrantId, StoredText, StoredTextError};
use people::{NewMark, NotesError, read_notes, read_tags};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

/// What staff note about an entrant. A field that is not there stays as it is.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct PersonBody {
    /// At most 20 tags of 1 to 40 characters. They are stored in lower case, each one once.
    #[schema(max_items = 20, example = json!(["press", "vip"]))]
    #[validate(custom(function = tags_rule))]
    tags: Option<Vec<String>>,
    #[schema(max_length = 5000)]
    #[validate(custom(function = notes_rule))]
    notes: Option<String>,
}

impl JsonBody for PersonBody {
    /// 5,000 characters of four bytes each, escaped, and the tags.
    const LIMIT: usize = 80 * 1024;
}

impl PersonBody {
    /// The tags and the notes from now on.
    pub(super) fn read(&self) -> Result<(Option<Vec<String>>, Option<String>), FieldErrors> {
        let tags = self.tags.as_deref().map(read_tags).transpose().map_err(says);
        let notes = self.notes.as_deref().map(read_notes).transpose().map_err(says);
        (field("tags", tags), field("notes", notes)).all()
    }
}

fn says(error: NotesError) -> Messages {
    message(error.to_string())
}

fn tags_rule(tags: &[String]) -> Result<(), ValidationError> {
    rule(read_tags(tags).map_err(says))
}

fn notes_rule(notes: &str) -> Result<(), ValidationError> {
    rule(read_notes(notes).map_err(says))
}

/// Of whom an entry is a duplicate.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DuplicateBody {
    /// The entry that stays.
    #[schema(value_type = i64, required, example = 4_503_599_627_370_495i64)]
    #[validate(required(message = "Required"))]
    user_id: Option<i64>,
    /// Why, for staff: 3 to 500 characters without the spaces around it.
    #[schema(value_type = String, required, min_length = 3, max_length = 500)]
    #[validate(required(message = "Required"), custom(function = reason_rule))]
    reason: Option<String>,
}

impl JsonBody for DuplicateBody {}

impl DuplicateBody {
    pub(super) fn read(&self) -> Result<(EntrantId, StoredText), FieldErrors> {
        let original = required(self.user_id).map(EntrantId::new);
        let reason = required(self.reason.as_deref()).and_then(read_reason);
        (field("userId", original), field("reason", reason)).all()
    }
}

fn read_reason(text: &str) -> Result<StoredText, Messages> {
    let wrong = || message("Must have 3 to 500 characters");
    match StoredText::lines(text, NewMark::MOST_REASON_CHARS) {
        Ok(reason) if reason.as_str().chars().count() < NewMark::LEAST_REASON_CHARS => Err(wrong()),
        Ok(reason) => Ok(reason),
        Err(StoredTextError::Blank) => Err(message(REQUIRED)),
        Err(StoredTextError::TooLong) => Err(wrong()),
        Err(StoredTextError::ControlCharacter) => Err(message("Must not contain control characters")),
    }
}

fn reason_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_reason(text))
}
