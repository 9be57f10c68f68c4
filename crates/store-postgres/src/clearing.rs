use crate::PgTx;
use crate::append_lock::WRITING;
use analytics::{AnalyticsClearing, AnalyticsCounts, ReferralClearing, ReferralCounts};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Timestamptz};
use kernel::StoreError;

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
TRUNCATE page_views, page_view_times, social_shares, conversion_funnel,
    analytics_pages, analytics_page_hours, analytics_codes, analytics_session_hours, analytics_funnel_hours;
UPDATE analytics_watermarks SET folded = 0
WHERE source IN ('page_views', 'page_view_times', 'social_shares', 'conversion_funnel')";

const COUNT_REFERRALS: &str = "
SELECT (SELECT folded FROM analytics_watermarks WHERE source = 'referrals')
       + (SELECT count(*) FROM referrals
          WHERE id > (SELECT last_id FROM analytics_watermarks WHERE source = 'referrals')) AS referrals,
       (SELECT coalesce(sum(bonus_entries), 0) FROM users WHERE bonus_entries > 0)::bigint AS bonus_entries";

const TAKE_BONUS_ENTRIES: &str = "
WITH clearing AS MATERIALIZED (
    SELECT nextval('referral_clearings') AS id
), before AS (
    SELECT id, bonus_entries FROM users WHERE bonus_entries > 0
), taken AS (
    UPDATE users SET bonus_entries = 0 FROM before WHERE users.id = before.id
)
INSERT INTO entry_ledger (user_id, kind, delta, cause_id, created_at)
SELECT before.id, 'clearing', -bonus_entries, clearing.id, $1 FROM before, clearing";

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

impl AnalyticsClearing for PgTx {
    fn count_analytics(&self) -> Result<AnalyticsCounts, StoreError> {
        let row: AnalyticsRow = self.query(|connection| sql_query(COUNT_ANALYTICS).get_result(connection))?;
        Ok(AnalyticsCounts {
            page_views: row.page_views,
            social_shares: row.social_shares,
            funnel_steps: row.funnel_steps,
        })
    }

    fn clear_analytics(&mut self) -> Result<AnalyticsCounts, StoreError> {
        self.begin_clearing()?;
        let counts = self.count_analytics()?;
        self.run(CLEAR_ANALYTICS)?;
        Ok(counts)
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

    fn clear_referrals(&mut self, at: DateTime<Utc>) -> Result<ReferralCounts, StoreError> {
        self.begin_clearing()?;
        let counts = self.count_referral_data()?;
        let take = sql_query(TAKE_BONUS_ENTRIES).bind::<Timestamptz, _>(at);
        self.query(|connection| take.execute(connection))?;
        self.run(CLEAR_REFERRALS)?;
        Ok(counts)
    }
}

impl PgTx {
    /// Stops folding and appending until this transaction ends. Every transaction takes the two locks in this order.
    fn begin_clearing(&mut self) -> Result<(), StoreError> {
        self.run("SET LOCAL statement_timeout = '60s'")?;
        self.begin_folding()?;
        self.run(&format!("SELECT pg_advisory_xact_lock({WRITING})"))
    }
}
