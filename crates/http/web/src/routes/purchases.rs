//! Buying entries.

use super::Store;
use super::entered::RAFFLE_CLOSED;
use super::free_entries::on_hold;
use crate::callers::limited::count;
use crate::callers::tracking::Tracking;
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody, header_text, read_raw};
use crate::http::error::Fields;
use crate::http::field::{EntrantIdField, Field, NumberField, numbers, text, texts};
use crate::http::views::PackageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::threads::blocking_pool::not_run;
use crate::{ApiError, AppState, PaymentGateway, RequestPools};
use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json, Payload};
use chrono::TimeDelta;
use pricing::{IntentId, PackageId};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use usecases::purchases::{ConfirmCommand, ConfirmError, PaymentStoryError, PurchaseCommand, PurchaseError};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); offer::<S>]
        .and(routes![Some(Limit::Buying); create_payment_intent::<S>, confirm_payment::<S>])
        // No limit: Stripe sends as many events as there are, and the signature rejects other clients.
        .and(routes![None; webhook::<S>])
}

impl From<PurchaseError> for ApiError {
    fn from(error: PurchaseError) -> Self {
        match error {
            PurchaseError::NotForSale => Self::new(
                StatusCode::FORBIDDEN,
                "purchases_unavailable",
                "Purchases are not available right now",
            ),
            PurchaseError::UnknownEntrant => Self::not_found(),
            PurchaseError::OnHold => on_hold(),
            PurchaseError::RaffleClosed => RAFFLE_CLOSED,
            PurchaseError::OfferMismatch { amount, entries } => offer_mismatch(amount, entries),
            PurchaseError::TooManyOpen { wait } => too_many_open(wait),
            PurchaseError::EntryCap { room } => over_cap(room),
            PurchaseError::Store(error) => error.into(),
        }
    }
}

fn too_many_open(wait: TimeDelta) -> ApiError {
    let error = ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too_many_open_purchases",
        "You have begun too many purchases. Please finish one, or try again later.",
    );
    error.retry_after(wait.to_std().unwrap_or_default())
}

fn over_cap(room: i64) -> ApiError {
    let full = ApiError::new(
        StatusCode::CONFLICT,
        "entry_cap",
        "You have all the bought and free entries that one person can get in a month.",
    );
    match room {
        0 => full,
        1 => full.saying("Only 1 more entry fits under this month's limit for one person.".to_owned()),
        _ => full.saying(format!(
            "Only {room} more entries fit under this month's limit for one person."
        )),
    }
}

fn offer_mismatch(amount: bool, entries: bool) -> ApiError {
    let message = || vec!["This is not what the package has; please reload the page".to_owned()];
    let mut fields = Fields::new();
    if amount {
        fields.insert("amount".into(), message());
    }
    if entries {
        fields.insert("entriesAdded".into(), message());
    }
    ApiError::validation(fields)
}

impl From<ConfirmError> for ApiError {
    fn from(error: ConfirmError) -> Self {
        match error {
            ConfirmError::UnknownIntent => Self::not_found(),
            ConfirmError::NotYours => Self::new(
                StatusCode::FORBIDDEN,
                "not_your_payment",
                "This payment belongs to somebody else.",
            ),
            ConfirmError::NotPaid => Self::new(
                StatusCode::CONFLICT,
                "payment_not_confirmed",
                "Payment confirmation failed",
            ),
            ConfirmError::EntryCap => Self::new(
                StatusCode::CONFLICT,
                "entry_cap",
                "Your payment came too late: your entries for this month are full. We are refunding it in full.",
            ),
            ConfirmError::RaffleEnded => Self::new(
                StatusCode::CONFLICT,
                "raffle_closed",
                "Your payment came too late: this raffle has ended. We are refunding it in full.",
            ),
            ConfirmError::PaidTooLate => Self::new(
                StatusCode::CONFLICT,
                "paid_too_late",
                "Your payment came too late to count. We are refunding it in full.",
            ),
            ConfirmError::Store(error) => error.into(),
        }
    }
}

const fn not_verified() -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "verification_required",
        "Please enter your number again before you buy.",
    )
}

const fn payment_intent_failed() -> ApiError {
    ApiError::new(
        StatusCode::BAD_GATEWAY,
        "payment_intent_failed",
        "Failed to create payment intent",
    )
}

const fn confirmation_failed() -> ApiError {
    ApiError::new(
        StatusCode::BAD_GATEWAY,
        "confirmation_failed",
        "Payment confirmation failed",
    )
}

