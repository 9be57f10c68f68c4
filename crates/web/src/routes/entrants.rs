//! Entering a raffle, and what an entrant's success screen reads.

use super::Store;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::error::ErrorView;
use crate::query::PageQuery;
use crate::tracking::Tracking;
use crate::visitor::Visitor;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json, Path, Query};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Phone, Raffle, ReferralCode};
use raffle::Entrant;
use serde::{Deserialize, Serialize};
use sms::{ConsentDefault, campaign_consent};
use usecases::entering::{EnterCommand, Entered};
use utoipa::{IntoResponses, ToSchema};

/// Somebody enters a raffle. Other fields are ignored.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterBody {
    /// As people type it: digits, spaces, dashes, parentheses, and one leading plus sign.
    #[schema(value_type = String, required, min_length = 10, max_length = 20, pattern = r"^\+?[0-9 ()-]*$", example = "(555) 123-4567")]
    phone_number: Option<String>,
    /// The raffle's key; `garden-bag` without one.
    #[schema(value_type = Option<LandingPageView>)]
    landing_page: Option<String>,
    /// The client's name for this sign-up, by which it is reported once.
    #[serde(rename = "event_id")]
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    event_id: Option<String>,
    /// Whether campaign texts may be sent, as the form's box says.
    sms_consent: Option<bool>,
}

/// Somebody enters through a friend's link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisterReferredBody {
    /// As people type it: digits, spaces, dashes, parentheses, and one leading plus sign.
    #[schema(value_type = String, required, min_length = 10, max_length = 20, pattern = r"^\+?[0-9 ()-]*$", example = "(555) 123-4567")]
    phone_number: Option<String>,
    /// What the friend's link ends in, in either case.
    #[schema(value_type = String, required, max_length = 64, example = "CDFG3467")]
    referral_code: Option<String>,
    /// The raffle's key; `garden-bag` without one.
    #[schema(value_type = Option<LandingPageView>)]
    landing_page: Option<String>,
    /// The client's name for this sign-up, by which it is reported once.
    #[serde(rename = "event_id")]
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    event_id: Option<String>,
    /// Whether campaign texts may be sent, as the form's box says.
    sms_consent: Option<bool>,
}

impl JsonBody for RegisterBody {
    const FIELDS: &'static [&'static str] = &["phoneNumber", "landingPage", "event_id", "smsConsent"];
}

impl JsonBody for RegisterReferredBody {
    const FIELDS: &'static [&'static str] = &[
        "phoneNumber",
        "referralCode",
        "landingPage",
        "event_id",
        "smsConsent",
    ];
}

impl RegisterBody {
    fn command(self, from: Tracking, default: ConsentDefault) -> Result<EnterCommand, ApiError> {
        let mut reading = FieldErrors::default();
        let phone = reading.field("phoneNumber", read_phone(self.phone_number.as_deref()));
        let landing_page = reading.field("landingPage", read_landing_page(self.landing_page.as_deref()));
        let event_id = reading.field("event_id", read_event_id(self.event_id.as_deref()));
        reading.finish()?;
        Ok(EnterCommand {
            phone: phone.ok_or(ApiError::Internal)?,
            raffle: landing_page.unwrap_or_default(),
            referral_code: None,
            event_id: event_id.flatten(),
            consent: campaign_consent(self.sms_consent, default),
            fingerprint: from.fingerprint(),
            session: from.session(),
            origin: from.origin,
        })
    }
}

impl RegisterReferredBody {
    fn command(self, from: Tracking, default: ConsentDefault) -> Result<EnterCommand, ApiError> {
        let code = read_referral_code(self.referral_code.as_deref());
        let rest = RegisterBody {
            phone_number: self.phone_number,
            landing_page: self.landing_page,
            event_id: self.event_id,
            sms_consent: self.sms_consent,
        };
        let mut command = match (rest.command(from, default), &code) {
            (Err(ApiError::Validation(mut fields)), Err(messages)) => {
                fields.insert("referralCode", messages.clone());
                return Err(ApiError::Validation(fields));
            }
            (rest, _) => rest?,
        };
        let code = code.map_err(|messages| ApiError::Validation([("referralCode", messages)].into()))?;
        // What cannot be a code is nobody's.
        command.referral_code = Some(ReferralCode::parse(&code).map_err(|_| ApiError::UnknownReferralCode)?);
        Ok(command)
    }
}

pub(crate) const REQUIRED: &str = "Required";

pub(crate) fn read_phone(typed: Option<&str>) -> Result<Phone, Vec<String>> {
    let typed = typed.ok_or_else(|| vec![REQUIRED.to_owned()])?;
    Phone::parse(typed).map_err(|rules| rules.iter().map(ToString::to_string).collect())
}

pub(crate) fn read_landing_page(key: Option<&str>) -> Result<Raffle, Vec<String>> {
    let unknown = || vec!["There is no such raffle".to_owned()];
    key.map_or(Ok(Raffle::default()), |key| key.parse().map_err(|_| unknown()))
}

