//! The public log of drawings, and its feed.

use super::Store;
use crate::http::field::{Field, FieldSchema, FieldType, number, optional};
use crate::http::fields::{Messages, message};
use crate::http::negotiation::Variants;
use crate::http::query::{Params, QueryType};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use atom_syndication::{EntryBuilder, Feed, FeedBuilder, LinkBuilder, Text};
use drawing::{DrawingId, LogAction, LogEntry};
use serde::Deserialize;
use usecases::drawings::LOG_PAGE;
use utoipa::IntoParams;
use utoipa::openapi::schema::KnownFormat;
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); log::<S>, feed::<S>]
}

/// A page with fewer entries than it can have grows, so clients ask whether it has changed.
const GROWING: &str = "public, no-cache";
/// A full page never changes.
const FULL: &str = "public, max-age=31536000, immutable";
/// How many entries of the log the feed has.
const FEED_ENTRIES: u32 = 100;

/// Which part of the log.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct LogQuery {
    /// The number of the last entry that the client has; 0 without it.
    #[param(inline)]
    #[validate(nested)]
    after: Option<EntryNumberField>,
}

impl QueryType for LogQuery {
    type Value = i64;

    fn value(self) -> Result<i64, ApiError> {
        Ok(optional(self.after)?.map_or(0, |number| number.0))
    }
}

/// The number of an entry of the log, as a query has it.
struct EntryNumber(i64);

type EntryNumberField = Field<EntryNumber>;

impl FieldType for EntryNumber {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        let number = sent.parse().ok().filter(|number| *number >= 0);
        let refusal = || message("Must be the number of an entry of the log");
        number.map(Self).ok_or_else(refusal)
    }

    fn describe() -> FieldSchema {
        number(KnownFormat::Int64).minimum(Some(0)).into()
    }
}

/// Gets the entries of the log of drawings after a number, at most 1,000, as lines of JSON.
///
/// `docs/drawing.md` says how their hashes are computed.
#[utoipa::path(
    get, path = "/api/drawings/log", operation_id = "get_drawing_log",
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson"),
        (status = 304, description = "The entries that the client has are the newest")
    )
)]
pub(crate) async fn log<S: Store>(
    pools: Data<RequestPools<S>>,
    request: HttpRequest,
    Params(after): Params<LogQuery>,
) -> Result<HttpResponse, ApiError> {
    let page = pools
        .visitor_reads
        .run(move |store| usecases::drawings::log_page(store, after))
        .await?;
    let is_full = u32::try_from(page.len()).is_ok_and(|length| length == LOG_PAGE);
    let lines: String = page.iter().map(|entry| entry.to_json() + "\n").collect();
    let caching = if is_full { FULL } else { GROWING };
    Ok(Variants::new(lines.into()).answer(&request, StatusCode::OK, "application/x-ndjson", caching))
}

/// Gets the newest announcements, seals, refusals, results and voided drawings as an Atom feed.
#[utoipa::path(
    get, path = "/api/drawings/feed", operation_id = "get_drawing_feed",
    responses(
        (status = 200, body = String, content_type = "application/atom+xml"),
        (status = 304, description = "The feed that the client has is the newest")
    )
)]
pub(crate) async fn feed<S: Store>(
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let newest = pools
        .visitor_reads
        .run(|store| usecases::drawings::newest_log_entries(store, FEED_ENTRIES))
        .await?;
    let feed = feed_of(&newest, &state.site.name, &state.public_origin).to_string();
    let answer = Variants::new(Bytes::from(feed));
    Ok(answer.answer(
        &request,
        StatusCode::OK,
        "application/atom+xml; charset=utf-8",
        GROWING,
    ))
}

/// The newest entry comes first, as readers expect.
fn feed_of(entries: &[LogEntry], site_name: &str, origin: &str) -> Feed {
    let newest_first = entries.iter().rev();
    let updated = entries.last().map(|entry| entry.entry.at).unwrap_or_default();
    let address = format!("{origin}/api/drawings/feed");
    FeedBuilder::default()
        .title(Text::plain(format!("{site_name}: drawings")))
        .id(address.clone())
        .updated(updated)
        .link(LinkBuilder::default().rel("self").href(address).build())
        .link(LinkBuilder::default().href(format!("{origin}/drawings")).build())
        .author(atom_syndication::Person {
            name: site_name.to_owned(),
            ..Default::default()
        })
        .entries(
            newest_first
                .filter_map(|entry| feed_entry(entry, origin))
                .collect::<Vec<_>>(),
        )
        .build()
}

/// `None` for entries that are not about a drawing.
fn feed_entry(entry: &LogEntry, origin: &str) -> Option<atom_syndication::Entry> {
    let drawing = entry.entry.drawing?;
    let summary = format!("Entry {} of the log of drawings, hash {}", entry.id, entry.hash);
    let page = LinkBuilder::default()
        .href(format!("{origin}/drawings/{drawing}"))
        .build();
    Some(
        EntryBuilder::default()
            .title(Text::plain(title(entry.entry.action, drawing)?))
            .id(format!("{origin}/api/drawings/log?after={}", entry.id - 1))
            .updated(entry.entry.at)
            .link(page)
            .summary(Text::plain(summary))
            .build(),
    )
}

fn title(action: LogAction, drawing: DrawingId) -> Option<String> {
    match action {
        LogAction::DrawingAnnounced => Some(format!("Drawing {drawing} is announced")),
        LogAction::DrawingSealed => Some(format!("Drawing {drawing} is sealed")),
        LogAction::SealRefused => Some(format!("Drawing {drawing}: its seal came too late")),
        LogAction::DrawingPerformed => Some(format!("Drawing {drawing} is drawn")),
        LogAction::DrawingVoid => Some(format!("Drawing {drawing} is void")),
        LogAction::LateRound => Some(format!("Drawing {drawing} is void, and its round came late")),
        LogAction::Checkpoint | LogAction::RaffleOpens | LogAction::RaffleCloses => None,
    }
}
