use crate::PgTx;
use crate::schema::{admin_sessions, staff_members};
use crate::staff::accounts::Row as AccountRow;
use chrono::{DateTime, Utc};
use diesel::dsl::{auto_type, not};
use diesel::prelude::*;
use ipnet::IpNet;
use kernel::StoreError;
use staff::{
    Account, AdminSession, AdminSessions, MemberId, NewAdminSession, SESSION_IDLE, SessionId, TokenHash,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = admin_sessions)]
struct Row {
    id: i64,
    member_id: i64,
    password_tag: Vec<u8>,
    ip_address: Option<IpNet>,
    user_agent: Option<String>,
    code_given_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    last_used_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

impl TryFrom<Row> for AdminSession {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |_| StoreError::corrupt("admin_sessions", "password_tag", row.id);
        Ok(Self {
            id: SessionId::new(row.id),
            member: MemberId::new(row.member_id),
            password_tag: row.password_tag.try_into().map_err(corrupt)?,
            address: row.ip_address.map(|network| network.addr()),
            user_agent: row.user_agent,
            code_given_at: row.code_given_at,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
        })
    }
}

/// Whether a session of a member has not ended.
#[auto_type]
fn is_open(now: DateTime<Utc>, idle_since: DateTime<Utc>) -> _ {
    admin_sessions::expires_at
        .gt(now)
        .and(admin_sessions::last_used_at.gt(idle_since))
}

impl AdminSessions for PgTx {
    fn open_session(&mut self, session: &NewAdminSession) -> Result<SessionId, StoreError> {
        let row = (
            admin_sessions::session_token.eq(hex::encode(session.token_hash)),
            admin_sessions::member_id.eq(session.member.get()),
            admin_sessions::password_tag.eq(session.password_tag.as_slice()),
            admin_sessions::ip_address.eq(session.address.map(IpNet::from)),
            admin_sessions::user_agent.eq(session.user_agent.as_deref()),
            admin_sessions::code_given_at.eq(session.code_given_at),
            admin_sessions::expires_at.eq(session.expires_at),
            admin_sessions::created_at.eq(session.created_at),
            admin_sessions::last_used_at.eq(session.created_at),
        );
        let insert = diesel::insert_into(admin_sessions::table)
            .values(row)
            .returning(admin_sessions::id);
        self.query(|connection| insert.get_result(connection))
            .map(SessionId::new)
    }

    fn find_session(
        &self,
        token: &TokenHash,
        now: DateTime<Utc>,
    ) -> Result<Option<(AdminSession, Account)>, StoreError> {
        let query = admin_sessions::table
            .inner_join(staff_members::table)
            .filter(admin_sessions::session_token.eq(hex::encode(token)))
            .filter(is_open(now, now - SESSION_IDLE))
            .select((Row::as_select(), AccountRow::as_select()));
        let found: Option<(Row, AccountRow)> = self.query(|connection| query.first(connection).optional())?;
        found
            .map(|(session, account)| Ok((session.try_into()?, account.try_into()?)))
            .transpose()
    }

    fn list_sessions(&self, member: MemberId, now: DateTime<Utc>) -> Result<Vec<AdminSession>, StoreError> {
        let query = admin_sessions::table
            .filter(is_open(now, now - SESSION_IDLE))
            .filter(admin_sessions::member_id.eq(member.get()))
            .order(admin_sessions::id.desc())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(AdminSession::try_from).collect()
    }

    fn touch_session(&mut self, session: SessionId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let row = admin_sessions::table.find(session.get());
        let used = admin_sessions::last_used_at.eq(at);
        self.query(|connection| diesel::update(row).set(used).execute(connection))
            .map(drop)
    }

    fn note_code(&mut self, session: SessionId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let row = admin_sessions::table.find(session.get());
        let given = admin_sessions::code_given_at.eq(at);
        self.query(|connection| diesel::update(row).set(given).execute(connection))
            .map(drop)
    }

    fn close_session(&mut self, token: &TokenHash) -> Result<bool, StoreError> {
        let rows = admin_sessions::table.filter(admin_sessions::session_token.eq(hex::encode(token)));
        let deleted = self.query(|connection| diesel::delete(rows).execute(connection))?;
        Ok(deleted > 0)
    }

    fn close_session_of(&mut self, member: MemberId, session: SessionId) -> Result<bool, StoreError> {
        let row = admin_sessions::table
            .find(session.get())
            .filter(admin_sessions::member_id.eq(member.get()));
        let deleted = self.query(|connection| diesel::delete(row).execute(connection))?;
        Ok(deleted > 0)
    }

    fn close_sessions_of(&mut self, member: MemberId) -> Result<usize, StoreError> {
        let rows = admin_sessions::table.filter(admin_sessions::member_id.eq(member.get()));
        self.query(|connection| diesel::delete(rows).execute(connection))
    }

    fn forget_ended_sessions(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let rows = admin_sessions::table.filter(not(is_open(now, now - SESSION_IDLE)));
        self.query(|connection| diesel::delete(rows).execute(connection))
    }
}
