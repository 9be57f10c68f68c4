//! Callbacks of the SMS provider: inbound messages and delivery reports.

use super::Store;
use crate::callers::limited::count;
use crate::client::escape::escape;
use crate::http::body::{header_text, read_raw};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::http::header::ContentType;
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kernel::{Phone, StoreError};
use serde::Deserialize;
use sms::{Credentials, Keyword, MessageId, ProviderMessageId};
use std::time::{Duration, Instant};
use usecases::credentials::Account;
use usecases::provider_callbacks::InboundMessage;

/// Without a limit, because Twilio calls for every message. Only calls whose signature is not valid are limited.
pub(super) fn routes<S: Store>() -> Routes {
    routes![None; inbound::<S>, status::<S>]
}

const fn invalid_signature() -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "bad_signature",
        "The request's signature is not valid.",
    )
}

/// 503: there is no account to send messages with.
const fn sms_not_configured() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "sms_not_configured",
        "Texts are not configured",
    )
}

/// 503: the saved account cannot be opened, so nothing can be sent or verified.
const fn sms_account_unreadable() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "sms_account_unreadable",
        "The saved Twilio account cannot be opened",
    )
}

/// The credentials in use.
pub(super) fn usable(account: Account) -> Result<Credentials, ApiError> {
    match account {
        Account::InUse(credentials, _) => Ok(credentials),
        Account::Missing => Err(sms_not_configured()),
        Account::Unreadable => Err(sms_account_unreadable()),
    }
}

/// The largest body of a callback, in bytes.
const CALL_LIMIT: usize = 64 * 1024;

/// How long a callback may take in all. Twilio waits for 15 s, and does not repeat a callback that got a 503, so waiting for
/// a thread is better than refusing.
const CALL_DEADLINE: Duration = Duration::from_secs(10);

/// A callback whose signature is valid.
struct Call {
    parameters: Vec<(String, String)>,
    deadline: Instant,
}

impl Call {
    fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.parameters.iter().find(|(parameter, _)| parameter == name)?;
        Some(value)
    }

    /// Runs a use case with the time that is left.
    async fn run<S, T>(
        &self,
        pools: &RequestPools<S>,
        work: impl FnOnce(&S) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        S: Store,
        T: Send + 'static,
    {
        let left = self.deadline.saturating_duration_since(Instant::now());
        pools.callbacks.run_within(left, work).await
    }
}

async fn read_call<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    request: &HttpRequest,
    payload: Payload,
) -> Result<Call, ApiError> {
    let deadline = Instant::now() + CALL_DEADLINE;
    let body = read_raw(payload, CALL_LIMIT).await?;
    let parameters: Vec<(String, String)> = url::form_urlencoded::parse(&body).into_owned().collect();
    let callback = Callback {
        // The provider signs the public URL, which a proxy may have changed.
        url: format!(
            "{}{}",
            state.public_origin,
            request.uri().path_and_query().map_or("", |path| path.as_str())
        ),
        signature: header_text(request, "X-Twilio-Signature").to_owned(),
        parameters,
    };
    if !is_signed(pools, state, request, &callback).await? {
        tracing::warn!("rejected a callback without a valid signature of the SMS provider");
        return Err(invalid_signature());
    }
    Ok(Call {
        parameters: callback.parameters,
        deadline,
    })
}

/// What the provider signs, and its signature.
struct Callback {
    url: String,
    signature: String,
    parameters: Vec<(String, String)>,
}

/// Whether a callback is signed with the current account. The store is read only if the account that it was last checked
/// with is not known or does not fit, and failures are counted before, so that an address cannot cause many reads.
async fn is_signed<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
    request: &HttpRequest,
    callback: &Callback,
) -> Result<bool, ApiError> {
    let is_signed_with = |credentials: &Credentials| {
        let Callback {
            url,
            signature,
            parameters,
        } = callback;
        let callbacks = &state.sms.callbacks;
        callbacks.signature_holds(credentials.auth_token(), url, parameters, signature)
    };
    let known = state.sms.known.get();
    if known.iter().flatten().any(is_signed_with) {
        return Ok(true);
    }
    let is_counted = known.is_some() || callback.signature.is_empty();
    if is_counted {
        count(Limit::FailedSignatures, request).await?;
    }
    if callback.signature.is_empty() {
        return Ok(false);
    }
    let credentials = read_credentials(pools, state).await?;
    let is_signed = is_signed_with(&credentials);
    if !is_signed && !is_counted {
        count(Limit::FailedSignatures, request).await?;
    }
    Ok(is_signed)
}

