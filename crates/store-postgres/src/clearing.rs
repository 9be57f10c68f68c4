//! `analytics::AnalyticsClearing` and `analytics::ReferralClearing`: one step of a clearing in each transaction.

use crate::PgTx;
use analytics::{AnalyticsClearing, AnalyticsCounts, ReferralClearing, ReferralCounts, ReferralCut};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable};
use kernel::{EntrantId, StoreError};

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

const COUNT_REFERRALS: &str = "
SELECT (SELECT folded FROM analytics_watermarks WHERE source = 'referrals')
       + (SELECT count(*) FROM referrals
          WHERE id > (SELECT last_id FROM analytics_watermarks WHERE source = 'referrals')) AS referrals,
       ((SELECT coalesce(sum(bonus_entries), 0) FROM users WHERE bonus_entries > 0)
        - (SELECT coalesce(sum(delta), 0) FROM entry_ledger WHERE kind = 'free'))::bigint AS bonus_entries";

const TAKE_ENTRIES: &str = include_str!("../sql/take_referral_entries.sql");

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

#[derive(QueryableByName)]
struct AnalyticsRow {
    #[diesel(sql_type = BigInt)]
    page_views: i64,
    #[diesel(sql_type = BigInt)]
    social_shares: i64,
    #[diesel(sql_type = BigInt)]
    funnel_steps: i64,
}

#[derive(QueryableByName)]
struct ReferralsRow {
    #[diesel(sql_type = BigInt)]
    referrals: i64,
    #[diesel(sql_type = BigInt)]
    bonus_entries: i64,
}

#[derive(QueryableByName)]
struct CutRow {
    #[diesel(sql_type = BigInt)]
    last_row: i64,
    #[diesel(sql_type = BigInt)]
    clearing: i64,
    #[diesel(sql_type = BigInt)]
    referrals: i64,
}

#[derive(QueryableByName)]
struct TakenRow {
    #[diesel(sql_type = Nullable<BigInt>)]
    last_id: Option<i64>,
    #[diesel(sql_type = BigInt)]
    entries: i64,
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
        let row: ReferralsRow = self.query(|connection| sql_query(COUNT_REFERRALS).get_result(connection))?;
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
        let take = sql_query(TAKE_ENTRIES)
            .bind::<BigInt, _>(cut.after.get())
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<BigInt, _>(cut.last_row)
            .bind::<BigInt, _>(cut.clearing);
        let row: TakenRow = self.query(|connection| take.get_result(connection))?;
        Ok(row.last_id.map(|last| {
            cut.after = EntrantId::new(last);
            row.entries
        }))
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
