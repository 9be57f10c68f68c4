use crate::PgTx;
use crate::rows::{CountRow, rows};
use analytics::{
    Dashboard, DateRange, Figures, Funnel, FunnelFilter, PageNames, REFERRAL_DELAYS, RaffleStats,
    ReferralFunnelRow, ReferralVelocity, StepFigures, SuspiciousNetwork, TopReferrer, Trends, TrendsRow,
    Velocity,
};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz};
use kernel::{DatabaseClock, EntrantId, Network, Phone, ReferralCode, StoreError};
use raffle::{RaffleKey, Raffles};
use std::collections::BTreeMap;

const REFERRAL_FUNNEL: &str = "
WITH best AS (
    (SELECT referral_code FROM analytics_referrers WHERE referrals > 0 ORDER BY referrals DESC, user_id LIMIT $1)
    UNION
    (SELECT referral_code FROM analytics_codes ORDER BY views DESC, referral_code LIMIT $1)
)
SELECT best.referral_code, coalesce(code.views, 0) AS views, coalesce(referrer.referrals, 0) AS referrals,
       coalesce(code.shares, 0) AS shares,
       (SELECT count(*) FROM referrals
        WHERE referrer_id = users.id AND converted_at IS NOT NULL) AS conversions
FROM best
JOIN users ON users.referral_code = best.referral_code
LEFT JOIN analytics_codes AS code ON code.referral_code = best.referral_code
LEFT JOIN analytics_referrers AS referrer ON referrer.user_id = users.id
ORDER BY 3 DESC, 2 DESC, 1
LIMIT $1";

const TOP_REFERRERS: &str = "
SELECT users.id, referrer.referral_code, phone_number, referrals
FROM analytics_referrers AS referrer
JOIN users ON users.id = referrer.user_id
WHERE referrals > 0 AND erased_at IS NULL
ORDER BY referrals DESC, user_id
LIMIT $1";

/// Of each network, the newest account that is neither flagged nor cleared. Only one of the two branches runs: for an IPv4
/// address the index has the accounts in the order of their times.
const SUSPICIOUS: &str = "
SELECT text(networks.network) AS network, networks.accounts, newest.id AS newest_open
FROM analytics_networks AS networks
LEFT JOIN LATERAL (
    (SELECT id FROM users
     WHERE family(networks.network) = 4 AND ip_address = networks.network::inet
         AND ip_address IS NOT NULL AND NOT is_flagged AND unflagged_at IS NULL
     ORDER BY created_at DESC, sequence_number DESC LIMIT 1)
    UNION ALL
    (SELECT id FROM users
     WHERE family(networks.network) = 6 AND ip_address >= networks.network::inet
         AND ip_address <= set_masklen(broadcast(networks.network), 128)
         AND ip_address IS NOT NULL AND NOT is_flagged AND unflagged_at IS NULL
     ORDER BY created_at DESC, sequence_number DESC LIMIT 1)
) AS newest ON true
WHERE networks.accounts >= $1 AND networks.accounts > 1
ORDER BY networks.accounts DESC, networks.network
LIMIT $2";

const FUNNEL_STEPS: &str = "
SELECT step, sum(sessions)::bigint AS sessions, sum(exits)::bigint AS exits
FROM analytics_funnel_hours
WHERE landing_page = $1 AND hour >= $2 AND hour < $3
GROUP BY step
HAVING sum(sessions) > 0";

const FUNNEL_SESSIONS: &str = "
SELECT coalesce(sum(sessions), 0)::bigint AS n FROM analytics_session_hours
WHERE landing_page = $1 AND hour >= $2 AND hour < $3";

const FUNNEL_TIME: &str = "
SELECT coalesce(sum(time_spent), 0)::bigint AS n FROM analytics_page_hours
WHERE page = ANY ($1) AND hour >= $2 AND hour < $3";

const TRENDS: &str = "
SELECT hour, landing_page, sum(views)::bigint AS views, sum(sign_ups)::bigint AS sign_ups FROM (
    SELECT hour, page AS landing_page, views, 0 AS sign_ups FROM analytics_page_hours
    WHERE page = ANY ($1) AND hour >= $2 AND hour < $3
    UNION ALL
    SELECT hour, landing_page, 0, users FROM analytics_raffle_hours WHERE hour >= $2 AND hour < $3
) AS hours
GROUP BY hour, landing_page
ORDER BY hour, landing_page";

