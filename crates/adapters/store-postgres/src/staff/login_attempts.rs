use crate::PgTx;
use crate::named_lock::LockGroup;
use crate::schema::admin_login_failures as failures;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use ipnet::IpNet;
use kernel::StoreError;
use staff::{AttemptId, AttemptLimit, AttemptSubject, LoginAttempts, Reservation};

impl LoginAttempts for PgTx {
    fn reserve_attempt(
        &mut self,
        subject: AttemptSubject,
        limit: AttemptLimit,
        now: DateTime<Utc>,
    ) -> Result<Reservation, StoreError> {
        // Without the lock first, so that a flood of refused attempts does not wait in line.
        if let Some(until) = limit.refused_until(&self.failures(subject, limit, now)?, now) {
            return Ok(Reservation::Refused { until });
        }
        self.lock_name(LockGroup::SignInAttempts, &lock_key(subject))?;
        if let Some(until) = limit.refused_until(&self.failures(subject, limit, now)?, now) {
            return Ok(Reservation::Refused { until });
        }
        let (address, hash) = columns(subject);
        let row = (
            failures::address.eq(address),
            failures::subject.eq(hash),
            failures::at.eq(now),
        );
        let insert = diesel::insert_into(failures::table)
            .values(row)
            .returning(failures::id);
        let id = self.query(|connection| insert.get_result(connection))?;
        Ok(Reservation::Granted(AttemptId::new(id)))
    }

    fn forget_attempt(&mut self, attempt: AttemptId) -> Result<(), StoreError> {
        let row = failures::table.find(attempt.get());
        self.query(|connection| diesel::delete(row).execute(connection))
            .map(drop)
    }

    fn forget_attempts_before(&mut self, moment: DateTime<Utc>) -> Result<usize, StoreError> {
        let rows = failures::table.filter(failures::at.lt(moment));
        self.query(|connection| diesel::delete(rows).execute(connection))
    }
}

impl PgTx {
    /// The moments of the failures that count, oldest first.
    fn failures(
        &self,
        subject: AttemptSubject,
        limit: AttemptLimit,
        now: DateTime<Utc>,
    ) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let query = of_subject(subject)
            .filter(failures::at.gt(limit.since(now)))
            .order(failures::at)
            .select(failures::at);
        self.query(|connection| query.load(connection))
    }
}

fn of_subject(subject: AttemptSubject) -> failures::BoxedQuery<'static, Pg> {
    let rows = failures::table.into_boxed();
    match columns(subject) {
        (Some(address), _) => rows.filter(failures::address.eq(address)),
        (None, hash) => rows.filter(failures::subject.eq(hash)),
    }
}

/// Either the address or the hash.
fn columns(subject: AttemptSubject) -> (Option<IpNet>, Option<Vec<u8>>) {
    match subject {
        AttemptSubject::Address(address) => (Some(address.into()), None),
        AttemptSubject::Account(hash) | AttemptSubject::Browser(hash) => (None, Some(hash.to_vec())),
    }
}

fn lock_key(subject: AttemptSubject) -> String {
    match subject {
        AttemptSubject::Address(address) => address.to_string(),
        AttemptSubject::Account(hash) | AttemptSubject::Browser(hash) => hex::encode(hash),
    }
}
