-- Free entries, and the cap on bought and free entries of an entrant in a calendar month (D48).

-- allow drop: the next statement allows more
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_kind_known;
-- The next migration validates the constraints.
ALTER TABLE entry_ledger
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN
        ('base', 'referral', 'referral_reversed', 'referral_restored', 'clearing', 'free', 'purchase', 'refund',
         'dispute_held', 'dispute_released')) NOT VALID;
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base: the entrant; referral, referral_reversed and referral_restored: the friend; clearing: its number; free: the date of the claim as a number, such as 20261123; purchase, refund, dispute_held and dispute_released: the purchase';

-- allow drop: the next statement allows more
ALTER TABLE purchases
    DROP CONSTRAINT purchases_status_known,
    DROP CONSTRAINT purchases_completed_when;
ALTER TABLE purchases
    ADD COLUMN cap_month date,
    ADD COLUMN entry_cap bigint,
    ADD CONSTRAINT purchases_status_known
        CHECK (status IN ('pending', 'completed', 'failed', 'canceled', 'refunding', 'refunded')) NOT VALID,
    ADD CONSTRAINT purchases_completed_when
        CHECK ((status IN ('completed', 'refunding', 'refunded')) = (completed_at IS NOT NULL)) NOT VALID,
    ADD CONSTRAINT purchases_entry_cap_positive CHECK (entry_cap > 0) NOT VALID,
    ADD CONSTRAINT purchases_cap_whole CHECK ((cap_month IS NULL) = (entry_cap IS NULL)) NOT VALID;
COMMENT ON COLUMN purchases.cap_month IS
    'the first day of the month whose cap its entries count toward, by the site''s calendar; null for purchases from before the cap';
COMMENT ON COLUMN purchases.entry_cap IS 'the cap when it began';
COMMENT ON COLUMN purchases.completed_at IS 'when it was paid';

-- The bought and free entries of an entrant that count toward the cap of a month, named by its first day. Those of an erased
-- person with the same number count, too.
CREATE OR REPLACE FUNCTION capped_entries(bigint, date) RETURNS bigint LANGUAGE sql STABLE AS $$
SELECT (
    coalesce((
        SELECT sum(delta) FROM entry_ledger
        WHERE user_id = $1 AND kind = 'free'
            AND cause_id BETWEEN to_char($2, 'YYYYMMDD')::bigint AND to_char($2, 'YYYYMMDD')::bigint + 30
    ), 0)
    + coalesce((
        SELECT sum(entries_added - entries_taken) FROM purchases
        WHERE user_id = $1 AND cap_month = $2 AND status IN ('pending', 'failed', 'completed')
    ), 0)
    + coalesce((SELECT entries FROM inherited_entries WHERE user_id = $1 AND month = $2), 0)
)::bigint
$$;
