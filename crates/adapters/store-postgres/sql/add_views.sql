-- Stores the views that are not stored yet. Takes the advisory lock of src/append_lock.rs before a new row gets its id.
WITH writing AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared(7266209184103)
)
INSERT INTO page_views (
    view_key, session_key, session_id, page, referral_code, ip_address, user_agent, fingerprint, country, city, device,
    browser, entry_source, sms_tracking_id, created_at
)
SELECT view.* FROM writing, unnest(
    $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::inet[], $7::text[], $8::text[], $9::text[], $10::text[],
    $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[]
) AS view
ON CONFLICT (view_key) DO NOTHING
