-- Completing a purchase tells whether there are refunds or disputes to apply (crates/store-postgres/sql/complete_purchase.sql).

-- As a volatile function it looks after the purchase was locked, so it also finds what a transaction committed while the statement
-- waited for that lock. A subquery would see the database as it was when the statement began.
CREATE FUNCTION count_reversals(payment text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT count(*) FROM payment_reversals WHERE stripe_payment_intent_id = payment);
END
$$;
COMMENT ON FUNCTION count_reversals(text) IS 'How many refunds and disputes are recorded of a payment';
