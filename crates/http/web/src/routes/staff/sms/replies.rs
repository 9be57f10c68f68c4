//! Replies to messages: what people texted to our number.

use super::account::StaffNumberField;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::{Right, ShownNumber};
use crate::http::body::{Body, JsonBody};
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::{Field, ReadByName, StaffLines, optional};
use crate::http::names::{Name, Named};
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params, QueryType, SearchField, text_search};
use crate::http::responses::{Csv, Export, Listed, page_of};
use crate::http::views::SuccessView;
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::http::StatusCode;
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use serde::{Deserialize, Serialize};
use sms::{Keyword, Reply, ReplyFilter, ReplyId, ReplyKind};
use usecases::audit::{NumberList, record_export};
use usecases::opting_out::OptOutError;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>, decide::<S>, stop_number::<S>, stop_person::<S>]
}

/// The replies to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct ReplyQuery {
    /// Only replies whose text contains this, without regard to the case of the letters A to Z; digits are also looked for
    /// in the numbers.
    #[param(inline)]
    #[validate(nested)]
    search: Option<SearchField>,
    /// Only replies of this kind.
    #[validate(nested)]
    kind: Option<ReplyKindField>,
}

pub(crate) type ReplyKindField = Field<ReplyKind>;

impl Named for ReplyKind {
    const VIEW: &'static str = "ReplyKindView";
    const ABOUT: Option<&'static str> = Some(
        "What a reply is: text that a person wrote; STOP in whatever words, START or HELP; or text that may ask for STOP, until staff decide.",
    );
}

impl ReadByName for ReplyKind {
    const REFUSAL: &'static str = "Must be message, keyword or unclear";
}

impl QueryType for ReplyQuery {
    type Value = ReplyFilter;

    fn value(self) -> Result<ReplyFilter, ApiError> {
        Ok(ReplyFilter {
            search: text_search(self.search)?,
            kind: optional(self.kind)?,
            before: None,
        })
    }
}

/// A message that somebody texted to our number.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplyView {
    id: i64,
    /// In full for owners and managers; screens show the last four digits.
    #[schema(example = "+15551234567", value_type = String)]
    phone_number: ShownNumber,
    /// The entrant with this number when it arrived.
    #[schema(required)]
    user_id: Option<i64>,
    /// Without control characters, at most 1,600 characters. It may be empty.
    body: String,
    /// What the message asked for; null for any other text.
    #[schema(required, value_type = Option<KeywordView>)]
    keyword: Option<&'static str>,
    /// Whether it holds a word for STOP but does not clearly ask for it, and nobody has decided yet.
    is_unclear: bool,
    created_at: DateTime<Utc>,
}

pub(crate) type KeywordView = Name<Keyword>;

impl Named for Keyword {
    const VIEW: &'static str = "KeywordView";
    const ABOUT: Option<&'static str> = Some("What a keyword asks for.");
}

impl ReplyView {
    fn new(reply: Reply, right: Option<Right>) -> Self {
        Self {
            id: reply.id.get(),
            phone_number: ShownNumber::to(right, &reply.phone),
            user_id: reply.entrant.map(EntrantId::get),
            body: reply.body,
            keyword: reply.keyword.map(Keyword::as_str),
            is_unclear: reply.is_unclear,
            created_at: reply.at,
        }
    }
}

/// A page of replies.
#[derive(Serialize, ToSchema)]
pub(crate) struct RepliesView {
    replies: Vec<ReplyView>,
}

/// Lists replies: those that staff must decide first, then newest first. `X-Total-Count` has their number.
#[utoipa::path(get, path = "/api/admin/sms/replies", operation_id = "list_replies")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    Params((filter, page)): Params<(ReplyQuery, PageQuery)>,
) -> Result<Listed<RepliesView>, ApiError> {
    let (replies, total) = admin
        .run(move |call| usecases::provider_callbacks::list_replies(call.store, &filter, page))
        .await?;
    let right = admin.sight().numbers;
    let view = |reply| ReplyView::new(reply, right);
    let replies = replies.into_iter().map(view).collect();
    Ok(page_of(total, RepliesView { replies }))
}

impl From<OptOutError> for ApiError {
    fn from(error: OptOutError) -> Self {
        let conflict = |code, sentence| Self::new(StatusCode::CONFLICT, code, sentence);
        match error {
            OptOutError::Unknown => Self::not_found(),
            OptOutError::OptedOut => conflict("opted_out", "This number gets no texts already."),
            OptOutError::Decided => {
                conflict("reply_decided", "Somebody has decided about this reply already.")
            }
            OptOutError::Store(error) => error.into(),
        }
    }
}

/// What an unclear reply asks for.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplyDecisionBody {
    /// Whether it asks for no more texts.
    #[schema(value_type = bool, required)]
    #[validate(required(message = "Required"))]
    opts_out: Option<bool>,
}

impl JsonBody for ReplyDecisionBody {}

