//! Everything that can go wrong, as people and clients see it (D6).

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use kernel::StoreError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;
use usecases::campaigns::CampaignError;
use usecases::drawings::FindDrawingError;
use usecases::entering::EnterError;
use usecases::entrants::FindEntrantError;
use usecases::flags::FlagError;
use usecases::packages::PackageError;
use usecases::perform_drawing::PerformDrawingError;
use usecases::provider_callbacks::ClickError;
use usecases::purchases::{ConfirmError, PurchaseError};
use usecases::sessions::{AttemptError, SessionError};
use usecases::sms_templates::TemplateError;
use utoipa::ToSchema;

/// What is wrong with each field of a body or query, by its name there.
pub type Fields = BTreeMap<&'static str, Vec<String>>;

/// Why a request was not done. Causes are logged where they are found, and never sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiError {
    /// Some fields are wrong; nothing was stored.
    Validation(Fields),
    /// The body cannot be read.
    Malformed(&'static str),
    /// Neither a name nor its password, and not told which.
    InvalidCredentials,
    /// No session, or none any more.
    Unauthorized,
    /// There is no such thing.
    NotFound,
    /// Nobody has that referral code, so nobody was entered.
    UnknownReferralCode,
    /// Nobody in the raffle can be drawn.
    NoParticipants,
    /// Nothing has been committed to before the drawing.
    NoCommitment,
    /// The idempotency key belongs to another raffle's drawing.
    IdempotencyKeyReused,
    /// Nothing is sold, or not this.
    PurchasesUnavailable,
    /// Another entrant's payment.
    NotYourPayment,
    /// A payment has not gone through, or is not what was sold.
    PaymentNotConfirmed,
    /// The payment provider failed when it was asked for a payment.
    PaymentIntentFailed,
    /// The payment provider failed when it was asked whether a payment has gone through.
    ConfirmationFailed,
    /// There is no payment provider.
    PaymentsNotConfigured,
    /// An event that is not the payment provider's.
    BadSignature,
    /// No text has that link.
    UnknownTrackingId,
    /// There is no account to send texts with.
    SmsNotConfigured,
    /// A call that is not the texts' provider's.
    ForgedCall,
    /// There is no such template, or it is not active.
    UnknownTemplate,
    /// The raffle has a welcome message already.
    TemplateExists,
    /// A campaign that has begun, or was called off before.
    CampaignNotPending,
    /// The path exists, but not with this method; these it has.
    MethodNotAllowed(&'static str),
    /// The body took too long to arrive.
    BodyTimeout,
    /// The body is larger than [`crate::BODY_LIMIT`].
    TooLarge,
    /// The body is not JSON.
    WrongContentType,
    /// Too many requests from one address; after this long there may be another.
    RateLimited(Duration),
    /// The headers are larger than any browser's.
    HeadersTooLarge,
    /// The store is away or too busy.
    Unavailable,
    /// A fault of ours.
    Internal,
}

/// How an error is sent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorView {
    /// A sentence for a person.
    #[schema(example = "Referral code not found")]
    error: &'static str,
    /// The same for a program.
    #[schema(example = "referral_code_not_found")]
    code: &'static str,
    /// What is wrong with each field, for `validation` only.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false, value_type = Option<BTreeMap<String, Vec<String>>>)]
    fields: Fields,
}

/// How long a client should wait before it asks a store that was away again.
const RETRY_UNAVAILABLE: Duration = Duration::from_secs(5);

impl ApiError {
    /// One field, one message.
    pub fn field(name: &'static str, message: impl Into<String>) -> Self {
        Self::Validation(Fields::from([(name, vec![message.into()])]))
    }

    fn offer_mismatch(amount: bool, entries: bool) -> Self {
        let wrong = [("amount", amount), ("entriesAdded", entries)];
        let message = || vec!["This is not what the package has; please reload the page".to_owned()];
        let fields = wrong.into_iter().filter(|(_, wrong)| *wrong);
        Self::Validation(fields.map(|(name, _)| (name, message())).collect())
    }

