//! Entering a raffle, with or without a friend's link.

use super::Store;
use super::verification::{self, VerificationAnswer};
use crate::body::{Body, JsonBody};
use crate::error::ErrorView;
use crate::fields::{
    Messages, field, read_event_id, read_line, read_phone, read_raffle, required, rule, rules,
};
use crate::limits::Limit;
use crate::route_table::{Routes, routes};
use crate::tracking::Tracking;
use crate::verification_browser::VerificationBrowser;
use crate::views::{BodyRefused, LandingPageView};
use crate::visitor::BrowserEntrant;
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use kernel::ReferralCode;
use raffle::SignUp;
use serde::{Deserialize, Serialize};
use sms::{ConsentDefault, campaign_consent};
use usecases::entering::{EnterError, Entered};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Entering); register::<S>, register_referred::<S>]
}

impl From<EnterError> for ApiError {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::UnknownReferralCode => unknown_referral_code(),
            EnterError::Store(error) => error.into(),
        }
    }
}

pub(super) const fn unknown_referral_code() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "referral_code_not_found",
        "Referral code not found",
    )
}

/// A sign-up. Other fields are ignored.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterBody {
    /// As people type it: digits, spaces, dashes, parentheses, and one leading plus sign.
    #[schema(value_type = String, required, min_length = 10, max_length = 20, pattern = r"^\+?[0-9 ()-]*$", example = "(555) 123-4567")]
    #[validate(required(message = "Required"), custom(function = rules::phone))]
    phone_number: Option<String>,
    /// The raffle's key; `garden-bag` without one.
    #[schema(value_type = Option<LandingPageView>)]
    #[validate(custom(function = rules::raffle))]
    landing_page: Option<String>,
    /// The client's id of this sign-up for the ads pixel, which counts it once.
    #[serde(rename = "event_id")]
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    #[validate(custom(function = rules::event_id))]
    event_id: Option<String>,
    /// Whether the visitor agreed to campaign messages.
    sms_consent: Option<bool>,
}

/// A sign-up through a friend's link.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterReferredBody {
    /// As people type it: digits, spaces, dashes, parentheses, and one leading plus sign.
    #[schema(value_type = String, required, min_length = 10, max_length = 20, pattern = r"^\+?[0-9 ()-]*$", example = "(555) 123-4567")]
    #[validate(required(message = "Required"), custom(function = rules::phone))]
    phone_number: Option<String>,
    /// The friend's referral code, in upper or lower case.
    #[schema(value_type = String, required, max_length = 64, example = "CDFG3467")]
    #[validate(required(message = "Required"), custom(function = referral_code_rule))]
    referral_code: Option<String>,
    /// The raffle's key; `garden-bag` without one.
    #[schema(value_type = Option<LandingPageView>)]
    #[validate(custom(function = rules::raffle))]
    landing_page: Option<String>,
    /// The client's id of this sign-up for the ads pixel, which counts it once.
    #[serde(rename = "event_id")]
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    #[validate(custom(function = rules::event_id))]
    event_id: Option<String>,
    /// Whether the visitor agreed to campaign messages.
    sms_consent: Option<bool>,
}

impl JsonBody for RegisterBody {}

impl JsonBody for RegisterReferredBody {}

impl RegisterBody {
    fn sign_up(self, from: Tracking, default: ConsentDefault) -> Result<SignUp, ApiError> {
        let typed = required(self.phone_number.as_deref());
        let raffle = self.landing_page.as_deref().map(read_raffle).transpose();
        let event_id = self.event_id.as_deref().map(read_event_id).transpose();
        Ok(SignUp {
            phone: field("phoneNumber", typed.and_then(read_phone))?,
            raffle: field("landingPage", raffle)?.unwrap_or_default(),
            referral_code: None,
            event_id: field("event_id", event_id)?,
            consent: campaign_consent(self.sms_consent, default),
            fingerprint: from.fingerprint(),
            session: from.session(),
            origin: from.origin,
        })
    }
}

impl RegisterReferredBody {
    fn sign_up(self, from: Tracking, default: ConsentDefault) -> Result<SignUp, ApiError> {
        let code = required(self.referral_code.as_deref()).and_then(read_referral_code);
        let code = field("referralCode", code)?;
        let entering = RegisterBody {
            phone_number: self.phone_number,
            landing_page: self.landing_page,
            event_id: self.event_id,
            sms_consent: self.sms_consent,
        };
        let sign_up = entering.sign_up(from, default)?;
        // Text that is not a code is an unknown code.
        let referral_code = ReferralCode::parse(&code).map_err(|_| EnterError::UnknownReferralCode)?;
        Ok(SignUp {
            referral_code: Some(referral_code),
            ..sign_up
        })
    }
}

