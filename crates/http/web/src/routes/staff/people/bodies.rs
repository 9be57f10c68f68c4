//! The bodies of requests about people.

use crate::http::body::JsonBody;
use crate::http::field::{EntrantIdField, Field, FieldSchema, FieldType, StaffLines, text, texts};
use crate::http::fields::{Messages, no_phone_number};
use people::{NewMark, read_notes, read_tags};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::ArrayBuilder;
use validator::Validate;

/// What staff note about an entrant. A field that is not there stays as it is.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct PersonBody {
    /// At most 20 tags of 1 to 40 characters, such as `press`. They are stored in lower case, each one once.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) tags: Option<TagsField>,
    #[schema(inline)]
    #[validate(nested)]
    pub(super) notes: Option<NotesField>,
}

impl JsonBody for PersonBody {
    /// 5,000 characters of four bytes each, escaped, and the tags.
    const LIMIT: usize = 80 * 1024;
}

type TagsField = Field<Tags>;
type NotesField = Field<Notes>;

pub(super) struct Tags(pub(super) Vec<String>);

impl FieldType for Tags {
    type Json = Vec<String>;

    fn read(sent: Vec<String>) -> Result<Self, Messages> {
        sent.iter().try_for_each(|tag| no_phone_number(tag))?;
        let tags = read_tags(&sent).map_err(|error| vec![error.to_string()])?;
        Ok(Self(tags))
    }

    fn describe() -> FieldSchema {
        ArrayBuilder::new().items(text()).max_items(Some(20)).into()
    }
}

pub(super) struct Notes(pub(super) String);

texts! {
    Notes: text().max_length(Some(5000)), |sent| {
        no_phone_number(&sent)?;
        let notes = read_notes(&sent).map_err(|error| vec![error.to_string()])?;
        Ok(Self(notes))
    };
}

type ReasonField = Field<StaffLines<{ NewMark::LEAST_REASON_CHARS }, { NewMark::MOST_REASON_CHARS }>>;

/// Of whom an entry is a duplicate.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DuplicateBody {
    /// The entry that stays.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) user_id: EntrantIdField,
    /// Why, for staff: 3 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) reason: ReasonField,
}

impl JsonBody for DuplicateBody {}