/// Reads the credentials in use. Of many callbacks that come at once, only the first ones read the store.
async fn read_credentials<S: Store>(
    pools: &RequestPools<S>,
    state: &Data<AppState>,
) -> Result<Credentials, ApiError> {
    let (state, asked) = (state.clone(), Instant::now());
    let read = move |store: &S| {
        let sms = &state.sms;
        if let Some(credentials) = sms.known.read_after(asked) {
            return Ok(credentials);
        }
        let since = Instant::now();
        let account = sms.account(store)?;
        sms.known.remember(since, account.clone().credentials());
        usable(account)
    };
    pools.callbacks.run_within(CALL_DEADLINE, read).await
}

/// Receives a message from a recipient: STOP in many words, START and HELP. What `OptOutType` says decides first. Repeated calls
/// have no effect.
#[utoipa::path(
    post, path = "/api/twilio/inbound", operation_id = "receive_text",
    params(("X-Twilio-Signature" = String, Header)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/xml",
            description = "TwiML: empty, or the answer to HELP or to an opt-out that the provider does not answer"
        ),
        (status = 403, description = "The signature is not valid"),
        (status = 429, description = "Too many signatures of this address were not valid")
    )
)]
pub(crate) async fn inbound<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let call = read_call(&pools, &state, &request, payload).await?;
    let incomplete = ApiError::malformed("MessageSid and From are required.");
    let provider_id = call.get("MessageSid").and_then(ProviderMessageId::parse);
    let Some((provider_id, from)) = provider_id.zip(call.get("From")) else {
        return Err(incomplete);
    };
    // Short codes and alphanumeric senders can send messages too. They get no reply.
    let Some(from) = Phone::from_e164(from) else {
        return Ok(twiml(None));
    };
    let text = InboundMessage {
        provider_id,
        from,
        body: call.get("Body").unwrap_or_default().to_owned(),
        of_provider: call.get("OptOutType").and_then(Keyword::of_provider),
    };
    let shared = state.clone();
    let record = move |store: &S| {
        let (clock, name) = (&*shared.clock, &shared.site.name);
        usecases::provider_callbacks::record_inbound_message(store, clock, name, &text)
    };
    let answer = call.run(&pools, record).await?;
    Ok(twiml(answer.as_deref()))
}

/// The query of the URL that delivery reports are sent to.
#[derive(Deserialize)]
struct StatusQuery {
    text: Option<String>,
}

/// Receives a delivery report. Reports may come in any order and repeatedly; a final status never changes back.
#[utoipa::path(
    post, path = "/api/twilio/status", operation_id = "receive_text_status",
    params(("text" = i64, Query, description = "The id of the text"), ("X-Twilio-Signature" = String, Header)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = String, content_type = "text/xml", description = "Empty TwiML"),
        (status = 403, description = "The signature is not valid"),
        (status = 429, description = "Too many signatures of this address were not valid")
    )
)]
pub(crate) async fn status<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let call = read_call(&pools, &state, &request, payload).await?;
    let query = web::Query::<StatusQuery>::from_query(request.query_string());
    let text = query.ok().and_then(|query| query.text.clone()?.parse().ok());
    let report = state.sms.callbacks.read_status(&call.parameters);
    // A report about an unknown message is acknowledged, so that it is not repeated.
    if let Some((text, report)) = text.zip(report) {
        let clock = state.clock.clone();
        let record = move |store: &S| {
            usecases::provider_callbacks::record_report(store, &*clock, MessageId::new(text), &report)
        };
        call.run(&pools, record).await?;
    }
    Ok(twiml(None))
}

/// A response in TwiML, with or without a reply.
fn twiml(message: Option<&str>) -> HttpResponse {
    let message = message
        .map(|text| format!("<Message>{}</Message>", escape(text)))
        .unwrap_or_default();
    let document = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>{message}</Response>");
    HttpResponse::Ok()
        .insert_header(ContentType::xml())
        .body(document)
}
