-- Refunds in part, disputes, the schedule of asking the provider about open purchases, and the bodies of idempotency keys.

-- What Stripe reported about money that went back, or may go back, to customers. It is also kept for payments that no
-- purchase has yet. Rows only grow: the refunded amount, and a dispute from open to won to lost.
CREATE TABLE payment_reversals (
    id                       text NOT NULL CONSTRAINT payment_reversals_pkey PRIMARY KEY -- the payment intent, or the dispute
        CONSTRAINT payment_reversals_id_short CHECK (length(id) BETWEEN 1 AND 255),
    stripe_payment_intent_id text NOT NULL CONSTRAINT payment_reversals_stripe_payment_intent_id_short
        CHECK (length(stripe_payment_intent_id) BETWEEN 1 AND 255),
    refunded                 bigint CONSTRAINT payment_reversals_refunded_positive CHECK (refunded >= 0), -- cents so far
    dispute                  text CONSTRAINT payment_reversals_dispute_known CHECK (dispute IN ('open', 'won', 'lost')),
    created_at               timestamptz NOT NULL,
    updated_at               timestamptz NOT NULL,
    CONSTRAINT payment_reversals_one_kind CHECK ((refunded IS NULL) <> (dispute IS NULL))
);

CREATE INDEX payment_reversals_stripe_payment_intent_id_idx ON payment_reversals (stripe_payment_intent_id);

ALTER TABLE purchases
    ADD COLUMN entries_taken bigint NOT NULL DEFAULT 0,
    ADD COLUMN entries_held bigint NOT NULL DEFAULT 0,
    ADD COLUMN reversals bigint NOT NULL DEFAULT 0,
    ADD COLUMN checks bigint NOT NULL DEFAULT 0,
    ADD COLUMN next_check_at timestamptz NOT NULL DEFAULT now();
COMMENT ON COLUMN purchases.entries_taken IS 'taken back by refunds and lost disputes';
COMMENT ON COLUMN purchases.entries_held IS 'held out of drawings by an open dispute';
COMMENT ON COLUMN purchases.reversals IS 'how often entries were taken back, held or released: the step of its newest ledger rows';
COMMENT ON COLUMN purchases.checks IS 'how often the provider was asked about it while it was open';
COMMENT ON COLUMN purchases.next_check_at IS 'when to ask the provider next, while it is open';
UPDATE purchases SET entries_taken = entries_added WHERE status = 'refunded';
ALTER TABLE purchases ADD CONSTRAINT purchases_entries_reversed_bounded
    CHECK (entries_taken >= 0 AND entries_held >= 0 AND entries_taken + entries_held <= entries_added);
COMMENT ON COLUMN purchases.updated_at IS 'last change of the status';

DROP INDEX purchases_unsettled_idx;
CREATE INDEX purchases_next_check_at_idx ON purchases (next_check_at, id) WHERE status IN ('pending', 'failed');
CREATE INDEX purchases_open_idx ON purchases (user_id, created_at) WHERE status IN ('pending', 'failed');

-- Held entries count in total_entries, which entrants see, but not in drawings.
ALTER TABLE users
    ADD COLUMN held_entries bigint NOT NULL DEFAULT 0
        CONSTRAINT users_held_entries_bounded CHECK (held_entries BETWEEN 0 AND paid_entries),
    ADD CONSTRAINT users_stripe_customer_id_short CHECK (length(stripe_customer_id) BETWEEN 1 AND 255);
COMMENT ON COLUMN users.held_entries IS 'paid entries of disputed purchases, held out of drawings';

ALTER TABLE entry_ledger
    ADD COLUMN step bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT entry_ledger_cause_once,
    ADD CONSTRAINT entry_ledger_cause_once UNIQUE (user_id, kind, cause_id, step),
    DROP CONSTRAINT entry_ledger_kind_known,
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN
        ('base', 'referral', 'clearing', 'purchase', 'refund', 'dispute_held', 'dispute_released')),
    ADD CONSTRAINT entry_ledger_step_known
        CHECK (step = 0 OR kind IN ('refund', 'dispute_held', 'dispute_released'));
COMMENT ON COLUMN entry_ledger.step IS
    'the number of the change, for causes that change entries several times (refunds and disputes of a purchase); else 0';
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base: the entrant; referral: the friend; clearing: its number; purchase, refund, dispute_held and dispute_released: the purchase';

ALTER TABLE sms_scheduled_campaigns ADD COLUMN idempotency_hash bytea
    CONSTRAINT sms_scheduled_campaigns_idempotency_hash_sha256 CHECK (length(idempotency_hash) = 32);
COMMENT ON COLUMN sms_scheduled_campaigns.idempotency_hash IS
    'SHA-256 of the request that came with the idempotency key; null for campaigns without a key and for older ones';
