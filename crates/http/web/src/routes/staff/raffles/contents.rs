//! What raffles say: their drafts and versions; adding, copying, ordering and deleting them.

use super::super::Store;
use super::super::two_people::{ProposedView, make, mismatched, proposed};
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::{Body, JsonBody};
use crate::http::error::Fields;
use crate::http::field::{Field, FieldSchema, FieldType, text, texts};
use crate::http::fields::{Messages, message, path_raffle, read_raffle};
use crate::http::responses::Created;
use crate::http::views::{LandingPageView, staff_name};
use crate::identity::limits::Limit;
use crate::routes::raffle_views::{ContentView, RaffleCardView};
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::{Json, Path};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use drawing::Hash;
use raffle::{ContentFault, ContentGap, Draft, RaffleKey, Version};
use serde::{Deserialize, Serialize};
use usecases::approvals::{AskedPublication, Made, Outcome, Request};
use usecases::raffles::{EditError, PublishError, RaffleFile, SaveDraft};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::{PartialSchema, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![
        Some(Limit::Reads);
        create::<S>, order::<S>, file::<S>, delete::<S>, save_draft::<S>, publish::<S>, copy::<S>
    ]
}

impl From<EditError> for ApiError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::UnknownRaffle => Self::not_found(),
            EditError::KeyTaken => Self::conflict("key_taken", "There is a raffle with this key."),
            EditError::ChangedMeanwhile => changed_meanwhile(),
            EditError::InUse => Self::conflict(
                "in_use",
                "This raffle was open, opens later, or texts are prepared for it. It cannot be deleted.",
            ),
            EditError::Refused(faults) => Self::validation(fields_of(faults)),
            EditError::UnknownPicture => Self::field("content.picture.upload", NO_SUCH_PICTURE),
            EditError::Store(error) => error.into(),
        }
    }
}

impl From<PublishError> for ApiError {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::UnknownRaffle => Self::not_found(),
            PublishError::ChangedMeanwhile => changed_meanwhile(),
            PublishError::Incomplete => {
                Self::conflict("incomplete", "Something is missing. The form says what.")
            }
            PublishError::PictureGone => {
                Self::conflict("picture_gone", "The picture was withdrawn. Choose another one.")
            }
            PublishError::NeedsApproval(needed) => needed.into(),
            PublishError::Store(error) => error.into(),
        }
    }
}

const NO_SUCH_PICTURE: &str = "There is no such picture";

const fn changed_meanwhile() -> ApiError {
    ApiError::conflict(
        "changed_meanwhile",
        "Somebody else has changed this meanwhile. Nothing was saved.",
    )
}

fn fields_of(faults: Vec<ContentFault>) -> Fields {
    let mut fields = Fields::new();
    for ContentFault { field, fault } in faults {
        let messages = fields.entry(format!("content.{field}").into()).or_default();
        messages.push(fault.to_string());
    }
    fields
}

/// The key of a new raffle.
struct NewKey(RaffleKey);

texts! {
    NewKey: text().min_length(Some(3)).max_length(Some(40)).pattern(Some("^[a-z0-9]+(-[a-z0-9]+)*$")), |sent| {
        let key: RaffleKey = sent.parse().map_err(|_| message(
            "Must have 3 to 40 of a-z, 0-9 and single dashes, with a letter or digit at both ends",
        ))?;
        match key.fault() {
            Some(fault) => Err(message(fault.to_string())),
            None => Ok(Self(key)),
        }
    };
    Hash: text().pattern(Some("^[0-9a-f]{64}$")), |sent| sent.parse().map_err(|_| message("Must be the hash of the draft"));
}

type NewKeyField = Field<NewKey>;
type RevisionField = Field<i64>;
type HashField = Field<Hash>;
type KeysField = Field<Keys>;

/// The key of a new raffle, which is its address.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewRaffleBody {
    #[schema(inline)]
    #[validate(nested)]
    landing_page: NewKeyField,
}

impl JsonBody for NewRaffleBody {}

/// The key of a copy.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CopyRaffleBody {
    #[schema(inline)]
    #[validate(nested)]
    new_key: NewKeyField,
}

impl JsonBody for CopyRaffleBody {}

/// A changed draft.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaveDraftBody {
    /// The revision that was changed.
    revision: i64,
    content: ContentView,
}

impl JsonBody for SaveDraftBody {
    /// The longest texts in characters of four bytes, and as much again.
    const LIMIT: usize = 64 * 1024;
}

/// Which draft is published.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct PublishBody {
    /// The revision of the draft that was looked at.
    #[schema(inline)]
    #[validate(nested)]
    revision: RevisionField,
    /// The SHA-256 of its content.
    #[schema(inline)]
    #[validate(nested)]
    hash: HashField,
}

impl JsonBody for PublishBody {}

