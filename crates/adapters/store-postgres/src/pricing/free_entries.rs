//! `pricing::FreeEntries`: free entries, and what counts toward the cap.

use crate::PgTx;
use crate::raffle::ledger::Posting;
use crate::rows::rows;
use crate::schema::entry_ledger;
use chrono::NaiveDate;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Date, Nullable};
use kernel::{EntrantId, StoreError};
use pricing::{CapDate, CapSource, CapUse, FreeDate, FreeEntries, FreeOutcome, MonthEntries};
use raffle::EntryKind;

const MONTH_ENTRIES: &str = include_str!("../../sql/month_entries.sql");

rows! {
    /// Has a cause if the entries are free, a status if they were bought.
    struct Row {
        month: Option<NaiveDate>,
        cause: Option<i64>,
        status: Option<String>,
        entries: i64,
        taken: i64,
    }
}

impl Row {
    fn read(self) -> Option<MonthEntries> {
        if let Some(cause) = self.cause {
            return MonthEntries::free(cause, self.entries);
        }
        let source = match self.status {
            Some(status) => CapSource::Bought {
                status: status.parse().ok()?,
                taken: self.taken,
            },
            None => CapSource::Inherited,
        };
        Some(MonthEntries {
            month: self.month?,
            source,
            entries: self.entries,
        })
    }
}

impl PgTx {
    /// The entries of an entrant that may count toward the cap of the month of a date, or of any month.
    pub(crate) fn month_entries(
        &self,
        entrant: EntrantId,
        day: Option<CapDate>,
    ) -> Result<Vec<MonthEntries>, StoreError> {
        let causes = day.map(CapDate::causes_of_month);
        let find = sql_query(MONTH_ENTRIES)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Nullable<Date>, _>(day.map(CapDate::month))
            .bind::<Nullable<BigInt>, _>(causes.as_ref().map(|causes| *causes.start()))
            .bind::<Nullable<BigInt>, _>(causes.as_ref().map(|causes| *causes.end()));
        let rows: Vec<Row> = self.query(|connection| find.load(connection))?;
        // Constraints of the tables exclude anything else.
        let corrupt = || StoreError::Failed(format!("the entries of {entrant} cannot be read").into());
        rows.into_iter()
            .map(|row| row.read().ok_or_else(corrupt))
            .collect()
    }
}

impl FreeEntries for PgTx {
    fn give_free_entries(&mut self, entrant: EntrantId, date: FreeDate) -> Result<FreeOutcome, StoreError> {
        let Some(locked) = self.lock_entrant(entrant)? else {
            return Ok(FreeOutcome::UnknownEntrant);
        };
        let is_claimed = self.has_claimed_free(entrant, date.day())?;
        let used = self.capped_entries(entrant, date.day())?;
        let outcome = date.when_claimed(locked.is_flagged, is_claimed, used);
        let FreeOutcome::Given(entries) = outcome else {
            return Ok(outcome);
        };
        self.add_ledger_rows([Posting {
            entrant,
            row: date.day().free_row(entries),
            step: 0,
        }])?;
        Ok(outcome)
    }

    fn capped_entries(&self, entrant: EntrantId, day: CapDate) -> Result<CapUse, StoreError> {
        Ok(day.used(self.month_entries(entrant, Some(day))?))
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
