use crate::PgTx;
use crate::rows::{CountRow, IdRow, rows};
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_types::{Array, BigInt, Text, Timestamptz};
use kernel::{EntrantId, StoreError};
use raffle::{Entries, EntryKind, EntryLedger, LedgerCheckpoint, LedgerRow};
use strum::IntoEnumIterator;

const ADD_LEDGER_ROWS: &str = include_str!("../../sql/add_ledger_rows.sql");

/// The kinds of rows with what they count as: see [`with_kinds`].
pub(crate) const KINDS: &str = "unnest($1, $2, $3, $4, $5) AS counts (kind, base, bonus, paid, held)";

const UNBALANCED: &str = "
SELECT users.id
FROM users
LEFT JOIN (
    SELECT user_id, sum(delta * base) AS base, sum(delta * bonus) AS bonus, sum(delta * paid) AS paid, sum(delta * held) AS held
    FROM entry_ledger
    JOIN {kinds} USING (kind)
    GROUP BY user_id
) AS ledger ON ledger.user_id = users.id
WHERE (base_entries, bonus_entries, paid_entries, held_entries) IS DISTINCT FROM
      (coalesce(ledger.base, 0), coalesce(ledger.bonus, 0), coalesce(ledger.paid, 0), coalesce(ledger.held, 0))
ORDER BY users.id";

const CHECKPOINT: &str = "
SELECT count(*) AS rows, coalesce(sum(delta), 0)::bigint AS sum FROM entry_ledger WHERE created_at < $1";

/// What an entrant got after a time: the sum of what counts in drawings.
const SINCE: &str = "
SELECT coalesce(sum(delta * (base + bonus + paid - held)), 0)::bigint AS n
FROM entry_ledger
JOIN {kinds} USING (kind)
WHERE user_id = $6 AND created_at > $7";

const FREE: &str = "
SELECT coalesce(sum(delta), 0)::bigint AS n FROM entry_ledger WHERE user_id = $1 AND kind = ANY ($2)";

/// The names of the kinds of rows that match.
pub(crate) fn kind_names(matches: impl Fn(EntryKind) -> bool) -> Vec<&'static str> {
    EntryKind::iter()
        .filter(|kind| matches(*kind))
        .map(EntryKind::as_str)
        .collect()
}

/// A statement in which `{kinds}` is the table of [`KINDS`], with its parameters. Further ones begin at `$6`.
pub(crate) fn with_kinds(sql: &str) -> BoxedSqlQuery<'static, Pg, SqlQuery> {
    let column = |of: fn(Entries) -> i64| {
        EntryKind::iter()
            .map(|kind| of(kind.counts_as()))
            .collect::<Vec<_>>()
    };
    diesel::sql_query(sql.replace("{kinds}", KINDS))
        .into_boxed()
        .bind::<Array<Text>, _>(EntryKind::iter().map(EntryKind::as_str).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(column(|entries| entries.base))
        .bind::<Array<BigInt>, _>(column(|entries| entries.bonus))
        .bind::<Array<BigInt>, _>(column(|entries| entries.paid))
        .bind::<Array<BigInt>, _>(column(|entries| entries.held))
}

/// A row of the ledger to be added. The step tells several changes with one cause apart.
#[derive(Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) entrant: EntrantId,
    pub(crate) row: LedgerRow,
    pub(crate) step: i64,
}

/// Rows to be added, an array for each column.
#[derive(Default)]
struct Postings {
    user_id: Vec<i64>,
    kind: Vec<&'static str>,
    delta: Vec<i64>,
    cause_id: Vec<i64>,
    step: Vec<i64>,
    base: Vec<i64>,
    bonus: Vec<i64>,
    paid: Vec<i64>,
    held: Vec<i64>,
}

values!(
    Postings: ADD_LEDGER_ROWS,
    user_id: Array<BigInt>,
    kind: Array<Text>,
    delta: Array<BigInt>,
    cause_id: Array<BigInt>,
    step: Array<BigInt>,
    base: Array<BigInt>,
    bonus: Array<BigInt>,
    paid: Array<BigInt>,
    held: Array<BigInt>,
);

impl Postings {
    fn push(&mut self, Posting { entrant, row, step }: Posting) {
        let change = row.change();
        self.user_id.push(entrant.get());
        self.kind.push(row.kind.as_str());
        self.delta.push(row.delta);
        self.cause_id.push(row.cause);
        self.step.push(step);
        self.base.push(change.base);
        self.bonus.push(change.bonus);
        self.paid.push(change.paid);
        self.held.push(change.held);
    }
}

impl PgTx {
    /// Adds rows to the ledger, and changes the counters of their entrants by what they count as.
    pub(crate) fn add_ledger_rows(
        &mut self,
        rows: impl IntoIterator<Item = Posting>,
    ) -> Result<(), StoreError> {
        let mut postings = Postings::default();
        rows.into_iter().for_each(|row| postings.push(row));
        self.run_statement(&postings).map(drop)
    }
}

rows! {
    struct CheckpointRow {
        rows: i64,
        sum: i64,
    }
}

impl EntryLedger for PgTx {
    fn ledger_checkpoint(&self, before: DateTime<Utc>) -> Result<LedgerCheckpoint, StoreError> {
        self.expect_many_rows()?;
        let query = diesel::sql_query(CHECKPOINT).bind::<Timestamptz, _>(before);
        let row: CheckpointRow = self.query(|connection| query.get_result(connection))?;
        Ok(LedgerCheckpoint {
            rows: row.rows,
            sum: row.sum,
        })
    }

    fn entries_since(&self, entrant: EntrantId, after: DateTime<Utc>) -> Result<i64, StoreError> {
        let query = with_kinds(SINCE)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(after);
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    fn free_entries_of(&self, entrant: EntrantId) -> Result<i64, StoreError> {
        let query = diesel::sql_query(FREE)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Array<Text>, _>(kind_names(EntryKind::is_of_free_entries));
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    fn unbalanced_entrants(&self) -> Result<Vec<EntrantId>, StoreError> {
        let rows: Vec<IdRow> = self.query(|connection| with_kinds(UNBALANCED).load(connection))?;
        Ok(rows.into_iter().map(|row| EntrantId::new(row.id)).collect())
    }
}