/// The order of the raffles.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleOrderBody {
    /// The keys of all raffles, drafts too.
    #[schema(inline)]
    #[validate(nested)]
    landing_pages: KeysField,
}

impl JsonBody for RaffleOrderBody {}

struct Keys(Vec<RaffleKey>);

impl FieldType for Keys {
    type Json = Vec<String>;

    fn read(sent: Vec<String>) -> Result<Self, Messages> {
        let keys: Result<_, _> = sent.iter().map(|key| read_raffle(key)).collect();
        keys.map(Self)
    }

    fn describe() -> FieldSchema {
        ArrayBuilder::new().items(LandingPageView::schema()).into()
    }
}

/// What staff write of a raffle before they publish it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleDraftView {
    /// Counts up with each change.
    revision: i64,
    /// The SHA-256 of the content.
    hash: String,
    content: ContentView,
    saved_at: DateTime<Utc>,
    /// The name of the member of staff.
    #[schema(required)]
    saved_by: Option<String>,
    /// What it lacks before it can be published.
    missing: Vec<MissingView>,
}

/// A field that is not complete.
#[derive(Serialize, ToSchema)]
pub(crate) struct MissingView {
    /// Its path in the content.
    #[schema(example = "kit[2].item")]
    field: String,
    message: String,
}

impl From<ContentGap> for MissingView {
    fn from(ContentGap { field, gap }: ContentGap) -> Self {
        let message = gap.to_string();
        Self { field, message }
    }
}

impl From<Draft> for RaffleDraftView {
    fn from(draft: Draft) -> Self {
        Self {
            revision: draft.revision,
            hash: draft.content.hash_in_hex(),
            missing: draft.content.missing().into_iter().map(Into::into).collect(),
            content: draft.content.into(),
            saved_at: draft.saved_at,
            saved_by: staff_name(draft.saved_by),
        }
    }
}

/// A version of what a raffle says.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleVersionView {
    number: i64,
    content: ContentView,
    /// The SHA-256 of the content.
    hash: String,
    published_at: DateTime<Utc>,
    /// The name of the member of staff.
    #[schema(required)]
    published_by: Option<String>,
    /// From when on it counts, unless a newer one replaced it before.
    takes_effect_at: DateTime<Utc>,
    /// Whether it counts now.
    is_in_force: bool,
}

/// Everything of a raffle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleFileView {
    raffle: RaffleCardView,
    draft: RaffleDraftView,
    /// From when on another prize than the one in force would count if it were published now.
    #[schema(required)]
    another_prize_takes_effect_at: Option<DateTime<Utc>>,
    /// The newest first.
    versions: Vec<RaffleVersionView>,
}

impl RaffleFileView {
    fn new(file: RaffleFile, zone: Tz) -> Self {
        let waiting = file
            .versions
            .first()
            .filter(|newest| file.at < newest.takes_effect_at);
        let version = |version: &Version| RaffleVersionView {
            number: version.number,
            content: version.content.clone().into(),
            hash: version.content.hash_in_hex(),
            published_at: version.published_at,
            published_by: staff_name(version.published_by.clone()),
            takes_effect_at: version.takes_effect_at,
            is_in_force: file.in_force == Some(version.number),
        };
        Self {
            raffle: RaffleCardView::new(
                &file.raffle,
                file.raffle.status_at(file.at),
                file.shown(),
                file.in_force,
                waiting,
            ),
            versions: file.versions.iter().map(version).collect(),
            another_prize_takes_effect_at: file.another_prize_takes_effect_at(zone),
            draft: file.draft.into(),
        }
    }
}

/// A version that is published.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublishedView {
    number: i64,
    /// From when on it counts.
    takes_effect_at: DateTime<Utc>,
}

impl From<Version> for PublishedView {
    fn from(version: Version) -> Self {
        Self {
            number: version.number,
            takes_effect_at: version.takes_effect_at,
        }
    }
}

/// Adds a raffle that only staff know of, with an empty draft.
#[utoipa::path(
    post, path = "/api/admin/raffles", operation_id = "create_raffle",
    responses((status = 409, description = "`key_taken`"))
)]
pub(crate) async fn create<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    body: Body<NewRaffleBody>,
) -> Result<Created<RaffleFileView>, ApiError> {
    let NewKey(key) = body.valid()?.landing_page.value()?;
    let zone = admin.state().time_zone;
    let file = admin
        .run(move |call| usecases::raffles::create(call.store, call.actor, key))
        .await?;
    Ok(Created(RaffleFileView::new(file, zone)))
}

