//! The bodies of winners' requests, and the rules of their fields.

use crate::http::body::JsonBody;
use crate::http::fields::{All, FieldErrors, Messages, REQUIRED, field, message, required, rule};
use crate::routes::codes::code_rule;
use claims::{ClaimDetails, State, ZipCode};
use kernel::{StoredText, StoredTextError};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

/// The code of a claim.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ClaimCodeBody {
    /// The six digits, as people type them.
    #[schema(value_type = String, required, max_length = 32, example = "012345")]
    #[validate(required(message = "Required"), custom(function = code_rule))]
    pub(super) code: Option<String>,
}

impl JsonBody for ClaimCodeBody {}

/// Who the winner is, and where the prize goes.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimDetailsBody {
    #[schema(value_type = String, required, min_length = 2, max_length = 100)]
    #[validate(required(message = "Required"), custom(function = name_rule))]
    name: Option<String>,
    #[schema(value_type = String, required, min_length = 1, max_length = 100)]
    #[validate(required(message = "Required"), custom(function = address_rule))]
    address_line1: Option<String>,
    #[schema(max_length = 100)]
    #[validate(custom(function = second_line_rule))]
    address_line2: Option<String>,
    #[schema(value_type = String, required, min_length = 1, max_length = 60)]
    #[validate(required(message = "Required"), custom(function = city_rule))]
    city: Option<String>,
    /// The two letters of a state of the US, DC or a territory.
    #[schema(value_type = String, required, min_length = 2, max_length = 2, example = "NY")]
    #[validate(required(message = "Required"), custom(function = state_rule))]
    state: Option<String>,
    /// `12345` or `12345-6789`.
    #[schema(value_type = String, required, max_length = 10, example = "10001")]
    #[validate(required(message = "Required"), custom(function = postal_code_rule))]
    postal_code: Option<String>,
    /// Must be true.
    #[schema(value_type = bool, required)]
    #[validate(required(message = "Please confirm"), custom(function = confirmed_rule))]
    is_adult: Option<bool>,
    /// Must be true.
    #[schema(value_type = bool, required)]
    #[validate(required(message = "Please confirm"), custom(function = confirmed_rule))]
    is_resident: Option<bool>,
    /// Must be true.
    #[schema(value_type = bool, required)]
    #[validate(required(message = "Please confirm"), custom(function = confirmed_rule))]
    rules_accepted: Option<bool>,
    /// Whether the first name and the state may be published.
    #[schema(value_type = bool, required)]
    #[validate(required(message = "Required"))]
    publicity: Option<bool>,
}

impl JsonBody for ClaimDetailsBody {}

impl ClaimDetailsBody {
    /// The details of a body that follows its rules.
    pub(super) fn details(&self) -> Result<ClaimDetails, FieldErrors> {
        let second_line = self.address_line2.as_deref().map_or(Ok(None), read_second_line);
        let lines = (
            field("name", required(self.name.as_deref()).and_then(read_name)),
            field(
                "addressLine1",
                required(self.address_line1.as_deref()).and_then(read_address),
            ),
            field("addressLine2", second_line),
        );
        let place = (
            field("city", required(self.city.as_deref()).and_then(read_city)),
            field("state", required(self.state.as_deref()).and_then(read_state)),
            field(
                "postalCode",
                required(self.postal_code.as_deref()).and_then(read_postal_code),
            ),
        );
        let publicity = field("publicity", required(self.publicity));
        let (lines, place, publicity) = (lines.all(), place.all(), publicity).all()?;
        let ((name, address_line1, address_line2), (city, state, postal_code)) = (lines, place);
        Ok(ClaimDetails {
            name,
            address_line1,
            address_line2,
            city,
            state,
            postal_code,
            publicity,
        })
    }
}

/// One line of `least` to `most` characters.
fn read_line(text: &str, least: usize, most: usize) -> Result<StoredText, Messages> {
    let wrong = || message(format!("Must have {least} to {most} characters"));
    match StoredText::line(text, most) {
        Ok(line) if line.as_str().chars().count() < least => Err(wrong()),
        Ok(line) => Ok(line),
        Err(StoredTextError::Blank) => Err(message(REQUIRED)),
        Err(StoredTextError::TooLong) => Err(wrong()),
        Err(StoredTextError::ControlCharacter) => Err(message("Must be one line")),
    }
}

fn read_name(text: &str) -> Result<StoredText, Messages> {
    read_line(text, 2, 100)
}

fn read_address(text: &str) -> Result<StoredText, Messages> {
    read_line(text, 1, 100)
}

/// A blank second line is none.
fn read_second_line(text: &str) -> Result<Option<StoredText>, Messages> {
    match text.trim() {
        "" => Ok(None),
        text => read_line(text, 1, 100).map(Some),
    }
}

fn read_city(text: &str) -> Result<StoredText, Messages> {
    read_line(text, 1, 60)
}

fn read_state(text: &str) -> Result<State, Messages> {
    State::parse(text).map_err(|error| message(error.to_string()))
}

fn read_postal_code(text: &str) -> Result<ZipCode, Messages> {
    ZipCode::parse(text).map_err(|error| message(error.to_string()))
}

fn name_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_name(text))
}

fn address_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_address(text))
}

fn second_line_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_second_line(text))
}

fn city_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_city(text))
}

fn state_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_state(text))
}

fn postal_code_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_postal_code(text))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "`validator` passes a reference")]
fn confirmed_rule(confirmed: &bool) -> Result<(), ValidationError> {
    rule(confirmed.then_some(()).ok_or_else(|| message("Please confirm")))
}

/// What speaks against a rejection.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ObjectionBody {
    /// 10 to 500 characters without the spaces around it.
    #[schema(value_type = String, required, min_length = 10, max_length = 500)]
    #[validate(required(message = "Required"), custom(function = objection_rule))]
    pub(super) message: Option<String>,
}

impl JsonBody for ObjectionBody {}

/// An objection may have several lines.
pub(super) fn read_objection(text: &str) -> Result<StoredText, Messages> {
    let wrong = || message("Must have 10 to 500 characters");
    match StoredText::lines(text, 500) {
        Ok(text) if text.as_str().chars().count() < 10 => Err(wrong()),
        Ok(text) => Ok(text),
        Err(StoredTextError::Blank) => Err(message(REQUIRED)),
        Err(StoredTextError::TooLong) => Err(wrong()),
        Err(StoredTextError::ControlCharacter) => Err(message("Must not contain control characters")),
    }
}

fn objection_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_objection(text))
}
