//! The account that messages are sent with, and the state of sending. The flow that saves the account is
//! `usecases::credentials`, and the port that stores it is [`sms::SmsSettings`].

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::{Body, JsonBody};
use crate::http::error::Fields;
use crate::http::field::{Field, WithExample, text, texts};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::http::responses::Created;
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::provider_callbacks::usable;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::two_people::{ProposedView, make, proposed};
use actix_web::HttpResponse;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use kernel::Phone;
use serde::{Deserialize, Serialize};
use sms::{
    Credentials, Halt, LinkBase, MalformedCredentials, Message, MessageId, MessageStatus, OverBudget,
    TemplateId, WaitReason, next_day,
};
use usecases::approvals::{Made, Request};
use usecases::credentials::{Account, CredentialsSource};
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![
        Some(Limit::Reads);
        status::<S>,
        send_test_text::<S>,
        send_template_test::<S>,
        find_message::<S>,
        save_credentials::<S>,
    ]
}

/// The credentials of a Twilio account.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CredentialsBody {
    /// AC and 32 hexadecimal digits. Spaces around it are ignored.
    #[serde(rename = "TWILIO_ACCOUNT_SID")]
    #[schema(value_type = String, required, pattern = "^AC[0-9A-Fa-f]{32}$")]
    account_sid: Option<String>,
    /// 32 hexadecimal digits. Spaces around it are ignored. Never returned.
    #[serde(rename = "TWILIO_AUTH_TOKEN")]
    #[schema(value_type = String, required, pattern = "^[0-9A-Fa-f]{32}$")]
    auth_token: Option<String>,
    /// The number that messages are sent from.
    #[serde(rename = "TWILIO_PHONE_NUMBER")]
    #[schema(value_type = String, required)]
    phone_number: Option<String>,
}

impl JsonBody for CredentialsBody {}

impl CredentialsBody {
    fn credentials(&self) -> Result<Credentials, ApiError> {
        let text = |part: &Option<String>| part.clone().unwrap_or_default();
        let parsed = Credentials::parse(
            &text(&self.account_sid),
            &text(&self.auth_token),
            &text(&self.phone_number),
        );
        parsed.map_err(|wrong| name_wrong_parts(&wrong))
    }
}

fn name_wrong_parts(wrong: &MalformedCredentials) -> ApiError {
    let parts = [
        (
            wrong.account_sid,
            "TWILIO_ACCOUNT_SID",
            "Must be AC and 32 letters a to f and digits",
        ),
        (
            wrong.auth_token,
            "TWILIO_AUTH_TOKEN",
            "Must be 32 letters a to f and digits",
        ),
        (
            wrong.phone,
            "TWILIO_PHONE_NUMBER",
            "Please enter a valid phone number.",
        ),
    ];
    let wrong = parts.into_iter().filter(|(is_wrong, ..)| *is_wrong);
    let fields: Fields = wrong
        .map(|(_, name, text)| (name.into(), vec![text.to_owned()]))
        .collect();
    ApiError::validation(fields)
}

/// Saves the account that messages are sent with. It is used instead of the account from the environment, and is never returned.
#[utoipa::path(
    post, path = "/api/admin/save-credentials", operation_id = "save_credentials",
    responses(
        (status = 200, body = SuccessView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it")
    )
)]
pub(crate) async fn save_credentials<S: Store>(
    admin: Admin<S, may::SaveCredentials>,
    body: Body<CredentialsBody>,
) -> Result<HttpResponse, ApiError> {
    let request = Request::SaveCredentials(body.unchecked().credentials()?);
    if let Made::Proposed(approval) = make(&admin, request).await? {
        return Ok(proposed(&approval));
    }
    admin.state().sms.known.forget();
    Ok(HttpResponse::Ok().json(SuccessView::new()))
}

