//! The answer to a sign-up, with or without a code.

use crate::callers::right::{Right, ShownNumber};
use crate::http::views::LandingPageView;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use raffle::Entrant;
use serde::Serialize;
use usecases::entering::Entered;
use utoipa::ToSchema;

/// Nobody can enter a raffle that has ended, buy entries for it or get free ones.
pub(crate) const RAFFLE_CLOSED: ApiError = ApiError::conflict("raffle_closed", "This raffle has ended.");

pub(super) const fn unknown_referral_code() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "referral_code_not_found",
        "Referral code not found",
    )
}

/// The entrant, and whether the entrant is new.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnteredView {
    user: EnteredUserView,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnteredUserView {
    /// Random: a JavaScript number holds it exactly.
    #[schema(minimum = 1, maximum = 4_503_599_627_370_495_i64)]
    id: i64,
    /// The submitted number in E.164.
    #[schema(example = "+15551234567", value_type = String)]
    phone_number: ShownNumber,
    #[schema(example = "CDFG3467")]
    referral_code: String,
    /// The raffle that the number is in. It stays in it while that one is open, or a regular drawing of it is still to come.
    landing_page: LandingPageView,
    /// False if the number had entered before.
    is_new: bool,
    /// The raffle that the number was in until now: it is over, and the number has moved. `null`: it has not moved.
    moved_from: Option<LandingPageView>,
}

/// 201 for a new entrant, else 200. `bind`: the answer binds this browser to the entrant.
pub(super) fn answer_entered(
    state: &AppState,
    entered: Entered,
    bind: bool,
) -> Result<HttpResponse, ApiError> {
    count(state, &entered);
    let status = if entered.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let mut response = HttpResponse::build(status);
    if bind {
        let Entrant { id, raffle, .. } = entered.entrant;
        let cookie = state.visitors.cookie(id, state.clock.now());
        response.cookie(cookie.ok_or_else(ApiError::internal)?);
        response.cookie(state.visitors.page_cookie(raffle, id));
    }
    Ok(response.json(entered_view(entered, Right::of_sender())))
}

fn count(state: &AppState, entered: &Entered) {
    let raffle = state.raffles.label(entered.entrant.raffle);
    let outcome = match (entered.is_new, entered.moved_from) {
        (true, _) => "new",
        (false, None) => "already_in",
        (false, Some(_)) => "moved",
    };
    metrics::counter!("entrants_total", "raffle" => raffle, "outcome" => outcome).increment(1);
}

fn entered_view(entered: Entered, right: Right) -> EnteredView {
    let entrant = entered.entrant;
    EnteredView {
        user: EnteredUserView {
            id: entrant.id.get(),
            phone_number: ShownNumber::full(&entrant.phone, right),
            referral_code: entrant.referral_code.to_string(),
            landing_page: entrant.raffle.into(),
            is_new: entered.is_new,
            moved_from: entered.moved_from.map(Into::into),
        },
    }
}
