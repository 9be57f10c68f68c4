//! Requests of visitors for their data, and the download of a copy.

use super::Store;
use super::codes::{AwaitedCodeView, count_try, texts_from};
use super::verification::network;
use crate::callers::code_browser::{CodeBrowser, code_cookie};
use crate::callers::origin::RequestOrigin;
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, ReadByName};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::identity::limits::Limit;
use crate::routes::data_archive::archive;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, TimeDelta, Utc};
use codes::{Code, Holder};
use kernel::EntrantId;
use privacy::{DataRequestId, RequestStatus, RequestToken, RequestType};
use serde::{Deserialize, Serialize};
use usecases::codes::Rejected;
use usecases::privacy::requests::{
    self, Asking, By, ConfirmError, DownloadError, RequestError, RequestTools, SeenRequest,
};
use utoipa::ToSchema;
use validator::Validate;

/// Stands before the id of a request in the id of its verification.
const VERIFICATION: &str = "data-request-";

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Entering); create::<S>].and(routes![Some(Limit::Reads); list::<S>, download::<S>])
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        let conflict = |code, sentence| Self::new(StatusCode::CONFLICT, code, sentence);
        let busy = |status, code, wait: TimeDelta, sentence| {
            Self::new(status, code, sentence).retry_after(wait.to_std().unwrap_or_default())
        };
        match error {
            RequestError::UnknownEntrant => Self::not_found(),
            RequestError::NeedsApproval(needed) => needed.into(),
            RequestError::OpenClaim => conflict(
                "open_claim",
                "A claim to a prize is not settled yet. Claim the prize or decline it first.",
            ),
            RequestError::OpenPurchase => conflict(
                "open_purchase",
                "A purchase may still be paid. Finish it, or try again in an hour.",
            ),
            RequestError::TooManyExports(wait) => busy(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_exports",
                wait,
                "You can get five copies a day. Please try again tomorrow.",
            ),
            RequestError::CannotText => conflict(
                "cannot_text",
                "We cannot text a code to this number. Please write to us, and we take care of it.",
            ),
            RequestError::Refused(refusal) => refusal.into(),
            RequestError::Journal(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "nobody can be erased");
                Self::internal()
            }
            RequestError::Store(error) => error.into(),
        }
    }
}

impl From<ConfirmError> for ApiError {
    fn from(error: ConfirmError) -> Self {
        match error {
            ConfirmError::Rejected(rejected) => rejected.into(),
            ConfirmError::Failed(error) => error.into(),
            ConfirmError::Store(error) => error.into(),
        }
    }
}

impl From<DownloadError> for ApiError {
    fn from(error: DownloadError) -> Self {
        match error {
            DownloadError::Unknown => Self::not_found(),
            DownloadError::Expired => Self::new(
                StatusCode::GONE,
                "export_expired",
                "This link has expired. Please ask for another copy.",
            ),
            DownloadError::Store(error) => error.into(),
        }
    }
}

/// What to do with the data.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataRequestBody {
    /// A copy of everything, or the deletion of everything that says who the person is.
    #[validate(nested)]
    pub(crate) request_type: RequestTypeField,
}

impl JsonBody for DataRequestBody {}

pub(crate) type DataRequestTypeView = Name<RequestType>;

impl Named for RequestType {
    const VIEW: &'static str = "DataRequestTypeView";
    const ABOUT: Option<&'static str> = None;
}

impl ReadByName for RequestType {
    const REFUSAL: &'static str = "Must be export or erasure";
}

type RequestTypeField = Field<RequestType>;

pub(crate) type DataRequestStatusView = Name<RequestStatus>;

impl Named for RequestStatus {
    const VIEW: &'static str = "DataRequestStatusView";
    const ABOUT: Option<&'static str> = None;
}

/// The code that a request waits for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataVerificationView {
    /// The `verificationId` of `POST /api/users/verify`.
    #[schema(example = "data-request-7")]
    id: String,
    #[serde(flatten)]
    code: AwaitedCodeView,
}

/// A request for data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataRequestView {
    id: i64,
    request_type: DataRequestTypeView,
    status: DataRequestStatusView,
    created_at: DateTime<Utc>,
    /// Until when the code counts, or the link works.
    #[schema(required)]
    expires_at: Option<DateTime<Utc>>,
    #[schema(required)]
    completed_at: Option<DateTime<Utc>>,
    /// The path of a completed export that has not expired. In a list, only of one that whoever reads asked for; staff see it
    /// once, when they make the copy.
    #[schema(required, example = "/api/data-exports/5218e40a…")]
    file_url: Option<String>,
    /// Null unless it waits for a code that this browser asked for.
    #[schema(required)]
    verification: Option<DataVerificationView>,
}

impl From<SeenRequest> for DataRequestView {
    fn from(seen: SeenRequest) -> Self {
        let SeenRequest {
            request,
            status,
            token,
            code,
        } = seen;
        let verification = code.map(|code| DataVerificationView {
            id: format!("{VERIFICATION}{}", request.id),
            code: code.into(),
        });
        Self {
            id: request.id.get(),
            request_type: request.kind.into(),
            status: status.into(),
            created_at: request.created_at,
            expires_at: request.expires_at,
            completed_at: request.completed_at,
            file_url: token.map(|token| format!("/api/data-exports/{}", token.to_text())),
            verification,
        }
    }
}

/// Requests for data.
#[derive(Serialize, ToSchema)]
pub(crate) struct DataRequestsView {
    /// Newest first.
    requests: Vec<DataRequestView>,
}

