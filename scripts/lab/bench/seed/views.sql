-- Views, evenly over the past days and ordered by time; at most three for each session, of the pages of its raffle. The keys are like
-- those of crates/domain/analytics/src/session.rs: 48 bits of the session's time, then hashes. OFFSET 0 prevents PostgreSQL from computing an
-- expression again for each use.
INSERT INTO page_views (view_key, session_key, session_id, page, referral_code, ip_address, user_agent, fingerprint,
                        device, browser, entry_source, created_at)
SELECT (began || substr(encode(sha256(convert_to(session_id, 'UTF8') || '\x00' || convert_to(page, 'UTF8')), 'hex'), 1, 12)
              || coalesce(substr(encode(sha256(convert_to(referral_code, 'UTF8')), 'hex'), 1, 8), '00000000'))::uuid,
       (began || substr(encode(sha256(convert_to(session_id, 'UTF8')), 'hex'), 1, 20))::uuid,
       session_id, page, referral_code, '10.0.0.0'::inet + session * 7919 % 16000000,
       'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
       noise || noise, 'mobile', 'Safari', CASE WHEN referral_code IS NULL THEN 'direct' ELSE 'referral' END, created_at
FROM (
    SELECT began, noise, session, referral_code, view.created_at,
           concat_ws('-', substr(began, 1, 8), substr(began, 9, 4), '7' || substr(noise, 1, 3), '8' || substr(noise, 4, 3),
                     substr(noise, 7, 12)) AS session_id,
           (ARRAY[
               ['garden-bag', 'garden-bag-success', 'planter-garden'],
               ['fresh-sips', 'fresh-sips-success', 'planter-fresh-sips'],
               ['kitchen-garden', 'kitchen-garden-success', 'planter-kitchen-garden'],
               ['sustainable-living', 'sustainable-living-success', 'planter-sustainable-living']
           ])[1 + session % 4][1 + nth] AS page
    FROM (
        SELECT session, nth, referrer, began_at + make_interval(secs => nth * 40) AS created_at,
               lpad(to_hex((extract(epoch FROM began_at) * 1000)::bigint), 12, '0') AS began, md5(session::text) AS noise
        FROM (
            SELECT n / :per_session AS session, n % :per_session AS nth,
                   now() - make_interval(secs => 3600 + (:views - n / :per_session * :per_session) * (:days * 86400.0 / :views)) AS began_at,
                   CASE WHEN random() < 1.0 / 3 THEN 1 + floor(power(random(), 3) * :entrants)::bigint END AS referrer
            FROM generate_series(:first::bigint, :last) AS n
            OFFSET 0
        ) AS view
        OFFSET 0
    ) AS view
    LEFT JOIN users ON users.sequence_number = referrer
    OFFSET 0
) AS view
ORDER BY created_at;
