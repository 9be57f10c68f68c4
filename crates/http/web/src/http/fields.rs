//! Fields of bodies and queries: their messages, and readers that several routes share.
//!
//! Fields are declared by their types: [`crate::http::field`]. A reader here turns a field that depends on others or on settings
//! into a domain type, or says what is wrong with it. Such values are read with [`field`] and joined with [`All::all`]; [`rule`]
//! and [`rule_about`] make rules of `validator` from readers.

use crate::http::error::{ApiError, Fields};
use kernel::{StoredText, StoredTextError, holds_phone_number};
use raffle::RaffleKey;
use validator::{ValidationError, ValidationErrors, ValidationErrorsKind};

/// What is wrong with some fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldErrors(pub(crate) Fields);

impl From<FieldErrors> for ApiError {
    fn from(FieldErrors(fields): FieldErrors) -> Self {
        Self::validation(fields)
    }
}

/// Messages about one field.
pub(crate) type Messages = Vec<String>;

/// A field's value, or its name with what is wrong with it.
pub(crate) fn field<T>(name: &'static str, value: Result<T, Messages>) -> Result<T, FieldErrors> {
    value.map_err(|messages| FieldErrors(Fields::from([(name.into(), messages)])))
}

/// One message about one field.
pub(crate) fn message(text: impl Into<String>) -> Messages {
    vec![text.into()]
}

/// Several fields, read together so that all errors are reported at once.
pub(crate) trait All {
    /// The values of the fields.
    type Values;

    /// All values, or the errors of all fields.
    fn all(self) -> Result<Self::Values, FieldErrors>;
}

impl<A, B> All for (Result<A, FieldErrors>, Result<B, FieldErrors>) {
    type Values = (A, B);

    fn all(self) -> Result<(A, B), FieldErrors> {
        match self {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(FieldErrors(mut fields)), Err(FieldErrors(others))) => {
                fields.extend(others);
                Err(FieldErrors(fields))
            }
            (Err(errors), Ok(_)) | (Ok(_), Err(errors)) => Err(errors),
        }
    }
}

impl<A, B, C> All
    for (
        Result<A, FieldErrors>,
        Result<B, FieldErrors>,
        Result<C, FieldErrors>,
    )
{
    type Values = (A, B, C);

    fn all(self) -> Result<(A, B, C), FieldErrors> {
        let (a, b, c) = self;
        let ((a, b), c) = ((a, b).all(), c).all()?;
        Ok((a, b, c))
    }
}

/// The message about a field that must be there.
pub(crate) const REQUIRED: &str = "Required";

/// A value that must be there.
pub(crate) fn required<T>(value: Option<T>) -> Result<T, Messages> {
    value.ok_or_else(|| message(REQUIRED))
}

/// Free text of staff holds no phone number, which would outlive the person whose it is (D75).
pub(crate) fn no_phone_number(text: &str) -> Result<(), Messages> {
    match holds_phone_number(text) {
        true => Err(message(
            "Must not hold a phone number; write its last four digits",
        )),
        false => Ok(()),
    }
}

/// What is said about a key that no raffle has.
pub(crate) const NO_SUCH_RAFFLE: &str = "There is no such raffle";

/// A raffle's key. Whether there is such a raffle, the flow finds out.
pub(crate) fn read_raffle(key: &str) -> Result<RaffleKey, Messages> {
    key.parse().map_err(|_| message(NO_SUCH_RAFFLE))
}

/// One line of 1 to `most` characters without control characters, trimmed.
pub(crate) fn read_line(text: &str, most: usize, refusal: &str) -> Result<String, Messages> {
    match StoredText::line(text, most) {
        Ok(text) => Ok(text.into()),
        Err(StoredTextError::Blank) => Err(message(REQUIRED)),
        Err(StoredTextError::TooLong | StoredTextError::ControlCharacter) => Err(message(refusal)),
    }
}

/// A raffle's key in a path.
pub(crate) fn path_raffle(key: &str) -> Result<RaffleKey, ApiError> {
    key.parse().map_err(|_| ApiError::not_found())
}

/// Where [`rule`] keeps messages: `validator` has room for one only.
const MESSAGES: &str = "messages";
/// Where a [`Field`](crate::http::field::Field) has its messages, below its own name.
pub(crate) const VALUE: &str = "value";
/// Where a rule over several fields says which one is wrong.
const FIELD: &str = "field";

/// A reader as a rule of `validator`.
pub(crate) fn rule<T>(read: Result<T, Messages>) -> Result<(), ValidationError> {
    read.map(drop).map_err(|messages| {
        let mut error = ValidationError::new("unreadable");
        error.add_param(MESSAGES.into(), &messages);
        error
    })
}

/// The same for a rule over several fields, declared with `#[validate(schema(…))]`; `name` is the field that is wrong.
pub(crate) fn rule_about<T>(name: &'static str, read: Result<T, Messages>) -> Result<(), ValidationError> {
    rule(read).map_err(|mut error| {
        error.add_param(FIELD.into(), &name);
        error
    })
}