/// Decides whether a reply that is not clear asks for no more texts.
#[utoipa::path(
    post, path = "/api/admin/sms/replies/{id}/decision", operation_id = "decide_reply",
    responses((status = 409, description = "`reply_decided`: somebody has decided before, or it was clear"))
)]
pub(crate) async fn decide<S: Store>(
    admin: Admin<S, may::EditPeople>,
    PathId(id): PathId<ReplyId>,
    body: Body<ReplyDecisionBody>,
) -> Result<Json<ReplyView>, ApiError> {
    let opts_out = body.valid()?.opts_out.unwrap_or_default();
    let decide = move |call: Call<'_, S>| {
        usecases::opting_out::decide_reply(call.store, call.clock, call.actor, id, opts_out)
    };
    let reply = admin.run(decide).await?;
    Ok(Json(ReplyView::new(reply, admin.sight().numbers)))
}

type OptOutReasonField = Field<StaffLines<3, 500>>;

/// Why texts are stopped.
#[derive(Deserialize, Validate, ToSchema)]
pub(crate) struct OptOutBody {
    /// 3 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    reason: OptOutReasonField,
}

impl JsonBody for OptOutBody {}

/// A number that gets no more texts, and why.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NumberOptOutBody {
    #[schema(inline)]
    #[validate(nested)]
    phone_number: StaffNumberField,
    /// 3 to 500 characters without the spaces around it.
    #[schema(inline)]
    #[validate(nested)]
    reason: OptOutReasonField,
}

impl JsonBody for NumberOptOutBody {}

/// Stops texts to a number, also of nobody who entered. Only START from the number itself lifts it.
#[utoipa::path(
    post, path = "/api/admin/sms/opt-outs", operation_id = "opt_number_out",
    responses((status = 409, description = "`opted_out`: the number gets no texts already"))
)]
pub(crate) async fn stop_number<S: Store>(
    admin: Admin<S, may::EditPeople>,
    body: Body<NumberOptOutBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let body = body.valid()?;
    let (phone, reason) = (body.phone_number.value()?.0, body.reason.value()?.0);
    let stop = move |call: Call<'_, S>| {
        usecases::opting_out::stop_number(call.store, call.clock, call.actor, &phone, &reason)
    };
    admin.run(stop).await?;
    Ok(Json(SuccessView::new()))
}

/// Stops texts to the number of an entrant. Only START from the number itself lifts it.
#[utoipa::path(
    post, path = "/api/admin/people/{id}/opt-out", operation_id = "opt_person_out",
    responses((status = 409, description = "`opted_out`: the number gets no texts already"))
)]
pub(crate) async fn stop_person<S: Store>(
    admin: Admin<S, may::EditPeople>,
    PathId(id): PathId<EntrantId>,
    body: Body<OptOutBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let reason = body.valid()?.reason.value()?.0;
    let stop = move |call: Call<'_, S>| {
        usecases::opting_out::stop_person(call.store, call.clock, call.actor, id, &reason)
    };
    admin.run(stop).await?;
    Ok(Json(SuccessView::new()))
}

impl CsvRow for Reply {
    const COLUMNS: Columns<Self> = &[
        ("id", |reply| reply.id.to_string()),
        ("phoneNumber", |reply| reply.phone.masked()),
        ("userId", |reply| cell(reply.entrant)),
        ("keyword", |reply| cell(reply.keyword.map(Keyword::as_str))),
        ("body", |reply| reply.body.clone()),
        ("createdAt", |reply| time_cell(reply.at)),
    ];
}

/// Exports replies as CSV: all that match, newest first, with the last four digits of their numbers. The export is
/// recorded in the audit log.
#[utoipa::path(get, path = "/api/admin/sms/replies/export", operation_id = "export_replies")]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    Params(filter): Params<ReplyQuery>,
) -> Result<Csv<Reply>, ApiError> {
    let counted = filter.clone();
    admin
        .run(move |call| {
            let rows = usecases::provider_callbacks::count_replies(call.store, &counted)?;
            let (list, is_searched) = (NumberList::Replies, counted.search.is_some());
            record_export(call.store, call.clock, call.actor, list, rows, is_searched)
        })
        .await?;
    Csv::of("replies.csv", Replies { admin, filter }).await
}

/// How many replies are read at once.
const PART: u32 = 5_000;

/// The replies of an export that have not been read yet.
struct Replies<S> {
    admin: Admin<S, may::ExportLists>,
    filter: ReplyFilter,
}

impl<S: Store> Export for Replies<S> {
    type Row = Reply;

    async fn next(&mut self) -> Result<Vec<Reply>, ApiError> {
        let filter = self.filter.clone();
        let read =
            move |call: Call<'_, S>| usecases::provider_callbacks::newest_replies(call.store, &filter, PART);
        let replies = self.admin.run(read).await?;
        self.filter.before = replies.last().map(|oldest| oldest.id);
        Ok(replies)
    }
}