const fn payments_not_configured() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "payments_not_configured",
        "Payments are not configured",
    )
}

const fn bad_signature() -> ApiError {
    ApiError::new(
        StatusCode::BAD_REQUEST,
        "bad_signature",
        "The event's signature is not valid.",
    )
}

/// The packages on offer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferView {
    /// The active packages, by sort order and then id.
    packages: Vec<PackageView>,
    /// Whether packages are shown and sold.
    show_pricing: bool,
    /// The key for the payment provider's script. Null without a provider; then nothing can be bought.
    #[schema(required, example = "pk_live_1")]
    publishable_key: Option<String>,
}

/// A package to buy, as the page showed it.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatePaymentIntentBody {
    #[schema(inline)]
    #[validate(nested)]
    user_id: EntrantIdField,
    /// The price in cents.
    #[schema(inline)]
    #[validate(nested)]
    amount: NumberField,
    #[schema(inline)]
    #[validate(nested)]
    entries_added: NumberField,
    #[schema(inline)]
    #[validate(nested)]
    package_id: PackageIdField,
}

impl JsonBody for CreatePaymentIntentBody {}

impl CreatePaymentIntentBody {
    fn command(self, from: &Tracking) -> Result<PurchaseCommand, ApiError> {
        Ok(PurchaseCommand {
            entrant: self.user_id.value()?,
            package: self.package_id.value()?,
            amount: self.amount.value()?,
            entries: self.entries_added.value()?,
            session: from.session(),
        })
    }
}

/// A payment that was created at the payment provider.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentIntentView {
    /// For the payment provider's script in the browser.
    client_secret: String,
    payment_intent_id: String,
    /// The id of the purchase for the ads pixel, which counts it once.
    event_id: String,
}

/// A payment that the browser reports as paid.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmPaymentBody {
    #[schema(inline)]
    #[validate(nested)]
    payment_intent_id: IntentIdField,
    #[schema(inline)]
    #[validate(nested)]
    user_id: EntrantIdField,
    #[schema(inline)]
    #[validate(nested)]
    package_id: PackageIdField,
}

impl JsonBody for ConfirmPaymentBody {}

impl ConfirmPaymentBody {
    fn command(self, from: &Tracking) -> Result<ConfirmCommand, ApiError> {
        Ok(ConfirmCommand {
            intent: self
                .payment_intent_id
                .value()?
                .0
                .ok_or_else(ApiError::not_found)?,
            entrant: self.user_id.value()?,
            package: self.package_id.value()?,
            session: from.session(),
        })
    }
}

type PackageIdField = Field<PackageId>;
type IntentIdField = Field<KnownIntent>;

numbers! {
    PackageId: Int64, Self::new;
}

/// The id of a payment intent. Other text is an unknown payment.
struct KnownIntent(Option<IntentId>);

texts! {
    KnownIntent: text().max_length(Some(255)), |sent| Ok(Self(IntentId::parse(&sent)));
}

/// A purchase whose entries are credited.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConfirmedView {
    /// The id of the purchase for the ads pixel, which counts it once.
    event_id: String,
    entries_added: i64,
}

/// The event is stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceivedView {
    received: bool,
}

/// The packages on offer.
#[utoipa::path(get, path = "/api/entry-packages", operation_id = "list_entry_packages")]
pub(crate) async fn offer<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
) -> Result<Json<OfferView>, ApiError> {
    let offer = pools
        .visitor_reads
        .run(|store| usecases::packages::offer(store))
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

/// Creates a payment of the package's price at the payment provider.
#[utoipa::path(
    post, path = "/api/stripe/create-payment-intent", operation_id = "create_payment_intent",
    params(("X-Analytics-Session" = Option<String>, Header)),
    responses(
        (status = 403, description = "Nothing is sold, or this package is not; or, where numbers are verified, the browser has no visitor token of this entrant"),
        (status = 404, description = "No such entrant"),
        (status = 409, description = "`on_hold`: the entrant's entries are on hold; `entry_cap`: the entries do not fit under the cap of this month"),
        (status = 429, description = "Too many requests, or ten purchases of this entrant are open"),
        (status = 502, description = "The provider failed"),
        (status = 503, description = "No provider is configured, or the database is away")
    )
)]
pub(crate) async fn create_payment_intent<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    browser: BrowserEntrant<S>,
    body: Body<CreatePaymentIntentBody>,
) -> Result<Json<PaymentIntentView>, ApiError> {
    let gateway = gateway(&state)?;
    let command = body.valid()?.command(&tracking)?;
    let needs_token = state.phone_verification;
    if needs_token && !browser.is(command.entrant) {
        return Err(not_verified());
    }
    let (clock, entropy, payments) = (&*state.clock, &*state.entropy, &*gateway.payments);
    let pool = &pools.visitor_writes;
    let bought = usecases::purchases::buy(
        pool.store(),
        pool,
        clock,
        entropy,
        payments,
        state.purchase_rules(),
        command,
    )
    .await;
    let purchase = bought.map_err(|error| story_failed(error, payment_intent_failed()))?;
    Ok(Json(PaymentIntentView {
        client_secret: purchase.intent.client_secret,
        payment_intent_id: purchase.intent.id.as_str().to_owned(),
        event_id: purchase.event_id.as_str().to_owned(),
    }))
}

