//! What an entrant whose entries are on hold sees, and their appeal.

use super::Store;
use crate::callers::visitor::BrowserEntrant;
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, parsed, text, texts};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::http::responses::Created;
use crate::identity::limits::Limit;
use crate::routes::claims::views::ClaimStatusView;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use fraud::{Appeal, AppealMessage, AppealStatus, Evidence, Hold, PublicReason};
use kernel::EntrantId;
use serde::{Deserialize, Serialize};
use usecases::appeals::{AppealError, Standing};
use usecases::claims::OwnDrawing;
use utoipa::ToSchema;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); show::<S>, add::<S>]
}

impl From<AppealError> for ApiError {
    fn from(error: AppealError) -> Self {
        match error {
            AppealError::NotFlagged => Self::new(
                StatusCode::CONFLICT,
                "not_on_hold",
                "Your entries are not on hold. Please reload the page.",
            ),
            AppealError::AlreadyOpen => Self::new(
                StatusCode::CONFLICT,
                "appeal_open",
                "We have your message already, and will answer it here.",
            ),
            AppealError::Store(error) => error.into(),
        }
    }
}

/// Why the entries should count.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct AppealBody {
    /// 10 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    message: AppealField,
}

impl JsonBody for AppealBody {}

type AppealField = Field<AppealMessage>;

texts! {
    AppealMessage: text().min_length(Some(10)).max_length(Some(500)), |sent| parsed(Self::parse(&sent));
}

/// Whether an entrant's entries are on hold, and the entrant's newest appeal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StandingView {
    /// Whether the entries are on hold: they do not count in drawings.
    on_hold: bool,
    /// Why, in one sentence, if they are on hold.
    #[schema(
        required,
        example = "Your entries are on hold because several people entered from your internet connection."
    )]
    why: Option<&'static str>,
    /// Whether an appeal would be taken now.
    can_appeal: bool,
    /// The newest appeal; null before the first.
    #[schema(required)]
    appeal: Option<OwnAppealView>,
    /// The last drawing in which the entrant took part, until the next list of the raffle is frozen, or longer while their own
    /// claim is open; null without one.
    #[schema(required)]
    drawing: Option<OwnDrawingView>,
}

/// A drawing, as somebody who took part in it is told of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnDrawingView {
    id: i64,
    drawn_at: DateTime<Utc>,
    /// The entrant's claim, if one of their entries was drawn and its turn has come; null for everybody else.
    #[schema(required)]
    claim: Option<OwnClaimView>,
}

/// A claim, as its entrant finds it on their page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnClaimView {
    /// The page of the claim, by its secret link.
    #[schema(example = "https://example.org/claim/0123456789abcdef0123456789abcdef")]
    url: String,
    status: ClaimStatusView,
    /// Until when the prize can be claimed; null while no time runs, and once it is claimed.
    #[schema(required)]
    claim_by: Option<DateTime<Utc>>,
}

/// An appeal, as its entrant sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnAppealView {
    message: String,
    status: AppealStatusView,
    created_at: DateTime<Utc>,
    /// Null while it is open.
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    /// What staff wrote about the decision.
    #[schema(required)]
    note: Option<String>,
}

pub(crate) type AppealStatusView = Name<AppealStatus>;

impl Named for AppealStatus {
    const VIEW: &'static str = "AppealStatusView";
    const ABOUT: Option<&'static str> = Some("Whether an appeal was decided, and how.");
}

impl StandingView {
    /// What the store has of an entrant who appeals, or looks whether to.
    fn read<S: Store>(
        store: &S,
        state: &AppState,
        standing: Standing,
        id: EntrantId,
    ) -> Result<Self, ApiError> {
        let drawing = usecases::claims::own_drawing(store, state.claim_tools().notices, id)?;
        Ok(Self::new(standing, drawing))
    }

    fn new(standing: Standing, drawing: Option<OwnDrawing>) -> Self {
        // A flagged entrant is told of no drawing, but of a claim of their own.
        let drawing = drawing.filter(|drawing| standing.hold.is_none() || drawing.claim.is_some());
        let is_open = standing
            .appeal
            .as_ref()
            .is_some_and(|appeal| appeal.status == AppealStatus::Open);
        Self {
            on_hold: standing.hold.is_some(),
            why: standing.hold.as_ref().map(why),
            can_appeal: standing.hold.is_some() && !is_open,
            appeal: standing.appeal.map(Into::into),
            drawing: drawing.map(Into::into),
        }
    }
}

impl From<OwnDrawing> for OwnDrawingView {
    fn from(drawing: OwnDrawing) -> Self {
        Self {
            id: drawing.id.get(),
            drawn_at: drawing.drawn_at,
            claim: drawing.claim.map(|claim| OwnClaimView {
                url: claim.link,
                status: claim.status.into(),
                claim_by: claim.claim_by,
            }),
        }
    }
}

