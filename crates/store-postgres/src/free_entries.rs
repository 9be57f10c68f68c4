//! `pricing::FreeEntries`: free entries, and what counts toward the cap.

use crate::PgTx;
use crate::schema::entry_ledger;
use crate::statement::values;
use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Date};
use kernel::{EntrantId, StoreError};
use pricing::{CapDate, FreeEntries, FreeOutcome};
use raffle::EntryKind;

const GIVE_FREE_ENTRIES: &str = include_str!("../sql/give_free_entries.sql");

diesel::define_sql_function! {
    fn capped_entries(entrant: BigInt, month: Date) -> BigInt;
}

struct Claim {
    user_id: i64,
    cause: i64,
    month: NaiveDate,
    cap: i64,
    a_day: i64,
}

values!(
    Claim: GIVE_FREE_ENTRIES,
    user_id: BigInt,
    cause: BigInt,
    month: Date,
    cap: BigInt,
    a_day: BigInt,
);

impl FreeEntries for PgTx {
    fn give_free_entries(&mut self, entrant: EntrantId, day: CapDate) -> Result<FreeOutcome, StoreError> {
        if !self.lock_entrant(entrant)? {
            return Ok(FreeOutcome::UnknownEntrant);
        }
        let claim = Claim {
            user_id: entrant.get(),
            cause: day.cause(),
            month: day.month(),
            cap: day.cap().get(),
            a_day: day.cap().free_a_day(),
        };
        if let Some(entries) = self.run_statement(&claim)? {
            return Ok(FreeOutcome::Given(entries));
        }
        Ok(match self.has_claimed_free(entrant, day)? {
            true => FreeOutcome::AlreadyClaimed,
            false => FreeOutcome::OverCap,
        })
    }

    fn capped_entries(&self, entrant: EntrantId, day: CapDate) -> Result<i64, StoreError> {
        let query = diesel::select(capped_entries(entrant.get(), day.month()));
        self.query(|connection| query.get_result(connection))
    }

    fn has_claimed_free(&self, entrant: EntrantId, day: CapDate) -> Result<bool, StoreError> {
        let claim = entry_ledger::table
            .filter(entry_ledger::user_id.eq(entrant.get()))
            .filter(entry_ledger::kind.eq(EntryKind::Free.as_str()))
            .filter(entry_ledger::cause_id.eq(day.cause()));
        let exists = diesel::select(diesel::dsl::exists(claim));
        self.query(|connection| exists.get_result(connection))
    }
}
