use crate::PgTx;
use crate::schema::admin_audit_log;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use ipnet::IpNet;
use kernel::{PageRequest, StoreError};
use serde_json::{Map, Value};
use staff::{AuditEntry, AuditFilter, AuditLog, Detail, NewAuditEntry, SessionId};

#[derive(Queryable, Selectable)]
#[diesel(table_name = admin_audit_log)]
struct Row {
    id: i64,
    session_id: i64,
    action: String,
    target: Option<String>,
    details: Value,
    ip_address: Option<IpNet>,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for AuditEntry {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::Corrupt {
            table: "admin_audit_log",
            column,
            row: row.id,
        };
        Ok(Self {
            id: row.id,
            session: SessionId::new(row.session_id),
            action: row.action.parse().map_err(|_| corrupt("action"))?,
            target: row.target,
            details: read_details(row.details).ok_or_else(|| corrupt("details"))?,
            address: row.ip_address.map(|network| network.addr()),
            created_at: row.created_at,
        })
    }
}

/// Sorted by name: `jsonb` does not keep the order of its keys.
fn read_details(json: Value) -> Option<Vec<(String, Detail)>> {
    let Value::Object(map) = json else { return None };
    let detail = |(name, value)| match value {
        Value::String(text) => Some((name, Detail::Text(text))),
        Value::Number(number) => Some((name, Detail::Number(number.as_i64()?))),
        _ => None,
    };
    map.into_iter().map(detail).collect()
}

fn write_details(details: &[(&'static str, Detail)]) -> Value {
    let value = |detail: &Detail| match detail {
        Detail::Text(text) => Value::from(text.as_str()),
        Detail::Number(number) => Value::from(*number),
    };
    let entries = details
        .iter()
        .map(|(name, detail)| ((*name).to_owned(), value(detail)));
    Value::Object(entries.collect::<Map<_, _>>())
}

/// The rows that match a filter.
fn matching(filter: &AuditFilter) -> admin_audit_log::BoxedQuery<'static, Pg> {
    let mut query = admin_audit_log::table.into_boxed();
    if let Some(action) = filter.action {
        query = query.filter(admin_audit_log::action.eq(action.as_str()));
    }
    if let Some(from) = filter.from {
        query = query.filter(admin_audit_log::created_at.ge(from));
    }
    if let Some(until) = filter.until {
        query = query.filter(admin_audit_log::created_at.lt(until));
    }
    if let Some(before) = filter.before {
        query = query.filter(admin_audit_log::id.lt(before));
    }
    query
}

impl AuditLog for PgTx {
    fn record_audit(&mut self, entry: &NewAuditEntry) -> Result<i64, StoreError> {
        let row = (
            admin_audit_log::session_id.eq(entry.actor.session.get()),
            admin_audit_log::action.eq(entry.action.as_str()),
            admin_audit_log::target.eq(entry.target.as_deref()),
            admin_audit_log::details.eq(write_details(&entry.details)),
            admin_audit_log::ip_address.eq(entry.actor.address.map(IpNet::from)),
            admin_audit_log::created_at.eq(entry.at),
        );
        let insert = diesel::insert_into(admin_audit_log::table)
            .values(row)
            .returning(admin_audit_log::id);
        self.query(|connection| insert.get_result(connection))
    }

    fn list_audit(&self, filter: &AuditFilter, page: PageRequest) -> Result<Vec<AuditEntry>, StoreError> {
        let query = matching(filter)
            .order(admin_audit_log::id.desc())
            .limit(page.limit.into())
            .offset(page.offset.into())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(AuditEntry::try_from).collect()
    }

    fn count_audit(&self, filter: &AuditFilter) -> Result<i64, StoreError> {
        let query = matching(filter).count();
        self.query(|connection| query.get_result(connection))
    }
}
