//! `privacy::retention::Retention`: erases and deletes old rows in batches. `retention_marks` says how far.

use crate::PgTx;
use crate::analytics::view_months::RETIRE;
use crate::rows::{CountRow, rows};
use chrono::{DateTime, SecondsFormat, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text, Timestamptz};
use fraud::{REASON_OF_DETECTION, REASON_WITHOUT_ADDRESS};
use kernel::StoreError;
use privacy::retention::{Dropped, Month, Part, Retention, Source};

/// A table whose columns are erased, in the order of a key that grows.
struct Erased {
    table: &'static str,
    key: &'static str,
    columns: &'static [&'static str],
}

/// Which columns are erased of which source; `None` if rows are deleted.
const fn erased(source: Source) -> Option<Erased> {
    let (table, key, columns): (_, _, &[_]) = match source {
        Source::Views => ("page_views", "id", &["ip_address", "user_agent", "fingerprint"]),
        Source::SignUps => (
            "users",
            "sequence_number",
            &["ip_address", "user_agent", "fingerprint"],
        ),
        Source::Consents => ("user_consent", "id", &["ip_address", "user_agent"]),
        Source::Referrals => ("referrals", "id", &["ip_address"]),
        Source::Shares => ("social_shares", "id", &["ip_address"]),
        Source::Clicks => ("sms_click_tracking", "id", &["ip_address", "user_agent"]),
        Source::PushSubscriptions | Source::ProviderEvents | Source::ViewTimes | Source::StrayViews => {
            return None;
        }
    };
    Some(Erased { table, key, columns })
}

/// Where views are that no month has.
const STRAY: [&str; 2] = ["page_views_untimed", "page_views_other"];

/// The networks of the erased sign-ups are forgotten too, also in reasons, which begin with $3 and become $4. `checked` says
/// how many accounts detection has seen.
const ERASE_SIGN_UPS: &str = "
WITH old AS (
    SELECT id, ip_address FROM users
    WHERE sequence_number > $1 AND sequence_number <= $2
        AND (ip_address IS NOT NULL OR user_agent IS NOT NULL OR fingerprint IS NOT NULL)
    ORDER BY id FOR UPDATE
), erased AS (
    UPDATE users SET ip_address = NULL, user_agent = NULL, fingerprint = NULL,
        flag_reason = CASE WHEN starts_with(flag_reason, $3) THEN $4 ELSE flag_reason END
    FROM old WHERE users.id = old.id
), appeals AS (
    UPDATE flag_appeals SET flag_reason = $4 FROM old WHERE user_id = old.id AND starts_with(flag_reason, $3)
), networks AS (
    SELECT network_of(ip_address) AS network, count(*) AS n FROM old WHERE ip_address IS NOT NULL GROUP BY 1
), fewer_of_network AS (
    UPDATE analytics_networks SET accounts = accounts - n, checked = greatest(0, checked - n)
    FROM networks WHERE analytics_networks.network = networks.network AND accounts > n
), none_of_network AS (
    DELETE FROM analytics_networks USING networks
    WHERE analytics_networks.network = networks.network AND accounts <= n
)
SELECT count(*) AS n FROM old";

const DELETE_TIMES: &str = "
WITH gone AS (
    DELETE FROM page_view_times WHERE id > $1 AND id <= $2 RETURNING created_at, page, time_spent
), numbers AS (
    INSERT INTO retired_views (quarter, page, times, time_spent)
    SELECT date_bin('15 minutes', created_at, '1970-01-01 00:00:00+00'), page, count(*), sum(time_spent)
    FROM gone GROUP BY 1, 2
    ON CONFLICT (quarter, page) DO UPDATE SET times = retired_views.times + excluded.times,
        time_spent = retired_views.time_spent + excluded.time_spent
)
SELECT count(*) AS n FROM gone";

const DELETE_EVENTS: &str = "
DELETE FROM provider_events
WHERE id IN (SELECT id FROM provider_events WHERE created_at < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)";

