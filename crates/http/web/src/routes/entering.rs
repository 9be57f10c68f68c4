//! Entering a raffle, with or without a friend's link.

use super::Store;
use super::entered::{EnteredView, RAFFLE_CLOSED, answer_entered, unknown_referral_code};
use super::verification::{self, VerificationAnswer};
use crate::callers::code_browser::CodeBrowser;
use crate::callers::tracking::Tracking;
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{EventIdField, Field, PhoneField, WithExample, optional, text, texts};
use crate::http::fields::{Messages, NO_SUCH_RAFFLE, field, message, read_line};
use crate::http::views::RaffleField;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::Data;
use kernel::{Phone, ReferralCode};
use raffle::{NotOpen, SignUp};
use serde::Deserialize;
use sms::{ConsentDefault, campaign_consent};
use usecases::entering::{EnterError, OwnEntrant};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Entering); register::<S>, register_referred::<S>]
}

impl From<NotOpen> for ApiError {
    fn from(error: NotOpen) -> Self {
        match error {
            NotOpen::Unknown => Self::field("landingPage", NO_SUCH_RAFFLE),
            NotOpen::Closed => RAFFLE_CLOSED,
        }
    }
}

impl From<EnterError> for ApiError {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::UnknownReferralCode => unknown_referral_code(),
            EnterError::NotOpen(error) => error.into(),
            EnterError::Store(error) => error.into(),
        }
    }
}

/// A sign-up. Other fields are ignored.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterBody {
    /// As people type it: digits, spaces, dashes, parentheses, and one leading plus sign.
    #[schema(inline)]
    #[validate(nested)]
    phone_number: PhoneField,
    /// The raffle's key; the default raffle without one.
    #[validate(nested)]
    landing_page: Option<RaffleField>,
    /// The client's id of this sign-up for the ads pixel, which counts it once.
    #[serde(rename = "event_id")]
    #[schema(inline)]
    #[validate(nested)]
    event_id: Option<EventIdField>,
    /// Whether the visitor agreed to campaign messages.
    sms_consent: Option<bool>,
}

/// A sign-up through a friend's link.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterReferredBody {
    /// As people type it: digits, spaces, dashes, parentheses, and one leading plus sign.
    #[schema(inline)]
    #[validate(nested)]
    phone_number: PhoneField,
    /// The friend's referral code, in upper or lower case.
    #[schema(inline)]
    #[validate(nested)]
    referral_code: LinkCodeField,
    /// The raffle's key; the default raffle without one.
    #[validate(nested)]
    landing_page: Option<RaffleField>,
    /// The client's id of this sign-up for the ads pixel, which counts it once.
    #[serde(rename = "event_id")]
    #[schema(inline)]
    #[validate(nested)]
    event_id: Option<EventIdField>,
    /// Whether the visitor agreed to campaign messages.
    sms_consent: Option<bool>,
}

impl JsonBody for RegisterBody {}

impl JsonBody for RegisterReferredBody {}

impl RegisterBody {
    fn sign_up(self, from: Tracking, default: ConsentDefault) -> Result<SignUp, ApiError> {
        Ok(SignUp {
            phone: self.phone_number.value()?,
            raffle: optional(self.landing_page)?,
            referral_code: None,
            event_id: optional(self.event_id)?,
            consent: campaign_consent(self.sms_consent, default),
            fingerprint: from.fingerprint(),
            session: from.session(),
            origin: from.origin,
        })
    }
}

impl RegisterReferredBody {
    fn sign_up(self, from: Tracking, default: ConsentDefault) -> Result<SignUp, ApiError> {
        let code = self.referral_code.value()?.0;
        let entering = RegisterBody {
            phone_number: self.phone_number,
            landing_page: self.landing_page,
            event_id: self.event_id,
            sms_consent: self.sms_consent,
        };
        let sign_up = entering.sign_up(from, default)?;
        Ok(SignUp {
            referral_code: Some(code.ok_or(EnterError::UnknownReferralCode)?),
            ..sign_up
        })
    }
}