pub(crate) fn read_event_id(text: Option<&str>) -> Result<Option<EventId>, Vec<String>> {
    text.map(EventId::parse)
        .transpose()
        .map_err(|error| vec![error.to_string()])
}

/// A text that may stand in a link. Longer, or with control characters, is no mistyped code but something else.
fn read_referral_code(text: Option<&str>) -> Result<String, Vec<String>> {
    let text = text.ok_or_else(|| vec![REQUIRED.to_owned()])?.trim();
    if text.is_empty() {
        return Err(vec![REQUIRED.to_owned()]);
    }
    if text.chars().count() > 64 || text.chars().any(char::is_control) {
        return Err(vec!["This is not a referral code".to_owned()]);
    }
    Ok(text.to_owned())
}

/// One of the four raffles.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LandingPageView {
    GardenBag,
    FreshSips,
    KitchenGarden,
    SustainableLiving,
}

impl From<Raffle> for LandingPageView {
    fn from(page: Raffle) -> Self {
        match page {
            Raffle::GardenBag => Self::GardenBag,
            Raffle::FreshSips => Self::FreshSips,
            Raffle::KitchenGarden => Self::KitchenGarden,
            Raffle::SustainableLiving => Self::SustainableLiving,
        }
    }
}

/// Who is in, and whether since just now.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnteredView {
    user: EnteredUserView,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnteredUserView {
    id: i64,
    /// The number that was sent, in E.164.
    #[schema(example = "+15551234567")]
    phone_number: String,
    #[schema(example = "CDFG3467")]
    referral_code: String,
    /// The raffle that was entered first, and stays.
    landing_page: LandingPageView,
    /// False when the number was in already; then nothing has changed.
    is_new: bool,
}

/// An entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserView {
    id: i64,
    /// In full for the browser that entered it, else the last four digits.
    #[schema(example = "***-***-4567")]
    phone_number: String,
    #[schema(example = "CDFG3467")]
    referral_code: String,
    landing_page: LandingPageView,
    created_at: DateTime<Utc>,
}

/// An entrant's chances; `totalEntries` is the sum of the three kinds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatsView {
    total_entries: i64,
    /// Friends who entered through the link.
    referral_count: i64,
    /// For entering.
    base_entries: i64,
    /// For friends.
    bonus_entries: i64,
    /// Bought; the screens call them Bonus Entries.
    paid_entries: i64,
}

/// A friend who entered through the link.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferralView {
    id: i64,
    /// In full for the browser of who invited them, else the last four digits.
    #[schema(example = "***-***-4567")]
    referred_phone_number: String,
    created_at: DateTime<Utc>,
}

/// Why nothing was stored.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "for the description only; the answers are `ApiError`'s")]
pub(crate) enum Refused {
    /// Fields are wrong, or the body is no JSON object
    #[response(status = 400)]
    Wrong(ErrorView),
    /// The body is larger than 16 KiB
    #[response(status = 413)]
    TooLarge(ErrorView),
    /// The body is of another type
    #[response(status = 415)]
    WrongContentType(ErrorView),
    /// Too many requests from this address; `Retry-After` says how long to wait
    #[response(status = 429)]
    RateLimited(ErrorView),
    /// Too many requests at once, or the database is away; `Retry-After` says how long to wait
    #[response(status = 503)]
    Unavailable(ErrorView),
}

/// Enters a raffle.
///
/// A phone number that is in already is answered as it stands: no second entry, no credit.
#[utoipa::path(
    post,
    path = "/api/users/register",
    tag = "entrants",
    params(("X-Analytics-Session" = Option<String>, Header), ("X-Analytics-Fingerprint" = Option<String>, Header)),
    request_body = RegisterBody,
    responses(
        (status = 201, body = EnteredView, description = "Entered; the browser gets its visitor cookie"),
        (status = 200, body = EnteredView, description = "Was in already"),
        Refused,
    )
)]
pub(crate) async fn register<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<RegisterBody>,
) -> Result<HttpResponse, ApiError> {
    let command = body.0.command(tracking, state.consent_default)?;
    enter(store, state, command).await
}

/// Enters a raffle through a friend's link; the friend gets an entry.
#[utoipa::path(
    post,
    path = "/api/users/register-referred",
    tag = "entrants",
    params(("X-Analytics-Session" = Option<String>, Header), ("X-Analytics-Fingerprint" = Option<String>, Header)),
    request_body = RegisterReferredBody,
    responses(
        (status = 201, body = EnteredView, description = "Entered; the browser gets its visitor cookie"),
        (status = 200, body = EnteredView, description = "Was in already; nobody is credited"),
        (status = 404, body = ErrorView, description = "Nobody has that referral code, and nobody was entered"),
        Refused,
    )
)]
pub(crate) async fn register_referred<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    tracking: Tracking,
    body: Body<RegisterReferredBody>,
) -> Result<HttpResponse, ApiError> {
    let command = body.0.command(tracking, state.consent_default)?;
    enter(store, state, command).await
}

