-- Page views, shares and funnel steps, their roll-ups, networks of accounts, and appeals against flags.

-- ---- what visitors do ----

-- view_key begins with the time at which the session began, so new views are neighbors in the index, and the table has a
-- partition for each month (docs/adr/0017).
CREATE TABLE page_views (
    id              bigserial, -- partitions cannot have an identity column before PostgreSQL 17
    view_key        uuid CONSTRAINT page_views_key PRIMARY KEY, -- one per session, page and referral code
    session_key     uuid NOT NULL,
    session_id      text NOT NULL CONSTRAINT page_views_session_id_short CHECK (length(session_id) <= 64),
    page            text NOT NULL,
    referral_code   text,
    time_spent      integer NOT NULL DEFAULT 0,
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
) PARTITION BY RANGE (view_key);
COMMENT ON COLUMN page_views.time_spent IS 'in milliseconds; collecting only appends rows, folding fills it in';

CREATE INDEX page_views_id_idx ON page_views (id);

-- The servers make and drop the months. Everything from before the next month is one partition, keys of sessions without a time
-- begin with 48 one bits, and all other views wait in the default partition, such as those of browsers with a wrong clock.
CREATE TABLE page_views_untimed PARTITION OF page_views
    FOR VALUES FROM ('ffffffff-ffff-0000-0000-000000000000') TO (MAXVALUE);
