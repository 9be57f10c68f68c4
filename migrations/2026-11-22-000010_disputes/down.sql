ALTER TABLE sms_scheduled_campaigns DROP COLUMN idempotency_hash;

-- Entries that are held are released, and each purchase keeps one row of all its refunds.
CREATE TEMP TABLE merged_refunds ON COMMIT DROP AS
SELECT user_id, cause_id, sum(delta)::bigint AS delta, max(created_at) AS created_at
FROM entry_ledger
WHERE kind = 'refund'
GROUP BY user_id, cause_id;
ALTER TABLE entry_ledger DISABLE TRIGGER entry_ledger_append_only;
DELETE FROM entry_ledger WHERE kind IN ('refund', 'dispute_held', 'dispute_released');
ALTER TABLE entry_ledger ENABLE TRIGGER entry_ledger_append_only;
ALTER TABLE entry_ledger
    DROP CONSTRAINT entry_ledger_cause_once,
    DROP CONSTRAINT entry_ledger_step_known,
    DROP COLUMN step,
    ADD CONSTRAINT entry_ledger_cause_once UNIQUE (user_id, kind, cause_id),
    DROP CONSTRAINT entry_ledger_kind_known,
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral', 'clearing', 'purchase', 'refund'));
INSERT INTO entry_ledger (user_id, kind, delta, cause_id, created_at)
SELECT user_id, 'refund', delta, cause_id, created_at FROM merged_refunds WHERE delta <> 0;
DROP TABLE merged_refunds;
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base: the entrant; referral: the friend; clearing: its number; purchase and refund: the purchase';

ALTER TABLE users
    DROP CONSTRAINT users_stripe_customer_id_short,
    DROP COLUMN held_entries;

DROP INDEX purchases_open_idx;
DROP INDEX purchases_next_check_at_idx;
CREATE INDEX purchases_unsettled_idx ON purchases (updated_at, id) WHERE status IN ('pending', 'failed');
ALTER TABLE purchases
    DROP CONSTRAINT purchases_entries_reversed_bounded,
    DROP COLUMN entries_taken,
    DROP COLUMN entries_held,
    DROP COLUMN reversals,
    DROP COLUMN checks,
    DROP COLUMN next_check_at;
COMMENT ON COLUMN purchases.updated_at IS NULL;

DROP TABLE payment_reversals;
