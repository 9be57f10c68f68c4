-- Entrants, evenly over the past days. Odd factors scatter codes and addresses one-to-one; one address in 500 has ten accounts.
SELECT setseed(0.25);

INSERT INTO users (phone_number, referral_code, landing_page, ip_address, user_agent, created_at)
SELECT '+1' || 2000000000 + n,
       (SELECT string_agg(substr('34679CDFGHJKMNPQRTVWXY', 1 + (n * 7368787 / power % 22)::int, 1), '' ORDER BY power)
        FROM unnest(ARRAY[1, 22, 484, 10648, 234256, 5153632, 113379904, 2494357888]) AS power),
       (ARRAY['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'])[1 + n % 4],
       '10.0.0.0'::inet + (CASE WHEN n % 500 < 10 THEN n / 500 ELSE n * 7919 % 16000000 END),
       'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
       now() - make_interval(secs => (:entrants - n) * (:days * 86400.0 / :entrants))
FROM generate_series(1::bigint, :entrants) AS n
ORDER BY n;

-- A referred friend always enters after the referrer; the earliest entrants have the most referrals.
INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number, ip_address, created_at)
SELECT referrer.id, friend.id, friend.phone_number, friend.ip_address, friend.created_at
FROM (
    SELECT *, 1 + floor(power(random(), 3) * (sequence_number - 1))::bigint AS referrer_number
    FROM users
    WHERE sequence_number % 10 IN (1, 4, 6, 9) AND sequence_number > 1
    ORDER BY sequence_number
    OFFSET 0
) AS friend
JOIN users AS referrer ON referrer.sequence_number = friend.referrer_number
ORDER BY friend.sequence_number;

INSERT INTO social_shares (user_id, platform, referral_code, event_id, ip_address, created_at)
SELECT id, (ARRAY['email', 'sms'])[1 + sequence_number % 2], referral_code, 'seed' || lpad(to_hex(sequence_number), 8, '0'),
       ip_address, created_at
FROM users
WHERE sequence_number % 2 = 0
ORDER BY sequence_number;
