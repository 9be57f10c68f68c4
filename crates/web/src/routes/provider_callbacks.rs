//! What readers of texts and their provider tell us: D22, D23.

use super::{Store, post};
use crate::body::{Body, JsonBody, read_raw};
use crate::error::ErrorView;
use crate::limits::limit_page_views;
use crate::routes::entrants::{LandingPageView, REQUIRED};
use crate::tracking::Tracking;
use crate::{ApiError, AppState};
use actix_web::http::header::ContentType;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, Json, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kernel::Phone;
use serde::{Deserialize, Serialize};
use sms::{HELP_ANSWER, Keyword, MessageId, TrackedMessage, TrackingId};
use usecases::provider_callbacks::{ClickCommand, InboundMessage};
use utoipa::ToSchema;

pub(super) fn configure<S: Store>(config: &mut web::ServiceConfig) {
    let click = post("/api/sms/track-click", web::post().to(track_click::<S>));
    config
        .service(click.wrap(from_fn(limit_page_views)))
        // The provider calls as often as it must; its signature is what lets it in.
        .service(post("/api/twilio/inbound", web::post().to(inbound::<S>)))
        .service(post("/api/twilio/status", web::post().to(status::<S>)));
}

/// The link of a text was opened.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrackClickBody {
    /// What the link ends in.
    #[schema(value_type = String, required, max_length = 64, example = "garden-2345bcdfghjkm")]
    tracking_id: Option<String>,
    /// Whether its reader went on to the raffle.
    cta: Option<bool>,
}

impl JsonBody for TrackClickBody {
    const FIELDS: &'static [&'static str] = &["trackingId", "cta"];
}

/// Whose link it was.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClickView {
    #[schema(example = true)]
    success: bool,
    /// The raffle that the link's page shows.
    landing_page: LandingPageView,
    /// Whether it belongs to somebody who has entered.
    is_entrant: bool,
}

impl ClickView {
    /// For somebody who is not tracked: what the link itself says, and nothing of whose it is.
    fn untracked(id: &TrackingId) -> Self {
        Self {
            success: true,
            landing_page: id.raffle().into(),
            is_entrant: false,
        }
    }
}

impl From<TrackedMessage> for ClickView {
    fn from(text: TrackedMessage) -> Self {
        Self {
            success: true,
            landing_page: text.raffle.into(),
            is_entrant: text.entrant.is_some(),
        }
    }
}

/// Counts that the link of a text was opened, once, and that its reader went on, once.
///
/// Bots, and browsers that send `Sec-GPC: 1` or `DNT: 1`, are answered by what the link says, and nothing is stored.
#[utoipa::path(
    post,
    path = "/api/sms/track-click",
    operation_id = "track_click",
    tag = "texts",
    params(("X-Analytics-Session" = Option<String>, Header)),
    request_body = TrackClickBody,
    responses(
        (status = 200, body = ClickView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView, description = "No text has that link"),
        (status = 429, body = ErrorView),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn track_click<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<TrackClickBody>,
) -> Result<Json<ClickView>, ApiError> {
    let id = body
        .0
        .tracking_id
        .ok_or_else(|| ApiError::field("trackingId", REQUIRED))?;
    let tracking_id = TrackingId::parse(&id).ok_or(ApiError::UnknownTrackingId)?;
    // Bots, and people who object, are not tracked (D28).
    if tracking.tracked.is_none() {
        return Ok(Json(ClickView::untracked(&tracking_id)));
    }
    let command = ClickCommand {
        tracking_id,
        cta: body.0.cta.unwrap_or(false),
        session: tracking.session(),
        origin: tracking.origin,
    };
    let clock = state.clock.clone();
    let track = move || usecases::provider_callbacks::track_click(&**store, &*clock, &command);
    Ok(Json(state.flows.run(track).await?.into()))
}

/// The largest call of the provider, in bytes.
const CALL_LIMIT: usize = 64 * 1024;

/// A call of the provider whose signature holds.
struct Call(Vec<(String, String)>);

impl Call {
    fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(parameter, _)| parameter == name)?;
        Some(value)
    }
}

