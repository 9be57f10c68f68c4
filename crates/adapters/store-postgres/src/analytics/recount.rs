//! Recounts all roll-ups from their sources in plain SQL, independently of folding, to verify or rebuild them.

use analytics::{REFERRAL_DELAYS, Settled};
use chrono_tz::Tz;

/// How to count one roll-up from its sources.
pub(crate) struct Recount {
    /// The roll-up's table.
    pub(crate) table: &'static str,
    /// The columns that are compared.
    columns: &'static str,
    /// A condition that excludes rows with all counts 0.
    not_empty: &'static str,
    /// The query that counts the same columns from the sources, with placeholders in braces.
    query: &'static str,
}

pub(crate) const RECOUNTS: [Recount; 14] = [
    Recount {
        table: "analytics_pages",
        columns: "page, views, time_spent",
        not_empty: "views <> 0 OR time_spent <> 0",
        query: "
            SELECT page, sum(views)::bigint, sum(time_spent)::bigint FROM (
                SELECT page, 1 AS views, 0 AS time_spent FROM page_views WHERE id <= {page_views}
                UNION ALL
                SELECT page, 0, time_spent FROM page_view_times WHERE id <= {page_view_times}
                UNION ALL
                SELECT page, views, time_spent FROM retired_views
            ) AS event GROUP BY page",
    },
    Recount {
        table: "analytics_page_hours",
        columns: "hour, page, views, time_spent",
        not_empty: "views <> 0 OR time_spent <> 0",
        query: "
            SELECT date_trunc('hour', created_at, {zone}), page, sum(views)::bigint, sum(time_spent)::bigint FROM (
                SELECT page, created_at, 1 AS views, 0 AS time_spent FROM page_views WHERE id <= {page_views}
                UNION ALL
                SELECT page, created_at, 0, time_spent FROM page_view_times WHERE id <= {page_view_times}
                UNION ALL
                SELECT page, quarter, views, time_spent FROM retired_views
            ) AS event GROUP BY 1, 2",
    },
    Recount {
        table: "page_views",
        columns: "view_key, time_spent::bigint",
        not_empty: "time_spent <> 0 AND {timed}",
        query: "
            SELECT view_key, least(sum(spent.time_spent), 2147483647)::bigint
            FROM page_view_times AS spent JOIN page_views USING (view_key)
            WHERE spent.id <= {page_view_times} AND {timed} GROUP BY view_key",
    },
    Recount {
        table: "analytics_codes",
        columns: "referral_code, views, shares",
        not_empty: "views <> 0 OR shares <> 0",
        query: "
            SELECT referral_code, sum(views)::bigint, sum(shares)::bigint FROM (
                SELECT referral_code, 1 AS views, 0 AS shares FROM page_views WHERE id <= {page_views}
                UNION ALL
                SELECT referral_code, 0, 1 FROM social_shares WHERE id <= {social_shares}
                UNION ALL
                SELECT referral_code, views, 0 FROM retired_codes
            ) AS event
            JOIN users USING (referral_code) GROUP BY referral_code",
    },
    Recount {
        table: "analytics_raffles",
        columns: "landing_page, users, referrals",
        not_empty: "users <> 0 OR referrals <> 0",
        query: "
            SELECT landing_page, sum(users)::bigint, sum(referrals)::bigint FROM (
                SELECT coalesce(from_page, landing_page) AS landing_page, 1 AS users, 0 AS referrals FROM users
                LEFT JOIN raffle_moves ON user_id = users.id AND raffle_moves.number = 1
                WHERE sequence_number <= {entrants}
                UNION ALL
                SELECT coalesce(from_page, users.landing_page), 0, 1 FROM referrals JOIN users ON users.id = referrer_id
                LEFT JOIN raffle_moves ON user_id = referrer_id AND raffle_moves.number = referrer_moves + 1
                WHERE referrals.id <= {referrals}
            ) AS event GROUP BY landing_page",
    },
    Recount {
        table: "analytics_raffle_hours",
        columns: "hour, landing_page, users, referrals",
        not_empty: "users <> 0 OR referrals <> 0",
        query: "
            SELECT date_trunc('hour', at, {zone}), landing_page, sum(users)::bigint, sum(referrals)::bigint FROM (
                SELECT coalesce(from_page, landing_page) AS landing_page, created_at AS at, 1 AS users, 0 AS referrals FROM users
                LEFT JOIN raffle_moves ON user_id = users.id AND raffle_moves.number = 1
                WHERE sequence_number <= {entrants}
                UNION ALL
                SELECT coalesce(from_page, users.landing_page), referrals.created_at, 0, 1 FROM referrals JOIN users ON users.id = referrer_id
                LEFT JOIN raffle_moves ON user_id = referrer_id AND raffle_moves.number = referrer_moves + 1
                WHERE referrals.id <= {referrals}
            ) AS event GROUP BY 1, 2",
    },
    Recount {
        table: "analytics_referrers",
        columns: "user_id, referral_code, referrals, first_referral",
        not_empty: "referrals <> 0",
        query: "
            SELECT DISTINCT ON (referrer_id) referrer_id, referral_code, count(*) OVER (PARTITION BY referrer_id),
                   greatest(0, extract(epoch FROM referrals.created_at - users.created_at) * 1000)::bigint
            FROM referrals JOIN users ON users.id = referrer_id
            WHERE referrals.id <= {referrals}
            ORDER BY referrer_id, referrals.id",
    },
    Recount {
        table: "analytics_velocity",
        columns: "bucket, referrers, first_referral",
        not_empty: "referrers <> 0",
        query: "
            SELECT width_bucket(delay, {cuts}), count(*), sum(delay)::bigint FROM (
                SELECT DISTINCT ON (referrer_id)
                       greatest(0, extract(epoch FROM referrals.created_at - users.created_at) * 1000)::bigint AS delay
                FROM referrals JOIN users ON users.id = referrer_id
                WHERE referrals.id <= {referrals}
                ORDER BY referrer_id, referrals.id
            ) AS first GROUP BY 1",
    },
    Recount {
        table: "analytics_networks",
        columns: "network, accounts",
        not_empty: "accounts <> 0",
        query: "
            SELECT network_of(ip_address), count(*) FROM users
            WHERE sequence_number <= {entrants} AND ip_address IS NOT NULL GROUP BY 1",
    },
    Recount {
        table: "analytics_session_hours",
        columns: "hour, landing_page, sessions",
        not_empty: "sessions <> 0",
        query: "
            WITH step AS (SELECT * FROM conversion_funnel WHERE counted), session AS (
                SELECT '' AS landing_page, session_key, min(created_at) AS began FROM step GROUP BY session_key
                UNION ALL
                SELECT landing_page, session_key, min(created_at) FROM step
                WHERE landing_page <> '' GROUP BY landing_page, session_key
            )
            SELECT date_trunc('hour', began, {zone}), landing_page, count(*) FROM session GROUP BY 1, 2",
    },
    Recount {
        table: "analytics_funnel_hours",
        columns: "hour, landing_page, step, sessions, exits",
        not_empty: "sessions <> 0 OR exits <> 0",
        query: "
            WITH ranked AS (
                SELECT scope.landing_page, step, id, session_key, created_at,
                       min(created_at) OVER session AS began,
                       row_number() OVER (session ORDER BY created_at DESC, {rank} DESC, id DESC) AS from_last,
                       row_number() OVER (PARTITION BY scope.landing_page, session_key, step ORDER BY id) AS nth
                FROM conversion_funnel
                CROSS JOIN LATERAL (
                    SELECT '' AS landing_page
                    UNION ALL
                    SELECT conversion_funnel.landing_page WHERE conversion_funnel.landing_page <> ''
                ) AS scope
                WHERE counted
                WINDOW session AS (PARTITION BY scope.landing_page, session_key)
            )
            SELECT date_trunc('hour', began, {zone}), landing_page, step,
                   count(*) FILTER (WHERE nth = 1), count(*) FILTER (WHERE from_last = 1)
            FROM ranked GROUP BY 1, 2, 3",
    },
    Recount {
        table: "conversion_funnel",
        columns: "id, exit_point",
        not_empty: "exit_point AND counted",
        query: "
            SELECT DISTINCT ON (session_key) id, true FROM conversion_funnel
            WHERE counted
            ORDER BY session_key, created_at DESC, {rank} DESC, id DESC",
    },
    // Every view is a step of its session.
    Recount {
        table: "conversion_funnel",
        columns: "session_key, landing_page",
        not_empty: "false",
        query: "
            SELECT session_key, raffle FROM page_views
            JOIN (VALUES {pages}) AS name (page, raffle) USING (page)
            WHERE id <= {page_views} AND NOT EXISTS (
                SELECT FROM conversion_funnel AS step
                WHERE step.session_key = page_views.session_key AND step.landing_page = raffle AND step.step = 'pageView'
            )",
    },
    Recount {
        table: "analytics_watermarks",
        columns: "source, folded",
        not_empty: "folded <> 0",
        query: "
            SELECT source, folded FROM (
                SELECT 'page_views' AS source, count(*) + {retired_views} AS folded FROM page_views WHERE id <= {page_views}
                UNION ALL SELECT 'page_view_times', count(*) + {retired_times} FROM page_view_times
                    WHERE id <= {page_view_times}
                UNION ALL SELECT 'social_shares', count(*) FROM social_shares WHERE id <= {social_shares}
                UNION ALL SELECT 'conversion_funnel', count(*) FROM conversion_funnel WHERE counted
                UNION ALL SELECT 'entrants', count(*) FROM users WHERE sequence_number <= {entrants}
                UNION ALL SELECT 'referrals', count(*) FROM referrals WHERE id <= {referrals}
            ) AS source WHERE folded <> 0",
    },
];

