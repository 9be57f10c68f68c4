-- Stores each view unless there is one between its first and its last key. No two of the input may have the same key.
-- If another transaction stores one meanwhile, the primary key refuses it here: the whole transaction is tried again.
-- That is rare, and ON CONFLICT DO NOTHING would cost every view a second log record and a lock.
WITH input AS (
    SELECT * FROM unnest(
        $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[]
    ) AS view (view_key, first_key, last_key, session_key, session_id, page, referral_code, ip_address, user_agent,
        fingerprint, device, browser, entry_source, created_at)
), stored AS (
    INSERT INTO page_views (view_key, session_key, session_id, page, referral_code, ip_address, user_agent, fingerprint,
        device, browser, entry_source, created_at)
    SELECT view_key, session_key, session_id, page, referral_code, ip_address::inet, user_agent, fingerprint,
        device, browser, entry_source, created_at
    FROM input
    WHERE NOT EXISTS (
        SELECT FROM page_views AS earlier WHERE earlier.view_key BETWEEN first_key AND last_key
    )
)
SELECT 0::bigint
