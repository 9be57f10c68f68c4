//! People: staff search entrants, see everything about one, tag, note, and mark duplicates.

mod bodies;
mod import;
mod views;

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::Body;
use crate::http::error::ErrorView;
use crate::http::field::optional;
use crate::http::fields::{
    All, FieldErrors, Messages, field, message, path_id, read_line, read_raffle_filter,
};
use crate::http::query::read_number;
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::{Json, Path, Query};
use bodies::{DuplicateBody, PersonBody};
use import::{__path_import_people, import_people};
use kernel::{EntrantId, PageRequest};
use people::{Notes, PeopleFilter, PeopleQuery};
use serde::Deserialize;
use usecases::people::{MarkError, PersonError};
use utoipa::IntoParams;
use views::{PeopleView, PersonNotesView, PersonTagsView, PersonView};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, tags::<S>, import_people::<S>, get::<S>, edit::<S>, mark::<S>, unmark::<S>]
}

impl From<PersonError> for ApiError {
    fn from(error: PersonError) -> Self {
        match error {
            PersonError::Unknown => Self::not_found(),
            PersonError::Store(error) => error.into(),
        }
    }
}

impl From<MarkError> for ApiError {
    fn from(error: MarkError) -> Self {
        match error {
            MarkError::Unknown | MarkError::NotMarked => Self::not_found(),
            MarkError::UnknownOriginal => Self::field("userId", "There is no entry with this ID"),
            MarkError::Oneself => Self::field("userId", "Must be another entry"),
            MarkError::OriginalIsDuplicate => Self::field(
                "userId",
                "This entry is a duplicate itself. Name the one that stays.",
            ),
            MarkError::AlreadyMarked => Self::new(
                StatusCode::CONFLICT,
                "already_duplicate",
                "This entry is marked as a duplicate already. Please reload the page.",
            ),
            MarkError::Store(error) => error.into(),
        }
    }
}

/// Whom to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PeopleListQuery {
    /// A phone number in any spelling, its last four digits, a referral code, or an id. Digits that could be
    /// several of these match all of them. Without it, everybody.
    query: Option<String>,
    /// Only those who are flagged, or only those who are not.
    #[param(value_type = Option<bool>)]
    flagged: Option<String>,
    /// Only those of this raffle; without it, or with `all`, of all raffles.
    #[param(value_type = Option<LandingPageView>)]
    landing_page: Option<String>,
    /// Only those with this tag.
    #[param(max_length = 40)]
    tag: Option<String>,
    /// The maximum number of rows, 1 to 100; 50 without it.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// Rows to skip.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 2147483647)]
    offset: Option<String>,
}

impl PeopleListQuery {
    fn read(&self) -> Result<(PeopleFilter, PageRequest), FieldErrors> {
        let query = PeopleQuery::parse(self.query.as_deref().unwrap_or_default());
        let query = field("query", query.map_err(|error| message(error.to_string())));
        let is_flagged = field("flagged", read_flagged(self.flagged.as_deref()));
        let raffle = field("landingPage", read_raffle_filter(self.landing_page.as_deref()));
        let tag = field("tag", read_tag(self.tag.as_deref()));
        let limit = field("limit", read_number(self.limit.as_deref(), 1, 100, 50));
        let offset = field(
            "offset",
            read_number(self.offset.as_deref(), 0, i32::MAX as u32, 0),
        );
        let who = (query, is_flagged, raffle).all();
        let ((query, is_flagged, raffle), tag, (limit, offset)) = (who, tag, (limit, offset).all()).all()?;
        let filter = PeopleFilter {
            query,
            is_flagged,
            raffle,
            tag,
        };
        Ok((filter, PageRequest { limit, offset }))
    }
}

fn read_flagged(text: Option<&str>) -> Result<Option<bool>, Messages> {
    match text {
        None | Some("") => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err(message("Must be true or false")),
    }
}

fn read_tag(text: Option<&str>) -> Result<Option<String>, Messages> {
    match text.map(str::trim) {
        None | Some("") => Ok(None),
        Some(tag) => read_line(
            &tag.to_lowercase(),
            Notes::TAG_CHARS,
            "Must be one line of at most 40 characters",
        )
        .map(Some),
    }
}

/// Lists entrants, the newest first. `total` counts to 1,000 at most; beyond that `isTotalExact` is false.
#[utoipa::path(
    get,
    path = "/api/admin/people",
    operation_id = "list_people",
    params(PeopleListQuery),
    responses(
        (status = 200, body = PeopleView),
        (status = 400, body = ErrorView, description = "The query cannot be read, or there is no such filter or page")
    )
)]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    query: Query<PeopleListQuery>,
) -> Result<Json<PeopleView>, ApiError> {
    let (filter, page) = query.read()?;
    let list = admin
        .run(move |call| usecases::people::list(call.store, &filter, page))
        .await?;
    Ok(Json(list.into()))
}