/// Sources whose watermarks are placeholders in queries, with their tables and the columns that watermarks are about.
const SOURCES: [(&str, &str, &str); 5] = [
    ("page_views", "page_views", "id"),
    ("page_view_times", "page_view_times", "id"),
    ("social_shares", "social_shares", "id"),
    ("entrants", "users", "sequence_number"),
    ("referrals", "referrals", "id"),
];

/// The numbers of dropped views and times.
const RETIRED_VIEWS: &str = "(SELECT coalesce(sum(views), 0) FROM retired_views)::bigint";
const RETIRED_TIMES: &str = "(SELECT coalesce(sum(times), 0) FROM retired_views)::bigint";
/// The views of which all times are kept. The day is for servers whose clocks differ.
const TIMED: &str = "page_views.created_at >= coalesce(
    (SELECT before + interval '1 day' FROM retention_marks WHERE source = 'viewTimes'), '-infinity')";

/// The order of steps taken at the same moment.
const RANK: &str = "array_position(ARRAY['smsClick', 'pageView', 'formStart', 'formSubmit', 'codeSent', 'codeVerified', \
                    'signUp', 'socialShare', 'purchaseStart', 'purchaseComplete'], step)";

/// Replaces the placeholders in braces. All values are constants or ids, so nothing needs escaping.
fn fill(query: &str, pages: &[(String, String)], zone: Tz) -> String {
    let cuts: Vec<String> = REFERRAL_DELAYS
        .iter()
        .map(|seconds| (seconds * 1000).to_string())
        .collect();
    let pages: Vec<String> = pages
        .iter()
        .map(|(page, raffle)| format!("('{page}', '{raffle}')"))
        .collect();
    let filled = query
        .replace("{zone}", &format!("'{}'", zone.name()))
        .replace("{cuts}", &format!("ARRAY[{}]::bigint[]", cuts.join(", ")))
        .replace("{pages}", &pages.join(", "))
        .replace("{retired_views}", RETIRED_VIEWS)
        .replace("{retired_times}", RETIRED_TIMES)
        .replace("{timed}", TIMED)
        .replace("{rank}", RANK);
    SOURCES.iter().fold(filled, |query, (source, ..)| {
        let watermark = format!("(SELECT last_id FROM analytics_watermarks WHERE source = '{source}')");
        query.replace(&format!("{{{source}}}"), &watermark)
    })
}

