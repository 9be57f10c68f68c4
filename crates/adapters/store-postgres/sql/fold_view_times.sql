-- Folds the times with ids after $1 and up to $2 into their views and the roll-ups. $3: time zone.
WITH spent AS MATERIALIZED (
    SELECT view_key, page, time_spent, created_at FROM page_view_times WHERE id > $1 AND id <= $2
), views AS (
    UPDATE page_views
    SET time_spent = least(page_views.time_spent + sum.time_spent, 2147483647)
    FROM (SELECT view_key, sum(time_spent) AS time_spent FROM spent GROUP BY view_key) AS sum
    WHERE page_views.view_key = sum.view_key
), pages AS (
    INSERT INTO analytics_pages (page, time_spent)
    SELECT page, sum(time_spent) FROM spent GROUP BY page ORDER BY page
    ON CONFLICT (page) DO UPDATE SET time_spent = analytics_pages.time_spent + excluded.time_spent
), hours AS (
    INSERT INTO analytics_page_hours (hour, page, time_spent)
    SELECT date_trunc('hour', created_at, $3), page, sum(time_spent) FROM spent GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (hour, page) DO UPDATE SET time_spent = analytics_page_hours.time_spent + excluded.time_spent
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM spent)
WHERE source = 'page_view_times'
