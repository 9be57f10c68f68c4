//! Fields of bodies. How a value is sent, read, refused and described is declared once, by its [`FieldType`].
//!
//! A body has a [`Field`] of the value that is meant, or an `Option` of it if it may be missing, with `#[validate(nested)]`, and
//! `#[schema(inline)]` unless the description names the type. What is wrong is told for all fields together, by
//! [`crate::http::body::Body::valid`]; after it, [`Field::value`] gives the value.

use crate::ApiError;
use crate::http::fields::{Messages, REQUIRED, VALUE, message, no_phone_number, rule};
use crate::http::names::{Name, Named};
use kernel::{EntrantId, EventId, Phone, StoredText, StoredTextError};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};
use validator::{Validate, ValidationErrors};

/// How a value is described.
pub(crate) type FieldSchema = RefOr<Schema>;

/// A type of value that a body can have.
pub(crate) trait FieldType: Sized {
    /// What it is sent as.
    type Json: DeserializeOwned;
    /// What is said when it is missing.
    const MISSING: &'static str = REQUIRED;

    /// Reads it, or says what is wrong with it.
    fn read(sent: Self::Json) -> Result<Self, Messages>;

    /// Its description.
    fn describe() -> FieldSchema;

    /// The name of its description; only types without `#[schema(inline)]` have one.
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("")
    }
}

/// A value as a body has it.
pub(crate) enum Field<T> {
    Value(T),
    Missing,
    Wrong(Messages),
}

impl<T> Field<T> {
    /// The value, after `valid` has found nothing wrong.
    ///
    /// # Errors
    /// 500 if `valid` was not called.
    pub(crate) fn value(self) -> Result<T, ApiError> {
        match self {
            Self::Value(value) => Ok(value),
            Self::Missing | Self::Wrong(_) => Err(ApiError::internal()),
        }
    }

    /// This value, or another one if it is missing.
    pub(crate) fn or(self, other: Option<T>) -> Self {
        match (self, other) {
            (Self::Missing, Some(other)) => Self::Value(other),
            (own, _) => own,
        }
    }
}

/// A value that may be missing, after `valid` has found nothing wrong.
///
/// # Errors
/// As [`Field::value`].
pub(crate) fn optional<T>(field: Option<Field<T>>) -> Result<Option<T>, ApiError> {
    field.map(Field::value).transpose()
}

impl<'de, T: FieldType> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Some(sent) = Option::<T::Json>::deserialize(deserializer)? else {
            return Ok(Self::Missing);
        };
        Ok(match T::read(sent) {
            Ok(value) => Self::Value(value),
            Err(messages) => Self::Wrong(messages),
        })
    }
}

impl<T: FieldType> Validate for Field<T> {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let messages = match self {
            Self::Value(_) => return Ok(()),
            Self::Missing => vec![T::MISSING.to_owned()],
            Self::Wrong(messages) => messages.clone(),
        };
        let mut errors = ValidationErrors::new();
        if let Err(error) = rule::<()>(Err(messages)) {
            errors.add(VALUE, error);
        }
        Err(errors)
    }
}

impl<T: FieldType> PartialSchema for Field<T> {
    fn schema() -> RefOr<Schema> {
        T::describe()
    }
}

impl<T: FieldType> ToSchema for Field<T> {
    fn name() -> Cow<'static, str> {
        T::name()
    }
}

/// The description of text.
pub(crate) fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// An enum whose values are sent by their names in both directions.
pub(crate) trait ReadByName: Named + FromStr {
    /// What is said about any other name.
    const REFUSAL: &'static str;
}

impl<T: ReadByName> FieldType for T {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        sent.parse().map_err(|_| vec![T::REFUSAL.to_owned()])
    }

    fn describe() -> FieldSchema {
        Name::<T>::schema()
    }

    fn name() -> Cow<'static, str> {
        Cow::Borrowed(T::VIEW)
    }
}

/// The example of a description, as utoipa's derive writes it for the fields that are not of this module's type.
pub(crate) trait WithExample {
    fn with_example(self, text: &str) -> Self;
}

impl WithExample for ObjectBuilder {
    #[expect(deprecated, reason = "the derive writes `example`")]
    fn with_example(self, text: &str) -> Self {
        self.example(Some(text.into()))
    }
}