rows! {
    struct PageRow {
        page: String,
        views: i64,
    }

    struct RaffleRow {
        landing_page: String,
        users: i64,
        referrals: i64,
    }

    struct CodeRow {
        referral_code: String,
        views: i64,
        referrals: i64,
        shares: i64,
        conversions: i64,
    }

    struct ReferrerRow {
        id: i64,
        referral_code: String,
        phone_number: String,
        referrals: i64,
    }

    struct NetworkRow {
        network: String,
        accounts: i64,
        newest_open: Option<i64>,
    }

    struct VelocityRow {
        bucket: i32,
        referrers: i64,
        first_referral: i64,
    }

    struct StepRow {
        step: String,
        sessions: i64,
        exits: i64,
    }

    struct HourRow {
        hour: DateTime<Utc>,
        landing_page: String,
        views: i64,
        sign_ups: i64,
    }
}

impl TryFrom<CodeRow> for ReferralFunnelRow {
    type Error = StoreError;

    fn try_from(row: CodeRow) -> Result<Self, StoreError> {
        let referral_code = ReferralCode::parse(&row.referral_code);
        Ok(Self {
            referral_code: referral_code
                .map_err(|_| StoreError::corrupt("analytics_codes", "referral_code", 0))?,
            views: row.views,
            referrals: row.referrals,
            shares: row.shares,
            conversions: row.conversions,
        })
    }
}

impl TryFrom<ReferrerRow> for TopReferrer {
    type Error = StoreError;

    fn try_from(row: ReferrerRow) -> Result<Self, StoreError> {
        let referral_code = ReferralCode::parse(&row.referral_code);
        Ok(Self {
            referral_code: referral_code
                .map_err(|_| StoreError::corrupt("users", "referral_code", row.id))?,
            phone: Phone::from_e164(&row.phone_number)
                .ok_or_else(|| StoreError::corrupt("users", "phone_number", row.id))?,
            count: row.referrals,
        })
    }
}

impl TryFrom<NetworkRow> for SuspiciousNetwork {
    type Error = StoreError;

    fn try_from(row: NetworkRow) -> Result<Self, StoreError> {
        let network = Network::parse(&row.network);
        Ok(Self {
            network: network.ok_or_else(|| StoreError::corrupt("analytics_networks", "network", 0))?,
            accounts: row.accounts,
            newest_open: row.newest_open.map(EntrantId::new),
        })
    }
}

impl Figures for PgTx {
    fn dashboard(&self, accounts_per_network: u32) -> Result<Dashboard, StoreError> {
        let pages: Vec<PageRow> = self.load_all("SELECT page, views FROM analytics_pages")?;
        let raffles: Vec<RaffleRow> =
            self.load_all("SELECT landing_page, users, referrals FROM analytics_raffles")?;
        let velocity = self.velocity()?;
        let rows = i64::from(Dashboard::ROWS);
        let codes: Vec<CodeRow> = self.query(|connection| {
            sql_query(REFERRAL_FUNNEL)
                .bind::<BigInt, _>(rows)
                .load(connection)
        })?;
        let referrers: Vec<ReferrerRow> =
            self.query(|connection| sql_query(TOP_REFERRERS).bind::<BigInt, _>(rows).load(connection))?;
        let suspicious = sql_query(SUSPICIOUS)
            .bind::<BigInt, _>(i64::from(accounts_per_network))
            .bind::<BigInt, _>(rows);
        let networks: Vec<NetworkRow> = self.query(|connection| suspicious.load(connection))?;
        Ok(Dashboard {
            total_page_views: pages.iter().map(|row| row.views).sum(),
            raffles: self
                .public_raffles()?
                .into_iter()
                .map(|page| stats_of(page, &pages, &raffles))
                .collect(),
            referral_funnel: convert(codes)?,
            referral_velocity: ReferralVelocity {
                referrers: velocity.iter().map(|row| row.referrers).sum(),
                first_referral: velocity.iter().map(|row| row.first_referral).sum(),
            },
            top_referrers: convert(referrers)?,
            suspicious: convert(networks)?,
        })
    }

    fn funnel(&self, filter: &FunnelFilter) -> Result<Funnel, StoreError> {
        let scope = filter.scope.as_ref().map_or("", RaffleKey::as_str);
        let (from, until) = bounds(filter.range);
        let steps = sql_query(FUNNEL_STEPS)
            .bind::<Text, _>(scope)
            .bind::<Timestamptz, _>(from)
            .bind::<Timestamptz, _>(until);
        let steps: Vec<StepRow> = self.query(|connection| steps.load(connection))?;
        let sessions = sql_query(FUNNEL_SESSIONS)
            .bind::<Text, _>(scope)
            .bind::<Timestamptz, _>(from)
            .bind::<Timestamptz, _>(until);
        let sessions: CountRow = self.query(|connection| sessions.get_result(connection))?;
        let names = self.page_names()?;
        let pages: Vec<&str> = names
            .iter()
            .filter(|(_, raffle)| filter.scope.is_none() || *raffle == filter.scope)
            .map(|(page, _)| page.as_str())
            .collect();
        let time = sql_query(FUNNEL_TIME)
            .bind::<Array<Text>, _>(pages)
            .bind::<Timestamptz, _>(from)
            .bind::<Timestamptz, _>(until);
        let time: CountRow = self.query(|connection| time.get_result(connection))?;
        Ok(Funnel {
            sessions: sessions.n,
            time_spent: time.n,
            steps: steps
                .into_iter()
                .map(step_figures)
                .collect::<Result<BTreeMap<_, _>, _>>()?,
        })
    }