/// Adds a raffle with what the draft of another one says.
#[utoipa::path(
    post, path = "/api/admin/raffles/{landingPage}/copy", operation_id = "copy_raffle",
    params(("landingPage" = LandingPageView, Path)),
    responses((status = 409, description = "`key_taken`"))
)]
pub(crate) async fn copy<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    landing_page: Path<String>,
    body: Body<CopyRaffleBody>,
) -> Result<Created<RaffleFileView>, ApiError> {
    let from = path_raffle(&landing_page)?;
    let NewKey(key) = body.valid()?.new_key.value()?;
    let zone = admin.state().time_zone;
    let file = admin
        .run(move |call| usecases::raffles::copy(call.store, call.actor, from, key))
        .await?;
    Ok(Created(RaffleFileView::new(file, zone)))
}

/// Gets everything of a raffle: its draft and its versions.
#[utoipa::path(
    get, path = "/api/admin/raffles/{landingPage}", operation_id = "get_raffle",
    params(("landingPage" = LandingPageView, Path))
)]
pub(crate) async fn file<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    landing_page: Path<String>,
) -> Result<Json<RaffleFileView>, ApiError> {
    let key = path_raffle(&landing_page)?;
    let zone = admin.state().time_zone;
    let file = admin
        .run(move |call| usecases::raffles::file(call.store, key))
        .await?;
    let file = file.ok_or_else(ApiError::not_found)?;
    Ok(Json(RaffleFileView::new(file, zone)))
}

/// Stores a draft in the place of the one that was changed. Nothing of it is public. Again, it changes nothing.
#[utoipa::path(
    put, path = "/api/admin/raffles/{landingPage}/draft", operation_id = "save_raffle_draft",
    params(("landingPage" = LandingPageView, Path)),
    responses((status = 409, description = "`changed_meanwhile`: the revision is not the newest one"))
)]
pub(crate) async fn save_draft<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    landing_page: Path<String>,
    body: Body<SaveDraftBody>,
) -> Result<Json<RaffleDraftView>, ApiError> {
    let raffle = path_raffle(&landing_page)?;
    let body = body.unchecked();
    let content = body
        .content
        .content()
        .ok_or_else(|| ApiError::field("content.picture.upload", NO_SUCH_PICTURE))?;
    let draft = admin
        .run(move |call| {
            let command = SaveDraft {
                actor: call.actor,
                raffle,
                revision: body.revision,
                content: content.clone(),
            };
            usecases::raffles::save_draft(call.store, &command)
        })
        .await?;
    Ok(Json(draft.into()))
}

/// Publishes the draft as it was looked at. It takes effect at once; with another prize, when the first month begins that is 24
/// hours or more away, if people have entered for the prize in force. It replaces a version that waits. Again, it changes nothing.
#[utoipa::path(
    post, path = "/api/admin/raffles/{landingPage}/publish", operation_id = "publish_raffle",
    params(("landingPage" = LandingPageView, Path)),
    responses(
        (status = 200, body = PublishedView),
        (status = 202, body = ProposedView, description = "Somebody else must approve it"),
        (status = 409, description = "`changed_meanwhile`: the draft is not the one that was looked at; `incomplete`; `picture_gone`")
    )
)]
pub(crate) async fn publish<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    landing_page: Path<String>,
    body: Body<PublishBody>,
) -> Result<HttpResponse, ApiError> {
    let body = body.valid()?;
    let asked = AskedPublication {
        raffle: path_raffle(&landing_page)?,
        revision: body.revision.value()?,
        hash: body.hash.value()?,
    };
    match make(&admin, Request::PublishRaffle(asked)).await? {
        Made::Proposed(approval) => Ok(proposed(&approval)),
        Made::Done(Outcome::Published(version)) => Ok(HttpResponse::Ok().json(PublishedView::from(*version))),
        Made::Done(_) => Err(mismatched()),
    }
}

/// Sets the order in which raffles are shown.
#[utoipa::path(
    put, path = "/api/admin/raffles/order", operation_id = "order_raffles",
    responses(
        (status = 204, description = "The order is stored"),
        (status = 409, description = "`changed_meanwhile`: these are not all raffles, each once")
    )
)]
pub(crate) async fn order<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    body: Body<RaffleOrderBody>,
) -> Result<HttpResponse, ApiError> {
    let Keys(keys) = body.valid()?.landing_pages.value()?;
    admin
        .run(move |call| usecases::raffles::order(call.store, call.actor, &keys))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Deletes a raffle that was never open.
#[utoipa::path(
    delete, path = "/api/admin/raffles/{landingPage}", operation_id = "delete_raffle",
    params(("landingPage" = LandingPageView, Path)),
    responses(
        (status = 204, description = "It is deleted"),
        (status = 409, description = "`in_use`: it was open, opens later, or something names it")
    )
)]
pub(crate) async fn delete<S: Store>(
    admin: Admin<S, may::ManageRaffles>,
    landing_page: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let key = path_raffle(&landing_page)?;
    admin
        .run(move |call| usecases::raffles::delete(call.store, call.actor, key))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