/// Credits a purchase that the payment provider confirms as paid. A repeated call gets the same response and credits nothing.
#[utoipa::path(
    post, path = "/api/confirm-payment", operation_id = "confirm_payment",
    params(("X-Analytics-Session" = Option<String>, Header)),
    responses(
        (status = 403, description = "The payment belongs to another entrant"),
        (status = 404, description = "No such payment"),
        (status = 409, description = "Not paid, or the payment does not match the purchase; `entry_cap`: paid after it was canceled, when its entries no longer fitted under the cap; `raffle_closed`: paid after the last drawing of the raffle was sealed; `paid_too_late`: one of the two, found before. The payment is refunded then"),
        (status = 502, description = "The provider failed"),
        (status = 503, description = "No provider is configured, or the database is away")
    )
)]
pub(crate) async fn confirm_payment<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<ConfirmPaymentBody>,
) -> Result<Json<ConfirmedView>, ApiError> {
    let gateway = gateway(&state)?;
    let command = body.valid()?.command(&tracking)?;
    let (clock, payments) = (&*state.clock, &*gateway.payments);
    let pool = &pools.visitor_writes;
    let times = state.drawing_times();
    let confirmed = usecases::purchases::confirm(pool.store(), pool, clock, payments, times, command).await;
    let purchase = confirmed.map_err(|error| story_failed(error, confirmation_failed()))?;
    Ok(Json(ConfirmedView {
        event_id: purchase.event_id.as_str().to_owned(),
        entries_added: purchase.entries.get(),
    }))
}

/// The largest event, in bytes.
const EVENT_LIMIT: usize = 256 * 1024;

/// Receives an event of the payment provider. Repeated events have no effect.
#[utoipa::path(
    post, path = "/api/stripe/webhook", operation_id = "receive_stripe_event",
    params(("Stripe-Signature" = String, Header)),
    request_body(content = String, content_type = "application/json", description = "The signed body, byte for byte"),
    responses(
        (status = 400, description = "The signature is not valid"),
        (status = 429, description = "Too many signatures of this address were not valid")
    )
)]
pub(crate) async fn webhook<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    request: HttpRequest,
    payload: Payload,
) -> Result<Json<ReceivedView>, ApiError> {
    let gateway = gateway(&state)?;
    let body = read_raw(payload, EVENT_LIMIT).await?;
    let signature = header_text(&request, "Stripe-Signature");
    let event = match gateway.webhooks.read_event(&body, signature, state.clock.now()) {
        Ok(event) => event,
        Err(error) => {
            count(Limit::FailedSignatures, &request).await?;
            tracing::warn!(%error, "refused an event that claims to be from the payment provider");
            return Err(bad_signature());
        }
    };
    let (clock, times) = (state.clock.clone(), state.drawing_times());
    pools
        .callbacks
        .run(move |store| usecases::purchases::apply_event(store, &*clock, times, &event))
        .await?;
    Ok(Json(ReceivedView { received: true }))
}

pub(super) fn gateway(state: &AppState) -> Result<Arc<PaymentGateway>, ApiError> {
    state.payments.clone().ok_or_else(payments_not_configured)
}

pub(super) fn story_failed<E: Into<ApiError>>(
    error: PaymentStoryError<E>,
    provider_failed: ApiError,
) -> ApiError {
    match error {
        PaymentStoryError::Refused(error) => error.into(),
        PaymentStoryError::NotRun(error) => not_run(error),
        PaymentStoryError::Provider(error) => {
            // The provider's error is only logged.
            let cause = error.source().map(ToString::to_string).unwrap_or_default();
            tracing::error!(%error, cause, "the payment provider failed");
            provider_failed
        }
    }
}
