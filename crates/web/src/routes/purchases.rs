//! Buying entries: spec section 2 (Entry package purchase block), D7 to D9.

use super::{Store, get, post};
use crate::body::{Body, FieldErrors, JsonBody, read_raw};
use crate::error::ErrorView;
use crate::limits::{limit_buying, limit_reads};
use crate::routes::entrants::REQUIRED;
use crate::routes::staff::packages::PackageView;
use crate::tracking::Tracking;
use crate::{ApiError, AppState, PaymentGateway};
use actix_web::HttpRequest;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, Json, Payload};
use kernel::EntrantId;
use pricing::{IntentId, PackageId, PaymentsError, PurchaseStatus};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use usecases::purchases::{ConfirmCommand, PurchaseCommand};
use utoipa::ToSchema;

pub(super) fn configure<S: Store>(config: &mut web::ServiceConfig) {
    let offer = get("/api/entry-packages", web::get().to(offer::<S>));
    let create = post(
        "/api/stripe/create-payment-intent",
        web::post().to(create_payment_intent::<S>),
    );
    let confirm = post("/api/confirm-payment", web::post().to(confirm_payment::<S>));
    config
        .service(offer.wrap(from_fn(limit_reads)))
        .service(create.wrap(from_fn(limit_buying)))
        .service(confirm.wrap(from_fn(limit_buying)))
        // The provider sends as often as it must; its signature is what lets it in.
        .service(post("/api/stripe/webhook", web::post().to(webhook::<S>)));
}

/// What visitors may buy now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferView {
    /// The active packages, by sort order and then id.
    packages: Vec<PackageView>,
    /// Whether they are shown and sold.
    show_pricing: bool,
    /// For the provider's script; null while no provider is configured, and then nothing can be bought.
    #[schema(required, example = "pk_live_1")]
    publishable_key: Option<String>,
}

/// A package that somebody wants to buy, as the page showed it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatePaymentIntentBody {
    #[schema(value_type = i64, required)]
    user_id: Option<i64>,
    /// What it costs, in cents.
    #[schema(value_type = i64, required)]
    amount: Option<i64>,
    #[schema(value_type = i64, required)]
    entries_added: Option<i64>,
    #[schema(value_type = i64, required)]
    package_id: Option<i64>,
}

impl JsonBody for CreatePaymentIntentBody {
    const FIELDS: &'static [&'static str] = &["userId", "amount", "entriesAdded", "packageId"];
}

fn required<T>(value: Option<T>) -> Result<T, Vec<String>> {
    value.ok_or_else(|| vec![REQUIRED.to_owned()])
}

impl CreatePaymentIntentBody {
    fn command(&self, from: &Tracking) -> Result<PurchaseCommand, ApiError> {
        let mut reading = FieldErrors::default();
        let user_id = reading.field("userId", required(self.user_id));
        let amount = reading.field("amount", required(self.amount));
        let entries = reading.field("entriesAdded", required(self.entries_added));
        let package_id = reading.field("packageId", required(self.package_id));
        reading.finish()?;
        Ok(PurchaseCommand {
            entrant: user_id.map(EntrantId::new).ok_or(ApiError::Internal)?,
            package: package_id.map(PackageId::new).ok_or(ApiError::Internal)?,
            amount: amount.ok_or(ApiError::Internal)?,
            entries: entries.ok_or(ApiError::Internal)?,
            session: from.session(),
        })
    }
}

/// A payment that was asked for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentIntentView {
    /// With it the payer's browser goes on with the provider.
    client_secret: String,
    payment_intent_id: String,
    /// By which browser and pixel report the purchase once.
    event_id: String,
}

/// A payment that has gone through, as the browser says.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmPaymentBody {
    #[schema(value_type = String, required, max_length = 255)]
    payment_intent_id: Option<String>,
    #[schema(value_type = i64, required)]
    user_id: Option<i64>,
    #[schema(value_type = i64, required)]
    package_id: Option<i64>,
}

impl JsonBody for ConfirmPaymentBody {
    const FIELDS: &'static [&'static str] = &["paymentIntentId", "userId", "packageId"];
}

impl ConfirmPaymentBody {
    fn command(&self, from: &Tracking) -> Result<ConfirmCommand, ApiError> {
        let mut reading = FieldErrors::default();
        let intent = reading.field("paymentIntentId", required(self.payment_intent_id.as_deref()));
        let user_id = reading.field("userId", required(self.user_id));
        let package_id = reading.field("packageId", required(self.package_id));
        reading.finish()?;
        Ok(ConfirmCommand {
            // What cannot be a payment's name is no payment's.
            intent: intent.and_then(IntentId::parse).ok_or(ApiError::NotFound)?,
            entrant: user_id.map(EntrantId::new).ok_or(ApiError::Internal)?,
            package: package_id.map(PackageId::new).ok_or(ApiError::Internal)?,
            session: from.session(),
        })
    }
}

/// A purchase that is credited.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmedView {
    /// By which browser and pixel report the purchase once.
    event_id: String,
    entries_added: i64,
}

/// An event was taken.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceivedView {
    received: bool,
}

/// What visitors may buy now.
#[utoipa::path(
    get,
    path = "/api/entry-packages",
    operation_id = "list_entry_packages",
    tag = "purchases",
    responses((status = 200, body = OfferView), (status = 429, body = ErrorView))
)]
pub(crate) async fn offer<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<OfferView>, ApiError> {
    let offer = state
        .flows
        .run(move || usecases::packages::offer(&**store))
        .await?;
    Ok(Json(OfferView {
        packages: offer.packages.into_iter().map(Into::into).collect(),
        show_pricing: offer.show_pricing,
        publishable_key: state
            .payments
            .as_ref()
            .map(|gateway| gateway.publishable_key.clone()),
    }))
}

