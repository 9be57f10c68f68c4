-- Folds the page views with ids after $1 and up to $2 into the roll-ups. $3: time zone; $4, $5: pages and their
-- raffles.
--
-- Views are grouped by quarters of an hour first, because date_bin takes less time than date_trunc with a time zone, which
-- is then called for each quarter only. A quarter lies in one hour, because the offsets of time zones are multiples of
-- 15 minutes.
WITH view AS MATERIALIZED (
    SELECT id, session_key, session_id, page, ($5::text[])[array_position($4::text[], page)] AS landing_page,
           referral_code, created_at, date_bin('15 minutes', created_at, 'epoch') AS quarter
    FROM page_views
    WHERE id > $1 AND id <= $2
), page_quarter AS MATERIALIZED (
    SELECT date_trunc('hour', quarter, $3) AS hour, page, views
    FROM (SELECT quarter, page, count(*) AS views FROM view GROUP BY quarter, page) AS quarters
), pages AS (
    INSERT INTO analytics_pages (page, views)
    SELECT page, sum(views) FROM page_quarter GROUP BY page ORDER BY page
    ON CONFLICT (page) DO UPDATE SET views = analytics_pages.views + excluded.views
), hours AS (
    INSERT INTO analytics_page_hours (hour, page, views)
    SELECT hour, page, sum(views) FROM page_quarter GROUP BY hour, page ORDER BY hour, page
    ON CONFLICT (hour, page) DO UPDATE SET views = analytics_page_hours.views + excluded.views
), codes AS (
    INSERT INTO analytics_codes (referral_code, views)
    SELECT referral_code, count.views
    FROM (
        SELECT referral_code, count(*) AS views FROM view WHERE referral_code IS NOT NULL GROUP BY referral_code
    ) AS count
    JOIN users USING (referral_code)
    ORDER BY referral_code
    ON CONFLICT (referral_code) DO UPDATE SET views = analytics_codes.views + excluded.views
), gap AS MATERIALIZED (
    -- Between these keys, no session has taken a step. Keys begin with the time at which the session began, so most new sessions
    -- are there, and need not be looked up one by one. The clock of a browser may be a little fast.
    SELECT above, (
        SELECT session_key FROM conversion_funnel WHERE session_key < above ORDER BY session_key DESC LIMIT 1
    ) AS below
    FROM (
        SELECT rpad(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint + 2000), 12, '0'), 32, '0')::uuid AS above
    ) AS soon
), visit AS MATERIALIZED (
    -- The first view of each session in each raffle, and whether it is the only step of its session, as it mostly is.
    SELECT *, is_only_visit AND (
        session_key > (SELECT below FROM gap) AND session_key < (SELECT above FROM gap) OR NOT EXISTS (
            SELECT FROM conversion_funnel AS step WHERE step.session_key = visit.session_key
        )
    ) AS alone
    FROM (
        -- Looking at the neighbors takes less time than counting the visits of each session.
        SELECT *, lag(session_key) OVER by_session IS DISTINCT FROM session_key
                  AND lead(session_key) OVER by_session IS DISTINCT FROM session_key AS is_only_visit
        FROM (
            SELECT DISTINCT ON (session_key, landing_page) session_key, session_id, landing_page, quarter, created_at
            FROM view
            ORDER BY session_key, landing_page, id
        ) AS first
        WINDOW by_session AS (ORDER BY session_key)
    ) AS visit
), steps AS (
    -- Sessions with a single step are counted below; fold_steps.sql counts all others. No other transaction adds these
    -- rows while this one folds, so they cannot conflict.
    INSERT INTO conversion_funnel (session_key, session_id, landing_page, step, exit_point, counted, created_at)
    SELECT session_key, session_id, landing_page, 'pageView', true, alone, created_at
    FROM visit
    WHERE alone OR NOT EXISTS (
        SELECT FROM conversion_funnel AS step
        WHERE step.session_key = visit.session_key AND step.landing_page = visit.landing_page AND step.step = 'pageView'
    )
), lone AS MATERIALIZED (
    -- Counts for each raffle, and for all pages together (landing page '').
    SELECT hour, coalesce(landing_page, '') AS landing_page, sum(n)::bigint AS n
    FROM (
        SELECT date_trunc('hour', quarter, $3) AS hour, landing_page, n
        FROM (SELECT quarter, landing_page, count(*) AS n FROM visit WHERE alone GROUP BY quarter, landing_page) AS quarters
    ) AS hours
    GROUP BY GROUPING SETS ((hour, landing_page), (hour))
    HAVING landing_page IS NULL OR landing_page <> ''
), sessions AS (
    INSERT INTO analytics_session_hours (hour, landing_page, sessions)
    SELECT hour, landing_page, n FROM lone ORDER BY hour, landing_page
    ON CONFLICT (hour, landing_page) DO UPDATE SET sessions = analytics_session_hours.sessions + excluded.sessions
), funnel AS (
    INSERT INTO analytics_funnel_hours (hour, landing_page, step, sessions, exits)
    SELECT hour, landing_page, 'pageView', n, n FROM lone ORDER BY hour, landing_page
    ON CONFLICT (hour, landing_page, step) DO UPDATE SET sessions = analytics_funnel_hours.sessions + excluded.sessions,
        exits = analytics_funnel_hours.exits + excluded.exits
)
UPDATE analytics_watermarks
SET last_id = CASE source WHEN 'page_views' THEN $2 ELSE last_id END,
    folded = folded + CASE source
        WHEN 'page_views' THEN (SELECT coalesce(sum(views), 0) FROM page_quarter)
        ELSE (SELECT coalesce(sum(n), 0) FROM lone WHERE landing_page = '')
    END
WHERE source IN ('page_views', 'conversion_funnel')
