-- The figures of the dashboard, computed from the tables without roll-ups. One statement per figure; the two that need
-- views read them in one pass each, in parallel if PostgreSQL chooses so.

-- Entrants and referrals of each raffle.
SELECT landing_page, count(*) FROM users GROUP BY landing_page;
SELECT referrer.landing_page, count(*)
FROM referrals JOIN users AS referrer ON referrer.id = referrer_id
GROUP BY referrer.landing_page;

-- Views of each page, and in all.
SELECT page, count(*) FROM page_views GROUP BY ROLLUP (page);

-- Views, referrals and shares of each referral code.
WITH viewed AS (SELECT referral_code, count(*) AS views FROM page_views WHERE referral_code IS NOT NULL GROUP BY referral_code),
     shared AS (SELECT referral_code, count(*) AS shares FROM social_shares WHERE referral_code IS NOT NULL GROUP BY referral_code),
     brought AS (SELECT referrer_id, count(*) AS referrals FROM referrals GROUP BY referrer_id)
SELECT users.referral_code, coalesce(views, 0), coalesce(referrals, 0), coalesce(shares, 0)
FROM users
LEFT JOIN viewed USING (referral_code)
LEFT JOIN shared USING (referral_code)
LEFT JOIN brought ON referrer_id = users.id
WHERE views > 0 OR shares > 0 OR referrals > 0
ORDER BY coalesce(referrals, 0) DESC, coalesce(views, 0) DESC, users.referral_code
LIMIT 50;

-- The average time until the first referral, and the average number of referrals.
SELECT avg(first - created_at), sum(referrals) / (SELECT count(*) FROM users)
FROM (SELECT referrer_id, min(created_at) AS first, count(*) AS referrals FROM referrals GROUP BY referrer_id) AS referrer
JOIN users ON users.id = referrer_id;

-- The entrants with the most referrals.
SELECT referral_code, phone_number, brought.count
FROM (SELECT referrer_id, count(*) FROM referrals GROUP BY referrer_id ORDER BY count(*) DESC, referrer_id LIMIT 50) AS brought
JOIN users ON users.id = referrer_id
ORDER BY brought.count DESC, users.id;

-- Addresses with many accounts, and the newest account of each.
SELECT address.ip_address, address.count, newest, is_flagged
FROM (
    SELECT ip_address, count(*), max(id) AS newest
    FROM users
    WHERE ip_address IS NOT NULL
    GROUP BY ip_address
    HAVING count(*) >= 3
    ORDER BY count(*) DESC, ip_address
    LIMIT 50
) AS address
JOIN users ON users.id = newest;
