use crate::PgTx;
use crate::rows::{IdRow, rows};
use diesel::prelude::*;
use diesel::sql_query;
use drawing::{DrawingId, Drawings, RaffleStatistics};
use kernel::{DatabaseClock, StoreError};
use raffle::{Raffle, Raffles};

/// SET and LOCK TABLE take no snapshot. The snapshot is taken after the lock was granted, so it contains everything
/// that earlier holders of the lock committed.
///
/// Because the lock excludes other drawings, REPEATABLE READ is enough; SERIALIZABLE would also track every entrant
/// that is read.
const BEGIN_DRAWING: &str = "
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
SET LOCAL lock_timeout = '60s';
SET LOCAL statement_timeout = '60s';
LOCK TABLE drawing_turns IN SHARE ROW EXCLUSIVE MODE";

const RAFFLE_STATISTICS: &str = "
SELECT landing_page, count(*) AS participants, sum(total_entries - held_entries)::bigint AS entries
FROM users
WHERE NOT is_flagged AND erased_at IS NULL AND total_entries > held_entries
GROUP BY landing_page";

rows! {
    struct StatisticsRow {
        landing_page: String,
        participants: i64,
        entries: i64,
    }
}

/// Converts to `bigint`. Larger numbers become its maximum, which the table's checks reject and no stored number
/// exceeds.
pub(crate) fn bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Drawings for PgTx {
    fn begin_drawing(&mut self) -> Result<(), StoreError> {
        self.run(BEGIN_DRAWING)
    }

    fn reserve_drawing_id(&mut self) -> Result<DrawingId, StoreError> {
        let query = sql_query("SELECT nextval('drawing_numbers') AS id");
        let row: IdRow = self.query(|connection| query.get_result(connection))?;
        Ok(DrawingId::new(row.id))
    }

    fn raffle_statistics(&self) -> Result<Vec<RaffleStatistics>, StoreError> {
        // The query reads every entrant, which may be millions.
        self.run("SET LOCAL statement_timeout = '60s'")?;
        let rows: Vec<StatisticsRow> =
            self.query(|connection| sql_query(RAFFLE_STATISTICS).load(connection))?;
        let number = |value: Option<i64>| u64::try_from(value.unwrap_or(0)).unwrap_or(0);
        let statistics = |raffle: &Raffle| {
            let landing_page = raffle.key;
            let row = rows.iter().find(|row| row.landing_page == landing_page.as_str());
            RaffleStatistics {
                raffle: landing_page,
                participants: number(row.map(|row| row.participants)),
                entries: number(row.map(|row| row.entries)),
            }
        };
        let now = self.database_time()?;
        Ok(self.list_raffles()?.public_at(now).map(statistics).collect())
    }
}
