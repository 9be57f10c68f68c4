DROP FUNCTION add_referral(bigint, bigint, text, inet, timestamptz, bigint);
DROP FUNCTION add_sign_up_step(uuid, text, bigint, text, boolean, timestamptz);
DROP FUNCTION number_is_new(bytea[]);
