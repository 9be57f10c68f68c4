-- Messages that browsers show when a raffle is drawn.

CREATE TABLE push_subscriptions (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT push_subscriptions_pkey PRIMARY KEY,
    user_id    bigint NOT NULL CONSTRAINT push_subscriptions_user_id_fkey REFERENCES users (id),
    endpoint   text NOT NULL CONSTRAINT push_subscriptions_endpoint_key UNIQUE
        CONSTRAINT push_subscriptions_endpoint_short CHECK (length(endpoint) <= 2048),
    p256dh     bytea NOT NULL CONSTRAINT push_subscriptions_p256dh_length CHECK (length(p256dh) = 65),
    auth       bytea NOT NULL CONSTRAINT push_subscriptions_auth_length CHECK (length(auth) = 16),
    user_agent text,
    is_active  boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE push_subscriptions IS 'Browsers that want to be told when it is drawn.';
COMMENT ON COLUMN push_subscriptions.p256dh IS 'The public key of the browser, a point of P-256 without compression (RFC 8291).';
COMMENT ON COLUMN push_subscriptions.auth IS 'The secret of the browser (RFC 8291).';
COMMENT ON COLUMN push_subscriptions.user_agent IS 'The browser, as it names itself; erased with the age of other user agents.';
COMMENT ON COLUMN push_subscriptions.is_active IS 'False once the push service says that the subscription is gone.';
COMMENT ON COLUMN push_subscriptions.created_at IS 'When the browser gave it last.';

CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions (user_id, created_at);

CREATE TABLE push_results (
    drawing_id bigint CONSTRAINT push_results_pkey PRIMARY KEY
        CONSTRAINT push_results_drawing_id_fkey REFERENCES drawing_results (id),
    queued_at  timestamptz NOT NULL
);
COMMENT ON TABLE push_results IS 'Drawings whose messages were queued.';

CREATE TABLE push_deliveries (
    id              bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT push_deliveries_pkey PRIMARY KEY,
    subscription_id bigint NOT NULL CONSTRAINT push_deliveries_subscription_id_fkey
        REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    drawing_id      bigint NOT NULL CONSTRAINT push_deliveries_drawing_id_fkey REFERENCES push_results (drawing_id),
    attempts        integer NOT NULL DEFAULT 0 CONSTRAINT push_deliveries_attempts_positive CHECK (attempts >= 0),
    due_at          timestamptz NOT NULL,
    CONSTRAINT push_deliveries_subscription_id_key UNIQUE (subscription_id, drawing_id)
);
COMMENT ON TABLE push_deliveries IS 'Messages that wait to be sent. A message that was sent, or never will be, has no row.';

CREATE INDEX push_deliveries_due_idx ON push_deliveries (due_at, id);
