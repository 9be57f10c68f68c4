use crate::PgTx;
use crate::rows::rows;
use crate::schema::admin_audit_log;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Nullable, Text};
use ipnet::IpNet;
use kernel::{PageRequest, StoreError};
use serde_json::{Map, Value};
use staff::audit_chain::{AuditHash, ChainEntry, ChainHead};
use staff::{AuditChain, AuditEntry, AuditFilter, AuditLog, Detail, MemberId, NewAuditEntry, SessionId};

#[derive(Queryable, Selectable)]
#[diesel(table_name = admin_audit_log)]
struct Row {
    id: i64,
    member_id: Option<i64>,
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
        let corrupt = |column| StoreError::corrupt("admin_audit_log", column, row.id);
        Ok(Self {
            id: row.id,
            member: row.member_id.map(MemberId::new),
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
            admin_audit_log::member_id.eq(entry.actor.member.map(MemberId::get)),
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

/// The details are read as text, because the hash covers their exact spelling.
const CHAIN: &str = "
SELECT id, position, session_id, member_id, action, target,
       (details - ARRAY['reason', 'note', 'notes', 'tags'])::text AS kept, audit_note(details) AS note, note_salt, note_hash,
       text(ip_address) AS address, created_at, previous_hash, hash
FROM admin_audit_log WHERE id > $1 ORDER BY id LIMIT $2";

const HEAD: &str = "SELECT last_id, position, hash FROM admin_audit_head";

#[derive(QueryableByName)]
#[diesel(table_name = admin_audit_log)]
struct ChainRow {
    id: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    position: Option<i64>,
    session_id: i64,
    member_id: Option<i64>,
    action: String,
    target: Option<String>,
    #[diesel(sql_type = Text)]
    kept: String,
    #[diesel(sql_type = Nullable<Text>)]
    note: Option<String>,
    #[diesel(sql_type = Nullable<Binary>)]
    note_salt: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Binary>)]
    note_hash: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Text>)]
    address: Option<String>,
    created_at: DateTime<Utc>,
    #[diesel(sql_type = Nullable<Binary>)]
    previous_hash: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Binary>)]
    hash: Option<Vec<u8>>,
}

/// Rows that lost a number or a note, of people who were not erased. Calls, confirmed numbers and rejections always have a note.
const LOST: &str = "
WITH lost AS (
    SELECT 'admin_audit_log' AS place, id, CASE
        WHEN action IN ('flag_user', 'unflag_user', 'edit_person', 'mark_duplicate', 'unmark_duplicate') THEN target
        WHEN action = 'decide_appeal' THEN details ->> 'userId'
        ELSE (SELECT winner_id::text FROM winner_verification AS claim WHERE claim.id::text = entry.target)
    END AS person
    FROM admin_audit_log AS entry WHERE note_hash IS NOT NULL AND note_salt IS NULL
    UNION ALL
    SELECT 'drawing_results', id, winner_id::text FROM drawing_results WHERE winner_phone_number IS NULL
    UNION ALL
    SELECT 'winner_verification_events', event.id, claim.winner_id::text
    FROM winner_verification_events AS event JOIN winner_verification AS claim ON claim.id = claim_id
    WHERE note IS NULL AND kind IN ('called', 'number_confirmed', 'rejected')
)
SELECT place, id FROM lost
WHERE NOT EXISTS (SELECT FROM users WHERE users.id::text = person AND erased_at IS NOT NULL)
ORDER BY place, id LIMIT 1";

rows! {
    struct LostRow {
        place: String,
        id: i64,
    }

    struct HeadRow {
        last_id: i64,
        position: i64,
        hash: Vec<u8>,
    }
}

fn read_hash(bytes: &[u8]) -> Option<AuditHash> {
    bytes.try_into().ok().map(AuditHash::new)
}

impl From<ChainRow> for ChainEntry {
    fn from(row: ChainRow) -> Self {
        let hash = |bytes: Option<Vec<u8>>| bytes.as_deref().and_then(read_hash);
        Self {
            id: row.id,
            position: row.position,
            session: row.session_id,
            member: row.member_id,
            action: row.action,
            target: row.target,
            details: row.kept,
            note: row.note,
            note_salt: row.note_salt,
            note_hash: hash(row.note_hash),
            address: row.address,
            at: row.created_at,
            previous: hash(row.previous_hash),
            hash: hash(row.hash),
        }
    }
}

impl AuditChain for PgTx {
    fn list_chain(&self, after: i64, limit: u32) -> Result<Vec<ChainEntry>, StoreError> {
        let query = sql_query(CHAIN)
            .bind::<BigInt, _>(after)
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<ChainRow> = self.query(|connection| query.load(connection))?;
        Ok(rows.into_iter().map(ChainEntry::from).collect())
    }

    fn chain_head(&self) -> Result<Option<ChainHead>, StoreError> {
        let head = self.query(|connection| sql_query(HEAD).get_result::<HeadRow>(connection).optional())?;
        let read = |row: HeadRow| {
            let hash =
                read_hash(&row.hash).ok_or(StoreError::corrupt("admin_audit_head", "hash", row.last_id))?;
            Ok(ChainHead {
                last_id: row.last_id,
                position: row.position,
                hash,
            })
        };
        head.map(read).transpose()
    }

    fn lost_without_erasure(&self) -> Result<Option<(String, i64)>, StoreError> {
        let row = self.query(|connection| sql_query(LOST).get_result::<LostRow>(connection).optional())?;
        Ok(row.map(|row| (row.place, row.id)))
    }
}