async fn enter<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    command: EnterCommand,
) -> Result<HttpResponse, ApiError> {
    let at = state.clone();
    let enter = move || usecases::entering::enter(&**store, &*at.clock, &*at.entropy, &command);
    let entered = state.flows.run(enter).await?;
    count(&entered);
    let status = if entered.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let mut response = HttpResponse::build(status);
    if entered.is_new {
        let cookie = state.visitors.cookie(entered.entrant.id, state.clock.now());
        response.cookie(cookie.ok_or(ApiError::Internal)?);
    }
    Ok(response.json(entered_view(entered)))
}

fn count(entered: &Entered) {
    let raffle = entered.entrant.raffle.as_str();
    let outcome = if entered.is_new { "new" } else { "already_in" };
    metrics::counter!("entrants_total", "raffle" => raffle, "outcome" => outcome).increment(1);
}

fn entered_view(Entered { entrant, is_new }: Entered) -> EnteredView {
    EnteredView {
        user: EnteredUserView {
            id: entrant.id.get(),
            phone_number: entrant.phone.as_e164().to_owned(),
            referral_code: entrant.referral_code.to_string(),
            landing_page: entrant.raffle.into(),
            is_new,
        },
    }
}

/// One entrant.
#[utoipa::path(
    get,
    path = "/api/users/{id}",
    operation_id = "get_user",
    tag = "entrants",
    params(("id" = i64, Path)),
    responses((status = 200, body = UserView), (status = 404, body = ErrorView), (status = 429, body = ErrorView))
)]
pub(crate) async fn find<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    visitor: Visitor,
    id: Path<String>,
) -> Result<Json<UserView>, ApiError> {
    let id = read_id(&id)?;
    let entrant = state
        .flows
        .run(move || usecases::entrants::find(&**store, id))
        .await?;
    Ok(Json(user_view(&entrant, visitor.is(id))))
}

fn user_view(entrant: &Entrant, own: bool) -> UserView {
    UserView {
        id: entrant.id.get(),
        phone_number: shown(&entrant.phone, own),
        referral_code: entrant.referral_code.to_string(),
        landing_page: entrant.raffle.into(),
        created_at: entrant.created_at,
    }
}

/// An entrant's chances.
#[utoipa::path(
    get,
    path = "/api/users/{id}/stats",
    operation_id = "get_user_stats",
    tag = "entrants",
    params(("id" = i64, Path)),
    responses((status = 200, body = StatsView), (status = 404, body = ErrorView), (status = 429, body = ErrorView))
)]
pub(crate) async fn stats<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<Json<StatsView>, ApiError> {
    let id = read_id(&id)?;
    let stats = state
        .flows
        .run(move || usecases::entrants::stats(&**store, id))
        .await?;
    Ok(Json(StatsView {
        total_entries: stats.entries.total(),
        referral_count: stats.referral_count,
        base_entries: stats.entries.base,
        bonus_entries: stats.entries.bonus,
        paid_entries: stats.entries.paid,
    }))
}

/// Friends who entered through an entrant's link, newest first. `X-Total-Count` has their number.
#[utoipa::path(
    get,
    path = "/api/users/{id}/referrals",
    operation_id = "list_referrals",
    tag = "entrants",
    params(("id" = i64, Path), PageQuery),
    responses(
        (
            status = 200,
            body = Vec<ReferralView>,
            headers(("X-Total-Count" = i64, description = "How many there are in all"))
        ),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView),
        (status = 429, body = ErrorView)
    )
)]
pub(crate) async fn referrals<S: Store>(
    store: Data<S>,
    state: Data<AppState>,
    visitor: Visitor,
    (id, query): (Path<String>, Query<PageQuery>),
) -> Result<HttpResponse, ApiError> {
    let id = read_id(&id)?;
    let page = query.page()?;
    let list = state
        .flows
        .run(move || usecases::entrants::list_referrals(&**store, id, page))
        .await?;
    let view = |referral: &referral::Referral| ReferralView {
        id: referral.id,
        referred_phone_number: shown(&referral.referred_phone, visitor.is(id)),
        created_at: referral.created_at,
    };
    let views: Vec<_> = list.referrals.iter().map(view).collect();
    Ok(HttpResponse::Ok()
        .insert_header(("X-Total-Count", list.total.to_string()))
        .json(views))
}

/// What is no id is nobody's (D4).
fn read_id(text: &str) -> Result<EntrantId, ApiError> {
    text.parse().map(EntrantId::new).map_err(|_| ApiError::NotFound)
}

fn shown(phone: &Phone, in_full: bool) -> String {
    if in_full {
        phone.as_e164().to_owned()
    } else {
        phone.masked()
    }
}
