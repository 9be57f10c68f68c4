use crate::PgTx;
use crate::rows::IdRow;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use kernel::{EntrantId, StoreError};
use raffle::{EntryLedger, LedgerCheckpoint};

const UNBALANCED: &str = "
SELECT users.id
FROM users
LEFT JOIN (
    SELECT user_id,
           sum(delta) FILTER (WHERE kind = 'base') AS base,
           sum(delta) FILTER (WHERE kind IN ('referral', 'referral_reversed', 'referral_restored', 'clearing', 'free')) AS bonus,
           sum(delta) FILTER (WHERE kind IN ('purchase', 'refund')) AS paid,
           -sum(delta) FILTER (WHERE kind IN ('dispute_held', 'dispute_released')) AS held
    FROM entry_ledger
    GROUP BY user_id
) AS ledger ON ledger.user_id = users.id
WHERE (base_entries, bonus_entries, paid_entries, held_entries) IS DISTINCT FROM
      (coalesce(ledger.base, 0), coalesce(ledger.bonus, 0), coalesce(ledger.paid, 0), coalesce(ledger.held, 0))
ORDER BY users.id";

const CHECKPOINT: &str = "
SELECT count(*) AS rows, coalesce(sum(delta), 0)::bigint AS sum FROM entry_ledger WHERE created_at < $1";

#[derive(QueryableByName)]
struct CheckpointRow {
    #[diesel(sql_type = BigInt)]
    rows: i64,
    #[diesel(sql_type = BigInt)]
    sum: i64,
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

    fn unbalanced_entrants(&self) -> Result<Vec<EntrantId>, StoreError> {
        let rows: Vec<IdRow> = self.query(|connection| diesel::sql_query(UNBALANCED).load(connection))?;
        Ok(rows.into_iter().map(|row| EntrantId::new(row.id)).collect())
    }
}
