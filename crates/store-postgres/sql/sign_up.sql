-- Whole sign-ups: each entrant with one base entry, the consent, the welcome text, the step of the funnel, and the entry for the
-- friend whose link it was. Each row of the arrays is one sign-up; they are in the order of the phone numbers, so that statements
-- which add the same numbers do not wait for each other in a circle. Returns the ids of the entrants that are stored: of those it
-- added, and of those that the same statement added when it ran before. Left out are numbers that have entered before, and links
-- that nobody has. Fails if something is kept of one of the numbers.
-- Takes the advisory lock of src/append_lock.rs before a new row gets its sequence number, and before it locks the tables that
-- clearings truncate: functions write to those.
WITH writing AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared(7266209184103)
), input AS MATERIALIZED (
    SELECT given.*, referrer.id AS referrer_id, before.id AS stored_id, $1::text AS consent_version, $2::bigint AS reward
    FROM writing, unnest(
        $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bytea[],
        $12::bytea[], $13::timestamptz[], $14::text[], $15::text[], $16::boolean[], $17::uuid[], $18::text[]
    ) AS given (
        id, phone_number, referral_code, landing_page, sign_up_event_id, ip_address, user_agent, fingerprint, person_salt,
        person_tag, created_at, friend_code, consent_act, is_granted, session_key, session_id
    )
    LEFT JOIN LATERAL (
        SELECT users.id FROM users WHERE users.referral_code = friend_code AND erased_at IS NULL LIMIT 1
    ) AS referrer ON true
    LEFT JOIN LATERAL (
        SELECT users.id FROM users
        WHERE users.id = given.id AND users.phone_number = given.phone_number AND users.referral_code = given.referral_code
        LIMIT 1
    ) AS before ON true
    WHERE friend_code IS NULL OR referrer.id IS NOT NULL
), entrant AS (
    INSERT INTO users (id, phone_number, referral_code, landing_page, sign_up_event_id, ip_address, user_agent,
                       fingerprint, person_salt, person_tag, created_at)
    SELECT id, phone_number, referral_code, landing_page, sign_up_event_id, ip_address::inet, user_agent, fingerprint,
           person_salt, person_tag, created_at
    FROM input
    ON CONFLICT (phone_number) DO NOTHING
    RETURNING id
), base_entry AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT id, 'base', 1, id FROM entrant
    RETURNING user_id AS id
), consent AS (
    INSERT INTO user_consent (user_id, consent_type, version, act, granted, ip_address, user_agent, granted_at, created_at)
    SELECT id, 'sms_campaigns', consent_version, consent_act, is_granted, ip_address::inet, user_agent,
           CASE WHEN is_granted THEN created_at END, created_at
    FROM entrant JOIN input USING (id)
    WHERE consent_act IS NOT NULL
), welcome AS (
    INSERT INTO sms_sent_messages (kind, user_id, phone_number, due_at, created_at)
    SELECT 'welcome', id, phone_number, created_at, created_at FROM entrant JOIN input USING (id)
), added AS MATERIALIZED (
    -- Sorting makes sure that everybody is inserted before the first row goes on, and that counters of referrers are raised in
    -- the order of their ids. They come last, because others may be waiting for these rows.
    SELECT input.* FROM base_entry JOIN input USING (id) ORDER BY referrer_id NULLS FIRST
), checked AS MATERIALIZED (
    -- Counting makes sure that everybody is inserted before the function looks.
    SELECT CASE WHEN count(*) >= 0 THEN number_is_new($19::bytea[]) END AS is_new FROM added
)
SELECT id FROM added
WHERE (SELECT is_new FROM checked)
    AND (session_key IS NULL OR add_sign_up_step(session_key, session_id, id, landing_page, friend_code IS NOT NULL, created_at))
    AND (referrer_id IS NULL OR add_referral(referrer_id, id, phone_number, ip_address::inet, created_at, reward))
UNION ALL
SELECT stored_id FROM input WHERE stored_id IS NOT NULL
