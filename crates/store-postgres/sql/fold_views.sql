-- Folds page views after $1 and up to $2 into the roll-ups. $3: time zone; $4, $5: pages and the raffles they belong to.
WITH view AS MATERIALIZED (
    SELECT session_key, session_id, page, referral_code, created_at
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
    INSERT INTO conversion_funnel (session_key, session_id, landing_page, step, exit_point, created_at)
    SELECT session_key, min(session_id), landing_page, 'pageView', true, min(created_at)
    FROM view
    JOIN unnest($4::text[], $5::text[]) AS name (page, landing_page) USING (page)
    GROUP BY session_key, landing_page
    ORDER BY session_key
    ON CONFLICT (session_key, landing_page, step) DO NOTHING
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM view)
WHERE source = 'page_views'