    fn parts(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::Validation(_) => (
                StatusCode::BAD_REQUEST,
                "validation",
                "Please check the marked fields.",
            ),
            Self::Malformed(sentence) => (StatusCode::BAD_REQUEST, "malformed", sentence),
            Self::InvalidCredentials => (
                StatusCode::UNAUTHORIZED,
                "invalid_credentials",
                "Invalid credentials",
            ),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "Please sign in again."),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found", "There is nothing here."),
            Self::UnknownReferralCode => (
                StatusCode::NOT_FOUND,
                "referral_code_not_found",
                "Referral code not found",
            ),
            Self::NoParticipants => (
                StatusCode::CONFLICT,
                "no_participants",
                "Nobody can be drawn: this raffle has no participants.",
            ),
            Self::NoCommitment => (
                StatusCode::CONFLICT,
                "no_commitment",
                "Nothing has been committed to for this raffle yet, so nobody could check the drawing.",
            ),
            Self::IdempotencyKeyReused => (
                StatusCode::CONFLICT,
                "idempotency_key_reused",
                "This key was used for a drawing of another raffle.",
            ),
            Self::PurchasesUnavailable => (
                StatusCode::FORBIDDEN,
                "purchases_unavailable",
                "Purchases are not available right now",
            ),
            Self::NotYourPayment => (
                StatusCode::FORBIDDEN,
                "not_your_payment",
                "This payment belongs to somebody else.",
            ),
            Self::PaymentNotConfirmed => (
                StatusCode::CONFLICT,
                "payment_not_confirmed",
                "Payment confirmation failed",
            ),
            Self::PaymentIntentFailed => (
                StatusCode::BAD_GATEWAY,
                "payment_intent_failed",
                "Failed to create payment intent",
            ),
            Self::ConfirmationFailed => (
                StatusCode::BAD_GATEWAY,
                "confirmation_failed",
                "Payment confirmation failed",
            ),
            Self::PaymentsNotConfigured => (
                StatusCode::SERVICE_UNAVAILABLE,
                "payments_not_configured",
                "Payments are not configured",
            ),
            Self::BadSignature => (
                StatusCode::BAD_REQUEST,
                "bad_signature",
                "The event's signature does not hold.",
            ),
            Self::UnknownTrackingId => (
                StatusCode::NOT_FOUND,
                "unknown_tracking_id",
                "This link is not known.",
            ),
            Self::SmsNotConfigured => (
                StatusCode::SERVICE_UNAVAILABLE,
                "sms_not_configured",
                "Texts are not configured",
            ),
            Self::ForgedCall => (
                StatusCode::FORBIDDEN,
                "bad_signature",
                "The call's signature does not hold.",
            ),
            Self::UnknownTemplate => (
                StatusCode::NOT_FOUND,
                "unknown_template",
                "This template does not exist or is not active.",
            ),
            Self::TemplateExists => (
                StatusCode::CONFLICT,
                "template_exists",
                "This page has a welcome message already.",
            ),
            Self::CampaignNotPending => (
                StatusCode::CONFLICT,
                "not_pending",
                "Only a pending campaign can be cancelled",
            ),
            Self::MethodNotAllowed(_) => (
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "This cannot be done here.",
            ),
            Self::BodyTimeout => (
                StatusCode::REQUEST_TIMEOUT,
                "body_timeout",
                "Your request took too long to arrive. Please try again.",
            ),
            Self::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "too_large",
                "That is more than fits into one request.",
            ),
            Self::WrongContentType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "wrong_content_type",
                "The request must be sent as JSON.",
            ),
            Self::RateLimited(_) => (
                StatusCode::TOO_MANY_REQUESTS,
                "rate_limited",
                "Too many tries. Please wait a moment and try again.",
            ),
            Self::HeadersTooLarge => (
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "headers_too_large",
                "The request's headers are too large.",
            ),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                "We cannot reach our records right now. Please try again in a moment.",
            ),
            Self::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "Something went wrong on our side. Please try again.",
            ),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited(wait) => Some(*wait),
            Self::Unavailable => Some(RETRY_UNAVAILABLE),
            _ => None,
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, code, _) = self.parts();
        f.write_str(code)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.parts().0
    }

    fn error_response(&self) -> HttpResponse {
        let (status, code, error) = self.parts();
        let mut response = HttpResponse::build(status);
        if let Some(wait) = self.retry_after() {
            // Whole seconds, and not so few that the next try fails too.
            let seconds = wait.as_millis().div_ceil(1000).max(1);
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        if let Self::MethodNotAllowed(allowed) = self {
            response.insert_header((header::ALLOW, *allowed));
        }
        if self.status_code() == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        let fields = match self {
            Self::Validation(fields) => fields.clone(),
            _ => Fields::new(),
        };
        response.json(ErrorView { error, code, fields })
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let causes = Causes(&error);
        match &error {
            StoreError::Unavailable(_) | StoreError::Conflict => {
                tracing::warn!(error = %causes, "the store is not available");
                Self::Unavailable
            }
            StoreError::Duplicate(_) | StoreError::Corrupt { .. } | StoreError::Failed(_) => {
                tracing::error!(error = %causes, "the store failed");
                Self::Internal
            }
        }
    }
}