/// Whether text may come from a link. Longer text, or text with control characters, is not a mistyped code.
fn read_referral_code(text: &str) -> Result<String, Messages> {
    read_line(text, 64, "This is not a referral code")
}

fn referral_code_rule(text: &str) -> Result<(), ValidationError> {
    rule(read_referral_code(text))
}

/// The entrant, and whether the entrant is new.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnteredView {
    user: EnteredUserView,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnteredUserView {
    /// Random: a JavaScript number holds it exactly.
    #[schema(minimum = 1, maximum = 4_503_599_627_370_495_i64)]
    id: i64,
    /// The submitted number in E.164.
    #[schema(example = "+15551234567")]
    phone_number: String,
    #[schema(example = "CDFG3467")]
    referral_code: String,
    /// The raffle that the number entered first; it never changes.
    landing_page: LandingPageView,
    /// False if the number had entered before; then nothing has changed.
    is_new: bool,
}

/// Enters a raffle.
///
/// A phone number that has entered before gets its existing entrant, with no second entry and no credit for a friend.
#[utoipa::path(
    post,
    path = "/api/users/register",
    params(("X-Analytics-Session" = Option<String>, Header), ("X-Analytics-Fingerprint" = Option<String>, Header)),
    request_body = RegisterBody,
    responses(
        (status = 201, body = EnteredView, description = "Entered; the answer sets the visitor cookie"),
        (status = 200, body = EnteredView, description = "The number had entered before"),
        (status = 202, body = VerificationAnswer, description = "A code was sent to the number; `/api/users/verify` completes the sign-up"),
        BodyRefused
    )
)]
pub(crate) async fn register<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: (BrowserEntrant, VerificationBrowser),
    body: Body<RegisterBody>,
) -> Result<HttpResponse, ApiError> {
    let sign_up = body.valid()?.sign_up(tracking, state.consent_default)?;
    enter(pools, state, sign_up, browser).await
}

/// Enters a raffle through a friend's link. The friend gets an entry.
#[utoipa::path(
    post,
    path = "/api/users/register-referred",
    params(("X-Analytics-Session" = Option<String>, Header), ("X-Analytics-Fingerprint" = Option<String>, Header)),
    request_body = RegisterReferredBody,
    responses(
        (status = 201, body = EnteredView, description = "Entered; the answer sets the visitor cookie"),
        (status = 200, body = EnteredView, description = "The number had entered before; no friend is credited"),
        (status = 202, body = VerificationAnswer, description = "A code was sent to the number; `/api/users/verify` completes the sign-up"),
        (status = 404, body = ErrorView, description = "Unknown referral code; nothing was stored"),
        BodyRefused
    )
)]
pub(crate) async fn register_referred<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: (BrowserEntrant, VerificationBrowser),
    body: Body<RegisterReferredBody>,
) -> Result<HttpResponse, ApiError> {
    let sign_up = body.valid()?.sign_up(tracking, state.consent_default)?;
    enter(pools, state, sign_up, browser).await
}

async fn enter<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    sign_up: SignUp,
    (own, browser): (BrowserEntrant, VerificationBrowser),
) -> Result<HttpResponse, ApiError> {
    if let Some(verification) = state.phone_verification.clone() {
        return verification::begin(pools, state, verification, sign_up, own, browser).await;
    }
    let turn = pools.turns.wait(sign_up.referral_code.as_ref()).await?;
    let (shared, own) = (state.clone(), own.entrant());
    let enter = move |store: &S| {
        let _turn = turn;
        usecases::entering::enter(store, &*shared.clock, &*shared.entropy, &sign_up, own)
    };
    let entered = pools.visitor_writes.run(enter).await?;
    let bind = entered.is_new;
    answer_entered(&state, entered, bind)
}

/// 201 for a new entrant, else 200. `bind`: the answer binds this browser to the entrant.
pub(super) fn answer_entered(
    state: &AppState,
    entered: Entered,
    bind: bool,
) -> Result<HttpResponse, ApiError> {
    count(&entered);
    let status = if entered.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let mut response = HttpResponse::build(status);
    if bind {
        let cookie = state.visitors.cookie(entered.entrant.id, state.clock.now());
        response.cookie(cookie.ok_or_else(ApiError::internal)?);
    }
    Ok(response.json(entered_view(entered)))
}

fn count(entered: &Entered) {
    let raffle = entered.entrant.raffle.as_str();
    let outcome = if entered.is_new { "new" } else { "already_in" };
    metrics::counter!("entrants_total", "raffle" => raffle, "outcome" => outcome).increment(1);
}

fn entered_view(Entered { entrant, is_new }: Entered) -> EnteredView {
    EnteredView {
        user: EnteredUserView {
            id: entrant.id.get(),
            phone_number: entrant.phone.as_e164().to_owned(),
            referral_code: entrant.referral_code.to_string(),
            landing_page: entrant.raffle.into(),
            is_new,
        },
    }
}