/// Lists all tags that entrants have, sorted.
#[utoipa::path(
    get,
    path = "/api/admin/people/tags",
    operation_id = "list_person_tags",
    responses((status = 200, body = PersonTagsView))
)]
pub(crate) async fn tags<S: Store>(
    admin: Admin<S, may::ViewPeople>,
) -> Result<Json<PersonTagsView>, ApiError> {
    let tags = admin.run(|call| usecases::people::tags(call.store)).await?;
    Ok(Json(PersonTagsView { tags }))
}

/// Everything about an entrant, as it was at one moment. Each list has its newest 100 rows.
#[utoipa::path(
    get,
    path = "/api/admin/people/{id}",
    operation_id = "get_person",
    params(("id" = i64, Path)),
    responses((status = 200, body = PersonView))
)]
pub(crate) async fn get<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    id: Path<String>,
) -> Result<Json<PersonView>, ApiError> {
    let id = path_id(&id, EntrantId::new)?;
    let file = admin
        .run(move |call| usecases::people::get(call.store, id))
        .await?;
    Ok(Json(file.into()))
}

/// Changes an entrant's tags or notes. A field that is not there stays as it is.
#[utoipa::path(
    patch,
    path = "/api/admin/people/{id}",
    operation_id = "edit_person",
    params(("id" = i64, Path)),
    request_body = PersonBody,
    responses((status = 200, body = PersonNotesView))
)]
pub(crate) async fn edit<S: Store>(
    admin: Admin<S, may::EditPeople>,
    id: Path<String>,
    body: Body<PersonBody>,
) -> Result<Json<PersonNotesView>, ApiError> {
    let entrant = path_id(&id, EntrantId::new)?;
    let body = body.valid()?;
    let tags = optional(body.tags)?.map(|tags| tags.0);
    let notes = optional(body.notes)?.map(|notes| notes.0);
    let notes = admin
        .run(move |call| {
            let edit = people::PersonEdit {
                entrant,
                tags: tags.clone(),
                notes: notes.clone(),
                at: call.clock.now(),
            };
            usecases::people::edit(call.store, call.actor, &edit)
        })
        .await?;
    Ok(Json(notes.into()))
}

/// Marks an entry as the same person's as another one. It is flagged, so that drawings that are not sealed leave it out and
/// its entrant can appeal. Its ledger stays. The end of the flag, such as an accepted appeal, removes the mark.
#[utoipa::path(
    post,
    path = "/api/admin/people/{id}/duplicate-of",
    operation_id = "mark_duplicate",
    params(("id" = i64, Path)),
    request_body = DuplicateBody,
    responses(
        (status = 200, body = PersonView),
        (status = 409, body = ErrorView, description = "`already_duplicate`: it is marked already")
    )
)]
pub(crate) async fn mark<S: Store>(
    admin: Admin<S, may::MarkDuplicates>,
    id: Path<String>,
    body: Body<DuplicateBody>,
) -> Result<Json<PersonView>, ApiError> {
    let duplicate = path_id(&id, EntrantId::new)?;
    let body = body.valid()?;
    let (original, reason) = (body.user_id.value()?, body.reason.value()?.0);
    let file = admin
        .run(move |call| {
            let mark = people::NewMark {
                duplicate,
                original,
                reason: reason.clone(),
                at: call.clock.now(),
            };
            usecases::people::mark_duplicate(call.store, call.actor, &mark)
        })
        .await?;
    Ok(Json(file.into()))
}

/// Removes the mark of a duplicate, and the flag if the mark had set it.
#[utoipa::path(
    delete,
    path = "/api/admin/people/{id}/duplicate-of",
    operation_id = "unmark_duplicate",
    params(("id" = i64, Path)),
    responses(
        (status = 200, body = PersonView),
        (status = 404, body = ErrorView, description = "There is no such entry, or it is no duplicate")
    )
)]
pub(crate) async fn unmark<S: Store>(
    admin: Admin<S, may::MarkDuplicates>,
    id: Path<String>,
) -> Result<Json<PersonView>, ApiError> {
    let id = path_id(&id, EntrantId::new)?;
    let file = admin
        .run(move |call| usecases::people::unmark_duplicate(call.store, call.clock, call.actor, id))
        .await?;
    Ok(Json(file.into()))
}
