//! Campaigns: listing, scheduling, estimating, canceling, and reading their reports.

pub(crate) mod body;
pub(crate) mod export;
pub(crate) mod list;
pub(crate) mod results;
pub(crate) mod views;

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::Body;
use crate::http::field::{Field, PhoneField, ReadByName, optional};
use crate::http::fields::NO_SUCH_RAFFLE;
use crate::http::names::Named;
use crate::http::path_id::PathId;
use crate::http::query::{Params, QueryType};
use crate::http::responses::Created;
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::read_key;
use crate::routes::staff::sms::account::TextView;
use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::web::Json;
use body::{CampaignBody, Plan, Schedule};
use kernel::{IdempotencyKey, Phone};
use serde::Deserialize;
use sms::{Campaign, CampaignId};
use std::time::Duration;
use strum::{EnumIter, EnumString, IntoStaticStr};
use usecases::audit::{NumberList, record_export};
use usecases::campaigns::{CampaignError, ScheduleCommand};
use utoipa::IntoParams;
use validator::Validate;
use views::{CampaignReportView, CampaignView, CampaignWithReportView, EstimateView, SmsAnalyticsView};

/// What staff read about a time that is over.
const IN_THE_PAST: &str = "That time is in the past. Choose a later one, or Now.";

/// How long an estimate may take: less than the console waits for an answer, which is 15 s. It counts every entrant.
const ESTIMATE_DEADLINE: Duration = Duration::from_secs(12);

pub(super) fn routes<S: Store>() -> Routes {
    let campaigns = staff_routes![
        Some(Limit::Reads);
        schedule::<S>,
        estimate::<S>,
        find::<S>,
        find_text::<S>,
        update::<S>,
        cancel::<S>,
        analytics::<S>,
    ];
    // The list has `/campaigns/export`, which must come before `/campaigns/{id}`.
    list::routes::<S>()
        .and(campaigns)
        .and(export::routes::<S>())
        .and(results::routes::<S>())
}

impl From<CampaignError> for ApiError {
    fn from(error: CampaignError) -> Self {
        match error {
            CampaignError::UnknownTemplate => Self::new(
                StatusCode::NOT_FOUND,
                "unknown_template",
                "This template does not exist or is not active.",
            ),
            CampaignError::UnknownRaffle => Self::field("landingPageFilter", NO_SUCH_RAFFLE),
            CampaignError::InThePast => Self::field("scheduledDate", IN_THE_PAST),
            CampaignError::UnknownCampaign => Self::not_found(),
            CampaignError::NotPending => Self::new(
                StatusCode::CONFLICT,
                "not_pending",
                "Only a pending campaign can be cancelled",
            ),
            CampaignError::Started => Self::new(
                StatusCode::CONFLICT,
                "not_pending",
                "Only a pending campaign can be changed",
            ),
            CampaignError::KeyMismatch => Self::idempotency_mismatch(),
            CampaignError::Store(error) => error.into(),
        }
    }
}

/// Schedules a campaign. The same call with the same `Idempotency-Key` gets the same campaign.
#[utoipa::path(
    post, path = "/api/admin/sms/campaigns/schedule", operation_id = "schedule_campaign",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    responses(
        (status = 404, description = "No such template, or it is not active"),
        (status = 409, description = "The key came with another body before")
    )
)]
pub(crate) async fn schedule<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    request: HttpRequest,
    body: Body<CampaignBody>,
) -> Result<Created<CampaignView>, ApiError> {
    let planned = body.unchecked().schedule(&admin.state().sms)?;
    let idempotency_key = read_key(&request)?;
    let schedule = move |call: Call<'_, S>| {
        let command = command_of(&call, planned, idempotency_key);
        usecases::campaigns::schedule(call.store, call.clock, &*call.state.entropy, &command)
    };
    let campaign = admin.run(schedule).await?;
    Ok(Created(CampaignView::new(campaign, admin.sight().numbers)))
}

fn command_of<S: Store>(
    call: &Call<'_, S>,
    planned: Schedule,
    idempotency_key: Option<IdempotencyKey>,
) -> ScheduleCommand {
    let Schedule { name, start, plan } = planned;
    ScheduleCommand {
        actor: call.actor,
        staff: call.staff(),
        name,
        template: plan.template,
        start,
        audience: plan.audience,
        consent_basis: plan.consent_basis,
        link_base: plan.link_base,
        idempotency_key,
    }
}

/// Changes a campaign that has not started: everything that the body says.
#[utoipa::path(
    put, path = "/api/admin/sms/campaigns/{id}", operation_id = "update_campaign",
    responses((status = 409, description = "It has started or was cancelled"))
)]
pub(crate) async fn update<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    PathId(id): PathId<CampaignId>,
    body: Body<CampaignBody>,
) -> Result<Json<CampaignView>, ApiError> {
    let planned = body.unchecked().schedule(&admin.state().sms)?;
    let update = move |call: Call<'_, S>| {
        let command = command_of(&call, planned, None);
        usecases::campaigns::update(call.store, call.clock, &*call.state.entropy, id, &command)
    };
    let campaign = admin.run(update).await?;
    Ok(Json(CampaignView::new(campaign, admin.sight().numbers)))
}

