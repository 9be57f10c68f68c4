-- Page views, shares and funnel steps, their roll-ups, and fraud flags.

-- Collecting only appends rows; folding fills in time_spent.
-- view_key begins with the time at which the session began, so new views are neighbors in the index. The table can be
-- partitioned by ranges of view_key, because every unique constraint contains it.
CREATE TABLE page_views (
    id              bigint GENERATED ALWAYS AS IDENTITY,
    view_key        uuid NOT NULL CONSTRAINT page_views_pkey PRIMARY KEY, -- one per session, page and referral code
    session_key     uuid NOT NULL,
    session_id      text NOT NULL CONSTRAINT page_views_session_id_short CHECK (length(session_id) <= 64),
    page            text NOT NULL,
    referral_code   text,
    time_spent      integer NOT NULL DEFAULT 0, -- milliseconds
    ip_address      inet,
    user_agent      text,
    fingerprint     text,
    country         text,
    city            text,
    device          text,
    browser         text,
    entry_source    text NOT NULL,
    sms_tracking_id text,
    created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX page_views_id_idx ON page_views (id);

-- The times that browsers reported for views. Rows are kept after they are folded into page_views.
CREATE TABLE page_view_times (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT page_view_times_pkey PRIMARY KEY,
    view_key   uuid NOT NULL,
    page       text NOT NULL,
    time_spent integer NOT NULL CONSTRAINT page_view_times_positive CHECK (time_spent > 0), -- milliseconds
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE social_shares (
    id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT social_shares_pkey PRIMARY KEY,
    user_id       bigint CONSTRAINT social_shares_user_id_fkey REFERENCES users (id),
    platform      text NOT NULL CONSTRAINT social_shares_platform_known CHECK (platform IN ('email', 'sms')),
    referral_code text,
    event_id      text CONSTRAINT social_shares_event_id_key UNIQUE, -- repeated reports are ignored
    ip_address    inet,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- The first time that a session took each step in each raffle.
CREATE TABLE conversion_funnel (
    id           bigint GENERATED ALWAYS AS IDENTITY,
    session_key  uuid NOT NULL,
    session_id   text NOT NULL,
    user_id      bigint,
    landing_page text NOT NULL DEFAULT '' -- empty for a page that belongs to no raffle
        CONSTRAINT conversion_funnel_landing_page_known
        CHECK (landing_page IN ('', 'garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    step         text NOT NULL CONSTRAINT conversion_funnel_step_known CHECK (step IN
        ('pageView', 'smsClick', 'formStart', 'formSubmit', 'signUp', 'socialShare', 'purchaseStart', 'purchaseComplete')),
    step_data    jsonb,
    time_spent   integer, -- milliseconds
    exit_point   boolean NOT NULL DEFAULT false, -- the last of the session's counted steps
    counted      boolean NOT NULL DEFAULT false, -- whether it is in the roll-ups
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT conversion_funnel_pkey PRIMARY KEY (session_key, landing_page, step)
);

CREATE INDEX conversion_funnel_uncounted_idx ON conversion_funnel (id) WHERE NOT counted;

-- How far each source has been folded into the roll-ups: the id of the last folded row, and how many rows are folded.
-- For conversion_funnel only the number is used; its column `counted` marks the folded rows.
CREATE TABLE analytics_watermarks (
    source  text CONSTRAINT analytics_watermarks_pkey PRIMARY KEY,
    last_id bigint NOT NULL DEFAULT 0,
    folded  bigint NOT NULL DEFAULT 0
);

INSERT INTO analytics_watermarks (source)
VALUES ('page_views'), ('page_view_times'), ('social_shares'), ('conversion_funnel'), ('users'), ('referrals');

CREATE TABLE analytics_pages (
    page       text CONSTRAINT analytics_pages_pkey PRIMARY KEY,
    views      bigint NOT NULL DEFAULT 0,
    time_spent bigint NOT NULL DEFAULT 0 -- milliseconds
) WITH (fillfactor = 50);

CREATE TABLE analytics_page_hours (
    hour       timestamptz NOT NULL,
    page       text NOT NULL,
    views      bigint NOT NULL DEFAULT 0,
    time_spent bigint NOT NULL DEFAULT 0, -- milliseconds
    CONSTRAINT analytics_page_hours_pkey PRIMARY KEY (hour, page)
) WITH (fillfactor = 80);

CREATE TABLE analytics_raffles (
    landing_page text CONSTRAINT analytics_raffles_pkey PRIMARY KEY,
    users        bigint NOT NULL DEFAULT 0,
    referrals    bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE analytics_raffle_hours (
    hour         timestamptz NOT NULL,
    landing_page text NOT NULL,
    users        bigint NOT NULL DEFAULT 0,
    referrals    bigint NOT NULL DEFAULT 0,
    CONSTRAINT analytics_raffle_hours_pkey PRIMARY KEY (hour, landing_page)
) WITH (fillfactor = 80);

-- Only referral codes that belong to an entrant, so that requests with made-up codes cannot make this table grow.
CREATE TABLE analytics_codes (
    referral_code text CONSTRAINT analytics_codes_pkey PRIMARY KEY,
    views         bigint NOT NULL DEFAULT 0,
    shares        bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);

CREATE INDEX analytics_codes_views_idx ON analytics_codes (views DESC, referral_code);

CREATE TABLE analytics_referrers (
    user_id        bigint CONSTRAINT analytics_referrers_pkey PRIMARY KEY,
    referral_code  text NOT NULL,
    referrals      bigint NOT NULL DEFAULT 0,
    conversions    bigint NOT NULL DEFAULT 0,
    first_referral bigint NOT NULL -- milliseconds after the referrer entered
) WITH (fillfactor = 80);

CREATE INDEX analytics_referrers_referrals_idx ON analytics_referrers (referrals DESC, user_id);

CREATE TABLE analytics_velocity (
    bucket         integer CONSTRAINT analytics_velocity_pkey PRIMARY KEY, -- index into REFERRAL_DELAYS
    referrers      bigint NOT NULL DEFAULT 0,
    first_referral bigint NOT NULL DEFAULT 0 -- milliseconds, the sum over all referrers
);

-- landing_page '' stands for all raffles together: there a session counts once, even if it visits several.
CREATE TABLE analytics_funnel_hours (
    hour         timestamptz NOT NULL, -- in which the session began
    landing_page text NOT NULL,
    step         text NOT NULL,
    sessions     bigint NOT NULL DEFAULT 0,
    exits        bigint NOT NULL DEFAULT 0,
    CONSTRAINT analytics_funnel_hours_pkey PRIMARY KEY (hour, landing_page, step)
) WITH (fillfactor = 80);

CREATE TABLE analytics_session_hours (
    hour         timestamptz NOT NULL, -- in which the session began
    landing_page text NOT NULL,
    sessions     bigint NOT NULL DEFAULT 0,
    CONSTRAINT analytics_session_hours_pkey PRIMARY KEY (hour, landing_page)
) WITH (fillfactor = 80);

CREATE TABLE analytics_addresses (
    ip_address inet CONSTRAINT analytics_addresses_pkey PRIMARY KEY,
    accounts   bigint NOT NULL DEFAULT 0,
    checked    bigint NOT NULL DEFAULT 0 -- the number of accounts when fraud detection last ran
) WITH (fillfactor = 80);

CREATE INDEX analytics_addresses_accounts_idx ON analytics_addresses (accounts DESC, ip_address) WHERE accounts > 1;
CREATE INDEX analytics_addresses_unchecked_idx ON analytics_addresses (accounts) WHERE accounts > checked AND accounts > 1;

ALTER TABLE users
    ADD COLUMN flag_reason  text,
    ADD COLUMN flagged_at   timestamptz,
    ADD COLUMN unflagged_at timestamptz, -- staff removed the flag; fraud detection skips this entrant from then on
    ADD CONSTRAINT users_flagged_when CHECK (is_flagged = (flagged_at IS NOT NULL));

CREATE INDEX users_ip_address_idx ON users (ip_address, id) WHERE ip_address IS NOT NULL;
CREATE INDEX users_flagged_idx ON users (flagged_at DESC, id DESC) WHERE is_flagged;

ALTER TABLE entry_ledger
    DROP CONSTRAINT entry_ledger_kind_known,
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral', 'clearing'));
CREATE SEQUENCE referral_clearings;
COMMENT ON COLUMN entry_ledger.cause_id IS 'base: the entrant; referral: the friend; clearing: its number';
