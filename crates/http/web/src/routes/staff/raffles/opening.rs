//! Opening and closing raffles.

use super::super::Store;
use super::super::drawing::ReasonField;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, ReadByName, optional};
use crate::http::fields::{REQUIRED, message, path_raffle, rule_about};
use crate::http::names::Named;
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::raffle_views::RaffleStatusView;
use crate::routes::route_table::{Routes, staff_routes};
use crate::routes::staff::two_people::{Details, ProposedView, make_in, mismatched, proposed};
use actix_web::HttpResponse;
use actix_web::web::Path;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use usecases::approvals::{AskedOpening, Made, Outcome, Request};
use usecases::raffles::{ChangedOpening, MOST_OPEN, OpeningError, When};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); open::<S>, close::<S>]
}

impl From<OpeningError> for ApiError {
    fn from(error: OpeningError) -> Self {
        match error {
            OpeningError::UnknownRaffle => Self::not_found(),
            OpeningError::NotPublished => Self::conflict(
                "not_published",
                "Publish what the pages of this raffle say before it opens.",
            ),
            OpeningError::TooManyOpen => Self::conflict("too_many_open", "").saying(format!(
                "{MOST_OPEN} raffles are open then. Close one of them first."
            )),
            OpeningError::NeedsApproval(needed) => needed.into(),
            OpeningError::Store(error) => error.into(),
        }
    }
}

/// The only other time than at once.
#[derive(Clone, Copy, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Later {
    Month,
}

impl Named for Later {
    const VIEW: &'static str = "OpensAtView";
    const ABOUT: Option<&'static str> = Some("When the next month begins.");
}

impl ReadByName for Later {
    const REFUSAL: &'static str = "Must be month";
}

type LaterField = Field<Later>;

/// When a raffle opens.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenRaffleBody {
    /// At once without it.
    #[validate(nested)]
    at: Option<LaterField>,
}

impl JsonBody for OpenRaffleBody {}

/// When a raffle closes.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = reason_rule))]
pub(crate) struct CloseRaffleBody {
    /// Whether it closes at once, and not when the month ends.
    now: Option<bool>,
    /// Why it closes at once. Public.
    #[schema(inline)]
    #[validate(nested)]
    reason: Option<ReasonField>,
}

impl JsonBody for CloseRaffleBody {}

fn reason_rule(body: &CloseRaffleBody) -> Result<(), ValidationError> {
    match body.now == Some(true) && body.reason.is_none() {
        true => rule_about::<()>("reason", Err(message(REQUIRED))),
        false => Ok(()),
    }
}

/// A raffle, and when it opens or closes next.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleOpeningView {
    landing_page: LandingPageView,
    status: RaffleStatusView,
    /// What it is next; null while nobody has decided that.
    #[schema(required)]
    next_status: Option<RaffleStatusView>,
    /// From when on.
    #[schema(required)]
    next_at: Option<DateTime<Utc>>,
}

impl From<ChangedOpening> for RaffleOpeningView {
    fn from(changed: ChangedOpening) -> Self {
        let raffle = changed.raffle;
        let next = raffle.openings.next_change(changed.at);
        Self {
            landing_page: raffle.key.into(),
            status: raffle.status_at(changed.at).into(),
            next_status: next.map(|(status, _)| status.into()),
            next_at: next.map(|(_, at)| at),
        }
    }
}

/// Opens a raffle: at once, or when the next month begins. It takes back a closing that is to come. Again, it changes nothing.
#[utoipa::path(
    post, path = "/api/admin/raffles/{landingPage}/open", operation_id = "open_raffle",
    params(("landingPage" = LandingPageView, Path)),
    responses(
        (status = 200, body = RaffleOpeningView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`not_published`; `too_many_open`: 50 raffles are open then")
    )
)]
pub(crate) async fn open<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    landing_page: Path<String>,
    body: Body<OpenRaffleBody>,
) -> Result<HttpResponse, ApiError> {
    let when = match optional(body.valid()?.at)? {
        Some(Later::Month) => When::Month,
        None => When::Now,
    };
    let raffle = path_raffle(&landing_page)?;
    let reason = None;
    make(&admin, Request::OpenRaffle(AskedOpening { raffle, when, reason })).await
}

/// Closes a raffle: when the month ends, or at once with a public reason. Nobody enters it afterwards; what was announced is
/// drawn. It takes back an opening that is to come. Again, it changes nothing.
#[utoipa::path(
    post, path = "/api/admin/raffles/{landingPage}/close", operation_id = "close_raffle",
    params(("landingPage" = LandingPageView, Path)),
    responses(
        (status = 200, body = RaffleOpeningView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it")
    )
)]
pub(crate) async fn close<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    landing_page: Path<String>,
    body: Body<CloseRaffleBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let raffle = path_raffle(&landing_page)?;
    let (when, reason) = match body.now {
        Some(true) => (When::Now, optional(body.reason)?.map(|reason| reason.0)),
        _ => (When::Month, None),
    };
    make(
        &admin,
        Request::CloseRaffle(AskedOpening { raffle, when, reason }),
    )
    .await
}

async fn make<S: Store>(
    admin: &Admin<S, may::ManageRaffles>,
    request: Request,
) -> Result<HttpResponse, ApiError> {
    let make = move |call: Call<'_, S>| make_in(&call, &request, Details::Hidden, ApiError::from);
    match admin.run(make).await? {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Raffle(changed)) => {
            Ok(HttpResponse::Ok().json(RaffleOpeningView::from(*changed)))
        }
        Made::Done(_) => Err(mismatched()),
    }
}
