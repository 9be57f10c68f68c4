-- Adds a referral and the row of the ledger that rewards the referrer. Returns no row when the friend has been credited before.
WITH input AS (
    SELECT $1::bigint AS referrer_id, $2::bigint AS referred_user_id, $3::text AS referred_phone_number,
           $4::text AS ip_address, $5::timestamptz AS created_at, $6::text AS kind, $7::bigint AS delta, $8::bigint AS bonus
), referrer AS MATERIALIZED (
    -- Locked, so that the referrer does not move to another raffle meanwhile.
    SELECT users.moves FROM users, input WHERE users.id = input.referrer_id FOR NO KEY UPDATE OF users
), referral AS (
    INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number, ip_address, created_at, referrer_moves)
    SELECT referrer_id, referred_user_id, referred_phone_number, ip_address::inet, created_at, referrer.moves
    FROM input, referrer
    ON CONFLICT (referred_user_id) DO NOTHING
    RETURNING id, referrer_id, referred_user_id
), reward_entry AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT referral.referrer_id, input.kind, input.delta, referral.referred_user_id
    FROM referral, input
), counter AS (
    UPDATE users SET bonus_entries = bonus_entries + input.bonus
    FROM referral, input
    WHERE users.id = referral.referrer_id
)
SELECT id FROM referral
