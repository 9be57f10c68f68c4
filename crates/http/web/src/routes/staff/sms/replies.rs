//! Replies to messages: what people texted to our number.

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::{Right, ShownNumber};
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::{Field, ReadByName, optional};
use crate::http::names::{Name, Named};
use crate::http::query::{PageQuery, Params, QueryType, SearchField, text_search};
use crate::http::responses::{Csv, Export, Listed, page_of};
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use serde::{Deserialize, Serialize};
use sms::{Keyword, Reply, ReplyFilter};
use strum::{EnumIter, EnumString, IntoStaticStr};
use usecases::audit::{NumberList, record_export};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>]
}

/// The replies to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct ReplyQuery {
    /// Only replies whose text contains this, without regard to the case of the letters A to Z; digits are also looked for
    /// in the numbers.
    #[param(inline)]
    #[validate(nested)]
    search: Option<SearchField>,
    /// Only keywords, or only other messages.
    #[validate(nested)]
    kind: Option<ReplyKindField>,
}

/// What a reply is: text that a person wrote; or STOP, START, HELP or a synonym.
#[derive(Clone, Copy, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum ReplyKind {
    Message,
    Keyword,
}

pub(crate) type ReplyKindField = Field<ReplyKind>;

impl Named for ReplyKind {
    const VIEW: &'static str = "ReplyKindView";
    const ABOUT: Option<&'static str> = Some("What a reply is.");
}

impl ReadByName for ReplyKind {
    const REFUSAL: &'static str = "Must be message or keyword";
}

impl QueryType for ReplyQuery {
    type Value = ReplyFilter;

    fn value(self) -> Result<ReplyFilter, ApiError> {
        Ok(ReplyFilter {
            search: text_search(self.search)?,
            is_keyword: optional(self.kind)?.map(|kind| kind == ReplyKind::Keyword),
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
            created_at: reply.at,
        }
    }
}

/// A page of replies.
#[derive(Serialize, ToSchema)]
pub(crate) struct RepliesView {
    replies: Vec<ReplyView>,
}

/// Lists replies, newest first. `X-Total-Count` has their number.
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