/// What is sent as text: how it is described, and how it is read.
///
/// `texts! { ZipCode: text().max_length(Some(10)), |sent| parsed(Self::parse(&sent)); }`. What is said when it is missing stands
/// after the description, if it is not the usual word: `missing "Name is required"`.
macro_rules! texts {
    ($($type:ty: $description:expr, $(missing $missing:expr,)? |$sent:ident| $read:expr;)+) => {
        $(
            impl $crate::http::field::FieldType for $type {
                type Json = String;
                $(const MISSING: &'static str = $missing;)?

                fn read($sent: String) -> Result<Self, $crate::http::fields::Messages> {
                    $read
                }

                fn describe() -> $crate::http::field::FieldSchema {
                    $description.into()
                }
            }
        )+
    };
}
pub(crate) use texts;

/// What a type's own `parse` reads. Its error is the message.
pub(crate) fn parsed<T>(result: Result<T, impl Display>) -> Result<T, Messages> {
    result.map_err(|error| vec![error.to_string()])
}

/// Numbers, and what is sent as a number.
macro_rules! numbers {
    ($($type:ty: $format:ident, $read:expr;)+) => {
        $(
            impl $crate::http::field::FieldType for $type {
                type Json = i64;

                fn read(sent: i64) -> Result<Self, $crate::http::fields::Messages> {
                    Ok($read(sent))
                }

                fn describe() -> $crate::http::field::FieldSchema {
                    $crate::http::field::number(utoipa::openapi::KnownFormat::$format).into()
                }
            }
        )+
    };
}
pub(crate) use numbers;

/// The description of a whole number.
pub(crate) fn number(format: KnownFormat) -> ObjectBuilder {
    let format = SchemaFormat::KnownFormat(format);
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(format))
}

numbers! {
    i64: Int64, std::convert::identity;
    EntrantId: Int64, Self::new;
}

/// True, to confirm something.
pub(crate) struct Confirmed;

impl FieldType for Confirmed {
    type Json = bool;
    const MISSING: &'static str = "Please confirm";

    fn read(sent: bool) -> Result<Self, Messages> {
        sent.then_some(Self).ok_or_else(|| message(Self::MISSING))
    }

    fn describe() -> FieldSchema {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}

impl FieldType for bool {
    type Json = Self;

    fn read(sent: Self) -> Result<Self, Messages> {
        Ok(sent)
    }

    fn describe() -> FieldSchema {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}

texts! {
    // All rules that a number breaks are named.
    Phone: text().min_length(Some(10)).max_length(Some(20)).pattern(Some(r"^\+?[0-9 ()-]*$")).with_example("(555) 123-4567"),
        |sent| Self::parse(&sent).map_err(|rules| rules.iter().map(ToString::to_string).collect());
    EventId: text().max_length(Some(64)).pattern(Some("^[A-Za-z0-9_-]+$")), |sent| parsed(Self::parse(&sent));
}

/// One line of `LEAST` to `MOST` characters, without the spaces around it.
pub(crate) struct Line<const LEAST: usize, const MOST: usize>(pub(crate) StoredText);

impl<const LEAST: usize, const MOST: usize> FieldType for Line<LEAST, MOST> {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        let line = StoredText::line(&sent, MOST);
        sized(line, LEAST, MOST, "Must be one line").map(Self)
    }

    fn describe() -> FieldSchema {
        text().min_length(Some(LEAST)).max_length(Some(MOST)).into()
    }
}

/// Text of `LEAST` to `MOST` characters, without the spaces around it. It may have several lines.
pub(crate) struct Lines<const LEAST: usize, const MOST: usize>(pub(crate) StoredText);

impl<const LEAST: usize, const MOST: usize> FieldType for Lines<LEAST, MOST> {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        let lines = StoredText::lines(&sent, MOST);
        sized(lines, LEAST, MOST, "Must not contain control characters").map(Self)
    }

    fn describe() -> FieldSchema {
        Line::<LEAST, MOST>::describe()
    }
}

/// [`Line`] that staff write.
pub(crate) struct StaffLine<const LEAST: usize, const MOST: usize>(pub(crate) StoredText);

impl<const LEAST: usize, const MOST: usize> FieldType for StaffLine<LEAST, MOST> {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        no_phone_number(&sent)?;
        Line::<LEAST, MOST>::read(sent).map(|line| Self(line.0))
    }

    fn describe() -> FieldSchema {
        Line::<LEAST, MOST>::describe()
    }
}

/// [`Lines`] that staff write.
pub(crate) struct StaffLines<const LEAST: usize, const MOST: usize>(pub(crate) StoredText);

impl<const LEAST: usize, const MOST: usize> FieldType for StaffLines<LEAST, MOST> {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        no_phone_number(&sent)?;
        Lines::<LEAST, MOST>::read(sent).map(|lines| Self(lines.0))
    }

    fn describe() -> FieldSchema {
        Lines::<LEAST, MOST>::describe()
    }
}

fn sized(
    text: Result<StoredText, StoredTextError>,
    least: usize,
    most: usize,
    refusal: &str,
) -> Result<StoredText, Messages> {
    let wrong = || message(format!("Must have {least} to {most} characters"));
    match text {
        Ok(text) if text.as_str().chars().count() < least => Err(wrong()),
        Ok(text) => Ok(text),
        Err(StoredTextError::Blank) => Err(message(REQUIRED)),
        Err(StoredTextError::TooLong) => Err(wrong()),
        Err(StoredTextError::ControlCharacter) => Err(message(refusal)),
    }
}

pub(crate) type BoolField = Field<bool>;
pub(crate) type ConfirmedField = Field<Confirmed>;
pub(crate) type EntrantIdField = Field<EntrantId>;
pub(crate) type EventIdField = Field<EventId>;
pub(crate) type NumberField = Field<i64>;
pub(crate) type PhoneField = Field<Phone>;