CREATE TABLE page_views_other PARTITION OF page_views DEFAULT;
DO $$
DECLARE
    next_month timestamp := date_trunc('month', (now() AT TIME ZONE 'UTC') + interval '1 month');
    bound uuid := rpad(lpad(to_hex((extract(epoch FROM next_month) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF page_views FOR VALUES FROM (MINVALUE) TO (%L)',
                   'page_views_before_' || to_char(next_month, 'YYYY_MM'), bound);
END
$$;

-- A month such as 2026_12; its keys are from first_key to end_key. It runs as the owner of the tables, as the server's role
-- cannot make and drop any.
CREATE FUNCTION make_views_month(month text, first_key uuid, end_key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    made text := 'page_views_' || month;
    reader regrole;
BEGIN
    IF month !~ '^[0-9]{4}_[0-9]{2}$' THEN
        RAISE EXCEPTION '% is no month', month USING ERRCODE = 'invalid_parameter_value';
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE page_views INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', made);
    EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I PRIMARY KEY (view_key)', made, made || '_pkey');
    EXECUTE format('CREATE INDEX %I ON public.%I (id)', made || '_id_idx', made);
    LOCK TABLE page_views_other IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('INSERT INTO public.%I SELECT * FROM page_views_other WHERE view_key >= $1 AND view_key < $2', made)
        USING first_key, end_key;
    DELETE FROM page_views_other WHERE view_key >= first_key AND view_key < end_key;
    EXECUTE format('ALTER TABLE page_views ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
                   made, first_key, end_key);
    -- Whoever uses the whole table uses the partition too.
    FOR reader IN
        SELECT DISTINCT acl.grantee::regrole FROM pg_class, aclexplode(relacl) AS acl
        WHERE pg_class.oid = 'page_views'::regclass AND acl.grantee NOT IN (0, relowner)
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON public.%I TO %s', made, reader);
    END LOOP;
END
$$;
CREATE FUNCTION drop_views_month(dropped text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'page_views'::regclass AND relname = dropped
            AND dropped ~ '^page_views_(before_)?[0-9]{4}_[0-9]{2}$'
    ) THEN
        RAISE EXCEPTION '% is no month of page_views', dropped USING ERRCODE = 'invalid_parameter_value';
    END IF;
    EXECUTE format('DROP TABLE public.%I', dropped);
END
$$;
REVOKE EXECUTE ON FUNCTION make_views_month(text, uuid, uuid), drop_views_month(text) FROM PUBLIC;

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
    platform      text NOT NULL CONSTRAINT social_shares_platform_known
        CHECK (platform IN ('email', 'sms', 'system', 'copy')),
    referral_code text,
    event_id      text CONSTRAINT social_shares_event_id_key UNIQUE, -- repeated reports are ignored
    ip_address    inet,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- Finds the shares of an entrant.
CREATE INDEX social_shares_user_id_idx ON social_shares (user_id) WHERE user_id IS NOT NULL;

-- The first time that a session took each step in each raffle.
--
-- Each session of the database draws a hundred ids at once. So a step may get a smaller id than one that was committed before
-- it. Folding marks each step that it has counted, and finds such a step the next time.
CREATE TABLE conversion_funnel (
    id           bigint GENERATED ALWAYS AS IDENTITY (CACHE 100),
    session_key  uuid NOT NULL,
    session_id   text NOT NULL,
    user_id      bigint,
    landing_page text NOT NULL DEFAULT '', -- empty for a page that belongs to no raffle
    step         text NOT NULL CONSTRAINT conversion_funnel_step_known CHECK (step IN (
        'pageView', 'smsClick', 'formStart', 'formSubmit', 'codeSent', 'codeVerified', 'signUp', 'socialShare',
        'purchaseStart', 'purchaseComplete'
    )),
    step_data    jsonb,
    time_spent   integer, -- milliseconds
    exit_point   boolean NOT NULL DEFAULT false, -- the last of the session's counted steps
    counted      boolean NOT NULL DEFAULT false, -- whether it is in the roll-ups
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT conversion_funnel_pkey PRIMARY KEY (session_key, landing_page, step)
);

CREATE INDEX conversion_funnel_uncounted_idx ON conversion_funnel (id) WHERE NOT counted;
-- Finds the sessions in which an entrant took a step.
CREATE INDEX conversion_funnel_user_id_idx ON conversion_funnel (user_id) WHERE user_id IS NOT NULL;

-- ---- roll-ups ----

-- How far each source has been folded into the roll-ups: the id of the last folded row, and how many rows are folded. Entrants
-- are folded by their sequence number.
-- For conversion_funnel only the number is used; its column `counted` marks the folded rows.
CREATE TABLE analytics_watermarks (
    source  text CONSTRAINT analytics_watermarks_pkey PRIMARY KEY,
    last_id bigint NOT NULL DEFAULT 0,
    folded  bigint NOT NULL DEFAULT 0
);
INSERT INTO analytics_watermarks (source)
VALUES ('page_views'), ('page_view_times'), ('social_shares'), ('conversion_funnel'), ('entrants'), ('referrals');

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

-- ---- retention ----

-- What a recount needs of views that were dropped: numbers, and nothing of a visitor.
CREATE TABLE retired_views (
    quarter    timestamptz NOT NULL, -- the quarter of an hour, because hours of the roll-ups begin by the site's zone
    page       text NOT NULL,
    views      bigint NOT NULL DEFAULT 0,
    times      bigint NOT NULL DEFAULT 0, -- the rows of page_view_times
    time_spent bigint NOT NULL DEFAULT 0, -- milliseconds, their sum
    CONSTRAINT retired_views_pkey PRIMARY KEY (quarter, page)
);
COMMENT ON TABLE retired_views IS 'The numbers of dropped views and times, so that the roll-ups can still be recounted.';

CREATE TABLE retired_codes (
    referral_code text CONSTRAINT retired_codes_pkey PRIMARY KEY,
    views         bigint NOT NULL
);
COMMENT ON TABLE retired_codes IS 'The numbers of dropped views by referral code, of codes that belong to an entrant.';

-- How far each source is cleaned. Rows up to last_id keep no address, user agent and fingerprint.
CREATE TABLE retention_marks (
    source  text CONSTRAINT retention_marks_pkey PRIMARY KEY,
    last_id bigint NOT NULL DEFAULT 0,
    before  timestamptz -- viewTimes: the latest time before which rows were deleted; run: when the last run began
);
INSERT INTO retention_marks (source)
VALUES ('views'), ('signUps'), ('consents'), ('referrals'), ('shares'), ('clicks'), ('viewTimes'), ('run');

-- ---- fraud detection ----

CREATE FUNCTION network_of(address inet) RETURNS cidr LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE family(address) WHEN 4 THEN network(address) ELSE network(set_masklen(address, 64)) END
$$;
COMMENT ON FUNCTION network_of IS 'What one subscriber has: an IPv4 address, or the /64 of an IPv6 address.';

-- Fraud detection counts accounts by network.
CREATE TABLE analytics_networks (
    network  cidr CONSTRAINT analytics_networks_pkey PRIMARY KEY,
    accounts bigint NOT NULL DEFAULT 0,
    checked  bigint NOT NULL DEFAULT 0 -- the number of accounts when fraud detection last ran
) WITH (fillfactor = 80);

CREATE INDEX analytics_networks_accounts_idx ON analytics_networks (accounts DESC, network) WHERE accounts > 1;
CREATE INDEX analytics_networks_unchecked_idx ON analytics_networks (accounts) WHERE accounts > checked AND accounts > 1;

CREATE TABLE shared_networks (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT shared_networks_pkey PRIMARY KEY,
    network    cidr NOT NULL CONSTRAINT shared_networks_network_key UNIQUE
        CONSTRAINT shared_networks_narrow CHECK (masklen(network) >= CASE family(network) WHEN 4 THEN 20 ELSE 40 END),
    label      text NOT NULL CONSTRAINT shared_networks_label_short CHECK (length(label) BETWEEN 1 AND 80),
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE shared_networks IS 'Networks whose accounts are not flagged only because there are many, such as those of a school.';

-- Entrants whom fraud detection or staff flagged may say why they should not be.
CREATE TABLE flag_appeals (
    id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT flag_appeals_pkey PRIMARY KEY,
    user_id       bigint NOT NULL CONSTRAINT flag_appeals_user_id_fkey REFERENCES users (id),
    message       text NOT NULL CONSTRAINT flag_appeals_message_bounded CHECK (length(message) BETWEEN 10 AND 500),
    status        text NOT NULL DEFAULT 'open'
        CONSTRAINT flag_appeals_status_known CHECK (status IN ('open', 'accepted', 'rejected')),
    note          text CONSTRAINT flag_appeals_note_bounded CHECK (length(note) BETWEEN 1 AND 500),
    flag_reason   text NOT NULL, -- of the flag at the time of the appeal, like the next two
    flag_evidence jsonb CONSTRAINT flag_appeals_flag_evidence_list CHECK (jsonb_typeof(flag_evidence) = 'array'),
    flagged_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL,
    decided_at    timestamptz,
    CONSTRAINT flag_appeals_decided_when CHECK ((status = 'open') = (decided_at IS NULL)),
    CONSTRAINT flag_appeals_note_of_decision CHECK (note IS NULL OR status <> 'open')
);
COMMENT ON COLUMN flag_appeals.note IS 'What staff answer; the entrant reads it.';

CREATE UNIQUE INDEX flag_appeals_one_open ON flag_appeals (user_id) WHERE status = 'open';
CREATE INDEX flag_appeals_user_id_idx ON flag_appeals (user_id, id DESC);
CREATE INDEX flag_appeals_decided_at_idx ON flag_appeals (decided_at DESC, id DESC) WHERE status <> 'open';
