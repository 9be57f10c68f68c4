-- A paid purchase is credited by one call (crates/store-postgres/sql/credit_at_once.sql), unless a refund or a dispute of its payment is
-- recorded, or it was canceled.

-- Does what complete_purchase.sql does, and records the step of the funnel. As a function it takes the advisory lock of writers
-- before it locks the tables that clearings truncate (src/append_lock.rs). Each statement of it sees what was committed before, so
-- after the purchase is locked it also finds what a transaction recorded while this one waited.
-- The planner must use indexes also while the tables are small, because plans are kept and tables grow.
CREATE FUNCTION credit_at_once(purchase bigint, at timestamptz, session uuid, session_text text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
DECLARE
    sold record;
    buyer record;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7266209184103);
    SELECT user_id, package_id, entries_added, stripe_payment_intent_id INTO sold
    FROM purchases
    WHERE id = purchase AND status IN ('pending', 'failed')
    FOR UPDATE;
    IF NOT FOUND OR EXISTS (SELECT FROM payment_reversals WHERE stripe_payment_intent_id = sold.stripe_payment_intent_id) THEN
        RETURN 0;
    END IF;
    UPDATE purchases SET status = 'completed', completed_at = at, updated_at = at WHERE id = purchase;
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id) VALUES (sold.user_id, 'purchase', sold.entries_added, purchase);
    UPDATE referrals SET converted_at = at WHERE referred_user_id = sold.user_id AND converted_at IS NULL;
    UPDATE users SET paid_entries = paid_entries + sold.entries_added
    WHERE id = sold.user_id
    RETURNING landing_page, erased_at INTO buyer;
    IF session IS NOT NULL AND buyer.erased_at IS NULL THEN
        INSERT INTO conversion_funnel (session_key, session_id, user_id, landing_page, step, step_data, created_at)
        VALUES (session, session_text, sold.user_id, buyer.landing_page, 'purchaseComplete',
                jsonb_build_object('packageId', sold.package_id), at)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN 1;
END
$$;
COMMENT ON FUNCTION credit_at_once(bigint, timestamptz, uuid, text)
    IS 'Credits an open purchase and records the step of the funnel; 0 and no change if it is not open, refunded or disputed';