/// Asks the provider for a payment of a package's own price.
#[utoipa::path(
    post,
    path = "/api/stripe/create-payment-intent",
    operation_id = "create_payment_intent",
    tag = "purchases",
    params(("X-Analytics-Session" = Option<String>, Header)),
    request_body = CreatePaymentIntentBody,
    responses(
        (status = 200, body = PaymentIntentView),
        (status = 400, body = ErrorView, description = "Fields are missing, or not the package's own"),
        (status = 403, body = ErrorView, description = "Nothing is sold, or not this"),
        (status = 404, body = ErrorView, description = "No such entrant"),
        (status = 429, body = ErrorView),
        (status = 502, body = ErrorView, description = "The provider failed"),
        (status = 503, body = ErrorView, description = "No provider is configured, or the database is away")
    )
)]
pub(crate) async fn create_payment_intent<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<CreatePaymentIntentBody>,
) -> Result<Json<PaymentIntentView>, ApiError> {
    let gateway = gateway(&state)?;
    let command = body.0.command(&tracking)?;
    let (at, begin) = (state.clone(), store.clone());
    let begin = move || usecases::purchases::begin_purchase(&**begin, &*at.clock, &*at.entropy, &command);
    let begun = state.flows.run(begin).await?;
    let created = gateway
        .payments
        .create_intent(&begun.intent)
        .await
        .map_err(|error| provider_failed(&error, ApiError::PaymentIntentFailed))?;
    let event_id = begun.event_id.as_str().to_owned();
    let intent = created.id.clone();
    state
        .flows
        .run(move || usecases::purchases::record_intent_id(&**store, &begun, &intent))
        .await?;
    Ok(Json(PaymentIntentView {
        client_secret: created.client_secret,
        payment_intent_id: created.id.as_str().to_owned(),
        event_id,
    }))
}

/// Credits a purchase, once the provider says that it is paid. Repeated, it answers the same and adds nothing.
#[utoipa::path(
    post,
    path = "/api/confirm-payment",
    operation_id = "confirm_payment",
    tag = "purchases",
    params(("X-Analytics-Session" = Option<String>, Header)),
    request_body = ConfirmPaymentBody,
    responses(
        (status = 200, body = ConfirmedView),
        (status = 400, body = ErrorView),
        (status = 403, body = ErrorView, description = "Another entrant's payment"),
        (status = 404, body = ErrorView, description = "No such payment"),
        (status = 409, body = ErrorView, description = "Not paid, or not what was sold"),
        (status = 429, body = ErrorView),
        (status = 502, body = ErrorView, description = "The provider failed"),
        (status = 503, body = ErrorView, description = "No provider is configured, or the database is away")
    )
)]
pub(crate) async fn confirm_payment<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<ConfirmPaymentBody>,
) -> Result<Json<ConfirmedView>, ApiError> {
    let gateway = gateway(&state)?;
    let command = body.0.command(&tracking)?;
    let (find, wanted) = (store.clone(), command.clone());
    let purchase = state
        .flows
        .run(move || usecases::purchases::purchase_to_confirm(&**find, &wanted))
        .await?;
    let intent = match purchase.status {
        PurchaseStatus::Completed => None,
        _ => gateway
            .payments
            .retrieve_intent(&command.intent)
            .await
            .map_err(|error| provider_failed(&error, ApiError::ConfirmationFailed))?,
    };
    let view = ConfirmedView {
        event_id: purchase.sold.event_id.as_str().to_owned(),
        entries_added: purchase.sold.entries.get(),
    };
    let at = state.clone();
    let confirm = move || {
        usecases::purchases::confirm_purchase(&**store, &*at.clock, &command, &purchase, intent.as_ref())
    };
    state.flows.run(confirm).await?;
    Ok(Json(view))
}

/// The largest event of the provider, in bytes.
const EVENT_LIMIT: usize = 256 * 1024;

/// Takes an event of the provider, once, however often it is sent.
#[utoipa::path(
    post,
    path = "/api/stripe/webhook",
    operation_id = "receive_stripe_event",
    tag = "purchases",
    params(("Stripe-Signature" = String, Header)),
    request_body(content = String, content_type = "application/json", description = "As the provider signed it, byte for byte"),
    responses(
        (status = 200, body = ReceivedView),
        (status = 400, body = ErrorView, description = "The signature does not hold"),
        (status = 503, body = ErrorView)
    )
)]
pub(crate) async fn webhook<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    request: HttpRequest,
    payload: Payload,
) -> Result<Json<ReceivedView>, ApiError> {
    let gateway = gateway(&state)?;
    let body = read_raw(payload, EVENT_LIMIT).await?;
    let signature = request.headers().get("Stripe-Signature");
    let signature = signature
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let event = gateway
        .webhooks
        .read_event(&body, signature, state.clock.now())
        .map_err(|error| {
            tracing::warn!(%error, "an event of the payment provider was refused");
            ApiError::BadSignature
        })?;
    let clock = state.clock.clone();
    state
        .flows
        .run(move || usecases::purchases::apply_event(&**store, &*clock, &event))
        .await?;
    Ok(Json(ReceivedView { received: true }))
}

fn gateway(state: &AppState) -> Result<Arc<PaymentGateway>, ApiError> {
    state.payments.clone().ok_or(ApiError::PaymentsNotConfigured)
}

/// What the provider said is for the log alone.
fn provider_failed(error: &PaymentsError, answer: ApiError) -> ApiError {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    tracing::error!(%error, cause, "the payment provider failed");
    answer
}
