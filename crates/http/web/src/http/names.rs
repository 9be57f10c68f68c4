//! Enums of the domains in answers: a value is its name, and the description of the API lists all names.

use serde::{Serialize, Serializer};
use std::borrow::Cow;
use strum::IntoEnumIterator;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// An enum of a domain whose values are sent by their names.
pub(crate) trait Named: Copy + Into<&'static str> + IntoEnumIterator {
    /// What the description calls the list of its names.
    const VIEW: &'static str;
    /// What the description says about it, if the names do not say enough.
    const ABOUT: Option<&'static str>;
}

/// A value, sent by its name.
#[derive(Clone, Copy)]
pub(crate) struct Name<T>(T);

impl<T: Named> From<T> for Name<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Named> Serialize for Name<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.into())
    }
}

impl<T: Named> PartialSchema for Name<T> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(T::ABOUT)
            .enum_values(Some(T::iter().map(Into::<&'static str>::into)))
            .into()
    }
}

impl<T: Named> ToSchema for Name<T> {
    fn name() -> Cow<'static, str> {
        T::VIEW.into()
    }
}
