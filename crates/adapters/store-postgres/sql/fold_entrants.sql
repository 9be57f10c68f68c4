-- Folds the entrants with sequence numbers after $1 and up to $2 into the roll-ups. $3: time zone.
WITH entrant AS MATERIALIZED (
    SELECT coalesce(moved.from_page, landing_page) AS landing_page, ip_address, created_at
    FROM users
    LEFT JOIN raffle_moves AS moved ON moved.user_id = users.id AND moved.number = 1 -- the raffle of the sign-up
    WHERE sequence_number > $1 AND sequence_number <= $2
), raffles AS (
    INSERT INTO analytics_raffles (landing_page, users)
    SELECT landing_page, count(*) FROM entrant GROUP BY landing_page ORDER BY landing_page
    ON CONFLICT (landing_page) DO UPDATE SET users = analytics_raffles.users + excluded.users
), hours AS (
    INSERT INTO analytics_raffle_hours (hour, landing_page, users)
    SELECT date_trunc('hour', created_at, $3), landing_page, count(*) FROM entrant GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (hour, landing_page) DO UPDATE SET users = analytics_raffle_hours.users + excluded.users
), networks AS (
    INSERT INTO analytics_networks (network, accounts)
    SELECT network_of(ip_address), count(*) FROM entrant WHERE ip_address IS NOT NULL GROUP BY 1 ORDER BY 1
    ON CONFLICT (network) DO UPDATE SET accounts = analytics_networks.accounts + excluded.accounts
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM entrant)
WHERE source = 'entrants'
