//! What a site needs before it opens, and what to do about what is missing.

use super::Store;
use crate::callers::admin::{Admin, Call, may};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use crate::{ApiError, AppState};
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use drawing::rules::Rules;
use kernel::StoreError;
use serde::Serialize;
use usecases::credentials::Account;
use usecases::opening::{NextDrawing, Opening, Payments, Setup, Texts};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); opening::<S>]
}

/// What a site needs before it opens.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpeningView {
    checks: Vec<OpeningCheckView>,
}

/// One thing that a site needs.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OpeningCheckView {
    name: OpeningCheckNameView,
    state: OpeningStateView,
    /// How it is, and what to do about it.
    message: String,
    /// When the next drawing is, if that is known.
    #[schema(required)]
    at: Option<DateTime<Utc>>,
}

/// What is checked.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OpeningCheckNameView {
    /// Texts can be sent.
    Texts,
    /// Packages can be bought.
    Payments,
    /// The pages name the sponsor and the contact.
    Sponsor,
    /// A beacon decides drawings.
    Beacon,
    /// There is a next drawing.
    Drawing,
    /// Official rules count this month.
    Rules,
}

/// How something is.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OpeningStateView {
    /// Nothing is to be done.
    Ready,
    /// The site can open without it.
    Warning,
    /// The site should not open without it.
    Missing,
}

use OpeningCheckNameView as Name;
use OpeningStateView as State;

impl OpeningView {
    fn of(opening: &Opening) -> Self {
        Self {
            checks: vec![
                texts(opening.texts),
                payments(opening.payments),
                sponsor(&opening.unnamed),
                beacon(opening.beacon),
                drawing(&opening.drawing),
                rules(opening.rules.as_ref()),
            ],
        }
    }
}

fn check(name: Name, state: State, message: &str) -> OpeningCheckView {
    OpeningCheckView {
        name,
        state,
        message: message.to_owned(),
        at: None,
    }
}

/// How an account gets to the server.
const SAVE_ACCOUNT: &str = "Save an account under Settings, or set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and \
                            TWILIO_PHONE_NUMBER and restart the server.";

fn texts(texts: Texts) -> OpeningCheckView {
    let (state, message) = match texts {
        Texts::Ready => (State::Ready, "Texts can be sent.".to_owned()),
        Texts::NoAccount { codes: true } => (
            State::Missing,
            format!("Nobody can enter: sign-ups need a code, and no SMS account is set up. {SAVE_ACCOUNT}"),
        ),
        Texts::NoAccount { codes: false } => (
            State::Missing,
            format!("No text is sent, not even to winners, because no SMS account is set up. {SAVE_ACCOUNT}"),
        ),
        Texts::Unreadable => (
            State::Missing,
            "No text is sent, because the saved SMS account was sealed with another key. Save it again under Settings, \
             or add that key to SECRET_KEY_PREVIOUS and restart the server."
                .to_owned(),
        ),
        Texts::Refused => (
            State::Missing,
            "No text is sent, because the provider refuses the SMS account. Save a working one under Settings."
                .to_owned(),
        ),
    };
    check(Name::Texts, state, &message)
}

fn payments(payments: Payments) -> OpeningCheckView {
    let (state, message) = match payments {
        Payments::Selling => (State::Ready, "Cards are accepted, and packages are shown."),
        Payments::Hidden => (
            State::Ready,
            "Cards are accepted. Packages are hidden until you show them under Pricing Control.",
        ),
        Payments::NoAccount => (
            State::Warning,
            "Nothing can be bought, because no Stripe account is set up. Entering is free without one. To sell \
             packages, set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET and restart the server.",
        ),
    };
    check(Name::Payments, state, message)
}

fn sponsor(unnamed: &[&str]) -> OpeningCheckView {
    if unnamed.is_empty() {
        let named = "The rules and the privacy policy name the sponsor and the contact.";
        return check(Name::Sponsor, State::Ready, named);
    }
    let message = format!(
        "The rules and the privacy policy show placeholders. Set {} and restart the server.",
        unnamed.join(", ")
    );
    check(Name::Sponsor, State::Missing, &message)
}

fn beacon(is_on: bool) -> OpeningCheckView {
    match is_on {
        true => check(
            Name::Beacon,
            State::Ready,
            "A public randomness beacon decides new drawings.",
        ),
        false => check(
            Name::Beacon,
            State::Warning,
            "Without a randomness beacon, drawings cannot show that nobody knew the winner. Set DRAWING_BEACON to \
             quicknet and restart the server.",
        ),
    }
}

fn drawing(next: &NextDrawing) -> OpeningCheckView {
    match next {
        NextDrawing::At(at) => OpeningCheckView {
            at: Some(*at),
            ..check(Name::Drawing, State::Ready, "The next drawing is announced.")
        },
        NextDrawing::Scheduled => check(
            Name::Drawing,
            State::Warning,
            "No drawing is announced yet. The server announces the drawings of each month by itself.",
        ),
        NextDrawing::NotAnnounced => check(
            Name::Drawing,
            State::Warning,
            "No drawing is announced. Announce one under Drawing, or set DRAWING_SCHEDULE to monthly and restart the \
             server.",
        ),
        NextDrawing::Unreadable(raffles) => {
            let names: Vec<_> = raffles.iter().map(|raffle| raffle.as_str()).collect();
            let message = format!(
                "A drawing cannot be sealed ({}), because its seed was sealed with another key. Add that key to \
                 SECRET_KEY_PREVIOUS and restart the server.",
                names.join(", ")
            );
            check(Name::Drawing, State::Missing, &message)
        }
    }
}

fn rules(rules: Option<&Rules>) -> OpeningCheckView {
    let Some(rules) = rules else {
        return check(
            Name::Rules,
            State::Missing,
            "No official rules count this month, so packages cannot be shown. The server stores them when it starts: \
             restart it.",
        );
    };
    let version = rules.head.stamp.version;
    if rules.is_draft() {
        let message = format!(
            "Version {version} of the official rules names no sponsor, so packages cannot be shown in production. Set \
             SPONSOR_NAME and SPONSOR_ADDRESS and restart the server."
        );
        return check(Name::Rules, State::Missing, &message);
    }
    let message = format!(
        "Version {version} of the official rules counts this month. A change of the settings makes a new version that \
         counts from the next month."
    );
    check(Name::Rules, State::Ready, &message)
}

fn setup(state: &AppState, account: Account) -> Setup {
    Setup {
        account,
        codes: state.phone_verification,
        payments: state.payments.is_some(),
        unnamed: state.site.missing(),
    }
}

/// Checks what the site needs before it opens: texts, payments, sponsor, beacon, next drawing and rules, in this order.
#[utoipa::path(get, path = "/api/admin/opening", operation_id = "get_opening")]
pub(crate) async fn opening<S: Store>(
    admin: Admin<S, may::ViewFigures>,
) -> Result<Json<OpeningView>, ApiError> {
    let examine = |call: Call<'_, S>| {
        let setup = setup(call.state, call.state.sms.account(call.store)?);
        let opening = usecases::opening::examine(call.store, call.state.drawing_tools(), setup)?;
        Ok::<_, StoreError>(OpeningView::of(&opening))
    };
    Ok(Json(admin.run(examine).await?))
}