/// The errors of `validator` by the fields' names in JSON, which are `names`. Submitted values, which those errors hold,
/// are left out.
pub(crate) fn field_errors(errors: &ValidationErrors, names: &'static [&'static str]) -> FieldErrors {
    let mut fields = Fields::new();
    for (field, kind) in errors.errors() {
        match kind {
            ValidationErrorsKind::Field(errors) => {
                for error in errors {
                    let name = match error.params.get(FIELD).and_then(|name| name.as_str()) {
                        Some(name) => json_name(name, names),
                        None => json_name(field, names),
                    };
                    fields.entry(name.into()).or_default().extend(messages(error));
                }
            }
            // A field's own messages. A list or a nested object has one entry: its own name.
            ValidationErrorsKind::Struct(nested) => {
                let own = nested
                    .field_errors()
                    .get(VALUE)
                    .map(|errors| errors.iter().flat_map(messages).collect());
                let entry = fields.entry(json_name(field, names).into()).or_default();
                entry.extend(own.unwrap_or_else(|| message(INVALID)));
            }
            ValidationErrorsKind::List(_) => {
                let entry = fields.entry(json_name(field, names).into()).or_default();
                entry.push(INVALID.to_owned());
            }
        }
    }
    FieldErrors(fields)
}

/// The message about a value of the wrong kind.
pub(crate) const INVALID: &str = "This value has the wrong type.";

/// `phone_number` is `phoneNumber`, `event_id` may be `event_id`: the same letters.
fn json_name(rust_name: &str, names: &'static [&'static str]) -> &'static str {
    let letters = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let wanted = letters(rust_name);
    let found = names.iter().find(|name| letters(name) == wanted);
    found.copied().unwrap_or("body")
}

fn messages(error: &ValidationError) -> Messages {
    let listed = error.params.get(MESSAGES).and_then(|list| list.as_array());
    match (listed, &error.message) {
        (Some(list), _) => list
            .iter()
            .filter_map(|text| text.as_str())
            .map(str::to_owned)
            .collect(),
        (None, Some(text)) => message(text.clone()),
        (None, None) => message(INVALID),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::field::{EventIdField, Field, FieldType, PhoneField};
    use kernel::{EventId, Phone};
    use serde::Deserialize;
    use validator::Validate;

    #[derive(Validate)]
    struct Friend {
        #[validate(length(max = 3))]
        name: String,
    }

    #[derive(Validate)]
    #[validate(schema(function = friends_come_in_pairs, skip_on_field_errors = false))]
    struct Invitation {
        #[validate(nested)]
        phone_number: PhoneField,
        #[validate(nested)]
        event_id: Option<EventIdField>,
        #[validate(nested)]
        best_friends: Vec<Friend>,
        #[validate(range(min = 1, message = "Must be at least 1"))]
        sort_order: i64,
    }

    fn friends_come_in_pairs(invitation: &Invitation) -> Result<(), ValidationError> {
        let pairs = invitation.best_friends.len().is_multiple_of(2);
        let odd = || message("Must be an even number of friends");
        rule_about("bestFriends", pairs.then_some(()).ok_or_else(odd))
    }

    fn sent<T: FieldType<Json = String>>(text: &str) -> Field<T> {
        Field::deserialize(serde_json::Value::from(text)).unwrap()
    }

    fn refusal<T: FieldType<Json = String>>(text: &str) -> Messages {
        T::read(text.to_owned()).err().unwrap()
    }

    const NAMES: &[&str] = &["phoneNumber", "event_id", "bestFriends", "sortOrder"];

    fn errors(invitation: &Invitation) -> Fields {
        let errors = invitation.validate().unwrap_err();
        field_errors(&errors, NAMES).0
    }

    #[test]
    fn errors_are_named_as_in_json_with_our_messages() {
        let friend = |name: &str| Friend {
            name: name.to_owned(),
        };
        let wrong = Invitation {
            phone_number: sent("call me"),
            event_id: Some(sent("a secret")),
            best_friends: vec![friend("secret")],
            sort_order: 0,
        };
        let fields = errors(&wrong);
        assert_eq!(fields.keys().map(AsRef::<str>::as_ref).collect::<Vec<_>>(), {
            let mut names = NAMES.to_vec();
            names.sort_unstable();
            names
        });
        assert_eq!(fields["phoneNumber"], refusal::<Phone>("call me"));
        assert_eq!(fields["phoneNumber"].len(), 2);
        assert_eq!(fields["event_id"], refusal::<EventId>("a secret"));
        assert!(fields["bestFriends"].contains(&"Must be an even number of friends".to_owned()));
        assert!(fields["bestFriends"].contains(&INVALID.to_owned()));
        assert_eq!(fields["sortOrder"], ["Must be at least 1"]);
        assert!(!format!("{fields:?}").contains("secret"));
    }

    #[test]
    fn a_missing_field_is_required() {
        let missing = Invitation {
            phone_number: Field::Missing,
            event_id: None,
            best_friends: Vec::new(),
            sort_order: 1,
        };
        assert_eq!(
            errors(&missing),
            Fields::from([("phoneNumber".into(), message(REQUIRED))])
        );
    }

    #[test]
    fn fields_that_are_read_together_are_reported_together() {
        let wrong = |name| field::<()>(name, Err(message(name)));
        let read = (wrong("a"), field("b", Ok(1)), wrong("c")).all();
        let expected = Fields::from([("a".into(), message("a")), ("c".into(), message("c"))]);
        assert_eq!(read, Err(FieldErrors(expected)));
        assert_eq!((field("a", Ok(1)), field("b", Ok("2"))).all(), Ok((1, "2")));
    }
}
