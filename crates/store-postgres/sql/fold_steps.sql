-- Folds steps after $1 and up to $2 into the roll-ups: what they change ($3 to $7, a column each), and which rows have
-- become ($8) or ceased to be ($9) the last step of their session.
WITH change AS MATERIALIZED (
    SELECT * FROM unnest($3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::bigint[])
        AS change (kind, hour, landing_page, step, n)
), sessions AS (
    INSERT INTO analytics_session_hours (hour, landing_page, sessions)
    SELECT hour, landing_page, n FROM change WHERE kind = 'session' ORDER BY hour, landing_page
    ON CONFLICT (hour, landing_page) DO UPDATE SET sessions = analytics_session_hours.sessions + excluded.sessions
), steps AS (
    INSERT INTO analytics_funnel_hours (hour, landing_page, step, sessions, exits)
    SELECT hour, landing_page, step,
           coalesce(sum(n) FILTER (WHERE kind = 'took'), 0), coalesce(sum(n) FILTER (WHERE kind = 'left'), 0)
    FROM change
    WHERE kind <> 'session'
    GROUP BY hour, landing_page, step
    ORDER BY hour, landing_page, step
    ON CONFLICT (hour, landing_page, step) DO UPDATE SET sessions = analytics_funnel_hours.sessions + excluded.sessions,
        exits = analytics_funnel_hours.exits + excluded.exits
), now_exits AS (
    UPDATE conversion_funnel SET exit_point = true WHERE id = ANY ($8::bigint[])
), no_exits AS (
    UPDATE conversion_funnel SET exit_point = false WHERE id = ANY ($9::bigint[])
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM conversion_funnel WHERE id > $1 AND id <= $2)
WHERE source = 'conversion_funnel'
