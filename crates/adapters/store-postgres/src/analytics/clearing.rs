//! `analytics::AnalyticsClearing` and `analytics::ReferralClearing`: one step of a clearing in each transaction.

use crate::PgTx;
use crate::raffle::ledger::{Posting, kind_names};
use crate::rows::rows;
use analytics::{AnalyticsClearing, AnalyticsCounts, ReferralClearing, ReferralCounts, ReferralCut};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Text};
use kernel::{EntrantId, StoreError};
use raffle::{EntryKind, LedgerRow};

/// Adds the rows that are not folded yet to the counts kept with the watermarks.
const COUNT_ANALYTICS: &str = "
SELECT (SELECT folded FROM analytics_watermarks WHERE source = 'page_views')
       + (SELECT count(*) FROM page_views
          WHERE id > (SELECT last_id FROM analytics_watermarks WHERE source = 'page_views')) AS page_views,
       (SELECT folded FROM analytics_watermarks WHERE source = 'social_shares')
       + (SELECT count(*) FROM social_shares
          WHERE id > (SELECT last_id FROM analytics_watermarks WHERE source = 'social_shares')) AS social_shares,
       (SELECT folded FROM analytics_watermarks WHERE source = 'conversion_funnel')
       + (SELECT count(*) FROM conversion_funnel WHERE NOT counted) AS funnel_steps";

const CLEAR_ANALYTICS: &str = "
TRUNCATE page_views, page_view_times, social_shares, conversion_funnel, retired_views, retired_codes,
    analytics_pages, analytics_page_hours, analytics_codes, analytics_session_hours, analytics_funnel_hours;
UPDATE analytics_watermarks SET folded = 0
WHERE source IN ('page_views', 'page_view_times', 'social_shares', 'conversion_funnel')";

/// `$1`: the kinds of bonus entries that a clearing leaves.
const COUNT_REFERRALS: &str = "
SELECT (SELECT folded FROM analytics_watermarks WHERE source = 'referrals')
       + (SELECT count(*) FROM referrals
          WHERE id > (SELECT last_id FROM analytics_watermarks WHERE source = 'referrals')) AS referrals,
       ((SELECT coalesce(sum(bonus_entries), 0) FROM users WHERE bonus_entries > 0)
        - (SELECT coalesce(sum(delta), 0) FROM entry_ledger WHERE kind = ANY ($1)))::bigint AS bonus_entries";

/// Those of the next entrants who may lose entries, so that none of them moves to another raffle meanwhile. A statement of its own:
/// the next one sees the moves that this one waited for.
const LOCK_PART: &str = "
SELECT id FROM users
WHERE id IN (SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2) AND bonus_entries > 0
ORDER BY id
FOR NO KEY UPDATE";

/// What the next entrants got for referrals, up to a row of the ledger. What a move took out later is out.
const OF_REFERRALS: &str = "
WITH part AS MATERIALIZED (
    SELECT id, bonus_entries FROM users WHERE id > $1 ORDER BY id LIMIT $2
)
SELECT id, CASE WHEN bonus_entries > 0 THEN (
    SELECT coalesce(sum(delta), 0) FROM entry_ledger WHERE user_id = part.id AND kind = ANY ($4)
        AND (id <= $3 OR kind = 'moved_referrals')
) ELSE 0 END::bigint AS entries
FROM part
ORDER BY id";

/// All rows of the ledger up to this one are committed, because writers are stopped.
const CUT: &str = "
SELECT coalesce((SELECT max(id) FROM entry_ledger), 0) AS last_row, nextval('referral_clearings') AS clearing,
       (SELECT folded FROM analytics_watermarks WHERE source = 'referrals')
       + (SELECT count(*) FROM referrals
          WHERE id > (SELECT last_id FROM analytics_watermarks WHERE source = 'referrals')) AS referrals";

const CLEAR_REFERRALS: &str = "
TRUNCATE referrals, analytics_referrers, analytics_velocity;
UPDATE analytics_raffles SET referrals = 0 WHERE referrals <> 0;
UPDATE analytics_raffle_hours SET referrals = 0 WHERE referrals <> 0;
UPDATE analytics_watermarks SET folded = 0 WHERE source = 'referrals'";

rows! {
    struct AnalyticsRow {
        page_views: i64,
        social_shares: i64,
        funnel_steps: i64,
    }

    struct ReferralsRow {
        referrals: i64,
        bonus_entries: i64,
    }

    struct CutRow {
        last_row: i64,
        clearing: i64,
        referrals: i64,
    }

    struct EarnedRow {
        id: i64,
        entries: i64,
    }
}

impl AnalyticsClearing for PgTx {
    fn count_analytics(&self) -> Result<AnalyticsCounts, StoreError> {
        let row: AnalyticsRow = self.query(|connection| sql_query(COUNT_ANALYTICS).get_result(connection))?;
        Ok(AnalyticsCounts {
            page_views: row.page_views,
            social_shares: row.social_shares,
            funnel_steps: row.funnel_steps,
        })
    }

