//! Proving a phone number with a one-time code.

use super::Store;
use super::codes::{AwaitedCodeView, CodeField, count_try, texts_from};
use super::data_requests::{self, DataRequestView, verified_request};
use super::entered::{EnteredView, answer_entered, unknown_referral_code};
use super::entering::own_entrant;
use crate::callers::code_browser::{CodeBrowser, code_cookie};
use crate::callers::origin::RequestOrigin;
use crate::callers::right::site_number;
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody};
use crate::identity::limits::{Limit, subscriber};
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use kernel::{BrowserHash, Origin, Phone};
use raffle::{SignUp, SignUpId};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use usecases::codes::{Refusal, Rejected};
use usecases::entering::Entered;
use usecases::phone_verification::{
    self, BeginError, BeginRequest, Begun, CompleteError, CompleteRequest, Completed, ResendRequest, Waiting,
    WaitingError,
};
use usecases::privacy::requests::Asking;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    // Trying a code has a limit of its own: five tries of each code (D64).
    routes![Some(Limit::Entering); resend::<S>].and(routes![Some(Limit::Reads); verify::<S>, show::<S>])
}

impl From<BeginError> for ApiError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::UnknownReferralCode => unknown_referral_code(),
            BeginError::NotOpen(error) => error.into(),
            BeginError::Refused(refusal) => refusal.into(),
            BeginError::Store(error) => error.into(),
        }
    }
}

impl From<WaitingError> for ApiError {
    fn from(error: WaitingError) -> Self {
        match error {
            WaitingError::Rejected(rejected) => rejected.into(),
            WaitingError::Refused(refusal) => refusal.into(),
            WaitingError::Store(error) => error.into(),
        }
    }
}

impl From<CompleteError> for ApiError {
    fn from(error: CompleteError) -> Self {
        match error {
            CompleteError::NotOpen(error) => error.into(),
            CompleteError::Rejected(rejected) => rejected.into(),
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
pub(crate) struct VerificationView {
    /// Worth nothing without the cookie that this answer sets.
    #[schema(example = "6f1ed002ab5595859014ebf0951522d9")]
    id: String,
    #[serde(flatten)]
    code: AwaitedCodeView,
    /// The number that texts come from.
    #[schema(example = "+15550100000")]
    from: String,
}

fn waiting_view(waiting: Waiting, from: Option<&Phone>) -> Result<VerificationAnswer, ApiError> {
    let from = from.ok_or(Refusal::TextsNotConfigured)?;
    Ok(VerificationAnswer {
        verification: VerificationView {
            id: waiting.id.to_string(),
            code: waiting.code.into(),
            from: site_number(from),
        },
    })
}

/// The network that stands for a subscriber.
pub(super) fn network(origin: &Origin) -> Option<IpAddr> {
    origin.address.map(subscriber)
}

/// Stores a sign-up until its code comes, unless this browser proves the number with its visitor token.
pub(super) async fn begin<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    sign_up: SignUp,
    own: BrowserEntrant<S>,
    browser: CodeBrowser,
) -> Result<HttpResponse, ApiError> {
    let secret = browser.secret(&*state.entropy);
    let mut request = BeginRequest {
        network: network(&sign_up.origin),
        sign_up,
        browser: secret.hash(),
        own: own_entrant(&state, &own),
        has_account: false,
    };
    let shared = state.clone();
    let begin = move |store: &S| {
        let from = texts_from(&shared, store)?;
        request.has_account = from.is_some();
        let begun = phone_verification::begin(store, &*shared.clock, &shared.code_tools(), &request)?;
        Ok::<_, ApiError>((begun, from))
    };
    match pools.visitor_codes.run(begin).await? {
        (Begun::AlreadyIn(entered), _) => answer_entered(&state, entered, false),
        (Begun::Waiting(waiting), from) => {
            metrics::counter!("codes_sent_total").increment(1);
            let cookie = code_cookie(&state, &secret);
            let view = waiting_view(waiting, from.as_ref())?;
            Ok(HttpResponse::Accepted().cookie(cookie).json(view))
        }
    }
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
/// Only the browser that asked for the code can enter it, within ten minutes and five wrong tries. The same code again gets the
/// same answer. For a sign-up, the answer sets the visitor cookie, for a new number and for one that has entered before. For a
/// request for data, it is the request.
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
        (status = 409, description = "`verification_used`: the right code was entered before, and this is another one"),
        (status = 410, description = "`verification_expired`: no code that was sent for this browser is valid")
    )
)]
pub(crate) async fn verify<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    origin: RequestOrigin,
    (browser, own): (CodeBrowser, BrowserEntrant<S>),
    body: Body<VerifyBody>,
) -> Result<HttpResponse, ApiError> {
    check_verified(&state)?;
    let body = body.valid()?;
    let code = body.code.value()?;
    if let Some(request) = body.verification_id.as_deref().and_then(verified_request) {
        let asking = asking(&browser, &origin.0).ok_or(Rejected::Expired)?;
        return data_requests::confirm(pools, state, own, asking, request, code).await;
    }
    let (id, browser) = known(body.verification_id.as_deref(), &browser)?;
    let request = CompleteRequest {
        id,
        browser,
        code,
        turn: None,
        times: state.drawing_times(),
    };
    let completed = complete_in_turn(&pools, &state, request).await;
    count_try(&completed);
    answer_entered(&state, completed?, true)
}