/// The code in a friend's link. Text that is not a code is an unknown code, unless it is so long, or has such characters, that
/// nobody mistyped it.
struct LinkCode(Option<ReferralCode>);

type LinkCodeField = Field<LinkCode>;

texts! {
    LinkCode: text().max_length(Some(64)).with_example("CDFG3467"), |sent| {
        let line = read_line(&sent, 64, "This is not a referral code")?;
        Ok(Self(ReferralCode::in_link(&line)))
    };
}

/// Enters a raffle.
///
/// A phone number that has entered before gets its existing entrant, with no second entry and no credit for a friend.
#[utoipa::path(
    post, path = "/api/users/register",
    params(
        ("X-Analytics-Session" = Option<String>, Header),
        ("X-Analytics-Fingerprint" = Option<String>, Header)
    ),
    responses(
        (status = 201, body = EnteredView, description = "Entered; the answer sets the visitor cookie"),
        (status = 200, body = EnteredView, description = "The number had entered before"),
        (
            status = 202,
            body = VerificationAnswer,
            description = "A code was sent to the number; `/api/users/verify` completes the sign-up"
        )
    )
)]
pub(crate) async fn register<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: (BrowserEntrant<S>, CodeBrowser),
    body: Body<RegisterBody>,
) -> Result<HttpResponse, ApiError> {
    let sign_up = body.valid()?.sign_up(tracking, state.consent_default)?;
    enter(pools, state, sign_up, browser).await
}

/// Enters a raffle through a friend's link. The friend gets an entry.
#[utoipa::path(
    post, path = "/api/users/register-referred",
    params(
        ("X-Analytics-Session" = Option<String>, Header),
        ("X-Analytics-Fingerprint" = Option<String>, Header)
    ),
    responses(
        (status = 201, body = EnteredView, description = "Entered; the answer sets the visitor cookie"),
        (
            status = 200,
            body = EnteredView,
            description = "The number had entered before; no friend is credited"
        ),
        (
            status = 202,
            body = VerificationAnswer,
            description = "A code was sent to the number; `/api/users/verify` completes the sign-up"
        ),
        (status = 404, description = "Unknown referral code; nothing was stored")
    )
)]
pub(crate) async fn register_referred<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: (BrowserEntrant<S>, CodeBrowser),
    body: Body<RegisterReferredBody>,
) -> Result<HttpResponse, ApiError> {
    let sign_up = body.valid()?.sign_up(tracking, state.consent_default)?;
    enter(pools, state, sign_up, browser).await
}

/// Whether texts may be sent to a number at all. Another number cannot enter (D68).
fn textable(state: &AppState, phone: &Phone) -> Result<(), Messages> {
    if state.sms.rules.countries.permit(phone) {
        return Ok(());
    }
    let countries = state.sms.rules.countries.in_words();
    Err(message(format!("We can only text mobile numbers in {countries}")))
}

/// The entrant whose visitor token the browser holds.
pub(super) fn own_entrant<S: Store>(state: &AppState, own: &BrowserEntrant<S>) -> Option<OwnEntrant> {
    let times = state.drawing_times();
    own.entrant().map(|id| OwnEntrant { id, times })
}

async fn enter<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    sign_up: SignUp,
    (own, browser): (BrowserEntrant<S>, CodeBrowser),
) -> Result<HttpResponse, ApiError> {
    field("phoneNumber", textable(&state, &sign_up.phone))?;
    if state.phone_verification {
        return verification::begin(pools, state, sign_up, own, browser).await;
    }
    let turn = pools.turns.wait(sign_up.referral_code.as_ref()).await?;
    let (shared, own) = (state.clone(), own_entrant(&state, &own));
    let enter = move |store: &S| {
        let _turn = turn;
        usecases::entering::enter(store, &*shared.clock, &*shared.entropy, &sign_up, own)
    };
    let entered = pools.visitor_writes.run(enter).await?;
    let bind = entered.is_new;
    answer_entered(&state, entered, bind)
}