impl From<Vec<SeenRequest>> for DataRequestsView {
    fn from(requests: Vec<SeenRequest>) -> Self {
        Self {
            requests: requests.into_iter().map(Into::into).collect(),
        }
    }
}

/// The tools of requests, with whether codes can be sent just now.
pub(crate) fn tools<'a, S: Store>(state: &'a AppState, store: &S) -> Result<RequestTools<'a>, ApiError> {
    let has_account = texts_from(state, store)?.is_some();
    Ok(state.request_tools(has_account))
}

/// Asks for a copy of an entrant's data, or for its deletion. Only in the browser that entered.
///
/// Where numbers are proved with codes, the request is pending until `POST /api/users/verify` gets the code that is texted to
/// the number; the same request again has another code sent. Elsewhere it is carried out at once.
#[utoipa::path(
    post, path = "/api/users/{id}/data-requests", operation_id = "create_data_request",
    responses(
        (status = 201, body = DataRequestView, description = "The answer sets the cookie of the browser that asked for a code"),
        (status = 403, description = "`another_browser`: not the browser that entered"),
        (status = 409, description = "`open_claim`, `open_purchase`: nothing can be deleted yet; `cannot_text`: the number gets no codes")
    )
)]
pub(crate) async fn create<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    (own, browser, origin): (BrowserEntrant<S>, CodeBrowser, RequestOrigin),
    PathId(entrant): PathId<EntrantId>,
    body: Body<DataRequestBody>,
) -> Result<HttpResponse, ApiError> {
    own.must_be(entrant)?;
    let kind = body.valid()?.request_type.value()?;
    let secret = browser.secret(&*state.entropy);
    let asking = Asking {
        browser: secret.hash(),
        network: network(&origin.0),
    };
    let shared = state.clone();
    let make = move |store: &S| {
        let tools = tools(&shared, store)?;
        let by = By::Visitor(asking);
        Ok::<_, ApiError>(requests::request(store, &tools, by, entrant, kind)?)
    };
    let made = DataRequestView::from(pools.visitor_writes.run(make).await?);
    let mut answer = HttpResponse::Created();
    if made.verification.is_some() {
        answer.cookie(code_cookie(&state, &secret));
    }
    Ok(answer.json(made))
}

/// Lists an entrant's requests for data. Only in the browser that entered.
#[utoipa::path(
    get, path = "/api/users/{id}/data-requests", operation_id = "list_data_requests",
    responses((status = 403, description = "`another_browser`: not the browser that entered"))
)]
pub(crate) async fn list<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    (own, browser): (BrowserEntrant<S>, CodeBrowser),
    PathId(entrant): PathId<EntrantId>,
) -> Result<Json<DataRequestsView>, ApiError> {
    own.must_be(entrant)?;
    // A browser without a cookie asked for no code: the list shows it none.
    let holder = Holder::Browser(browser.secret(&*state.entropy).hash());
    let list = move |store: &S| {
        let tools = tools(&state, store)?;
        Ok::<_, ApiError>(requests::list(store, &tools, holder, entrant)?)
    };
    let requests = pools.visitor_reads.run(list).await?;
    Ok(Json(requests.into()))
}

/// The request whose verification has this id.
pub(super) fn verified_request(verification: &str) -> Option<DataRequestId> {
    let id = verification.strip_prefix(VERIFICATION)?;
    id.parse().ok().map(DataRequestId::new)
}

/// Carries out a visitor's request with its code.
pub(super) async fn confirm<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    own: BrowserEntrant<S>,
    asking: Asking,
    request: DataRequestId,
    code: Code,
) -> Result<HttpResponse, ApiError> {
    // Whose erasure was confirmed and whose answer was lost is erased by now.
    let entrant = own.named().ok_or(Rejected::Expired)?;
    let confirm = move |store: &S| {
        let tools = tools(&state, store)?;
        let by = By::Visitor(asking);
        Ok::<_, ApiError>(requests::confirm(store, &tools, by, entrant, request, &code)?)
    };
    let confirmed = pools.visitor_writes.run(confirm).await;
    count_try(&confirmed);
    Ok(HttpResponse::Ok().json(DataRequestView::from(confirmed?)))
}

/// Downloads a copy of everything that is stored about a person: a ZIP with a JSON file for each table, and one page to read.
/// Whoever has the link can, for 72 hours, and each download is in the audit log. The name and the address that a winner gave
/// are in the winner's own copy, and in none that staff made.
#[utoipa::path(
    get, path = "/api/data-exports/{token}", operation_id = "download_export",
    params(("token" = String, Path, description = "The secret of the link: 64 lowercase hex digits.")),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/zip"),
        (status = 404, description = "No copy has this link"),
        (status = 410, description = "`export_expired`: the link does not work any more")
    )
)]
pub(crate) async fn download<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let token = RequestToken::parse(&token).ok_or_else(ApiError::not_found)?;
    let make = move |store: &S| {
        let copy = requests::download(store, &*state.clock, &token)?;
        let details = copy.has_claim_details.then_some(&*state.claims.details);
        let archive = archive(
            copy.tables,
            &state.site.name,
            details,
            state.clock.now(),
            state.time_zone,
        );
        archive.map_err(|error| {
            tracing::error!(error = &*error, "a copy cannot be made");
            ApiError::internal()
        })
    };
    // The download is recorded.
    let bytes = pools.visitor_writes.run(make).await?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/zip"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"tombola-data.zip\""))
        .body(bytes))
}
