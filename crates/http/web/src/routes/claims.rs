//! What a winner does with the link of a claim.

mod bodies;
pub(crate) mod views;

use self::bodies::{CallCodeBody, ClaimCodeBody, ClaimDetailsBody, ObjectionBody};
use self::views::ClaimView;
use super::Store;
use super::codes::{count_try, texts_from};
use crate::callers::claim_visitor::ClaimVisitor;
use crate::callers::code_browser::{CodeBrowser, code_cookie};
use crate::http::body::Body;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPool, RequestPools};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use claims::ClaimRefusal;
use kernel::BrowserSecret;
use serde::Serialize;
use usecases::claims::winner::{self, ClaimError, ClaimPage, SendCodeError, VerifyError};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    // Trying a code has a limit of its own: five tries of each code (D64).
    routes![Some(Limit::Reads); show::<S>, verify::<S>, submit::<S>, decline::<S>, object::<S>]
        .and(routes![Some(Limit::Entering); code::<S>, prove::<S>, open_after_call::<S>])
}

impl From<ClaimError> for ApiError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::UnknownClaim => Self::not_found(),
            ClaimError::NotDrawn => Self::new(
                StatusCode::CONFLICT,
                "number_changed",
                "Your number is not the one that was drawn. Please write to us.",
            ),
            ClaimError::Refused(refusal) => refuse(refusal),
            ClaimError::Store(error) => error.into(),
        }
    }
}

impl From<SendCodeError> for ApiError {
    fn from(error: SendCodeError) -> Self {
        match error {
            SendCodeError::Claim(error) => error.into(),
            SendCodeError::CannotText => Self::new(
                StatusCode::CONFLICT,
                "cannot_text",
                "We cannot send texts to your number. We will call you.",
            ),
            SendCodeError::Refused(refusal) => refusal.into(),
            SendCodeError::Store(error) => error.into(),
        }
    }
}

impl From<VerifyError> for ApiError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Claim(error) => error.into(),
            VerifyError::Rejected(rejected) => rejected.into(),
            VerifyError::Store(error) => error.into(),
        }
    }
}

const fn refuse(refusal: ClaimRefusal) -> ApiError {
    let (status, code, sentence) = match refusal {
        ClaimRefusal::Expired => (
            StatusCode::GONE,
            "claim_expired",
            "The time to claim this prize is over.",
        ),
        ClaimRefusal::WrongStatus | ClaimRefusal::ObjectionWindowOver => (
            StatusCode::CONFLICT,
            "claim_ended",
            "This is not possible any more. Please reload the page.",
        ),
        ClaimRefusal::Paused => (
            StatusCode::CONFLICT,
            "claim_paused",
            "A payment is disputed, so your claim is paused. Your time does not run.",
        ),
        ClaimRefusal::AnotherBrowser | ClaimRefusal::NeedsNoCall => (
            StatusCode::FORBIDDEN,
            "another_browser",
            "Please prove your number in this browser first.",
        ),
        ClaimRefusal::ObjectedBefore => (
            StatusCode::CONFLICT,
            "objected_before",
            "You have objected already. Please reload the page.",
        ),
    };
    ApiError::new(status, code, sentence)
}

/// Runs a winner's step, and shows the claim as it is afterwards.
async fn take<S, E>(
    pool: &RequestPool<S>,
    state: &Data<AppState>,
    step: impl FnOnce(&S, &AppState) -> Result<ClaimPage, E> + Send + 'static,
) -> Result<ClaimView, ApiError>
where
    S: Store,
    E: Into<ApiError> + Send + 'static,
{
    let state = state.clone();
    let take = move |store: &S| {
        let page = step(store, &state).map_err(Into::into)?;
        Ok::<_, ApiError>(ClaimView::of(&page, texts_from(&state, store)?.as_ref()))
    };
    pool.run(take).await
}

/// The claim, with the cookie of the browser that was bound.
fn bound(state: &AppState, secret: &BrowserSecret, view: &ClaimView) -> HttpResponse {
    HttpResponse::Ok().cookie(code_cookie(state, secret)).json(view)
}

