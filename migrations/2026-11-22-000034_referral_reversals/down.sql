-- What is taken back stays taken back.
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_kind_known, DROP CONSTRAINT entry_ledger_step_known;
ALTER TABLE entry_ledger
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN
        ('base', 'referral', 'clearing', 'purchase', 'refund', 'dispute_held', 'dispute_released')) NOT VALID,
    ADD CONSTRAINT entry_ledger_step_known
        CHECK (step = 0 OR kind IN ('refund', 'dispute_held', 'dispute_released')) NOT VALID;
ALTER TABLE referrals DROP COLUMN is_reversed, DROP COLUMN reversals;