/// A browser that gives its subscription again is as new as the last time, so ids are not in the order of time.
const ERASE_SUBSCRIPTIONS: &str = "
UPDATE push_subscriptions SET user_agent = NULL
WHERE id IN (
    SELECT id FROM push_subscriptions WHERE created_at < $1 AND user_agent IS NOT NULL
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
)";

/// One server gets the run: the others wait for the row, and then see the new time.
const BEGIN_RUN: &str = "
UPDATE retention_marks SET before = $1 WHERE source = 'run' AND (before IS NULL OR before <= $2)";

rows! {
    /// The rows to look at: how many there are, and the last one before the first that is too young.
    struct Range {
        after: i64,
        last: Option<i64>,
        first_young: Option<i64>,
        seen: i64,
    }
}

impl Retention for PgTx {
    fn begin_run(&mut self, now: DateTime<Utc>, last: DateTime<Utc>) -> Result<bool, StoreError> {
        let update = sql_query(BEGIN_RUN)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(last);
        Ok(self.query(|connection| update.execute(connection))? == 1)
    }

    fn add_month(&mut self, month: Month) -> Result<bool, StoreError> {
        self.make_month(month)
    }

    fn drop_month(&mut self, kept: Month) -> Result<Dropped, StoreError> {
        self.drop_oldest_month(kept)
    }

    fn clean(&mut self, source: Source, before: DateTime<Utc>, limit: u32) -> Result<Part, StoreError> {
        match (source, erased(source)) {
            (Source::PushSubscriptions, _) => self.change_old(ERASE_SUBSCRIPTIONS, before, limit),
            (Source::ProviderEvents, _) => self.change_old(DELETE_EVENTS, before, limit),
            (Source::StrayViews, _) => self.delete_stray_views(before, limit),
            (Source::SignUps, Some(erased)) => self.erase_sign_ups(&erased, before, limit),
            (_, Some(erased)) => self.erase(source, &erased, before, limit),
            (_, None) => self.delete_times(before, limit),
        }
    }
}

