use crate::PgTx;
use crate::schema::admin_login_failures;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::Text;
use ipnet::IpNet;
use kernel::StoreError;
use staff::{AttemptId, AttemptLimit, LoginAttempts, Reservation};
use std::net::IpAddr;

/// Serializes attempts of one subscriber until the transaction ends. The first number is arbitrary; it separates these
/// locks from others.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7211, hashtext($1))";

impl LoginAttempts for PgTx {
    fn reserve_attempt(
        &mut self,
        subscriber: IpAddr,
        limit: AttemptLimit,
        now: DateTime<Utc>,
    ) -> Result<Reservation, StoreError> {
        let lock = diesel::sql_query(LOCK).bind::<Text, _>(subscriber.to_string());
        self.query(|connection| lock.execute(connection))?;
        let counting = admin_login_failures::table
            .filter(admin_login_failures::address.eq(IpNet::from(subscriber)))
            .filter(admin_login_failures::at.gt(limit.since(now)))
            .order(admin_login_failures::at)
            .select(admin_login_failures::at);
        let moments: Vec<DateTime<Utc>> = self.query(|connection| counting.load(connection))?;
        if let Some(oldest) = moments.first()
            && moments.len() >= limit.attempts as usize
        {
            return Ok(Reservation::Refused { oldest: *oldest });
        }
        let row = (
            admin_login_failures::address.eq(IpNet::from(subscriber)),
            admin_login_failures::at.eq(now),
        );
        let insert = diesel::insert_into(admin_login_failures::table)
            .values(row)
            .returning(admin_login_failures::id);
        let id = self.query(|connection| insert.get_result(connection))?;
        Ok(Reservation::Granted(AttemptId::new(id)))
    }

    fn forget_attempt(&mut self, attempt: AttemptId) -> Result<(), StoreError> {
        let row = admin_login_failures::table.find(attempt.get());
        self.query(|connection| diesel::delete(row).execute(connection))
            .map(drop)
    }

    fn forget_attempts_before(&mut self, moment: DateTime<Utc>) -> Result<usize, StoreError> {
        let rows = admin_login_failures::table.filter(admin_login_failures::at.lt(moment));
        self.query(|connection| diesel::delete(rows).execute(connection))
    }
}
