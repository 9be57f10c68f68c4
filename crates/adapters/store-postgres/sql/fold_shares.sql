-- Folds the shares with ids after $1 and up to $2 into the roll-ups.
WITH share AS MATERIALIZED (
    SELECT referral_code FROM social_shares WHERE id > $1 AND id <= $2
), codes AS (
    INSERT INTO analytics_codes (referral_code, shares)
    SELECT referral_code, count(*)
    FROM share
    JOIN users USING (referral_code)
    GROUP BY referral_code
    ORDER BY referral_code
    ON CONFLICT (referral_code) DO UPDATE SET shares = analytics_codes.shares + excluded.shares
)
UPDATE analytics_watermarks
SET last_id = $2, folded = folded + (SELECT count(*) FROM share)
WHERE source = 'social_shares'