impl Recount {
    /// A query for `n`, the number of rows that differ between the roll-up and the recount.
    pub(crate) fn differences(&self, pages: &[(String, String)], zone: Tz) -> String {
        let Self {
            table,
            columns,
            not_empty,
            query,
        } = self;
        let query = format!(
            "WITH recount AS ({query}), stored AS (SELECT {columns} FROM {table} WHERE {not_empty})
             SELECT count(*) AS n FROM (
                 (TABLE recount EXCEPT TABLE stored) UNION ALL (TABLE stored EXCEPT TABLE recount)
             ) AS difference"
        );
        fill(&query, pages, zone)
    }

    /// Statements that rebuild all roll-ups.
    pub(crate) fn rebuild_statements(settled: &Settled, pages: &[(String, String)], zone: Tz) -> Vec<String> {
        let rollups = || RECOUNTS.iter().filter(|recount| recount.is_rollup());
        let mut statements = vec![
            marks(settled),
            // Every view is a step, including views that were not folded yet.
            "INSERT INTO conversion_funnel (session_key, session_id, landing_page, step, counted, created_at)
             SELECT DISTINCT ON (session_key, raffle) session_key, session_id, raffle, 'pageView', true, created_at
             FROM page_views JOIN (VALUES {pages}) AS name (page, raffle) USING (page)
             WHERE id <= {page_views}
             ORDER BY session_key, raffle, id
             ON CONFLICT (session_key, landing_page, step) DO NOTHING"
                .to_owned(),
            format!(
                "UPDATE conversion_funnel SET counted = true WHERE NOT counted AND id <= {}",
                settled.steps
            ),
            "UPDATE conversion_funnel SET exit_point = is_last FROM (
                 SELECT session_key, landing_page, step, row_number() OVER (
                     PARTITION BY session_key ORDER BY created_at DESC, {rank} DESC, id DESC) = 1 AS is_last
                 FROM conversion_funnel WHERE counted) AS ranked
             WHERE conversion_funnel.session_key = ranked.session_key
               AND conversion_funnel.landing_page = ranked.landing_page
               AND conversion_funnel.step = ranked.step
               AND exit_point <> is_last"
                .to_owned(),
            "UPDATE page_views SET time_spent = coalesce((
                 SELECT least(sum(spent.time_spent), 2147483647) FROM page_view_times AS spent
                 WHERE spent.view_key = page_views.view_key AND spent.id <= {page_view_times}), 0)
             WHERE (time_spent <> 0 OR view_key IN (SELECT view_key FROM page_view_times)) AND {timed}"
                .to_owned(),
        ];
        // DELETE instead of TRUNCATE, which would block readers.
        statements.extend(rollups().map(|recount| format!("DELETE FROM {}", recount.table)));
        statements.extend(rollups().map(
            |Recount {
                 table,
                 columns,
                 query,
                 ..
             }| { format!("INSERT INTO {table} ({columns}) {query}") },
        ));
        statements.extend(SOURCES.iter().map(|(source, table, column)| {
            format!(
                "UPDATE analytics_watermarks SET folded = (SELECT count(*) FROM {table} WHERE {column} <= last_id)
                 WHERE source = '{source}'"
            )
        }));
        statements.extend([
            "UPDATE analytics_watermarks SET folded = (SELECT count(*) FROM conversion_funnel WHERE counted)
             WHERE source = 'conversion_funnel'"
                .to_owned(),
            "UPDATE analytics_watermarks
             SET folded = folded + CASE source WHEN 'page_views' THEN {retired_views} ELSE {retired_times} END
             WHERE source IN ('page_views', 'page_view_times')"
                .to_owned(),
        ]);
        statements
            .iter()
            .map(|statement| fill(statement, pages, zone))
            .collect()
    }

    fn is_rollup(&self) -> bool {
        self.table.starts_with("analytics_") && self.table != "analytics_watermarks"
    }
}

fn marks(settled: &Settled) -> String {
    format!(
        "UPDATE analytics_watermarks SET last_id = mark.last_id FROM (VALUES
             ('page_views', {}::bigint), ('page_view_times', {}), ('social_shares', {}),
             ('entrants', {}), ('referrals', {})
         ) AS mark (source, last_id) WHERE analytics_watermarks.source = mark.source",
        settled.page_views,
        settled.page_view_times,
        settled.social_shares,
        settled.entrants,
        settled.referrals,
    )
}
