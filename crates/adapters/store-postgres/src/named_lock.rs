//! Advisory locks by name, for what has no row that could be locked.

use crate::PgTx;
use diesel::prelude::*;
use diesel::sql_types::{Integer, Text};
use kernel::StoreError;

diesel::define_sql_function! {
    fn hashtext(name: Text) -> Integer;
}
diesel::define_sql_function! {
    // It returns `void`: only `execute` it, never read the result.
    fn pg_advisory_xact_lock(group: Integer, name: Integer) -> Integer;
}

/// What the name stands for. The numbers are arbitrary; they separate the groups from each other.
#[derive(Clone, Copy)]
pub(crate) enum LockGroup {
    SignInAttempts = 7211,
    CodesOfBlock = 7212,
    CodesOfNumber = 7213,
    PaymentIntent = 7214,
    Pictures = 7215,
}

impl PgTx {
    /// Takes a lock, and holds it until this transaction ends. Two names with the same hash wait for each other.
    pub(crate) fn lock_name(&self, group: LockGroup, name: &str) -> Result<(), StoreError> {
        let lock = diesel::select(pg_advisory_xact_lock(group as i32, hashtext(name)));
        self.query(|connection| lock.execute(connection)).map(drop)
    }
}