impl From<EnterError> for ApiError {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::UnknownReferralCode => Self::UnknownReferralCode,
            EnterError::Store(error) => error.into(),
        }
    }
}

impl From<FindEntrantError> for ApiError {
    fn from(error: FindEntrantError) -> Self {
        match error {
            FindEntrantError::UnknownEntrant => Self::NotFound,
            FindEntrantError::Store(error) => error.into(),
        }
    }
}

impl From<FlagError> for ApiError {
    fn from(error: FlagError) -> Self {
        match error {
            FlagError::UnknownEntrant => Self::NotFound,
            FlagError::Store(error) => error.into(),
        }
    }
}

impl From<PerformDrawingError> for ApiError {
    fn from(error: PerformDrawingError) -> Self {
        match error {
            PerformDrawingError::NoParticipants => Self::NoParticipants,
            PerformDrawingError::NoCommitment => Self::NoCommitment,
            PerformDrawingError::KeyReused => Self::IdempotencyKeyReused,
            PerformDrawingError::Sealed => {
                tracing::error!(
                    "the seed was sealed with a SECRET_KEY that is not known any more; add it to SECRET_KEY_PREVIOUS"
                );
                Self::Internal
            }
            PerformDrawingError::Unlistable(error) => {
                tracing::error!(%error, "the entrants cannot be frozen");
                Self::Internal
            }
            PerformDrawingError::Store(error) => error.into(),
        }
    }
}

impl From<FindDrawingError> for ApiError {
    fn from(error: FindDrawingError) -> Self {
        match error {
            FindDrawingError::UnknownDrawing | FindDrawingError::NotInIt => Self::NotFound,
            FindDrawingError::Store(error) => error.into(),
        }
    }
}

impl From<PurchaseError> for ApiError {
    fn from(error: PurchaseError) -> Self {
        match error {
            PurchaseError::NotForSale => Self::PurchasesUnavailable,
            PurchaseError::UnknownEntrant => Self::NotFound,
            PurchaseError::OfferMismatch { amount, entries } => Self::offer_mismatch(amount, entries),
            PurchaseError::Store(error) => error.into(),
        }
    }
}

impl From<ConfirmError> for ApiError {
    fn from(error: ConfirmError) -> Self {
        match error {
            ConfirmError::UnknownIntent => Self::NotFound,
            ConfirmError::NotYours => Self::NotYourPayment,
            ConfirmError::NotPaid => Self::PaymentNotConfirmed,
            ConfirmError::Store(error) => error.into(),
        }
    }
}

impl From<PackageError> for ApiError {
    fn from(error: PackageError) -> Self {
        match error {
            PackageError::UnknownPackage => Self::NotFound,
            PackageError::Store(error) => error.into(),
        }
    }
}

impl From<TemplateError> for ApiError {
    fn from(error: TemplateError) -> Self {
        match error {
            TemplateError::UnknownTemplate => Self::NotFound,
            TemplateError::AlreadyThere => Self::TemplateExists,
            TemplateError::Store(error) => error.into(),
        }
    }
}

impl From<CampaignError> for ApiError {
    fn from(error: CampaignError) -> Self {
        match error {
            CampaignError::UnknownTemplate => Self::UnknownTemplate,
            CampaignError::UnknownCampaign => Self::NotFound,
            CampaignError::NotPending => Self::CampaignNotPending,
            CampaignError::Store(error) => error.into(),
        }
    }
}

impl From<ClickError> for ApiError {
    fn from(error: ClickError) -> Self {
        match error {
            ClickError::UnknownTrackingId => Self::UnknownTrackingId,
            ClickError::Store(error) => error.into(),
        }
    }
}

impl From<AttemptError> for ApiError {
    fn from(error: AttemptError) -> Self {
        match error {
            AttemptError::TooMany { wait } => Self::RateLimited(wait.to_std().unwrap_or_default()),
            AttemptError::Store(error) => error.into(),
        }
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::NoSession => Self::Unauthorized,
            SessionError::Store(error) => error.into(),
        }
    }
}

/// An error with all that caused it. Messages only: PostgreSQL's details would hold the row's values.
struct Causes<'a>(&'a dyn Error);

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
