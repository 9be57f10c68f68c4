-- Free entries are taken back, and purchases that were to be refunded count as canceled.
DROP FUNCTION capped_entries(bigint, date);
UPDATE users SET bonus_entries = bonus_entries - free.entries
FROM (SELECT user_id, sum(delta) AS entries FROM entry_ledger WHERE kind = 'free' GROUP BY user_id) AS free
WHERE users.id = free.user_id;
ALTER TABLE entry_ledger DISABLE TRIGGER entry_ledger_append_only;
DELETE FROM entry_ledger WHERE kind = 'free';
ALTER TABLE entry_ledger ENABLE TRIGGER entry_ledger_append_only;
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_kind_known;
ALTER TABLE entry_ledger
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN
        ('base', 'referral', 'referral_reversed', 'referral_restored', 'clearing', 'purchase', 'refund', 'dispute_held',
         'dispute_released')) NOT VALID;
ALTER TABLE purchases
    DROP CONSTRAINT purchases_status_known,
    DROP CONSTRAINT purchases_completed_when,
    DROP COLUMN cap_month,
    DROP COLUMN entry_cap;
UPDATE purchases SET status = 'canceled', completed_at = NULL WHERE status = 'refunding';
ALTER TABLE purchases
    ADD CONSTRAINT purchases_status_known
        CHECK (status IN ('pending', 'completed', 'failed', 'canceled', 'refunded')) NOT VALID,
    ADD CONSTRAINT purchases_completed_when
        CHECK ((status IN ('completed', 'refunded')) = (completed_at IS NOT NULL)) NOT VALID;