impl PgTx {
    /// The next rows after the mark, which stays locked: another server waits, and then goes on behind them.
    fn next_rows(
        &self,
        source: Source,
        table: &str,
        key: &str,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<Range, StoreError> {
        self.run("SET LOCAL enable_seqscan = off")?;
        let lock = sql_query("SELECT last_id AS n FROM retention_marks WHERE source = $1 FOR UPDATE")
            .bind::<Text, _>(source.as_str());
        let after: CountRow = self.query(|connection| lock.get_result(connection))?;
        let query = sql_query(format!(
            "SELECT $1 AS after, max(id) AS last, min(id) FILTER (WHERE created_at >= $2) AS first_young, count(*) AS seen
             FROM (SELECT {key} AS id, created_at FROM {table} WHERE {key} > $1 ORDER BY {key} LIMIT $3) AS next"
        ))
        .bind::<BigInt, _>(after.n)
        .bind::<Timestamptz, _>(before)
        .bind::<BigInt, _>(i64::from(limit));
        self.query(|connection| query.get_result(connection))
    }

    fn set_mark(&self, source: Source, last: i64) -> Result<(), StoreError> {
        let update = sql_query("UPDATE retention_marks SET last_id = $2 WHERE source = $1")
            .bind::<Text, _>(source.as_str())
            .bind::<BigInt, _>(last);
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn count(&self, sql: &str, range: &Range, until: i64) -> Result<i64, StoreError> {
        let query = sql_query(sql)
            .bind::<BigInt, _>(range.after)
            .bind::<BigInt, _>(until);
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    fn erase(
        &mut self,
        source: Source,
        erased: &Erased,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<Part, StoreError> {
        let Erased { table, key, columns } = erased;
        let range = self.next_rows(source, table, key, before, limit)?;
        let until = range.until(None);
        let nulls: Vec<_> = columns.iter().map(|column| format!("{column} = NULL")).collect();
        let present: Vec<_> = columns
            .iter()
            .map(|column| format!("{column} IS NOT NULL"))
            .collect();
        let rows = self.count(
            &format!(
                "WITH erased AS (UPDATE {table} SET {} WHERE {key} > $1 AND {key} <= $2 AND ({}) RETURNING 1)
                 SELECT count(*) AS n FROM erased",
                nulls.join(", "),
                present.join(" OR ")
            ),
            &range,
            until,
        )?;
        self.set_mark(source, until)?;
        Ok(range.part(rows, until, limit))
    }

    fn erase_sign_ups(
        &mut self,
        erased: &Erased,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<Part, StoreError> {
        self.begin_folding()?;
        let range = self.next_rows(Source::SignUps, erased.table, erased.key, before, limit)?;
        let until = range.until(Some(self.folded("entrants")?));
        let erase = sql_query(ERASE_SIGN_UPS)
            .bind::<BigInt, _>(range.after)
            .bind::<BigInt, _>(until)
            .bind::<Text, _>(REASON_OF_DETECTION)
            .bind::<Text, _>(REASON_WITHOUT_ADDRESS);
        let CountRow { n: rows } = self.query(|connection| erase.get_result(connection))?;
        self.set_mark(Source::SignUps, until)?;
        Ok(range.part(rows, until, limit))
    }

    fn delete_times(&mut self, before: DateTime<Utc>, limit: u32) -> Result<Part, StoreError> {
        self.begin_folding()?;
        let range = self.next_rows(Source::ViewTimes, "page_view_times", "id", before, limit)?;
        let until = range.until(Some(self.folded("page_view_times")?));
        let rows = self.count(DELETE_TIMES, &range, until)?;
        self.set_mark(Source::ViewTimes, until)?;
        let update =
            sql_query("UPDATE retention_marks SET before = greatest(before, $1) WHERE source = 'viewTimes'")
                .bind::<Timestamptz, _>(before);
        self.query(|connection| update.execute(connection))?;
        Ok(range.part(rows, until, limit))
    }

    /// Runs a statement that changes or deletes at most `$2` rows from before `$1`.
    fn change_old(&mut self, sql: &str, before: DateTime<Utc>, limit: u32) -> Result<Part, StoreError> {
        let change = sql_query(sql)
            .bind::<Timestamptz, _>(before)
            .bind::<BigInt, _>(i64::from(limit));
        let changed = self.query(|connection| change.execute(connection))?;
        let rows = i64::try_from(changed).unwrap_or(i64::MAX);
        Ok(Part {
            rows,
            is_last: rows < i64::from(limit),
        })
    }

    /// Deletes from both tables.
    fn delete_stray_views(&mut self, before: DateTime<Utc>, limit: u32) -> Result<Part, StoreError> {
        self.begin_folding()?;
        let folded = self.folded("page_views")?;
        let before = before.to_rfc3339_opts(SecondsFormat::Micros, true);
        let retire = RETIRE.replace("{views}", "gone");
        let (mut rows, mut is_last) = (0, true);
        for table in STRAY {
            let deleted = self.retire(&format!(
                "WITH gone AS (
                     DELETE FROM {table} WHERE view_key IN (
                         SELECT view_key FROM {table} WHERE created_at < '{before}' AND id <= {folded}
                         ORDER BY id LIMIT {limit})
                     RETURNING created_at, page, referral_code
                 ), {}",
                retire
            ))?;
            rows += deleted;
            is_last &= deleted < i64::from(limit);
        }
        Ok(Part { rows, is_last })
    }

    /// Up to which id a source is in the roll-ups.
    fn folded(&self, source: &str) -> Result<i64, StoreError> {
        let query =
            sql_query("SELECT coalesce(min(last_id), 0) AS n FROM analytics_watermarks WHERE source = $1")
                .bind::<Text, _>(source);
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }
}

impl Range {
    /// The last row to clean: before the first young one, and not after `folded`.
    fn until(&self, folded: Option<i64>) -> i64 {
        let last = self.first_young.map_or(self.last, |young| Some(young - 1));
        let until = last.unwrap_or(self.after);
        folded.map_or(until, |folded| until.min(folded)).max(self.after)
    }

    fn part(&self, rows: i64, until: i64, limit: u32) -> Part {
        Part {
            rows,
            is_last: self.seen < i64::from(limit) || self.last.is_none_or(|last| until < last),
        }
    }
}
