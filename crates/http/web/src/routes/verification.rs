//! Proving a phone number with a one-time code.

use super::Store;
use super::codes::{CodeField, count_try, expired, texts_from, texts_not_configured, used, wrong_code};
use super::data_requests::{self, DataRequestView, verified_request};
use super::entered::{EnteredView, answer_entered, unknown_referral_code};
use crate::callers::right::site_number;
use crate::callers::tracking::Tracking;
use crate::callers::verification_browser::{VerificationBrowser, verification_cookie};
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody};
use crate::http::fields::{Messages, field, message};
use crate::identity::limits::{Limit, subscriber};
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, PhoneVerification, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use kernel::{Origin, Phone};
use raffle::SignUp;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;
use usecases::entering::Entered;
use usecases::phone_verification::{
    self, BeginError, BeginRequest, Begun, CompleteError, CompleteRequest, Completed, ResendError,
    ResendRequest, Waiting,
};
use utoipa::ToSchema;
use validator::Validate;
use verification::VerificationId;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Entering); verify::<S>, resend::<S>]
}

impl From<BeginError> for ApiError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::UnknownReferralCode => unknown_referral_code(),
            BeginError::TextsNotConfigured => texts_not_configured(),
            BeginError::Refused(refusal) => refusal.into(),
            BeginError::Store(error) => error.into(),
        }
    }
}

impl From<ResendError> for ApiError {
    fn from(error: ResendError) -> Self {
        match error {
            ResendError::Expired => expired(),
            ResendError::Used => used(),
            ResendError::TextsNotConfigured => texts_not_configured(),
            ResendError::Refused(refusal) => refusal.into(),
            ResendError::Store(error) => error.into(),
        }
    }
}

impl From<CompleteError> for ApiError {
    fn from(error: CompleteError) -> Self {
        match error {
            CompleteError::WrongCode { left } => Self::field("code", wrong_code(left)),
            CompleteError::Expired => expired(),
            CompleteError::Used => used(),
            CompleteError::Store(error) => error.into(),
        }
    }
}

/// A sign-up waits for the code that was sent to its number.
#[derive(Serialize, ToSchema)]
pub(crate) struct VerificationAnswer {
    verification: VerificationView,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerificationView {
    /// Worth nothing without the cookie that this answer sets.
    #[schema(example = "6f1ed002ab5595859014ebf0951522d9")]
    id: String,
    /// From when on the code is no longer valid.
    expires_at: DateTime<Utc>,
    /// After how many seconds another code can be sent.
    #[schema(minimum = 0, maximum = 60)]
    resend_after: i64,
    /// The number that texts come from.
    #[schema(example = "+15550100000")]
    from: String,
}

fn waiting_view(waiting: Waiting, from: &Phone) -> VerificationAnswer {
    let resend_after = (waiting.resend_after.num_milliseconds() + 999) / 1000;
    VerificationAnswer {
        verification: VerificationView {
            id: waiting.id.to_string(),
            expires_at: waiting.expires_at,
            resend_after,
            from: site_number(from),
        },
    }
}

/// The network that stands for a subscriber.
fn network(origin: &Origin) -> Option<IpAddr> {
    origin.address.map(subscriber)
}

/// Stores a sign-up until its code comes, unless this browser proves the number with its visitor token.
pub(super) async fn begin<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    verification: Arc<PhoneVerification>,
    sign_up: SignUp,
    own: BrowserEntrant,
    browser: VerificationBrowser,
) -> Result<HttpResponse, ApiError> {
    field("phoneNumber", textable(&state, &sign_up.phone))?;
    let secret = browser.secret(&*state.entropy);
    let mut request = BeginRequest {
        network: network(&sign_up.origin),
        sign_up,
        browser: secret.hash(),
        own: own.entrant(),
        can_text: false,
    };
    let shared = state.clone();
    let begin = move |store: &S| {
        let from = texts_from(&shared, store)?;
        request.can_text = from.is_some();
        let begun = phone_verification::begin(store, &verification.tools(&shared), &request)?;
        Ok::<_, ApiError>((begun, from))
    };
    match pools.visitor_codes.run(begin).await? {
        (Begun::AlreadyIn(entered), _) => answer_entered(&state, entered, false),
        (Begun::Waiting(waiting), Some(from)) => {
            metrics::counter!("codes_sent_total").increment(1);
            let cookie = verification_cookie(&state, &secret);
            Ok(HttpResponse::Accepted()
                .cookie(cookie)
                .json(waiting_view(waiting, &from)))
        }
        (Begun::Waiting(_), None) => Err(texts_not_configured()),
    }
}

/// Whether texts may be sent to a number at all.
fn textable(state: &AppState, phone: &Phone) -> Result<(), Messages> {
    if state.sms.rules.countries.permit(phone) {
        return Ok(());
    }
    Err(message(
        "We cannot send texts to this number. Please use another one",
    ))
}

/// What a code has completed.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the description of the API uses it")]
pub(crate) enum VerifiedView {
    /// A sign-up.
    Entered(EnteredView),
    /// A request for data.
    DataRequest(DataRequestView),
}

