//! The appeals of flagged entrants, for staff.

use super::Store;
use super::evidence::{self, EvidenceView};
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::callers::right::{Right, ShownNumber};
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, ReadByName, optional, text, texts};
use crate::http::fields::{REQUIRED, message, no_phone_number, rule_about};
use crate::http::names::Named;
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params, QueryType};
use crate::http::responses::{Listed, page_of};
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::appeals::AppealStatusView;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use fraud::{AppealCase, AppealId, AppealStatus, Decision, Verdict};
use kernel::{StoredText, StoredTextError};
use serde::{Deserialize, Serialize};
use usecases::appeals::{DecideCommand, DecideError};
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, decide::<S>]
}

impl From<DecideError> for ApiError {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::UnknownAppeal => Self::not_found(),
            DecideError::DecidedBefore => Self::new(
                StatusCode::CONFLICT,
                "appeal_decided",
                "This appeal has been decided already. Please reload the list.",
            ),
            DecideError::Store(error) => error.into(),
        }
    }
}

/// The appeals to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct AppealQuery {
    /// Only appeals with this status.
    #[validate(nested)]
    status: Option<StatusField>,
}

type StatusField = Field<AppealStatus>;

impl ReadByName for AppealStatus {
    const REFUSAL: &'static str = "Must be open, accepted or rejected";
}

impl QueryType for AppealQuery {
    type Value = Option<AppealStatus>;

    fn value(self) -> Result<Option<AppealStatus>, ApiError> {
        optional(self.status)
    }
}

/// An appeal, with the flag that it is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppealView {
    id: i64,
    status: AppealStatusView,
    /// What the entrant wrote.
    message: String,
    created_at: DateTime<Utc>,
    /// Null while it is open.
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    /// What the entrant reads about the decision.
    #[schema(required)]
    note: Option<String>,
    user: AppealUserView,
    /// The reason of the flag.
    reason: String,
    /// What fraud detection found; empty for a flag of staff.
    evidence: Vec<EvidenceView>,
    flagged_at: DateTime<Utc>,
}

/// The entrant who appeals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppealUserView {
    id: i64,
    /// In full; screens show the last four digits.
    #[schema(example = "+15551234567", value_type = String)]
    phone_number: ShownNumber,
    landing_page: LandingPageView,
    total_entries: i64,
    /// Whether the entrant is flagged now.
    is_flagged: bool,
}

impl AppealView {
    fn new(case: AppealCase, right: Right) -> Self {
        let appeal = case.appeal;
        Self {
            id: appeal.id.get(),
            status: appeal.status.into(),
            message: appeal.message,
            created_at: appeal.created_at,
            decided_at: appeal.decided_at,
            note: appeal.note,
            user: AppealUserView {
                id: case.entrant.get(),
                phone_number: ShownNumber::full(&case.phone, right),
                landing_page: case.raffle.into(),
                total_entries: case.total_entries,
                is_flagged: case.is_flagged,
            },
            reason: case.reason,
            evidence: evidence::views(&case.evidence),
            flagged_at: case.flagged_at,
        }
    }
}

/// A page of appeals.
#[derive(Serialize, ToSchema)]
pub(crate) struct AppealsView {
    appeals: Vec<AppealView>,
    /// The number of all open appeals.
    open: i64,
}

/// Lists appeals: open ones first, the oldest first; then the others, the one that was decided last first.
/// `X-Total-Count` has the number of those that match.
#[utoipa::path(get, path = "/api/admin/fraud/appeals", operation_id = "list_appeals")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::DecideAppeals>,
    Params((status, page)): Params<(AppealQuery, PageQuery)>,
) -> Result<Listed<AppealsView>, ApiError> {
    let list = admin
        .run(move |call| usecases::appeals::list(call.store, status, page))
        .await?;
    let (right, cases) = (admin.right(), list.cases.into_iter());
    let view = AppealsView {
        appeals: cases.map(|case| AppealView::new(case, right)).collect(),
        open: list.open,
    };
    Ok(page_of(list.total, view))
}

/// The decision of an appeal.
#[derive(Deserialize, Validate, ToSchema)]
#[validate(schema(function = note_required_rule, skip_on_field_errors = false))]
pub(crate) struct DecisionBody {
    #[validate(nested)]
    decision: DecisionField,
    /// What the entrant reads about it; required to reject.
    #[schema(inline)]
    #[validate(nested)]
    note: Option<NoteField>,
}

impl Named for Decision {
    const VIEW: &'static str = "DecisionView";
    const ABOUT: Option<&'static str> = Some("How staff decide.");
}

impl JsonBody for DecisionBody {}

impl DecisionBody {
    fn command(self, appeal: AppealId) -> Result<DecideCommand, ApiError> {
        Ok(DecideCommand {
            appeal,
            decision: self.decision.value()?,
            note: optional(self.note)?.and_then(|note| note.0),
        })
    }
}

impl ReadByName for Decision {
    const REFUSAL: &'static str = "Must be accept or reject";
}

type DecisionField = Field<Decision>;
type NoteField = Field<Note>;

/// A note may have several lines. A blank one is none.
struct Note(Option<StoredText>);

texts! {
    Note: text().min_length(Some(1)).max_length(Some(500)),
        |sent| {
            no_phone_number(&sent)?;
            match StoredText::lines(&sent, Verdict::NOTE_CHARS) {
                Ok(note) => Ok(Self(Some(note))),
                Err(StoredTextError::Blank) => Ok(Self(None)),
                Err(StoredTextError::TooLong) => Err(message("Must have at most 500 characters")),
                Err(StoredTextError::ControlCharacter) => Err(message("Must not contain control characters")),
            }
        };
}

/// Whoever is refused is told why.
fn note_required_rule(body: &DecisionBody) -> Result<(), ValidationError> {
    let rejects = matches!(body.decision, Field::Value(Decision::Reject));
    let is_blank = matches!(body.note, None | Some(Field::Missing | Field::Value(Note(None))));
    let note = if rejects && is_blank {
        Err(message(REQUIRED))
    } else {
        Ok(())
    };
    rule_about("note", note)
}

/// Decides an appeal. Accepting it removes the flag. The entrant reads the decision and the note.
#[utoipa::path(
    post, path = "/api/admin/fraud/appeals/{id}/decide", operation_id = "decide_appeal",
    responses((status = 409, description = "`appeal_decided`: it was decided before"))
)]
pub(crate) async fn decide<S: Store>(
    admin: Admin<S, may::DecideAppeals>,
    PathId(id): PathId<AppealId>,
    body: Body<DecisionBody>,
) -> Result<Json<AppealView>, ApiError> {
    let command = body.valid()?.command(id)?;
    let decided = admin
        .run(move |call| usecases::appeals::decide(call.store, call.clock, call.actor, &command))
        .await?;
    admin.state().dashboard.invalidate();
    Ok(Json(AppealView::new(decided, admin.right())))
}