/// The browser of a request for data, if it asked for a code.
fn asking(browser: &CodeBrowser, origin: &Origin) -> Option<Asking> {
    Some(Asking {
        browser: browser.hash()?,
        network: network(origin),
    })
}

/// Completes a sign-up, in a turn of the friend's link if it came through one.
async fn complete_in_turn<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    mut request: CompleteRequest,
) -> Result<Entered, ApiError> {
    loop {
        let turn = pools.turns.wait(request.turn.as_ref()).await?;
        let (state, asked) = (state.clone(), request.clone());
        let complete = move |store: &S| {
            let _turn = turn;
            phone_verification::complete(store, &*state.clock, &state.code_tools(), &asked)
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
        (status = 409, description = "`verification_used`: the sign-up was completed before"),
        (status = 410, description = "`verification_expired`: the sign-up waits no longer")
    )
)]
pub(crate) async fn resend<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    origin: RequestOrigin,
    browser: CodeBrowser,
    body: Body<ResendBody>,
) -> Result<HttpResponse, ApiError> {
    check_verified(&state)?;
    let body = body.valid()?;
    let (id, browser) = known(body.verification_id.as_deref(), &browser)?;
    let mut request = ResendRequest {
        id,
        browser,
        network: network(&origin.0),
        has_account: false,
    };
    let resend = move |store: &S| {
        let from = texts_from(&state, store)?;
        request.has_account = from.is_some();
        let waiting = phone_verification::resend(store, &*state.clock, &state.code_tools(), &request)?;
        waiting_view(waiting, from.as_ref())
    };
    let view = pools.visitor_codes.run(resend).await?;
    metrics::counter!("codes_sent_total").increment(1);
    Ok(HttpResponse::Accepted().json(view))
}

/// What became of the code that a sign-up waits for. Only in the browser that began the sign-up.
#[utoipa::path(
    get, path = "/api/users/verify/{verificationId}", operation_id = "get_verification",
    params(("verificationId" = String, Path, description = "The id of the verification.")),
    responses(
        (status = 404, description = "Numbers are not verified here"),
        (status = 409, description = "`verification_used`: the sign-up was completed"),
        (status = 410, description = "`verification_expired`: no code that was sent for this browser is valid")
    )
)]
pub(crate) async fn show<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: CodeBrowser,
    id: Path<String>,
) -> Result<Json<VerificationAnswer>, ApiError> {
    check_verified(&state)?;
    let (id, browser) = known(Some(&id), &browser)?;
    let show = move |store: &S| {
        let from = texts_from(&state, store)?;
        let waiting = phone_verification::wait(store, &*state.clock, &state.code_tools(), id, browser)?;
        waiting_view(waiting, from.as_ref())
    };
    Ok(Json(pools.visitor_reads.run(show).await?))
}

/// 404 while numbers are not verified.
fn check_verified(state: &AppState) -> Result<(), ApiError> {
    match state.phone_verification {
        true => Ok(()),
        false => Err(ApiError::not_found()),
    }
}

/// The id and the browser of a verification. Text that is no id, or no cookie, is like an id that nobody has.
fn known(id: Option<&str>, browser: &CodeBrowser) -> Result<(SignUpId, BrowserHash), ApiError> {
    let id = id.and_then(SignUpId::parse);
    Ok(id.zip(browser.hash()).ok_or(Rejected::Expired)?)
}
