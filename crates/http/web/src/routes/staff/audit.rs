//! The audit log of the console.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::http::csv::csv_lines;
use crate::http::error::ErrorView;
use crate::http::fields::{All, FieldErrors, Messages, field, message};
use crate::http::names::{Name, Named};
use crate::http::query::{DateRangeQuery, PageQuery};
use crate::http::responses::{CsvParts, csv_response, csv_stream, page_of};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::HttpResponse;
use actix_web::web::{Bytes, Query};
use chrono::{DateTime, SecondsFormat, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use staff::{Action, AuditEntry, AuditFilter, Detail};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>]
}

/// The entries to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Only this action.
    #[param(value_type = Option<ActionView>)]
    action: Option<String>,
}

impl AuditQuery {
    fn filter(&self, days: &DateRangeQuery, zone: Tz) -> Result<AuditFilter, FieldErrors> {
        let action = field("action", read_action(self.action.as_deref()));
        let (action, days) = (action, days.days()).all()?;
        Ok(AuditFilter {
            action,
            from: days.from(zone),
            until: days.until(zone),
            before: None,
        })
    }
}

fn read_action(name: Option<&str>) -> Result<Option<Action>, Messages> {
    let Some(name) = name else { return Ok(None) };
    match name.parse() {
        Ok(action) => Ok(Some(action)),
        Err(_) => Err(message("There is no such action")),
    }
}

pub(crate) type ActionView = Name<Action>;

impl Named for Action {
    const VIEW: &'static str = "ActionView";
    const ABOUT: Option<&'static str> = Some("The actions of staff.");
}

/// A detail of an action, as text or as a count.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum DetailView {
    Text(String),
    Number(i64),
}

impl From<Detail> for DetailView {
    fn from(detail: Detail) -> Self {
        match detail {
            Detail::Text(text) => Self::Text(text),
            Detail::Number(number) => Self::Number(number),
        }
    }
}

/// An entry of the audit log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditEntryView {
    id: i64,
    /// The name of the member of staff; null for the server itself.
    #[schema(required)]
    member: Option<String>,
    action: ActionView,
    /// The target of the action, such as an entrant's id.
    #[schema(required)]
    target: Option<String>,
    /// Details by their name.
    details: BTreeMap<String, DetailView>,
    #[schema(required, example = "192.0.2.7")]
    ip_address: Option<String>,
    created_at: DateTime<Utc>,
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: entry.id,
            // The id is known; the name is not joined yet.
            member: None,
            action: entry.action.into(),
            target: entry.target,
            details: views(entry.details),
            ip_address: entry.address.map(|address| address.to_string()),
            created_at: entry.created_at,
        }
    }
}

fn views(details: Vec<(String, Detail)>) -> BTreeMap<String, DetailView> {
    let view = |(name, detail): (String, Detail)| (name, detail.into());
    details.into_iter().map(view).collect()
}

/// A page of the audit log.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditLogView {
    entries: Vec<AuditEntryView>,
}

/// Lists the audit log, newest first. `X-Total-Count` has the number of entries.
#[utoipa::path(
    get,
    path = "/api/admin/audit-log",
    operation_id = "list_audit_log",
    params(AuditQuery, DateRangeQuery, PageQuery),
    responses(
        (
            status = 200,
            body = AuditLogView,
            headers(("X-Total-Count" = i64, description = "The number of all rows"))
        ),
        (status = 400, body = ErrorView, description = "No such action, date or page")
    )
)]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewAuditLog>,
    (query, days, page): (Query<AuditQuery>, Query<DateRangeQuery>, Query<PageQuery>),
) -> Result<HttpResponse, ApiError> {
    let filter = query.filter(&days, admin.state().time_zone)?;
    let page = page.page()?;
    let list = admin
        .run(move |call| usecases::audit::list(call.store, &filter, page))
        .await?;
    let entries = list.entries.into_iter().map(AuditEntryView::from).collect();
    Ok(page_of(list.total, AuditLogView { entries }))
}

/// Exports the audit log as CSV: all entries that match, newest first.
#[utoipa::path(
    get,
    path = "/api/admin/audit-log/export",
    operation_id = "export_audit_log",
    params(AuditQuery, DateRangeQuery),
    responses(
        (
            status = 200,
            body = String,
            content_type = "text/csv",
            description = "Columns id, createdAt, action, target, details, ipAddress, session and member"
        ),
        (status = 400, body = ErrorView, description = "No such action or date")
    )
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ViewAuditLog>,
    (query, days): (Query<AuditQuery>, Query<DateRangeQuery>),
) -> Result<HttpResponse, ApiError> {
    let filter = query.filter(&days, admin.state().time_zone)?;
    let export = Export { admin, filter };
    let columns = csv_lines([COLUMNS.map(str::to_owned)])?;
    csv_stream(csv_response("audit-log.csv"), columns, export).await
}

const COLUMNS: [&str; 8] = [
    "id",
    "createdAt",
    "action",
    "target",
    "details",
    "ipAddress",
    "session",
    "member",
];

/// How many entries are read at once: few enough to take much less than a request's deadline.
const PART: u32 = 5_000;

/// The entries of an export that have not been read yet.
struct Export<S> {
    admin: Admin<S, may::ViewAuditLog>,
    filter: AuditFilter,
}

impl<S: Store> CsvParts for Export<S> {
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let filter = self.filter;
        let read = move |call: Call<'_, S>| usecases::audit::newest_entries(call.store, &filter, PART);
        let entries = self.admin.run(read).await?;
        let Some(oldest) = entries.last() else {
            return Ok(None);
        };
        self.filter.before = Some(oldest.id);
        let rows = entries.into_iter().map(cells).collect::<Result<Vec<_>, _>>()?;
        csv_lines(rows).map(Some)
    }
}

fn cells(entry: AuditEntry) -> Result<[String; 8], ApiError> {
    let details = serde_json::to_string(&views(entry.details)).map_err(|_| ApiError::internal())?;
    Ok([
        entry.id.to_string(),
        entry.created_at.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        entry.action.as_str().to_owned(),
        entry.target.unwrap_or_default(),
        details,
        entry
            .address
            .map(|address| address.to_string())
            .unwrap_or_default(),
        entry.session.to_string(),
        // The name is not joined yet.
        String::new(),
    ])
}