/// A code.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyBody {
    /// The id of the verification.
    #[schema(value_type = String, required, example = "6f1ed002ab5595859014ebf0951522d9")]
    #[validate(required(message = "Required"))]
    verification_id: Option<String>,
    /// The six digits, as people type them.
    #[schema(inline)]
    #[validate(nested)]
    code: CodeField,
}

impl JsonBody for VerifyBody {}

/// Completes a sign-up with the code that was sent to its number, or a request of an entrant for their data.
///
/// Only the browser that began the sign-up can complete it, within ten minutes and five wrong tries. The answer is that of
/// a sign-up, and sets the visitor cookie for a new number and for one that has entered before. A request for data is
/// completed in the browser that entered; the answer is the request.
#[utoipa::path(
    post, path = "/api/users/verify",
    responses(
        (status = 201, body = EnteredView, description = "Entered; the answer sets the visitor cookie"),
        (
            status = 200,
            body = VerifiedView,
            description = "The number had entered before, and the answer sets the visitor cookie; or a request for data was completed"
        ),
        (status = 404, description = "Numbers are not verified here"),
        (status = 409, description = "The sign-up was completed before"),
        (status = 410, description = "The code has expired, or was tried too often")
    )
)]
pub(crate) async fn verify<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    (browser, own): (VerificationBrowser, BrowserEntrant),
    body: Body<VerifyBody>,
) -> Result<HttpResponse, ApiError> {
    let verification = verification(&state)?;
    let body = body.valid()?;
    let code = body.code.value()?;
    if let Some(request) = body.verification_id.as_deref().and_then(verified_request) {
        return data_requests::confirm(pools, state, own, request, code).await;
    }
    let (id, browser) = known(body.verification_id.as_deref(), &browser)?;
    let request = CompleteRequest {
        id,
        browser,
        code,
        turn: None,
    };
    let completed = complete_in_turn(&pools, &state, &verification, request).await;
    count_try(&completed);
    answer_entered(&state, completed?, true)
}

/// Completes a sign-up, in a turn of the friend's link if it came through one.
async fn complete_in_turn<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    verification: &Arc<PhoneVerification>,
    mut request: CompleteRequest,
) -> Result<Entered, ApiError> {
    loop {
        let turn = pools.turns.wait(request.turn.as_ref()).await?;
        let (state, verification, asked) = (state.clone(), verification.clone(), request.clone());
        let complete = move |store: &S| {
            let _turn = turn;
            phone_verification::complete(store, &verification.tools(&state), &asked)
        };
        match pools.visitor_writes.run(complete).await? {
            Completed::Entered(entered) => return Ok(entered),
            Completed::NeedsTurn(link) => request.turn = Some(link),
        }
    }
}

/// A request for another code.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResendBody {
    /// The id of the verification.
    #[schema(value_type = String, required, example = "6f1ed002ab5595859014ebf0951522d9")]
    #[validate(required(message = "Required"))]
    verification_id: Option<String>,
}

impl JsonBody for ResendBody {}

/// Sends another code, which replaces the one before.
#[utoipa::path(
    post, path = "/api/users/verify/resend", operation_id = "resend_code",
    responses(
        (status = 202, body = VerificationAnswer, description = "Another code was sent"),
        (status = 404, description = "Numbers are not verified here"),
        (status = 409, description = "The sign-up was completed before"),
        (status = 410, description = "The sign-up has expired")
    )
)]
pub(crate) async fn resend<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: VerificationBrowser,
    body: Body<ResendBody>,
) -> Result<HttpResponse, ApiError> {
    let verification = verification(&state)?;
    let body = body.valid()?;
    let (id, browser) = known(body.verification_id.as_deref(), &browser)?;
    let mut request = ResendRequest {
        id,
        browser,
        network: network(&tracking.origin),
        can_text: false,
    };
    let resend = move |store: &S| {
        let from = texts_from(&state, store)?;
        request.can_text = from.is_some();
        let waiting = phone_verification::resend(store, &verification.tools(&state), &request)?;
        Ok::<_, ApiError>((waiting, from))
    };
    let (waiting, from) = pools.visitor_codes.run(resend).await?;
    let from = from.ok_or_else(texts_not_configured)?;
    metrics::counter!("codes_sent_total").increment(1);
    Ok(HttpResponse::Accepted().json(waiting_view(waiting, &from)))
}

/// 404 while numbers are not verified.
fn verification(state: &AppState) -> Result<Arc<PhoneVerification>, ApiError> {
    state.phone_verification.clone().ok_or_else(ApiError::not_found)
}

/// The id and the browser of a verification. Text that is no id, or no cookie, is like an id that nobody has.
fn known(
    id: Option<&str>,
    browser: &VerificationBrowser,
) -> Result<(VerificationId, verification::BrowserHash), ApiError> {
    let id = id.and_then(VerificationId::parse);
    id.zip(browser.hash()).ok_or_else(expired)
}
