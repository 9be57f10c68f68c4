-- A flag takes back the entry that the flagged sign-up earned its referrer, and the end of the flag gives it back (D36).
-- Flags from before this migration take nothing back.

ALTER TABLE referrals
    ADD COLUMN is_reversed boolean NOT NULL DEFAULT false,
    ADD COLUMN reversals bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN referrals.is_reversed IS 'whether the entry for this referral is taken back, because the friend is flagged';
COMMENT ON COLUMN referrals.reversals IS 'how often it was taken back';

-- allow drop: the next statement allows more
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_kind_known, DROP CONSTRAINT entry_ledger_step_known;
-- The next migration validates them.
ALTER TABLE entry_ledger
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN
        ('base', 'referral', 'referral_reversed', 'referral_restored', 'clearing', 'purchase', 'refund', 'dispute_held',
         'dispute_released')) NOT VALID,
    ADD CONSTRAINT entry_ledger_step_known CHECK (step = 0 OR kind IN
        ('referral_reversed', 'referral_restored', 'refund', 'dispute_held', 'dispute_released')) NOT VALID;
COMMENT ON COLUMN entry_ledger.step IS
    'the number of the change, for causes that change entries several times (flags of a friend; refunds and disputes of a purchase); else 0';
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base: the entrant; referral, referral_reversed and referral_restored: the friend; clearing: its number; purchase, refund, dispute_held and dispute_released: the purchase';