/// The state of sending.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsStatusView {
    /// Whether there is an account to send with. Without an account, messages wait.
    configured: bool,
    /// The source of the account.
    #[schema(required, value_type = Option<CredentialsSourceView>)]
    source: Option<CredentialsSourceView>,
    /// The reason why no message is sent.
    #[schema(required, value_type = Option<HaltView>)]
    halted: Option<HaltView>,
    /// Messages that wait or are being sent.
    waiting: i64,
    /// Messages that may have been sent; the provider has not been asked yet.
    unknown: i64,
    /// Messages that wait for the hours of their recipients. They count in `waiting` too.
    put_off: i64,
    /// When the first of them may be sent.
    #[schema(required)]
    put_off_until: Option<DateTime<Utc>>,
    /// The end of the night in the site's time zone, if campaign, welcome and winner messages wait for the morning there.
    /// Each recipient's own area code decides when they get theirs.
    #[schema(required)]
    quiet_until: Option<DateTime<Utc>>,
    /// The site's time zone, for quiet hours, months and the console's times.
    #[schema(example = "America/New_York")]
    time_zone: &'static str,
    /// The maximum number of messages per second.
    max_per_second: u32,
    /// The maximum number of campaign messages to a number in a calendar month.
    monthly_cap: u32,
    /// The countries whose numbers get messages, as two-letter codes.
    #[schema(example = json!(["US", "CA"]))]
    countries: Vec<String>,
    /// The maximum number of messages on one day, in UTC; campaign messages do not count.
    daily_budget: u32,
    /// The messages of today, in UTC, that count toward the budget.
    texts_today: u32,
    /// What waits until the next day, because the budget is used up. Each value includes those before it.
    #[schema(required)]
    over_budget: Option<OverBudgetView>,
    /// When the next day begins, in UTC.
    next_budget_at: DateTime<Utc>,
}

/// What waits until the next day: `welcomes` (welcome messages), `sign_ups` (codes for sign-ups are
/// refused) or `codes` (all codes are refused). Codes are refused only where numbers must be proved.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OverBudgetView {
    Welcomes,
    SignUps,
    Codes,
}

impl OverBudgetView {
    /// Without codes, only welcome messages wait.
    fn new(over: OverBudget, has_codes: bool) -> Self {
        match over {
            OverBudget::SignUps if has_codes => Self::SignUps,
            OverBudget::Codes if has_codes => Self::Codes,
            OverBudget::Welcomes | OverBudget::SignUps | OverBudget::Codes => Self::Welcomes,
        }
    }
}

type CredentialsSourceView = Name<CredentialsSource>;

impl Named for CredentialsSource {
    const VIEW: &'static str = "CredentialsSourceView";
    const ABOUT: Option<&'static str> = Some("The sources of credentials.");
}

/// The reasons why no message is sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HaltView {
    /// The provider refused the credentials.
    CredentialsRefused,
    /// The saved account cannot be opened with the keys that are configured.
    CredentialsUnreadable,
}

/// A halt that the sender recorded belongs to the account that was in use then.
fn halt(account: &Account, recorded: Option<Halt>) -> Option<HaltView> {
    match (account, recorded) {
        (Account::Unreadable, _) => Some(HaltView::CredentialsUnreadable),
        (_, Some(Halt::CredentialsRefused)) => Some(HaltView::CredentialsRefused),
        (_, None) => None,
    }
}

/// The state of sending.
#[utoipa::path(get, path = "/api/admin/sms/status", operation_id = "sms_status")]
pub(crate) async fn status<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<SmsStatusView>, ApiError> {
    let read = |call: Call<'_, S>| {
        let sms = &call.state.sms;
        let account = sms.account(call.store)?;
        let status = usecases::campaigns::sms_status(call.store, call.clock, &sms.rules)?;
        Ok::<_, ApiError>((account, status, next_day(call.clock.now())))
    };
    let (account, status, next_budget_at) = admin.run(read).await?;
    let state = admin.state();
    Ok(Json(SmsStatusView {
        configured: matches!(account, Account::InUse(..)),
        halted: halt(&account, status.halt),
        source: match account {
            Account::InUse(_, source) => Some(source.into()),
            Account::Missing | Account::Unreadable => None,
        },
        waiting: status.open.waiting,
        unknown: status.open.unknown,
        put_off: status.put_off.messages,
        put_off_until: status.put_off.next_at,
        quiet_until: status.quiet_until,
        time_zone: state.time_zone.name(),
        max_per_second: state.sms.max_per_second,
        monthly_cap: state.sms.rules.monthly_cap,
        countries: state.sms.rules.countries.codes().to_vec(),
        daily_budget: state.sms.rules.daily_budget.texts(),
        texts_today: status.texts_today,
        over_budget: status
            .over_budget
            .map(|over| OverBudgetView::new(over, state.phone_verification)),
        next_budget_at,
    }))
}

/// The recipient of a test message.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TestTextBody {
    #[schema(inline)]
    #[validate(nested)]
    phone_number: StaffNumberField,
}

impl JsonBody for TestTextBody {}

pub(super) type StaffNumberField = Field<StaffNumber>;

pub(crate) struct StaffNumber(pub(super) Phone);

