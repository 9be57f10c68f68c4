-- Adds an entrant with the base entries. Returns no row when the phone number has already entered.
-- Takes the advisory lock of src/append_lock.rs before the new row gets its sequence number.
WITH writing AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared(7266209184103)
), input AS (
    SELECT $1::bigint AS id, $2::text AS phone_number, $3::text AS referral_code, $4::text AS landing_page,
           $5::text AS sign_up_event_id, $6::text AS ip_address, $7::text AS user_agent, $8::text AS fingerprint,
           $9::bytea AS person_salt, $10::bytea AS person_tag, $11::timestamptz AS created_at, $12::bigint AS base_entries,
           $13::text AS kind
    FROM writing
), entrant AS (
    INSERT INTO users (id, phone_number, referral_code, landing_page, sign_up_event_id, ip_address, user_agent,
                       fingerprint, person_salt, person_tag, created_at, base_entries)
    SELECT id, phone_number, referral_code, landing_page, sign_up_event_id, ip_address::inet, user_agent, fingerprint,
           person_salt, person_tag, created_at, base_entries
    FROM input
    ON CONFLICT (phone_number) DO NOTHING
    RETURNING id, base_entries
), base_entry AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT entrant.id, kind, entrant.base_entries, entrant.id FROM entrant, input
)
SELECT id FROM entrant
