-- Folds the referrals with ids after $1 and up to $2 into the roll-ups. $3: time zone; $4: bounds of the histogram of
-- first referrals, in milliseconds.
WITH referral AS MATERIALIZED (
    SELECT referrals.id, referrer_id, coalesce(moved.from_page, users.landing_page) AS landing_page, users.referral_code, referrals.created_at,
           greatest(0, extract(epoch FROM referrals.created_at - users.created_at) * 1000)::bigint AS delay
    FROM referrals
    JOIN users ON users.id = referrer_id
    LEFT JOIN raffle_moves AS moved ON moved.user_id = referrer_id AND moved.number = referrer_moves + 1 -- the raffle of then
    WHERE referrals.id > $1 AND referrals.id <= $2
), raffles AS (
    INSERT INTO analytics_raffles (landing_page, referrals)
    SELECT landing_page, count(*) FROM referral GROUP BY landing_page ORDER BY landing_page
    ON CONFLICT (landing_page) DO UPDATE SET referrals = analytics_raffles.referrals + excluded.referrals
), hours AS (
    INSERT INTO analytics_raffle_hours (hour, landing_page, referrals)
    SELECT date_trunc('hour', created_at, $3), landing_page, count(*) FROM referral GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (hour, landing_page) DO UPDATE SET referrals = analytics_raffle_hours.referrals + excluded.referrals
), referrer AS (
    SELECT referrer_id, referral_code, count(*) AS referrals, (array_agg(delay ORDER BY id))[1] AS first_referral
    FROM referral
    GROUP BY referrer_id, referral_code
), velocity AS (
    INSERT INTO analytics_velocity (bucket, referrers, first_referral)
    SELECT width_bucket(first_referral, $4::bigint[]), count(*), sum(first_referral)
    FROM referrer
    WHERE NOT EXISTS (SELECT FROM analytics_referrers AS earlier WHERE earlier.user_id = referrer_id)
    GROUP BY 1
    ORDER BY 1
    ON CONFLICT (bucket) DO UPDATE SET referrers = analytics_velocity.referrers + excluded.referrers,
        first_referral = analytics_velocity.first_referral + excluded.first_referral
), referrers AS (
    INSERT INTO analytics_referrers (user_id, referral_code, referrals, first_referral)
    SELECT referrer_id, referral_code, referrals, first_referral FROM referrer ORDER BY referrer_id
    ON CONFLICT (user_id) DO UPDATE SET referrals = analytics_referrers.referrals + excluded.referrals
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM referral)
WHERE source = 'referrals'