texts! {
    StaffNumber: text().with_example("(555) 123-4567"), |sent| Phone::read(sent).map(Self);
}

/// A message and its status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextView {
    id: i64,
    #[schema(value_type = TextStatusView)]
    status: &'static str,
    /// The reason of a failure.
    #[schema(required)]
    error_message: Option<String>,
    /// Until when a pending message waits. `null` if it is to be sent next, or waits no more.
    #[schema(required)]
    waiting_until: Option<DateTime<Utc>>,
    /// What a pending message waits for.
    #[schema(required)]
    waiting_reason: Option<WaitReasonView>,
}

pub(crate) type TextStatusView = Name<MessageStatus>;

impl Named for MessageStatus {
    const VIEW: &'static str = "TextStatusView";
    const ABOUT: Option<&'static str> = Some("The statuses of a message.");
}

impl From<Message> for TextView {
    fn from(text: Message) -> Self {
        Self {
            id: text.id.get(),
            status: text.status.as_str(),
            error_message: text.reason,
            waiting_until: None,
            waiting_reason: None,
        }
    }
}

pub(crate) type WaitReasonView = Name<WaitReason>;

impl Named for WaitReason {
    const VIEW: &'static str = "WaitReasonView";
    const ABOUT: Option<&'static str> = Some(
        "Why a message waits: `quiet_hours` (it is night at the recipient's place, or the site's quiet hours hold there),\n\
                                         `state_hours` (the recipient's state allows none now), `unknown_area_code` (14:00 to 18:00 Eastern time, Monday to Friday),\n\
                                         `daily_budget` (the day's budget for welcome messages is used up) or `retry` (the provider did not take it, and it is sent\n\
                                         again).",
    );
}

/// Sends a test message. Get the message by its id to see its status.
#[utoipa::path(
    post, path = "/api/admin/sms/test-text", operation_id = "send_test_text",
    responses(
        (status = 503, description = "No account is configured, the saved one cannot be opened, or the database is away")
    )
)]
pub(crate) async fn send_test_text<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    body: Body<TestTextBody>,
) -> Result<Created<TextView>, ApiError> {
    let phone = body.valid()?.phone_number.value()?.0;
    let send = move |call: Call<'_, S>| {
        usable(call.state.sms.account(call.store)?)?;
        let name = &call.state.site.name;
        let id = usecases::provider_callbacks::queue_test_message(
            call.store, call.clock, call.actor, name, &phone,
        )?;
        usecases::provider_callbacks::find_message(call.store, id)?.ok_or_else(ApiError::not_found)
    };
    let text = admin.run(send).await?;
    Ok(Created(TextView::from(text)))
}

/// Sends the text of a template to one number, as a recipient of a campaign reads it but for the link, which is nobody's. Get the
/// message by its id to see its status.
#[utoipa::path(
    post, path = "/api/admin/sms/templates/{id}/test", operation_id = "send_template_test",
    responses(
        (status = 503, description = "No account is configured, the saved one cannot be opened, or the database is away")
    )
)]
pub(crate) async fn send_template_test<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    PathId(id): PathId<TemplateId>,
    body: Body<TestTextBody>,
) -> Result<Created<TextView>, ApiError> {
    let phone = body.valid()?.phone_number.value()?.0;
    let send = move |call: Call<'_, S>| {
        usable(call.state.sms.account(call.store)?)?;
        let origin = LinkBase::parse(&call.state.sms.rules.public_origin).ok_or_else(ApiError::internal)?;
        let message = usecases::sms_templates::send_test(
            call.store,
            call.clock,
            &*call.state.entropy,
            &origin,
            call.actor,
            id,
            &phone,
        )?;
        usecases::provider_callbacks::find_message(call.store, message)?.ok_or_else(ApiError::not_found)
    };
    let text = admin.run(send).await?;
    Ok(Created(TextView::from(text)))
}

/// A message, its status, and what it waits for.
#[utoipa::path(get, path = "/api/admin/sms/messages/{id}", operation_id = "find_text")]
pub(crate) async fn find_message<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    PathId(id): PathId<MessageId>,
) -> Result<Json<TextView>, ApiError> {
    let find = move |call: Call<'_, S>| {
        usecases::provider_callbacks::find_message_and_wait(call.store, &call.state.sms.rules, id)
    };
    let (text, wait) = admin.run(find).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(TextView {
        waiting_until: wait.map(|wait| wait.until),
        waiting_reason: wait.map(|wait| wait.reason.into()),
        ..text.into()
    }))
}
