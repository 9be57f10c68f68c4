//! People: staff search entrants, see everything about one, tag, note, and mark duplicates.

mod bodies;
mod import;
mod views;

use super::Store;
use crate::callers::admin::{Admin, Call, may};
use crate::http::body::Body;
use crate::http::field::{Field, optional, parsed, text, texts};
use crate::http::fields::read_line;
use crate::http::path_id::PathId;
use crate::http::query::{FlagField, PageQuery, Params, QueryType, RaffleFilterField, flag, raffle_filter};
use crate::http::responses::{Listed, page_of};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use crate::{ApiError, DEADLINE};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use bodies::{DuplicateBody, PersonBody};
use import::{__path_import_people, import_people};
use kernel::EntrantId;
use people::{Notes, PeopleFilter, PeopleQuery};
use serde::Deserialize;
use usecases::people::{MarkError, PersonError};
use utoipa::IntoParams;
use validator::Validate;
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
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PeopleListQuery {
    /// A phone number in any spelling, its last four digits, a referral code, or an id. Digits that could be
    /// several of these match all of them. Without it, everybody.
    #[param(inline)]
    #[validate(nested)]
    query: Option<PeopleQueryField>,
    /// Only those who are flagged, or only those who are not.
    #[param(inline)]
    #[validate(nested)]
    flagged: Option<FlagField>,
    /// Only those of this raffle; without it, or with `all`, of all raffles.
    #[validate(nested)]
    landing_page: Option<RaffleFilterField>,
    /// Only those with this tag.
    #[param(inline)]
    #[validate(nested)]
    tag: Option<TagFilterField>,
}

type PeopleQueryField = Field<Option<PeopleQuery>>;
type TagFilterField = Field<TagFilter>;

/// A tag; nothing for an empty text.
struct TagFilter(Option<String>);

texts! {
    Option<PeopleQuery>: text(), |sent| parsed(PeopleQuery::parse(&sent));
    TagFilter: text().max_length(Some(Notes::TAG_CHARS)), |sent| match sent.trim().to_lowercase() {
        tag if tag.is_empty() => Ok(Self(None)),
        tag => read_line(&tag, Notes::TAG_CHARS, "Must be one line of at most 40 characters").map(|tag| Self(Some(tag))),
    };
}

impl QueryType for PeopleListQuery {
    type Value = PeopleFilter;

    fn value(self) -> Result<PeopleFilter, ApiError> {
        Ok(PeopleFilter {
            query: optional(self.query)?.flatten(),
            is_flagged: flag(self.flagged)?,
            raffle: raffle_filter(self.landing_page)?,
            tag: optional(self.tag)?.and_then(|tag| tag.0),
        })
    }
}

/// Lists entrants, the newest first. `total` and `X-Total-Count` count to 1,000 at most; beyond that `isTotalExact` is false.
/// Each page that is read stands in the audit log.
#[utoipa::path(get, path = "/api/admin/people", operation_id = "list_people")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    Params((filter, page)): Params<(PeopleListQuery, PageQuery)>,
) -> Result<Listed<PeopleView>, ApiError> {
    let read =
        move |call: Call<'_, S>| usecases::people::list(call.store, call.clock, call.actor, &filter, page);
    // Whoever reads is recorded.
    let list = admin
        .run_in(&admin.pools().console_writes, DEADLINE, read)
        .await?;
    Ok(page_of(list.total, (list, admin.right()).into()))
}

/// Lists all tags that entrants have, sorted.
#[utoipa::path(get, path = "/api/admin/people/tags", operation_id = "list_person_tags")]
pub(crate) async fn tags<S: Store>(
    admin: Admin<S, may::ViewPeople>,
) -> Result<Json<PersonTagsView>, ApiError> {
    let tags = admin.run(|call| usecases::people::tags(call.store)).await?;
    Ok(Json(PersonTagsView { tags }))
}

/// Everything about an entrant, as it was at one moment. Each list has its newest 100 rows.
#[utoipa::path(get, path = "/api/admin/people/{id}", operation_id = "get_person")]
pub(crate) async fn get<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<PersonView>, ApiError> {
    let file = admin
        .run(move |call| usecases::people::get(call.store, id))
        .await?;
    Ok(Json((file, admin.right()).into()))
}

/// Changes an entrant's tags or notes. A field that is not there stays as it is.
#[utoipa::path(patch, path = "/api/admin/people/{id}", operation_id = "edit_person")]
pub(crate) async fn edit<S: Store>(
    admin: Admin<S, may::EditPeople>,
    PathId(entrant): PathId<EntrantId>,
    body: Body<PersonBody>,
) -> Result<Json<PersonNotesView>, ApiError> {
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
    post, path = "/api/admin/people/{id}/duplicate-of", operation_id = "mark_duplicate",
    responses((status = 409, description = "`already_duplicate`: it is marked already"))
)]
pub(crate) async fn mark<S: Store>(
    admin: Admin<S, may::MarkDuplicates>,
    PathId(duplicate): PathId<EntrantId>,
    body: Body<DuplicateBody>,
) -> Result<Json<PersonView>, ApiError> {
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
    Ok(Json((file, admin.right()).into()))
}

/// Removes the mark of a duplicate, and the flag if the mark had set it.
#[utoipa::path(
    delete, path = "/api/admin/people/{id}/duplicate-of", operation_id = "unmark_duplicate",
    responses((status = 404, description = "There is no such entry, or it is no duplicate"))
)]
pub(crate) async fn unmark<S: Store>(
    admin: Admin<S, may::MarkDuplicates>,
    PathId(id): PathId<EntrantId>,
) -> Result<Json<PersonView>, ApiError> {
    let file = admin
        .run(move |call| usecases::people::unmark_duplicate(call.store, call.clock, call.actor, id))
        .await?;
    Ok(Json((file, admin.right()).into()))
}
