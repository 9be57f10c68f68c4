-- What visitors do, its roll-ups, and fraud flags.

-- Append-only while it is collected; time_spent is filled in when view times are folded.
-- view_key begins with the session's own time, so that new views land side by side in the index, and so that the table
-- can be partitioned by ranges of it: every unique constraint contains it.
CREATE TABLE page_views (
    id              bigint GENERATED ALWAYS AS IDENTITY,
    view_key        uuid NOT NULL CONSTRAINT page_views_pkey PRIMARY KEY, -- one session, page and referral code
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

-- Time reported for views, until and after it is folded into them.
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
    event_id      text CONSTRAINT social_shares_event_id_key UNIQUE, -- the same share is reported once
    ip_address    inet,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- The first time that a session took a step, for each raffle.
CREATE TABLE conversion_funnel (
    id           bigint GENERATED ALWAYS AS IDENTITY,
    session_key  uuid NOT NULL,
    session_id   text NOT NULL,
    user_id      bigint,
    landing_page text NOT NULL DEFAULT '' -- empty for a page of no raffle
        CONSTRAINT conversion_funnel_landing_page_known
        CHECK (landing_page IN ('', 'garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    step         text NOT NULL CONSTRAINT conversion_funnel_step_known CHECK (step IN
        ('pageView', 'smsClick', 'formStart', 'formSubmit', 'signUp', 'socialShare', 'purchaseStart', 'purchaseComplete')),
    step_data    jsonb,
    time_spent   integer, -- milliseconds
    exit_point   boolean NOT NULL DEFAULT false, -- the session's last step, of those that are counted
    counted      boolean NOT NULL DEFAULT false, -- whether it is in the roll-ups
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT conversion_funnel_pkey PRIMARY KEY (session_key, landing_page, step)
);

CREATE INDEX conversion_funnel_uncounted_idx ON conversion_funnel (id) WHERE NOT counted;

-- How far each source has been folded into the roll-ups, and how many of its rows that were. Of steps only how many:
-- they say themselves whether they are counted.
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

-- Only codes that somebody has, so that hostile ones cannot make it grow.
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
    first_referral bigint NOT NULL -- milliseconds after entering
) WITH (fillfactor = 80);

CREATE INDEX analytics_referrers_referrals_idx ON analytics_referrers (referrals DESC, user_id);

CREATE TABLE analytics_velocity (
    bucket         integer CONSTRAINT analytics_velocity_pkey PRIMARY KEY, -- as REFERRAL_DELAYS counts them
    referrers      bigint NOT NULL DEFAULT 0,
    first_referral bigint NOT NULL DEFAULT 0 -- milliseconds, all of them together
);

-- Landing page '' is all raffles together: a session counts once there, whatever it visits.
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
    checked    bigint NOT NULL DEFAULT 0 -- accounts when fraud detection last looked
) WITH (fillfactor = 80);

CREATE INDEX analytics_addresses_accounts_idx ON analytics_addresses (accounts DESC, ip_address) WHERE accounts > 1;
CREATE INDEX analytics_addresses_unchecked_idx ON analytics_addresses (accounts) WHERE accounts > checked AND accounts > 1;

ALTER TABLE users
    ADD COLUMN flag_reason  text,
    ADD COLUMN flagged_at   timestamptz,
    ADD COLUMN unflagged_at timestamptz, -- by staff: detection leaves the entrant alone from then on
    ADD CONSTRAINT users_flagged_when CHECK (is_flagged = (flagged_at IS NOT NULL));

CREATE INDEX users_ip_address_idx ON users (ip_address, id) WHERE ip_address IS NOT NULL;
CREATE INDEX users_flagged_idx ON users (flagged_at DESC, id DESC) WHERE is_flagged;

ALTER TABLE entry_ledger
    DROP CONSTRAINT entry_ledger_kind_known,
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral', 'clearing'));
CREATE SEQUENCE referral_clearings;
COMMENT ON COLUMN entry_ledger.cause_id IS 'base: the entrant; referral: the friend; clearing: its number';