    fn trends(&self, range: &DateRange) -> Result<Trends, StoreError> {
        let raffles = self.public_raffles()?;
        let pages: Vec<&str> = raffles.iter().map(RaffleKey::as_str).collect();
        let query = sql_query(TRENDS)
            .bind::<Array<Text>, _>(pages)
            .bind::<Timestamptz, _>(range.from)
            .bind::<Timestamptz, _>(range.until);
        let hours: Vec<HourRow> = self.query(|connection| query.load(connection))?;
        let velocity = self.velocity()?;
        let in_bucket = |bucket: usize| {
            let rows = velocity
                .iter()
                .filter(|row| usize::try_from(row.bucket) == Ok(bucket));
            rows.map(|row| row.referrers).sum()
        };
        let parts = (0..=REFERRAL_DELAYS.len()).map(|bucket| Velocity {
            under: REFERRAL_DELAYS.get(bucket).copied(),
            referrers: in_bucket(bucket),
        });
        Ok(Trends {
            rows: hours.into_iter().map(trends_row).collect::<Result<_, _>>()?,
            raffles,
            velocity: parts.collect(),
        })
    }
}

impl PgTx {
    /// The raffles that were ever open.
    fn public_raffles(&self) -> Result<Vec<RaffleKey>, StoreError> {
        let now = self.database_time()?;
        Ok(self
            .list_raffles()?
            .public_at(now)
            .map(|raffle| raffle.key)
            .collect())
    }

    /// The pages of all raffles, and the others.
    pub(crate) fn page_names(&self) -> Result<PageNames, StoreError> {
        Ok(PageNames::of_all(&self.list_raffles()?))
    }

    fn load_all<R>(&self, sql: &str) -> Result<Vec<R>, StoreError>
    where
        R: QueryableByName<diesel::pg::Pg> + 'static,
    {
        self.query(|connection| sql_query(sql).load(connection))
    }

    fn velocity(&self) -> Result<Vec<VelocityRow>, StoreError> {
        self.load_all("SELECT bucket, referrers, first_referral FROM analytics_velocity")
    }
}

fn convert<R, T: TryFrom<R, Error = StoreError>>(rows: Vec<R>) -> Result<Vec<T>, StoreError> {
    rows.into_iter().map(T::try_from).collect()
}

fn stats_of(page: RaffleKey, pages: &[PageRow], raffles: &[RaffleRow]) -> RaffleStats {
    let views = pages.iter().find(|row| row.page == page.as_str());
    let raffle = raffles.iter().find(|row| row.landing_page == page.as_str());
    RaffleStats {
        raffle: page,
        users: raffle.map_or(0, |row| row.users),
        referrals: raffle.map_or(0, |row| row.referrals),
        page_views: views.map_or(0, |row| row.views),
    }
}

/// The bounds of a range; without one, bounds that contain every moment.
fn bounds(range: Option<DateRange>) -> (DateTime<Utc>, DateTime<Utc>) {
    const CENTURIES: chrono::TimeDelta = chrono::TimeDelta::days(400 * 365);
    let always = DateRange {
        from: DateTime::UNIX_EPOCH,
        until: DateTime::UNIX_EPOCH + CENTURIES,
    };
    let DateRange { from, until } = range.unwrap_or(always);
    (from, until)
}

fn step_figures(row: StepRow) -> Result<(analytics::StepName, StepFigures), StoreError> {
    let step = row
        .step
        .parse()
        .map_err(|_| StoreError::corrupt("analytics_funnel_hours", "step", 0))?;
    Ok((
        step,
        StepFigures {
            count: row.sessions,
            exits: row.exits,
        },
    ))
}

fn trends_row(row: HourRow) -> Result<TrendsRow, StoreError> {
    let landing_page = row.landing_page.parse();
    Ok(TrendsRow {
        hour: row.hour,
        raffle: landing_page.map_err(|_| StoreError::corrupt("analytics_raffle_hours", "landing_page", 0))?,
        views: row.views,
        sign_ups: row.sign_ups,
    })
}
