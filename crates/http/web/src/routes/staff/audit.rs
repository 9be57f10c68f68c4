//! The audit log of the console.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::{Right, ShownAddress};
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::{Field, ReadByName, optional};
use crate::http::names::{Name, Named};
use crate::http::query::{DateRangeQuery, Days, PageQuery, Params, QueryType};
use crate::http::responses::{Csv, Export, Listed, page_of};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::StaffName;
use serde::{Deserialize, Serialize};
use staff::{Action, AuditFilter, Detail};
use std::collections::BTreeMap;
use usecases::audit::NamedEntry;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>]
}

/// The entries to list.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct AuditQuery {
    /// Only this action.
    #[validate(nested)]
    action: Option<ActionField>,
}

type ActionField = Field<Action>;

impl ReadByName for Action {
    const REFUSAL: &'static str = "There is no such action";
}

impl QueryType for AuditQuery {
    type Value = Option<Action>;

    fn value(self) -> Result<Option<Action>, ApiError> {
        optional(self.action)
    }
}

fn filter(action: Option<Action>, days: Days, zone: Tz) -> AuditFilter {
    AuditFilter {
        action,
        from: days.from(zone),
        until: days.until(zone),
        before: None,
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
    #[schema(required, example = "192.0.2.7", value_type = Option<String>)]
    ip_address: Option<ShownAddress>,
    created_at: DateTime<Utc>,
}

impl AuditEntryView {
    fn new(NamedEntry { entry, member }: NamedEntry, right: Right) -> Self {
        Self {
            id: entry.id,
            member: member.map(|name| name.as_str().to_owned()),
            action: entry.action.into(),
            target: entry.target,
            details: views(entry.details),
            ip_address: entry.address.map(|address| ShownAddress::full(address, right)),
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
#[utoipa::path(get, path = "/api/admin/audit-log", operation_id = "list_audit_log")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewAuditLog>,
    Params((action, days, page)): Params<(AuditQuery, DateRangeQuery, PageQuery)>,
) -> Result<Listed<AuditLogView>, ApiError> {
    let filter = filter(action, days, admin.state().time_zone);
    let list = admin
        .run(move |call| usecases::audit::list(call.store, &filter, page))
        .await?;
    let (right, entries) = (admin.right(), list.entries.into_iter());
    let entries = entries.map(|entry| AuditEntryView::new(entry, right)).collect();
    Ok(page_of(list.total, AuditLogView { entries }))
}

/// Exports the audit log as CSV: all entries that match, newest first.
#[utoipa::path(get, path = "/api/admin/audit-log/export", operation_id = "export_audit_log")]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ViewAuditLog>,
    Params((action, days)): Params<(AuditQuery, DateRangeQuery)>,
) -> Result<Csv<NamedEntry>, ApiError> {
    let filter = filter(action, days, admin.state().time_zone);
    Csv::of("audit-log.csv", Entries { admin, filter }).await
}

impl CsvRow for NamedEntry {
    const COLUMNS: Columns<Self> = &[
        ("id", |row| row.entry.id.to_string()),
        ("createdAt", |row| time_cell(row.entry.created_at)),
        ("action", |row| row.entry.action.as_str().to_owned()),
        ("target", |row| cell(row.entry.target.as_ref())),
        ("details", |row| {
            serde_json::to_string(&views(row.entry.details.clone())).unwrap_or_default()
        }),
        ("ipAddress", |row| cell(row.entry.address)),
        ("session", |row| row.entry.session.to_string()),
        ("member", |row| cell(row.member.as_ref().map(StaffName::as_str))),
    ];
}

/// How many entries are read at once: few enough to take much less than a request's deadline.
const PART: u32 = 5_000;

/// The entries of an export that have not been read yet.
struct Entries<S> {
    admin: Admin<S, may::ViewAuditLog>,
    filter: AuditFilter,
}

impl<S: Store> Export for Entries<S> {
    type Row = NamedEntry;

    async fn next(&mut self) -> Result<Vec<NamedEntry>, ApiError> {
        let filter = self.filter;
        let read = move |call: Call<'_, S>| usecases::audit::newest_entries(call.store, &filter, PART);
        let entries = self.admin.run(read).await?;
        self.filter.before = entries.last().map(|oldest| oldest.entry.id);
        Ok(entries)
    }
}
