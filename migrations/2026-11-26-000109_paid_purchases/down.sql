DROP FUNCTION credit_at_once(bigint, timestamptz, uuid, text);
