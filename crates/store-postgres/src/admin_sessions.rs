use crate::PgTx;
use crate::schema::admin_sessions;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use ipnet::IpNet;
use kernel::StoreError;
use staff::{AdminSessions, NewAdminSession, SessionId, TokenHash};

impl AdminSessions for PgTx {
    fn open_session(&mut self, session: &NewAdminSession) -> Result<SessionId, StoreError> {
        let row = (
            admin_sessions::session_token.eq(hex::encode(session.token_hash)),
            admin_sessions::ip_address.eq(session.address.map(IpNet::from)),
            admin_sessions::user_agent.eq(session.user_agent.as_deref()),
            admin_sessions::expires_at.eq(session.expires_at),
            admin_sessions::created_at.eq(session.created_at),
        );
        let insert = diesel::insert_into(admin_sessions::table)
            .values(row)
            .returning(admin_sessions::id);
        self.query(|connection| insert.get_result(connection))
            .map(SessionId::new)
    }

    fn find_session(&self, token: &TokenHash, now: DateTime<Utc>) -> Result<Option<SessionId>, StoreError> {
        let query = admin_sessions::table
            .filter(admin_sessions::session_token.eq(hex::encode(token)))
            .filter(admin_sessions::expires_at.gt(now))
            .select(admin_sessions::id);
        let id: Option<i64> = self.query(|connection| query.first(connection).optional())?;
        Ok(id.map(SessionId::new))
    }

    fn close_session(&mut self, token: &TokenHash) -> Result<bool, StoreError> {
        let rows = admin_sessions::table.filter(admin_sessions::session_token.eq(hex::encode(token)));
        let deleted = self.query(|connection| diesel::delete(rows).execute(connection))?;
        Ok(deleted > 0)
    }

    fn forget_expired_sessions(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let rows = admin_sessions::table.filter(admin_sessions::expires_at.le(now));
        self.query(|connection| diesel::delete(rows).execute(connection))
    }
}
