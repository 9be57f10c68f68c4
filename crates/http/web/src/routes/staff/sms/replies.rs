//! Replies to messages: what people texted to our number.

use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::csv::csv_lines;
use crate::http::error::ErrorView;
use crate::http::fields::{All, FieldErrors, Messages, field, message};
use crate::http::names::{Name, Named};
use crate::http::query::{PageQuery, read_text_search};
use crate::http::responses::{CsvParts, csv_response, csv_stream, page_of};
use crate::http::views::shown_phone;
use crate::identity::limits::Limit;
use crate::routes::Store;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::{Bytes, Query};
use chrono::{DateTime, SecondsFormat, Utc};
use kernel::EntrantId;
use serde::{Deserialize, Serialize};
use sms::{Keyword, Reply, ReplyFilter};
use usecases::audit::{NumberList, record_export};
use utoipa::{IntoParams, ToSchema};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>]
}

/// The replies to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReplyQuery {
    /// Only replies whose text contains this, without regard to the case of the letters A to Z; digits are also looked for
    /// in the numbers.
    #[param(max_length = 80)]
    search: Option<String>,
    /// Only keywords, or only other messages.
    #[param(value_type = Option<ReplyKindView>)]
    kind: Option<String>,
}

/// What a reply is.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "for the description only; it is read as text")]
pub(crate) enum ReplyKindView {
    /// Text that a person wrote.
    Message,
    /// STOP, START, HELP or a synonym.
    Keyword,
}

impl ReplyQuery {
    fn filter(&self) -> Result<ReplyFilter, FieldErrors> {
        let search = field("search", read_text_search(self.search.as_deref()));
        let kind = field("kind", read_kind(self.kind.as_deref()));
        let (search, is_keyword) = (search, kind).all()?;
        Ok(ReplyFilter {
            search,
            is_keyword,
            before: None,
        })
    }
}

fn read_kind(name: Option<&str>) -> Result<Option<bool>, Messages> {
    match name {
        None => Ok(None),
        Some("message") => Ok(Some(false)),
        Some("keyword") => Ok(Some(true)),
        Some(_) => Err(message("Must be message or keyword")),
    }
}

/// A message that somebody texted to our number.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplyView {
    id: i64,
    /// In full for owners and managers; screens show the last four digits.
    #[schema(example = "+15551234567")]
    phone_number: String,
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
    fn new(reply: Reply, numbers_in_full: bool) -> Self {
        Self {
            id: reply.id.get(),
            phone_number: shown_phone(&reply.phone, numbers_in_full),
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
#[utoipa::path(
    get,
    path = "/api/admin/sms/replies",
    operation_id = "list_replies",
    params(ReplyQuery, PageQuery),
    responses(
        (
            status = 200,
            body = RepliesView,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        ),
        (status = 400, body = ErrorView, description = "No such search, kind or page")
    )
)]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    (query, page): (Query<ReplyQuery>, Query<PageQuery>),
) -> Result<HttpResponse, ApiError> {
    let (filter, page) = (query.filter(), page.page()).all()?;
    let (replies, total) = admin
        .run(move |call| usecases::provider_callbacks::list_replies(call.store, &filter, page))
        .await?;
    let in_full = admin.sees_numbers();
    let view = |reply| ReplyView::new(reply, in_full);
    let replies = replies.into_iter().map(view).collect();
    Ok(page_of(total, RepliesView { replies }))
}

const COLUMNS: [&str; 6] = ["id", "phoneNumber", "userId", "keyword", "body", "createdAt"];

/// Exports replies as CSV: all that match, newest first. The export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/admin/sms/replies/export",
    operation_id = "export_replies",
    params(ReplyQuery),
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns id, phoneNumber (its last four digits), userId, keyword, body and createdAt"
        ),
        (status = 400, body = ErrorView, description = "No such search or kind")
    )
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    query: Query<ReplyQuery>,
) -> Result<HttpResponse, ApiError> {
    let filter = query.filter()?;
    let counted = filter.clone();
    admin
        .run(move |call| {
            let rows = usecases::provider_callbacks::count_replies(call.store, &counted)?;
            let (list, is_searched) = (NumberList::Replies, counted.search.is_some());
            record_export(call.store, call.clock, call.actor, list, rows, is_searched)
        })
        .await?;
    let columns = csv_lines([COLUMNS.map(str::to_owned)])?;
    csv_stream(csv_response("replies.csv"), columns, Export { admin, filter }).await
}

/// How many replies are read at once.
const PART: u32 = 5_000;

/// The replies of an export that have not been read yet.
struct Export<S> {
    admin: Admin<S, may::ExportLists>,
    filter: ReplyFilter,
}

impl<S: Store> CsvParts for Export<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let filter = self.filter.clone();
        let read =
            move |call: Call<'_, S>| usecases::provider_callbacks::newest_replies(call.store, &filter, PART);
        let replies = self.admin.run(read).await?;
        let Some(oldest) = replies.last() else {
            return Ok(None);
        };
        self.filter.before = Some(oldest.id);
        csv_lines(replies.iter().map(cells)).map(Some)
    }
}

fn cells(reply: &Reply) -> [String; 6] {
    let entrant = reply.entrant.map(|id| id.to_string());
    [
        reply.id.to_string(),
        reply.phone.masked(),
        entrant.unwrap_or_default(),
        reply.keyword.map(Keyword::as_str).unwrap_or_default().to_owned(),
        reply.body.clone(),
        reply.at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
    ]
}
