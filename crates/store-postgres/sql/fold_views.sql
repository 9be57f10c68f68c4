-- Folds page views after $1 and up to $2 into the roll-ups. $3: time zone; $4, $5: pages and the raffles they belong to.
WITH view AS MATERIALIZED (
    SELECT id, session_key, session_id, page, referral_code, created_at
    FROM page_views
    WHERE id > $1 AND id <= $2
), pages AS (
    INSERT INTO analytics_pages (page, views)
    SELECT page, count(*) FROM view GROUP BY page ORDER BY page
    ON CONFLICT (page) DO UPDATE SET views = analytics_pages.views + excluded.views
), hours AS (
    INSERT INTO analytics_page_hours (hour, page, views)
    SELECT date_trunc('hour', created_at, $3), page, count(*) FROM view GROUP BY 1, 2 ORDER BY 1, 2
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
), steps AS (
    -- Nobody else makes these while this folds, so none can be in the way.
    INSERT INTO conversion_funnel (session_key, session_id, landing_page, step, exit_point, created_at)
    SELECT DISTINCT ON (session_key, raffle) session_key, session_id, raffle, 'pageView', true, created_at
    FROM (
        SELECT *, ($5::text[])[array_position($4::text[], page)] AS raffle FROM view
    ) AS view
    WHERE NOT EXISTS (
        SELECT FROM conversion_funnel AS step
        WHERE step.session_key = view.session_key AND step.landing_page = raffle AND step.step = 'pageView'
    )
    ORDER BY session_key, raffle, id
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM view)
WHERE source = 'page_views'