    fn clear_analytics(&mut self) -> Result<Option<AnalyticsCounts>, StoreError> {
        if !self.begin_clearing_views()? {
            return Ok(None);
        }
        let counts = self.count_analytics()?;
        Ok(self.run_unless_busy(CLEAR_ANALYTICS)?.then_some(counts))
    }
}

impl ReferralClearing for PgTx {
    fn count_referral_data(&self) -> Result<ReferralCounts, StoreError> {
        let left = kind_names(|kind| kind.counts_as().bonus != 0 && !kind.is_of_referrals());
        let count = sql_query(COUNT_REFERRALS).bind::<Array<Text>, _>(left);
        let row: ReferralsRow = self.query(|connection| count.get_result(connection))?;
        Ok(ReferralCounts {
            referrals: row.referrals,
            bonus_entries: row.bonus_entries,
        })
    }

    fn cut_referrals(&mut self) -> Result<Option<(i64, ReferralCut)>, StoreError> {
        if !self.begin_clearing()? {
            return Ok(None);
        }
        let row: CutRow = self.query(|connection| sql_query(CUT).get_result(connection))?;
        let cut = ReferralCut {
            last_row: row.last_row,
            clearing: row.clearing,
            after: EntrantId::new(0),
        };
        let cleared = self.run_unless_busy(CLEAR_REFERRALS)?;
        Ok(cleared.then_some((row.referrals, cut)))
    }

    fn take_referral_entries(
        &mut self,
        cut: &mut ReferralCut,
        limit: u32,
    ) -> Result<Option<i64>, StoreError> {
        self.expect_few_rows()?;
        self.run(CLEARING_TIMEOUT)?;
        let lock = sql_query(LOCK_PART)
            .bind::<BigInt, _>(cut.after.get())
            .bind::<BigInt, _>(i64::from(limit));
        self.query(|connection| lock.execute(connection))?;
        let find = sql_query(OF_REFERRALS)
            .bind::<BigInt, _>(cut.after.get())
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<BigInt, _>(cut.last_row)
            .bind::<Array<Text>, _>(kind_names(EntryKind::is_of_referrals));
        let part: Vec<EarnedRow> = self.query(|connection| find.load(connection))?;
        let Some(last) = part.last() else {
            return Ok(None);
        };
        cut.after = EntrantId::new(last.id);
        let taken = part.iter().filter_map(|earned| {
            let row = LedgerRow::clearing(cut.clearing, earned.entries)?;
            let entrant = EntrantId::new(earned.id);
            Some(Posting {
                entrant,
                row,
                step: 0,
            })
        });
        let taken: Vec<_> = taken.collect();
        self.add_ledger_rows(taken.iter().copied())?;
        Ok(Some(taken.iter().map(|posting| -posting.row.delta).sum()))
    }
}

/// For one step of a clearing. A step takes well under a second, except with a full disk queue.
pub(crate) const CLEARING_TIMEOUT: &str = "SET LOCAL statement_timeout = '60s'";
/// How long a step waits for the lock of folding or of sending, which no visitor waits for.
pub(crate) const CLEARING_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '2s'";

impl PgTx {
    /// Stops folding and appending until this transaction ends. Every transaction takes the two locks in this order.
    /// `false` if other work held one of them for too long; from then on, waits for locks are short, because writers wait
    /// behind this transaction.
    fn begin_clearing(&mut self) -> Result<bool, StoreError> {
        Ok(self.stop_folding()? && self.stop_writers()?)
    }

    /// [`PgTx::begin_clearing`] for a transaction that also locks `page_views`.
    fn begin_clearing_views(&mut self) -> Result<bool, StoreError> {
        Ok(self.stop_folding()?
            && self.run_unless_busy("LOCK TABLE ONLY page_views IN ACCESS EXCLUSIVE MODE")?
            && self.stop_writers()?)
    }

    fn stop_folding(&mut self) -> Result<bool, StoreError> {
        self.run(CLEARING_TIMEOUT)?;
        self.run(CLEARING_LOCK_TIMEOUT)?;
        unless_busy(self.begin_folding())
    }

    /// Runs statements, and returns `false` if other work held their rows or tables for too long.
    pub(crate) fn run_unless_busy(&self, sql: &str) -> Result<bool, StoreError> {
        unless_busy(self.run(sql))
    }
}

/// `false` if a lock could not be taken in time.
pub(crate) fn unless_busy(outcome: Result<(), StoreError>) -> Result<bool, StoreError> {
    match outcome {
        Err(StoreError::Unavailable(_)) => Ok(false),
        other => other.map(|()| true),
    }
}
