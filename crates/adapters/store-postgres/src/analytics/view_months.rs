//! The partitions of `page_views`: one for each month, by the time with which `view_key` begins (docs/adr/0017).
//!
//! - `page_views_2026_12`: views of sessions that began in a month.
//! - `page_views_before_2026_12`: everything from before the first of them, which is the month after the database was made.
//! - `page_views_untimed`: views of sessions without a time.
//! - `page_views_other`: all others, such as those of browsers with a wrong clock. It accepts views of months that have no
//!   partition yet.

use crate::PgTx;
use crate::analytics::clearing::unless_busy;
use crate::rows::{CountRow, FoundRow, TextRow};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use kernel::StoreError;
use privacy::retention::{Dropped, Month};

/// Limits the wait for those who use the table, because others wait behind it.
const LIMIT_WAIT: &str = "SET LOCAL lock_timeout = '2s'";

/// Whether a month has a partition, or is part of the first one.
const HAS_MONTH: &str = "
SELECT EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'page_views'::regclass
        AND (relname = 'page_views_' || $1
             OR starts_with(relname, 'page_views_before_') AND right(relname, 7) > $1)
) AS found";

/// The partition with the oldest views, if they are all from before a month.
const OLDEST: &str = "
SELECT relname::text AS text FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
WHERE inhparent = 'page_views'::regclass
    AND (relname ~ '^page_views_[0-9]{4}_[0-9]{2}$' AND right(relname, 7) < $1
         OR relname ~ '^page_views_before_[0-9]{4}_[0-9]{2}$' AND right(relname, 7) <= $1)
ORDER BY right(relname, 7), length(relname) DESC
LIMIT 1";

/// Keeps the numbers of views, for recounts. `{views}` are the rows.
pub(crate) const RETIRE: &str = "
counted AS (
    SELECT date_bin('15 minutes', created_at, '1970-01-01 00:00:00+00') AS quarter, page, count(*) AS views
    FROM {views} GROUP BY 1, 2
), numbers AS (
    INSERT INTO retired_views (quarter, page, views)
    SELECT quarter, page, views FROM counted
    ON CONFLICT (quarter, page) DO UPDATE SET views = retired_views.views + excluded.views
), codes AS (
    INSERT INTO retired_codes (referral_code, views)
    SELECT referral_code, count(*) FROM {views} JOIN users USING (referral_code) GROUP BY referral_code
    ON CONFLICT (referral_code) DO UPDATE SET views = retired_codes.views + excluded.views
)
SELECT coalesce(sum(views), 0)::bigint AS n FROM counted";

/// Such as `2026_12`.
fn suffix(month: Month) -> String {
    month.to_string().replace('-', "_")
}

/// The first key of a month: the milliseconds since 1970 in the first 48 bits.
fn first_key(month: Month) -> String {
    let millis = month.start().timestamp_millis();
    format!(
        "{:08x}-{:04x}-0000-0000-000000000000",
        millis >> 16,
        millis & 0xffff
    )
}

impl PgTx {
    fn has_month(&self, month: Month) -> Result<bool, StoreError> {
        let query = sql_query(HAS_MONTH).bind::<Text, _>(suffix(month));
        let row: FoundRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.found)
    }

    /// Makes the partition of a month. Folding waits, so that it misses no view that is moved.
    ///
    /// Only writers of views with a wrong time wait: `ATTACH PARTITION` reads `page_views_other` to see that it has none of
    /// the month.
    pub(crate) fn make_month(&mut self, month: Month) -> Result<bool, StoreError> {
        if self.has_month(month)? {
            return Ok(false);
        }
        self.begin_folding()?;
        if self.has_month(month)? {
            return Ok(false);
        }
        let (first, end) = (first_key(month), first_key(month.later(1)));
        self.run(&format!(
            "{LIMIT_WAIT}; SELECT make_views_month('{}', '{first}', '{end}')",
            suffix(month)
        ))?;
        Ok(true)
    }

    /// Drops the partition with the oldest views. Nobody writes to it while its views are counted: only a view with a wrong
    /// time would wait.
    pub(crate) fn drop_oldest_month(&mut self, kept: Month) -> Result<Dropped, StoreError> {
        let query = sql_query(OLDEST).bind::<Text, _>(suffix(kept));
        let oldest: Option<TextRow> = self.query(|connection| query.get_result(connection).optional())?;
        let Some(TextRow { text: name }) = oldest else {
            return Ok(Dropped::None);
        };
        if !unless_busy(self.begin_folding())? {
            return Ok(Dropped::Busy);
        }
        self.expect_many_rows()?;
        let lock = format!("{LIMIT_WAIT}; LOCK TABLE {name} IN SHARE MODE");
        if !unless_busy(self.run(&lock))? || !self.is_folded(&name)? {
            return Ok(Dropped::Busy);
        }
        let views = self.retire(&format!("WITH {}", RETIRE.replace("{views}", &name)))?;
        let is_dropped = unless_busy(self.run(&format!("SELECT drop_views_month('{name}')")))?;
        Ok(if is_dropped {
            Dropped::Views(views)
        } else {
            Dropped::Busy
        })
    }

    fn is_folded(&self, name: &str) -> Result<bool, StoreError> {
        let query = sql_query(format!(
            "SELECT coalesce(max(id), 0) <= (SELECT last_id FROM analytics_watermarks WHERE source = 'page_views') AS found
             FROM {name}"
        ));
        let row: FoundRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.found)
    }

    /// Runs a statement that ends with [`RETIRE`].
    pub(crate) fn retire(&self, sql: &str) -> Result<i64, StoreError> {
        let row: CountRow = self.query(|connection| sql_query(sql).get_result(connection))?;
        Ok(row.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analytics::PageName;
    use kernel::Session;
    use raffle::fixtures::GARDEN_BAG;

    #[test]
    fn a_month_begins_with_the_first_key_of_its_time() {
        let month = Month::of("2026-12-31T23:59:59Z".parse().unwrap()).later(1);
        assert_eq!(suffix(month), "2027_01");
        let first = first_key(month).parse::<uuid::Uuid>().unwrap();
        let millis = month.start().timestamp_millis();
        let key = |millis: i64| {
            let time = format!("{millis:012x}");
            let id = format!("{}-{}-7000-8000-000000000000", &time[..8], &time[8..]);
            PageName::from(GARDEN_BAG).view_key(&Session::parse(&id).unwrap(), None)
        };
        assert!(key(millis - 1) < first && first <= key(millis));
    }
}