/// Gets a claim by the secret of its link.
#[utoipa::path(get, path = "/api/claims/{token}", operation_id = "get_claim")]
pub(crate) async fn show<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
) -> Result<Json<ClaimView>, ApiError> {
    let visitor = claim.visitor;
    let show = move |store: &S, state: &AppState| winner::show(store, state.claim_tools(), &visitor);
    Ok(Json(take(&pools.visitor_reads, &state, show).await?))
}

/// Texts a one-time code to the winning number. Only the browser that asked can use it.
///
/// The code before for this browser ends. A claim gets ten codes a day, of which five are for browsers that entered before the
/// drawing was sealed, and each network one a minute.
#[utoipa::path(
    post, path = "/api/claims/{token}/code", operation_id = "send_claim_code",
    responses(
        (status = 202, body = ClaimView, description = "The answer sets the cookie of the browser that asked"),
        (status = 409, description = "`claim_ended`: the claim's status does not allow it; `cannot_text`: the number cannot be texted"),
        (status = 410, description = "`claim_expired`: the deadline has passed"),
        (status = 429, description = "`too_many_codes`: `Retry-After` says how long to wait"),
        (status = 503, description = "`texts_not_configured` or `texts_used_up`: no code can be sent now")
    )
)]
pub(crate) async fn code<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
) -> Result<HttpResponse, ApiError> {
    let (visitor, secret) = (claim.visitor, claim.secret(&*state.entropy));
    let browser = secret.hash();
    let send = move |store: &S, state: &AppState| {
        let account = texts_from(state, store)?.is_some();
        let page = winner::send_code(store, state.claim_tools(), &visitor, browser, account);
        page.map_err(ApiError::from)
    };
    let view = take(&pools.visitor_writes, &state, send).await?;
    metrics::counter!("codes_sent_total").increment(1);
    Ok(HttpResponse::Accepted()
        .cookie(code_cookie(&state, &secret))
        .json(view))
}

/// Proves the number with the code that was texted, and binds this browser.
#[utoipa::path(
    post, path = "/api/claims/{token}/verify", operation_id = "verify_claim",
    responses(
        (status = 200, body = ClaimView, description = "The answer sets the cookie of the bound browser"),
        (status = 409, description = "`claim_ended`: the claim's status does not allow it; `verification_used`: the right code was entered before, and this is another one"),
        (status = 410, description = "`verification_expired`: no code that was sent for this browser is valid; `claim_expired`: the deadline has passed")
    )
)]
pub(crate) async fn verify<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
    body: Body<ClaimCodeBody>,
) -> Result<HttpResponse, ApiError> {
    let code = body.valid()?.code.value()?;
    let (visitor, secret) = (claim.visitor, claim.secret(&*state.entropy));
    let browser = secret.hash();
    let verify = move |store: &S, state: &AppState| {
        winner::verify(store, state.claim_tools(), &visitor, &code, browser)
    };
    let verified = take(&pools.visitor_writes, &state, verify).await;
    count_try(&verified);
    Ok(bound(&state, &secret, &verified?))
}

/// Where the claim of a code is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenedClaimView {
    /// The secret of the claim's link, for the other calls.
    token: String,
}

/// Opens a claim with the code that staff read out on a call, and binds this browser. A code works once.
#[utoipa::path(
    post, path = "/api/claims", operation_id = "open_claim_after_call",
    responses(
        (status = 200, body = OpenedClaimView, description = "The answer sets the cookie of the bound browser"),
        (status = 409, description = "`claim_ended`: the claim's status does not allow it"),
        (status = 410, description = "`code_expired`: no claim has this code, or it was used; `claim_expired`: the deadline has passed")
    )
)]
pub(crate) async fn open_after_call<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: CodeBrowser,
    body: Body<CallCodeBody>,
) -> Result<HttpResponse, ApiError> {
    let code = body.valid()?.code.value()?;
    let secret = browser.secret(&*state.entropy);
    let browser = secret.hash();
    let shared = state.clone();
    let open = move |store: &S| {
        let opened = winner::open_after_call(store, shared.claim_tools(), &code, browser);
        opened.map_err(|error| match error {
            ClaimError::UnknownClaim | ClaimError::Refused(ClaimRefusal::AnotherBrowser) => ApiError::new(
                StatusCode::GONE,
                "code_expired",
                "This code is not valid. A code works once, for a day.",
            ),
            error => error.into(),
        })
    };
    let token = pools.visitor_writes.run(open).await?;
    let view = OpenedClaimView {
        token: token.to_text(),
    };
    Ok(HttpResponse::Ok().cookie(code_cookie(&state, &secret)).json(view))
}

