//! The bodies of winners' requests.

use crate::ApiError;
use crate::http::body::JsonBody;
use crate::http::field::{
    BoolField, ConfirmedField, Field, Line, Lines, WithExample, optional, parsed, text, texts,
};
use crate::http::fields::message;
use crate::routes::codes::CodeField;
use claims::{CallCode, ClaimDetails, State, ZipCode};
use kernel::StoredText;
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

/// The code of a claim.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ClaimCodeBody {
    /// The six digits, as people type them.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) code: CodeField,
}

impl JsonBody for ClaimCodeBody {}

type CallCodeField = Field<CallCode>;

texts! {
    CallCode: text().max_length(Some(32)), |sent| {
        Self::parse(&sent).ok_or_else(|| message("Enter the ten letters and digits of the code"))
    };
}

/// The code that was read out on a call.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct CallCodeBody {
    /// Ten letters and digits, as people type them.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) code: CallCodeField,
}

impl JsonBody for CallCodeBody {}

type NameField = Field<Line<2, 100>>;
type AddressField = Field<Line<1, 100>>;
type SecondLineField = Field<SecondLine>;
type CityField = Field<Line<1, 60>>;
type StateField = Field<State>;
type ZipCodeField = Field<ZipCode>;

/// Who the winner is, and where the prize goes.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimDetailsBody {
    #[schema(inline)]
    #[validate(nested)]
    name: NameField,
    #[schema(inline)]
    #[validate(nested)]
    address_line1: AddressField,
    #[schema(inline)]
    #[validate(nested)]
    address_line2: Option<SecondLineField>,
    #[schema(inline)]
    #[validate(nested)]
    city: CityField,
    /// The two letters of a state of the US, DC or a territory.
    #[schema(inline)]
    #[validate(nested)]
    state: StateField,
    /// `12345` or `12345-6789`.
    #[schema(inline)]
    #[validate(nested)]
    postal_code: ZipCodeField,
    /// Must be true.
    #[schema(inline)]
    #[validate(nested)]
    is_adult: ConfirmedField,
    /// Must be true.
    #[schema(inline)]
    #[validate(nested)]
    is_resident: ConfirmedField,
    /// Must be true.
    #[schema(inline)]
    #[validate(nested)]
    rules_accepted: ConfirmedField,
    /// Whether the first name and the state may be published.
    #[schema(inline)]
    #[validate(nested)]
    publicity: BoolField,
}

impl JsonBody for ClaimDetailsBody {}

impl ClaimDetailsBody {
    /// The details of a body that follows its rules.
    pub(super) fn details(self) -> Result<ClaimDetails, ApiError> {
        let details = ClaimDetails {
            name: self.name.value()?.0,
            address_line1: self.address_line1.value()?.0,
            address_line2: optional(self.address_line2)?.and_then(|line| line.0),
            city: self.city.value()?.0,
            state: self.state.value()?,
            postal_code: self.postal_code.value()?,
            publicity: self.publicity.value()?,
        };
        match details.publicity && details.public_winner().is_none() {
            true => Err(ApiError::field("name", NOT_PUBLIC)),
            false => Ok(details),
        }
    }
}

/// Said of a first name that the winner lets us publish.
const NOT_PUBLIC: &str = "We would publish your first name, so please write it with letters only";

/// The second line of an address. A blank one is none.
struct SecondLine(Option<StoredText>);

texts! {
    SecondLine: text().max_length(Some(100)), |sent| match sent.trim() {
        "" => Ok(Self(None)),
        text => Line::<1, 100>::read(text.to_owned()).map(|line| Self(Some(line.0))),
    };
}

texts! {
    State: text().min_length(Some(2)).max_length(Some(2)).with_example("NY"),
        |sent| parsed(Self::parse(&sent));
    ZipCode: text().max_length(Some(10)).with_example("10001"), |sent| parsed(Self::parse(&sent));
}

type ObjectionField = Field<Lines<10, 500>>;

/// What speaks against a rejection.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct ObjectionBody {
    /// 10 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    pub(super) message: ObjectionField,
}

impl JsonBody for ObjectionBody {}
