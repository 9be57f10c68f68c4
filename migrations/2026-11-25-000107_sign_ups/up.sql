-- Whole sign-ups are one statement (crates/store-postgres/sql/sign_up.sql), except for numbers of people who were erased.

-- Fails if something is kept of a number. As a volatile function it looks after the entrant was inserted, so it also finds what
-- an erasure committed while the insertion waited for it. A subquery would see the database as it was when the statement began.
CREATE FUNCTION number_is_new(hashes bytea[]) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF EXISTS (SELECT FROM erased_numbers WHERE number_hmac = ANY (hashes)) THEN
        RAISE EXCEPTION 'something is kept of this number'
            USING ERRCODE = 'unique_violation', CONSTRAINT = 'number_was_erased';
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION number_is_new(bytea[]) IS 'Whether nothing is kept of a number of which these are the hashes; fails otherwise';

-- The next two write to tables that clearings truncate. A statement locks its own tables before it runs, and so before it has the
-- advisory lock of writers; a function locks them when it runs. Their plans use primary keys, however many rows a statement has.

CREATE FUNCTION add_sign_up_step(
    session_key uuid, session_id text, entrant bigint, landing_page text, is_referred boolean, at timestamptz
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO conversion_funnel (session_key, session_id, user_id, landing_page, step, step_data, created_at)
    VALUES ($1, $2, $3, $4, 'signUp', jsonb_build_object('referred', $5), $6)
    ON CONFLICT DO NOTHING;
    RETURN true;
END
$$;
COMMENT ON FUNCTION add_sign_up_step(uuid, text, bigint, text, boolean, timestamptz)
    IS 'Records the sign-up in the funnel, unless the session has taken the step before; true';

CREATE FUNCTION add_referral(
    referrer bigint, entrant bigint, phone_number text, ip_address inet, at timestamptz, reward bigint
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number, ip_address, created_at)
    VALUES ($1, $2, $3, $4, $5);
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES ($1, 'referral', $6, $2);
    UPDATE users SET bonus_entries = bonus_entries + $6 WHERE id = $1;
    RETURN true;
END
$$;
COMMENT ON FUNCTION add_referral(bigint, bigint, text, inet, timestamptz, bigint)
    IS 'Adds a referral of a new entrant, and the entries that it earns the referrer; true';