/// Estimates a campaign. Nothing is stored.
#[utoipa::path(
    post, path = "/api/admin/sms/campaigns/estimate", operation_id = "estimate_campaign",
    responses((status = 404, description = "No such template, or it is not active"))
)]
pub(crate) async fn estimate<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    body: Body<CampaignBody>,
) -> Result<Json<EstimateView>, ApiError> {
    let (start, plan) = body.unchecked().estimate(&admin.state().sms)?;
    let estimate = move |call: Call<'_, S>| {
        let rules = &call.state.sms.rules;
        let Plan {
            template,
            audience,
            link_base,
            ..
        } = &plan;
        usecases::campaigns::estimate(
            call.store, call.clock, rules, start, *template, audience, link_base,
        )
    };
    let estimate = admin
        .run_in(&admin.pools().console, ESTIMATE_DEADLINE, estimate)
        .await?;
    Ok(Json(estimate.into()))
}

/// Cancels a campaign that has not started.
#[utoipa::path(
    put, path = "/api/admin/sms/campaigns/{id}/cancel", operation_id = "cancel_campaign",
    responses((status = 409, description = "It has started or was cancelled before"))
)]
pub(crate) async fn cancel<S: Store>(
    admin: Admin<S, may::ManageTexts>,
    PathId(id): PathId<CampaignId>,
) -> Result<Json<CampaignView>, ApiError> {
    let campaign = admin
        .run(move |call| usecases::campaigns::cancel(call.store, call.clock, call.actor, id))
        .await?;
    Ok(Json(CampaignView::new(campaign, admin.sight().numbers)))
}

/// How much of a campaign is answered.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CampaignDetailQuery {
    /// With `short`, `customPhoneNumbers` is null for more than 100 numbers, as in the list. For screens that ask often.
    #[validate(nested)]
    custom_phone_numbers: Option<NumbersField>,
}

/// How much of a custom list is answered.
#[derive(Clone, Copy, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Numbers {
    Whole,
    Short,
}

pub(crate) type NumbersField = Field<Numbers>;

impl Named for Numbers {
    const VIEW: &'static str = "NumbersView";
    const ABOUT: Option<&'static str> = Some("How much of a custom list is answered.");
}

impl ReadByName for Numbers {
    const REFUSAL: &'static str = "Must be whole or short";
}

impl QueryType for CampaignDetailQuery {
    type Value = Numbers;

    fn value(self) -> Result<Numbers, ApiError> {
        Ok(optional(self.custom_phone_numbers)?.unwrap_or(Numbers::Whole))
    }
}

/// Gets a campaign with a report about its messages, and with its whole custom list. A whole list of more than 100 numbers
/// is recorded in the audit log.
#[utoipa::path(get, path = "/api/admin/sms/campaigns/{id}", operation_id = "find_campaign")]
pub(crate) async fn find<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    PathId(id): PathId<CampaignId>,
    Params(numbers): Params<CampaignDetailQuery>,
) -> Result<Json<CampaignWithReportView>, ApiError> {
    let is_whole = numbers == Numbers::Whole;
    let (campaign, report) = admin
        .run(move |call| {
            let found = usecases::campaigns::find(call.store, id, is_whole)?;
            let count = found.0.custom_number_count;
            if is_whole && count > Campaign::LISTED_NUMBERS as i64 {
                record_export(
                    call.store,
                    call.clock,
                    call.actor,
                    NumberList::CustomNumbers(id),
                    count,
                    false,
                )?;
            }
            Ok::<_, CampaignError>(found)
        })
        .await?;
    Ok(Json(CampaignWithReportView {
        report: CampaignReportView::new(&campaign.figures, report),
        campaign: CampaignView::new(campaign, admin.sight().numbers),
    }))
}

/// The number whose text is looked for.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextQuery {
    /// As people type it.
    #[param(value_type = String, example = "(555) 123-4567")]
    #[validate(nested)]
    phone_number: PhoneField,
}

impl QueryType for TextQuery {
    type Value = Phone;

    fn value(self) -> Result<Phone, ApiError> {
        self.phone_number.value()
    }
}

/// Finds the text that a campaign sent to a number.
#[utoipa::path(
    get, path = "/api/admin/sms/campaigns/{id}/text", operation_id = "find_campaign_text",
    responses((status = 404, description = "No such campaign, or it sent no text to this number"))
)]
pub(crate) async fn find_text<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    PathId(id): PathId<CampaignId>,
    Params(phone): Params<TextQuery>,
) -> Result<Json<TextView>, ApiError> {
    let text = admin
        .run(move |call| usecases::campaigns::find_text(call.store, id, &phone))
        .await?;
    let text = text.ok_or_else(ApiError::not_found)?;
    Ok(Json(text.into()))
}

/// Gets the figures of all campaign messages.
#[utoipa::path(get, path = "/api/admin/sms/analytics", operation_id = "sms_analytics")]
pub(crate) async fn analytics<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<SmsAnalyticsView>, ApiError> {
    let figures = admin.run(|call| usecases::campaigns::figures(call.store)).await?;
    Ok(Json(SmsAnalyticsView {
        analytics: figures.into(),
    }))
}
