-- Entrants of one raffle, evenly over the past days. Most have one entry, one in five has more, one in 997 has none; one in
-- 1,000 is flagged. An odd factor scatters codes one-to-one.
INSERT INTO users (phone_number, referral_code, landing_page, base_entries, bonus_entries, ip_address, user_agent,
                   is_flagged, flagged_at, created_at)
SELECT '+1' || 2000000000 + n,
       translate(lpad(to_hex(n * 1103515245 % 4294967296), 8, '0'), '0123456789abcdef', '34679CDFGHJKMNPQ'),
       'garden-bag',
       CASE WHEN n % 997 = 0 THEN 0 ELSE 1 END,
       CASE WHEN n % 997 = 0 OR n % 5 > 0 THEN 0 ELSE 1 + n * 7919 % 200 END,
       '10.0.0.0'::inet + n * 7919 % 16000000,
       'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
       n % 1000 = 0,
       CASE WHEN n % 1000 = 0 THEN now() END,
       now() - make_interval(secs => (:entrants - n) * (:days * 86400.0 / :entrants))
FROM generate_series(1::bigint, :entrants) AS n
ORDER BY n;
