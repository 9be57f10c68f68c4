-- Entry packages and purchases, what the payment provider reports about them, the cap on bought and free entries, and settings.

CREATE TABLE entry_packages (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entry_packages_pkey PRIMARY KEY,
    name        text NOT NULL CONSTRAINT entry_packages_name_line CHECK (length(name) BETWEEN 1 AND 80),
    entries     bigint NOT NULL CONSTRAINT entry_packages_entries_bounded CHECK (entries BETWEEN 1 AND 1000000),
    price       bigint NOT NULL -- cents
        CONSTRAINT entry_packages_price_bounded CHECK (price BETWEEN 1 AND 99999999),
    is_popular  boolean NOT NULL DEFAULT false,
    is_active   boolean NOT NULL DEFAULT true,
    description text NOT NULL CONSTRAINT entry_packages_description_line CHECK (length(description) BETWEEN 1 AND 300),
    sort_order  bigint NOT NULL DEFAULT 0
        CONSTRAINT entry_packages_sort_order_bounded CHECK (sort_order BETWEEN 0 AND 4294967295),
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX entry_packages_sort_order_idx ON entry_packages (sort_order, id);

-- Amount and entries are copied from the package when the purchase begins.
CREATE TABLE purchases (
    id                       bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT purchases_pkey PRIMARY KEY,
    user_id                  bigint NOT NULL CONSTRAINT purchases_user_id_fkey REFERENCES users (id),
    landing_page             text NOT NULL CONSTRAINT purchases_landing_page_fkey REFERENCES raffles (key),
    package_id               bigint NOT NULL, -- no foreign key: packages are deleted, purchases are kept
    stripe_payment_intent_id text CONSTRAINT purchases_stripe_payment_intent_id_key UNIQUE
        CONSTRAINT purchases_stripe_payment_intent_id_short
        CHECK (length(stripe_payment_intent_id) BETWEEN 1 AND 255),
    amount                   bigint NOT NULL -- cents
        CONSTRAINT purchases_amount_bounded CHECK (amount BETWEEN 1 AND 99999999),
    amount_returned          bigint NOT NULL DEFAULT 0 -- cents
        CONSTRAINT purchases_amount_returned_bounded CHECK (amount_returned BETWEEN 0 AND amount),
    entries_added            bigint NOT NULL DEFAULT 20
        CONSTRAINT purchases_entries_added_bounded CHECK (entries_added BETWEEN 1 AND 1000000),
    entries_taken            bigint NOT NULL DEFAULT 0,
    entries_held             bigint NOT NULL DEFAULT 0,
    reversals                bigint NOT NULL DEFAULT 0,
    cap_month                date,
    buyer_moves              bigint NOT NULL DEFAULT 0,
    entry_cap                bigint CONSTRAINT purchases_entry_cap_positive CHECK (entry_cap > 0),
    status                   text NOT NULL DEFAULT 'pending' CONSTRAINT purchases_status_known
        CHECK (status IN ('pending', 'completed', 'failed', 'canceled', 'refunding', 'refunded')),
    event_id                 text NOT NULL CONSTRAINT purchases_event_id_key UNIQUE
        CONSTRAINT purchases_event_id_short CHECK (length(event_id) BETWEEN 1 AND 64),
    checks                   bigint NOT NULL DEFAULT 0,
    next_check_at            timestamptz NOT NULL DEFAULT now(),
    created_at               timestamptz NOT NULL DEFAULT now(),
    updated_at               timestamptz NOT NULL DEFAULT now(),
    completed_at             timestamptz,
    refunded_at              timestamptz,
    CONSTRAINT purchases_entries_reversed_bounded
        CHECK (entries_taken >= 0 AND entries_held >= 0 AND entries_taken + entries_held <= entries_added),
    CONSTRAINT purchases_cap_whole CHECK ((cap_month IS NULL) = (entry_cap IS NULL)),
    CONSTRAINT purchases_completed_when
        CHECK ((status IN ('completed', 'refunding', 'refunded')) = (completed_at IS NOT NULL)),
    CONSTRAINT purchases_refunded_when CHECK ((status = 'refunded') = (refunded_at IS NOT NULL))
) WITH (fillfactor = 80); -- room for updates of the status

COMMENT ON COLUMN purchases.landing_page IS 'the raffle that the buyer was in when it began';
COMMENT ON COLUMN purchases.amount_returned IS 'what went back by refunds and lost disputes';
COMMENT ON COLUMN purchases.entries_taken IS 'taken back by refunds and lost disputes';
COMMENT ON COLUMN purchases.entries_held IS 'held out of drawings by an open dispute';
COMMENT ON COLUMN purchases.reversals IS 'how often entries were taken back, held or released: the step of its newest ledger rows';
COMMENT ON COLUMN purchases.buyer_moves IS
    'How often the buyer had moved to another raffle when it began: after another move, it neither gives nor takes entries.';
COMMENT ON COLUMN purchases.cap_month IS
    'the first day of the month whose cap its entries count toward, by the site''s calendar; null: toward none';
COMMENT ON COLUMN purchases.entry_cap IS 'the cap when it began';
COMMENT ON COLUMN purchases.checks IS 'how often the provider was asked about it while it was open';
COMMENT ON COLUMN purchases.next_check_at IS 'when to ask the provider next, while it is open';
COMMENT ON COLUMN purchases.updated_at IS 'last change of the status';
COMMENT ON COLUMN purchases.completed_at IS 'when it was paid';

CREATE INDEX purchases_user_id_idx ON purchases (user_id, id);
-- What was sold in a time, from the index alone.
CREATE INDEX purchases_paid_idx ON purchases (completed_at) INCLUDE (landing_page, package_id, amount, amount_returned)
    WHERE completed_at IS NOT NULL;
CREATE INDEX purchases_open_idx ON purchases (user_id, created_at) WHERE status IN ('pending', 'failed');
-- The purchases that the provider is asked about.
CREATE INDEX purchases_due_idx ON purchases (next_check_at, id) WHERE status IN ('pending', 'failed', 'refunding');

-- What Stripe reported about money that went back, or may go back, to customers. It is also kept for payments that no
-- purchase has yet. Rows only grow: the refunded amount, a refund from made to failed, and a dispute from inquiry
-- to open to won to lost.
CREATE TABLE payment_reversals (
    id                       text CONSTRAINT payment_reversals_pkey PRIMARY KEY -- the payment intent, the refund or the dispute
        CONSTRAINT payment_reversals_id_short CHECK (length(id) BETWEEN 1 AND 255),
    stripe_payment_intent_id text NOT NULL CONSTRAINT payment_reversals_stripe_payment_intent_id_short
        CHECK (length(stripe_payment_intent_id) BETWEEN 1 AND 255),
    refunded                 bigint CONSTRAINT payment_reversals_refunded_positive CHECK (refunded >= 0), -- cents so far
    refund                   text CONSTRAINT payment_reversals_refund_known CHECK (refund IN ('made', 'failed')),
    dispute                  text CONSTRAINT payment_reversals_dispute_known CHECK (dispute IN ('inquiry', 'open', 'won', 'lost')),
    created_at               timestamptz NOT NULL,
    updated_at               timestamptz NOT NULL,
    CONSTRAINT payment_reversals_one_kind CHECK ((refunded IS NULL) <> (dispute IS NULL)),
    CONSTRAINT payment_reversals_refund_has_amount CHECK (refund IS NULL OR refunded IS NOT NULL)
);

CREATE INDEX payment_reversals_stripe_payment_intent_id_idx ON payment_reversals (stripe_payment_intent_id);

-- The payment provider's events that were processed.
CREATE TABLE provider_events (
    id         text CONSTRAINT provider_events_pkey PRIMARY KEY, -- the provider's id of the event
    created_at timestamptz NOT NULL
);

CREATE TABLE system_settings (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT system_settings_pkey PRIMARY KEY,
    key         text NOT NULL CONSTRAINT system_settings_key_key UNIQUE,
    value       text NOT NULL,
    category    text NOT NULL DEFAULT 'general',
    description text,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE inherited_entries (
    user_id bigint NOT NULL CONSTRAINT inherited_entries_user_id_fkey REFERENCES users (id),
    month   date NOT NULL,
    entries bigint NOT NULL,
    CONSTRAINT inherited_entries_pkey PRIMARY KEY (user_id, month)
);
COMMENT ON TABLE inherited_entries IS
    'The entries of an erased person with the same number that count toward the cap of an entrant in a month.';
