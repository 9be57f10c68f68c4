//! Messages that browsers show when a raffle is drawn.

use super::Store;
use crate::callers::origin::RequestOrigin;
use crate::callers::visitor::{BrowserEntrant, another_browser};
use crate::http::body::{Body, JsonBody};
use crate::http::field::EntrantIdField;
use crate::http::fields::{All, FieldErrors, field, message, required};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json};
use push::{Endpoint, EndpointRules, NewSubscription, SubscriptionKeys};
use serde::{Deserialize, Serialize};
use usecases::push::SubscribeError;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); key, subscribe::<S>, unsubscribe::<S>]
}

impl From<SubscribeError> for ApiError {
    fn from(error: SubscribeError) -> Self {
        match error {
            SubscribeError::UnknownEntrant => another_browser(),
            SubscribeError::Store(error) => error.into(),
        }
    }
}

/// The key of this server for push messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushKeyView {
    /// The public VAPID key (RFC 8292) in base64url; null while the server sends no messages.
    #[schema(required)]
    public_key: Option<String>,
}

/// Gets the key that a browser subscribes to messages with.
#[utoipa::path(get, path = "/api/push/key", operation_id = "get_push_key")]
pub(crate) async fn key(state: Data<AppState>) -> Json<PushKeyView> {
    Json(PushKeyView {
        public_key: state.push.public_key.clone(),
    })
}

/// The keys of a browser (RFC 8291).
#[derive(Deserialize, ToSchema)]
#[schema(as = PushKeysBody)]
pub(crate) struct KeysBody {
    /// The public key: a point of P-256 without compression, 65 bytes in base64url.
    #[schema(value_type = String, required)]
    p256dh: Option<String>,
    /// The secret: 16 bytes in base64url.
    #[schema(value_type = String, required)]
    auth: Option<String>,
}

/// A browser that wants to be told when it is drawn, as `PushSubscription.toJSON()` gives it, and whose it is.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushSubscriptionBody {
    /// The entrant.
    #[schema(inline)]
    #[validate(nested)]
    user_id: EntrantIdField,
    /// The address of a push service that browsers use.
    #[schema(value_type = String, required, max_length = 2048)]
    #[validate(required(message = "Required"))]
    endpoint: Option<String>,
    /// What messages are encrypted with.
    #[schema(value_type = KeysBody, required)]
    keys: Option<KeysBody>,
}

impl JsonBody for PushSubscriptionBody {}

/// A browser that wants to be told no more.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndedSubscriptionBody {
    /// The entrant.
    #[schema(inline)]
    #[validate(nested)]
    user_id: EntrantIdField,
    /// The endpoint of the subscription.
    #[schema(value_type = String, required, max_length = 2048)]
    #[validate(required(message = "Required"))]
    endpoint: Option<String>,
}

impl JsonBody for EndedSubscriptionBody {}

fn read_endpoint(text: Option<&str>, rules: EndpointRules) -> Result<Endpoint, FieldErrors> {
    let endpoint = required(text)
        .and_then(|text| Endpoint::parse(text, rules).map_err(|error| message(error.to_string())));
    field("endpoint", endpoint)
}

fn read_keys(keys: Option<&KeysBody>) -> Result<SubscriptionKeys, FieldErrors> {
    let parse = |keys: &KeysBody| {
        let p256dh = keys.p256dh.as_deref().unwrap_or_default();
        let auth = keys.auth.as_deref().unwrap_or_default();
        SubscriptionKeys::parse(p256dh, auth).map_err(|error| message(error.to_string()))
    };
    field("keys", required(keys).and_then(parse))
}

/// Has a browser told when a raffle of its entrant is drawn. A browser that is known is stored once; of more than five, the
/// oldest is forgotten. Only for the browser that entered.
#[utoipa::path(
    post, path = "/api/push/subscriptions", operation_id = "add_push_subscription",
    responses(
        (status = 204, description = "Stored"),
        (status = 403, description = "`another_browser`: not the browser that entered")
    )
)]
pub(crate) async fn subscribe<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    (browser, origin): (BrowserEntrant<S>, RequestOrigin),
    body: Body<PushSubscriptionBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let entrant = body.user_id.value()?;
    let (endpoint, keys) = (
        read_endpoint(body.endpoint.as_deref(), state.push.endpoints),
        read_keys(body.keys.as_ref()),
    )
        .all()?;
    browser.must_be(entrant)?;
    let new = NewSubscription {
        entrant,
        endpoint,
        keys,
        user_agent: origin.0.user_agent,
        at: state.clock.now(),
    };
    pools
        .visitor_writes
        .run(move |store| usecases::push::subscribe(store, &new))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Forgets a browser. One that is not known is forgotten already. Only for the browser that entered.
#[utoipa::path(
    delete, path = "/api/push/subscriptions", operation_id = "remove_push_subscription",
    responses(
        (status = 204, description = "Forgotten"),
        (status = 403, description = "`another_browser`: not the browser that entered")
    )
)]
pub(crate) async fn unsubscribe<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    body: Body<EndedSubscriptionBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let entrant = body.user_id.value()?;
    let endpoint = read_endpoint(body.endpoint.as_deref(), state.push.endpoints)?;
    browser.must_be(entrant)?;
    pools
        .visitor_writes
        .run(move |store| usecases::push::unsubscribe(store, entrant, &endpoint))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