impl From<Appeal> for OwnAppealView {
    fn from(appeal: Appeal) -> Self {
        Self {
            message: appeal.message,
            status: appeal.status.into(),
            created_at: appeal.created_at,
            decided_at: appeal.decided_at,
            note: appeal.note,
        }
    }
}

/// One sentence for people: what staff chose, or the evidence that says the most, without its figures. What staff wrote about a
/// flag is for staff. Without both, the entry was flagged before its person's data was erased.
fn why(hold: &Hold) -> &'static str {
    if let Some(reason) = hold.public_reason {
        return chosen(reason);
    }
    let has = |is: fn(&Evidence) -> bool| hold.evidence.iter().any(is);
    if has(|evidence| matches!(evidence, Evidence::OneReferrer { .. })) {
        "Your entries are on hold because several people entered from your internet connection through the same link."
    } else if has(|evidence| matches!(evidence, Evidence::SameFingerprint { .. })) {
        "Your entries are on hold because several people entered from your internet connection with the same kind of browser."
    } else if has(|evidence| matches!(evidence, Evidence::Burst { .. })) {
        "Your entries are on hold because several people entered from your internet connection within a few minutes."
    } else if has(|evidence| matches!(evidence, Evidence::SharedNetwork { .. })) {
        "Your entries are on hold because several people entered from your internet connection."
    } else {
        "Your entries are on hold because those of your phone number were, before its data was deleted."
    }
}

const fn chosen(reason: PublicReason) -> &'static str {
    match reason {
        PublicReason::SeveralAccounts => {
            "Your entries are on hold because it looks as if one person entered with several phone numbers."
        }
        PublicReason::Duplicate => "Your entries are on hold because another entry of yours counts already.",
        PublicReason::Automated => {
            "Your entries are on hold because it looks as if a program made your entry."
        }
        PublicReason::NotEligible => {
            "Your entries are on hold because it looks as if you may not take part under the official rules."
        }
        PublicReason::Rules => {
            "Your entries are on hold because it looks as if the official rules were broken."
        }
    }
}

/// Gets how an entrant stands: whether the entries are on hold, why, the newest appeal, and the last drawing. Only for the browser that entered.
#[utoipa::path(
    get, path = "/api/users/{id}/appeal", operation_id = "get_appeal",
    responses((status = 403, description = "`another_browser`: not the browser that entered"))
)]
pub(crate) async fn show<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<StandingView>, ApiError> {
    browser.must_be(id)?;
    let read = move |store: &S| {
        let standing = usecases::appeals::standing(store, id)?;
        StandingView::read(store, &state, standing, id)
    };
    pools.visitor_reads.run(read).await.map(Json)
}

/// Appeals against a flag. Only for the browser that entered, while the entries are on hold and no appeal is open.
#[utoipa::path(
    post, path = "/api/users/{id}/appeal", operation_id = "add_appeal",
    responses(
        (status = 403, description = "`another_browser`: not the browser that entered"),
        (status = 409, description = "`not_on_hold`: the entries are not on hold; `appeal_open`: an appeal is not decided yet")
    )
)]
pub(crate) async fn add<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    browser: BrowserEntrant<S>,
    PathId(id): PathId<EntrantId>,
    body: Body<AppealBody>,
) -> Result<Created<StandingView>, ApiError> {
    browser.must_be(id)?;
    let message = body.valid()?.message.value()?;
    let add = move |store: &S| {
        let standing = usecases::appeals::add(store, &*state.clock, id, &message)?;
        StandingView::read(store, &state, standing, id)
    };
    pools.visitor_writes.run(add).await.map(Created)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use strum::IntoEnumIterator;

    #[test]
    fn the_sentence_is_about_the_evidence_that_says_the_most() {
        let network = Evidence::SharedNetwork { accounts: 4 };
        let browser = Evidence::SameFingerprint { accounts: 2 };
        let burst = Evidence::Burst { sign_ups: 3 };
        let referrer = Evidence::OneReferrer {
            referrer: EntrantId::new(7),
            referred: 2,
            accounts: 4,
        };
        for (evidence, part) in [
            (vec![], "before its data was deleted"),
            (vec![network], "your internet connection."),
            (vec![network, burst], "within a few minutes"),
            (vec![network, browser, burst], "kind of browser"),
            (vec![network, browser, burst, referrer], "the same link"),
        ] {
            let sentence = why(&Hold::new(None, false, evidence));
            assert!(sentence.contains(part), "{sentence}");
            assert!(!sentence.contains(|c: char| c.is_ascii_digit()), "{sentence}");
        }
    }

    #[test]
    fn what_staff_chose_comes_before_evidence() {
        let network = vec![Evidence::SharedNetwork { accounts: 4 }];
        let mut sentences = BTreeSet::new();
        for reason in PublicReason::iter() {
            sentences.insert(why(&Hold::new(Some(reason), false, network.clone())));
            let duplicate = why(&Hold::new(Some(reason), true, vec![]));
            assert!(duplicate.contains("another entry of yours"), "{duplicate}");
        }
        assert_eq!(sentences.len(), 5, "each reason has its own");
    }
}