/// Proves the number without a code, and binds this browser.
///
/// Works where no code can be sent, in the browser that entered before the drawing was sealed.
#[utoipa::path(
    post, path = "/api/claims/{token}/prove", operation_id = "prove_claim",
    responses(
        (status = 200, body = ClaimView, description = "The answer sets the cookie of the bound browser"),
        (status = 403, description = "`another_browser`: this browser proves nothing"),
        (status = 409, description = "`claim_ended`: the claim's status does not allow it"),
        (status = 410, description = "`claim_expired`: the deadline has passed")
    )
)]
pub(crate) async fn prove<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
) -> Result<HttpResponse, ApiError> {
    let (visitor, secret) = (claim.visitor, claim.secret(&*state.entropy));
    let browser = secret.hash();
    let prove =
        move |store: &S, state: &AppState| winner::prove(store, state.claim_tools(), &visitor, browser);
    let view = take(&pools.visitor_writes, &state, prove).await?;
    Ok(bound(&state, &secret, &view))
}

/// Sends the winner's details. Only for the browser that proved the number.
#[utoipa::path(
    post, path = "/api/claims/{token}/submit", operation_id = "submit_claim",
    responses(
        (status = 403, description = "`another_browser`: not the browser that proved the number"),
        (status = 409, description = "`claim_ended`: the claim's status does not allow it; `claim_paused`: an open payment dispute pauses the claim"),
        (status = 410, description = "`claim_expired`: the deadline has passed")
    )
)]
pub(crate) async fn submit<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
    body: Body<ClaimDetailsBody>,
) -> Result<Json<ClaimView>, ApiError> {
    let (visitor, details) = (claim.visitor, body.valid()?.details()?);
    let submit =
        move |store: &S, state: &AppState| winner::submit(store, state.claim_tools(), &visitor, &details);
    Ok(Json(take(&pools.visitor_writes, &state, submit).await?))
}

/// Turns the prize down, for good. Only for the browser that proved the number.
#[utoipa::path(
    post, path = "/api/claims/{token}/decline", operation_id = "decline_claim",
    responses(
        (status = 403, description = "`another_browser`: not the browser that proved the number"),
        (status = 409, description = "`claim_ended`: the claim's status does not allow it"),
        (status = 410, description = "`claim_expired`: the deadline has passed")
    )
)]
pub(crate) async fn decline<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
) -> Result<Json<ClaimView>, ApiError> {
    let visitor = claim.visitor;
    let decline = move |store: &S, state: &AppState| winner::decline(store, state.claim_tools(), &visitor);
    Ok(Json(take(&pools.visitor_writes, &state, decline).await?))
}

/// Objects to a rejection, once and within seven days. Only for the browser that proved the number.
#[utoipa::path(
    post, path = "/api/claims/{token}/object", operation_id = "object_to_rejection",
    responses(
        (status = 403, description = "`another_browser`: not the browser that proved the number"),
        (status = 409, description = "`claim_ended`: the claim is not rejected, or the seven days are over; `objected_before`: there is an objection")
    )
)]
pub(crate) async fn object<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    claim: ClaimVisitor<S>,
    body: Body<ObjectionBody>,
) -> Result<Json<ClaimView>, ApiError> {
    let message = body.valid()?.message.value()?.0;
    let visitor = claim.visitor;
    let object =
        move |store: &S, state: &AppState| winner::object(store, state.claim_tools(), &visitor, &message);
    Ok(Json(take(&pools.visitor_writes, &state, object).await?))
}
