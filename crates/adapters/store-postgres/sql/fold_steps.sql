-- Folds funnel steps into the roll-ups. $1 to $5: the changes of the counts, as columns; $6 to $9: steps to mark as
-- counted, and whether each is the last of its session; $10: how many steps are newly counted.
WITH change AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[])
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
), journey AS (
    UPDATE conversion_funnel
    SET counted = true, exit_point = is_last
    FROM unnest($6::uuid[], $7::text[], $8::text[], $9::boolean[]) AS taken (session_key, landing_page, step, is_last)
    WHERE conversion_funnel.session_key = taken.session_key
      AND conversion_funnel.landing_page = taken.landing_page
      AND conversion_funnel.step = taken.step
)
UPDATE analytics_watermarks SET folded = folded + $10 WHERE source = 'conversion_funnel'
