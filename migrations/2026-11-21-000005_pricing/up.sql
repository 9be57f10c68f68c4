-- Entry packages, purchases, system settings, and the payment provider's events that were processed.

CREATE TABLE entry_packages (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entry_packages_pkey PRIMARY KEY,
    name        text NOT NULL CONSTRAINT entry_packages_name_line CHECK (length(name) BETWEEN 1 AND 80),
    entries     bigint NOT NULL CONSTRAINT entry_packages_entries_bounded CHECK (entries BETWEEN 1 AND 1000000),
    price       bigint NOT NULL -- cents
        CONSTRAINT entry_packages_price_bounded CHECK (price BETWEEN 1 AND 99999999),
    is_popular  boolean NOT NULL DEFAULT false,
    is_active   boolean NOT NULL DEFAULT true,
    description text NOT NULL
        CONSTRAINT entry_packages_description_line CHECK (length(description) BETWEEN 1 AND 300),
    sort_order  bigint NOT NULL DEFAULT 0
        CONSTRAINT entry_packages_sort_order_bounded CHECK (sort_order BETWEEN 0 AND 4294967295),
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX entry_packages_sort_order_idx ON entry_packages (sort_order, id);

-- Amount and entries are copied from the package when the purchase begins.
CREATE TABLE purchases (
    id                       bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT purchases_pkey PRIMARY KEY,
    user_id                  bigint NOT NULL CONSTRAINT purchases_user_id_fkey REFERENCES users (id),
    package_id               bigint NOT NULL, -- no foreign key: packages are deleted, purchases are kept
    stripe_payment_intent_id text CONSTRAINT purchases_stripe_payment_intent_id_short
        CHECK (length(stripe_payment_intent_id) BETWEEN 1 AND 255),
    amount                   bigint NOT NULL -- cents
        CONSTRAINT purchases_amount_bounded CHECK (amount BETWEEN 1 AND 99999999),
    entries_added            bigint NOT NULL DEFAULT 20
        CONSTRAINT purchases_entries_added_bounded CHECK (entries_added BETWEEN 1 AND 1000000),
    status                   text NOT NULL DEFAULT 'pending' CONSTRAINT purchases_status_known
        CHECK (status IN ('pending', 'completed', 'failed', 'canceled', 'refunded')),
    event_id                 text NOT NULL
        CONSTRAINT purchases_event_id_short CHECK (length(event_id) BETWEEN 1 AND 64),
    created_at               timestamptz NOT NULL DEFAULT now(),
    updated_at               timestamptz NOT NULL DEFAULT now(), -- last change, or last check with the provider
    completed_at             timestamptz,
    refunded_at              timestamptz,
    CONSTRAINT purchases_stripe_payment_intent_id_key UNIQUE (stripe_payment_intent_id),
    CONSTRAINT purchases_event_id_key UNIQUE (event_id),
    CONSTRAINT purchases_completed_when
        CHECK ((status IN ('completed', 'refunded')) = (completed_at IS NOT NULL)),
    CONSTRAINT purchases_refunded_when CHECK ((status = 'refunded') = (refunded_at IS NOT NULL))
) WITH (fillfactor = 80); -- room for updates of the status

CREATE INDEX purchases_user_id_idx ON purchases (user_id, id);
CREATE INDEX purchases_unsettled_idx ON purchases (updated_at, id) WHERE status IN ('pending', 'failed');

CREATE TABLE system_settings (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT system_settings_pkey PRIMARY KEY,
    key         text NOT NULL CONSTRAINT system_settings_key_key UNIQUE,
    value       text NOT NULL,
    category    text NOT NULL DEFAULT 'general',
    description text,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE provider_events (
    id         text CONSTRAINT provider_events_pkey PRIMARY KEY, -- the provider's id of the event
    created_at timestamptz NOT NULL
);

ALTER TABLE entry_ledger
    DROP CONSTRAINT entry_ledger_kind_known,
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral', 'clearing', 'purchase', 'refund'));
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base: the entrant; referral: the friend; clearing: its number; purchase and refund: the purchase';

-- When the friend first completed a purchase. Such rows are few, so they are counted on demand, without a roll-up.
ALTER TABLE referrals ADD COLUMN converted_at timestamptz;
CREATE INDEX referrals_converted_idx ON referrals (referrer_id) WHERE converted_at IS NOT NULL;
ALTER TABLE analytics_referrers DROP COLUMN conversions;