async fn read_call<S: Store>(
    store: &Data<S>,
    state: &Data<AppState>,
    request: &HttpRequest,
    payload: Payload,
) -> Result<Call, ApiError> {
    let body = read_raw(payload, CALL_LIMIT).await?;
    let parameters: Vec<(String, String)> = url::form_urlencoded::parse(&body).into_owned().collect();
    let signature = request.headers().get("X-Twilio-Signature");
    let signature = signature
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let (at, store) = (state.clone(), store.clone());
    let read = move || at.sms.credentials(&**store, &*at.sealer);
    let (credentials, _) = state.flows.run(read).await?.ok_or(ApiError::SmsNotConfigured)?;
    // The address as the provider has it: what a proxy made of it says nothing.
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    let url = format!("{}{path}", state.public_origin);
    let callbacks = &state.sms.callbacks;
    if !callbacks.signature_holds(credentials.auth_token(), &url, &parameters, signature) {
        tracing::warn!("a call in the name of the texts' provider was refused");
        return Err(ApiError::ForgedCall);
    }
    Ok(Call(parameters))
}

/// Takes a text that somebody sent us, once: STOP and START and their synonyms, and HELP.
#[utoipa::path(
    post,
    path = "/api/twilio/inbound",
    operation_id = "receive_text",
    tag = "texts",
    params(("X-Twilio-Signature" = String, Header)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = String, content_type = "text/xml", description = "TwiML: empty, or the answer to HELP"),
        (status = 400, body = ErrorView),
        (status = 403, body = ErrorView, description = "The signature does not hold"),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn inbound<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let call = read_call(&store, &state, &request, payload).await?;
    let incomplete = ApiError::Malformed("The call says nothing of a text.");
    let Some((provider_id, from)) = call.get("MessageSid").zip(call.get("From")) else {
        return Err(incomplete);
    };
    // A short code or a name can send us texts too, and gets none from us.
    let Some(from) = Phone::from_e164(from) else {
        return Ok(twiml(None));
    };
    let text = InboundMessage {
        provider_id: provider_id.chars().take(64).collect(),
        from,
        body: call.get("Body").unwrap_or_default().to_owned(),
    };
    let clock = state.clock.clone();
    let hear = move || usecases::provider_callbacks::record_inbound_message(&**store, &*clock, &text);
    let keyword = state.flows.run(hear).await?;
    Ok(twiml((keyword == Some(Keyword::Help)).then_some(HELP_ANSWER)))
}

/// What the provider's address for a text's status says.
#[derive(Deserialize)]
struct StatusQuery {
    text: Option<String>,
}

/// Takes what the provider tells of one of our texts. In any order and however often: it never goes back from an end.
#[utoipa::path(
    post,
    path = "/api/twilio/status",
    operation_id = "receive_text_status",
    tag = "texts",
    params(
        ("text" = i64, Query, description = "The text's number, as we told the provider"),
        ("X-Twilio-Signature" = String, Header)
    ),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = String, content_type = "text/xml", description = "Empty TwiML"),
        (status = 403, body = ErrorView, description = "The signature does not hold"),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn status<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let call = read_call(&store, &state, &request, payload).await?;
    let query = web::Query::<StatusQuery>::from_query(request.query_string());
    let text = query.ok().and_then(|query| query.text.clone()?.parse().ok());
    let told = state.sms.callbacks.read_status(&call.0);
    // What is not about a text of ours is acknowledged, so that it does not come again.
    if let Some((text, told)) = text.zip(told) {
        let clock = state.clock.clone();
        let hear = move || {
            usecases::provider_callbacks::record_report(&**store, &*clock, MessageId::new(text), &told)
        };
        state.flows.run(hear).await?;
    }
    Ok(twiml(None))
}

/// An answer in the provider's own language.
fn twiml(message: Option<&'static str>) -> HttpResponse {
    // The one message there is has nothing that XML would have escaped.
    let message = message
        .map(|text| format!("<Message>{text}</Message>"))
        .unwrap_or_default();
    let document = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>{message}</Response>");
    HttpResponse::Ok()
        .insert_header(ContentType::xml())
        .body(document)
}
