-- Credits a paid purchase that is open and neither refunded nor disputed, and records the step of the funnel. 1, or 0 if it did not.
SELECT credit_at_once($1::bigint, $2::timestamptz, $3::uuid, $4::text)
