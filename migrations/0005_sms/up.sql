-- Texts: templates, campaigns and their recipients, the outbox, opened links, replies and opt-outs.

CREATE TABLE sms_campaign_templates (
    id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_campaign_templates_pkey PRIMARY KEY,
    name             text NOT NULL CONSTRAINT sms_campaign_templates_name_line CHECK (length(name) BETWEEN 1 AND 80),
    landing_page     text NOT NULL CONSTRAINT sms_campaign_templates_landing_page_fkey REFERENCES raffles (key),
    message_template text NOT NULL CONSTRAINT sms_campaign_templates_message_template_bounded
        CHECK (length(message_template) BETWEEN 1 AND 1600),
    link_placeholder text NOT NULL DEFAULT '{LINK}' CONSTRAINT sms_campaign_templates_link_placeholder_line
        CHECK (length(link_placeholder) BETWEEN 1 AND 40),
    is_active        boolean NOT NULL DEFAULT true,
    created_by       text
        CONSTRAINT sms_campaign_templates_created_by_line CHECK (length(created_by) BETWEEN 1 AND 256),
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL
);
COMMENT ON COLUMN sms_campaign_templates.created_by IS 'The name of the member of staff.';

CREATE TABLE welcome_sms_templates (
    id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT welcome_sms_templates_pkey PRIMARY KEY,
    landing_page     text NOT NULL CONSTRAINT welcome_sms_templates_landing_page_key UNIQUE
        CONSTRAINT welcome_sms_templates_landing_page_fkey REFERENCES raffles (key),
    message_template text NOT NULL CONSTRAINT welcome_sms_templates_message_template_bounded
        CHECK (length(message_template) BETWEEN 1 AND 1600),
    is_active        boolean NOT NULL DEFAULT true,
    created_by       text
        CONSTRAINT welcome_sms_templates_created_by_line CHECK (length(created_by) BETWEEN 1 AND 256),
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL
);
COMMENT ON COLUMN welcome_sms_templates.created_by IS 'The name of the member of staff.';

CREATE TABLE sms_scheduled_campaigns (
    id                   bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_scheduled_campaigns_pkey PRIMARY KEY,
    template_id          bigint NOT NULL CONSTRAINT sms_scheduled_campaigns_template_id_fkey
        REFERENCES sms_campaign_templates (id),
    campaign_name        text NOT NULL
        CONSTRAINT sms_scheduled_campaigns_campaign_name_line CHECK (length(campaign_name) BETWEEN 1 AND 80),
    scheduled_date       timestamptz NOT NULL,
    target_audience      text NOT NULL CONSTRAINT sms_scheduled_campaigns_target_audience_known
        CHECK (target_audience IN ('all', 'landing_page', 'custom')),
    landing_page_filter  text CONSTRAINT sms_scheduled_campaigns_landing_page_filter_fkey REFERENCES raffles (key),
    custom_phone_numbers jsonb, -- an array of strings
    custom_number_count  bigint NOT NULL DEFAULT 0, -- the length of custom_phone_numbers
    consent_basis        text
        CONSTRAINT sms_scheduled_campaigns_consent_basis_line CHECK (length(consent_basis) BETWEEN 1 AND 200),
    tracking_url_base    text NOT NULL,
    secret               bytea NOT NULL -- tracking ids are derived from it
        CONSTRAINT sms_scheduled_campaigns_secret_length CHECK (length(secret) = 32),
    idempotency_key      text CONSTRAINT sms_scheduled_campaigns_idempotency_key_key UNIQUE,
    idempotency_hash     bytea
        CONSTRAINT sms_scheduled_campaigns_idempotency_hash_sha256 CHECK (length(idempotency_hash) = 32),
    status               text NOT NULL DEFAULT 'pending' CONSTRAINT sms_scheduled_campaigns_status_known
        CHECK (status IN ('pending', 'sending', 'sent', 'failed', 'cancelled')),
    -- Copied from the template when the campaign begins.
    message_template     text,
    link_placeholder     text,
    landing_page         text,
    recipient_count      bigint NOT NULL DEFAULT 0,
    taken_count          bigint NOT NULL DEFAULT 0, -- recipients up to last_recipient; each of them has a text
    open_count           bigint NOT NULL DEFAULT 0,
    sent_count           bigint NOT NULL DEFAULT 0,
    delivered_count      bigint NOT NULL DEFAULT 0,
    error_count          bigint NOT NULL DEFAULT 0,
    skipped_count        bigint NOT NULL DEFAULT 0,
    clicked_count        bigint NOT NULL DEFAULT 0,
    cta_clicked_count    bigint NOT NULL DEFAULT 0,
    last_recipient       text NOT NULL DEFAULT '',
    created_by           text
        CONSTRAINT sms_scheduled_campaigns_created_by_line CHECK (length(created_by) BETWEEN 1 AND 256),
    created_at           timestamptz NOT NULL,
    started_at           timestamptz,
    sent_at              timestamptz, -- when the campaign ended
    CONSTRAINT sms_scheduled_campaigns_audience_whole CHECK (
        (target_audience = 'landing_page') = (landing_page_filter IS NOT NULL)
        AND (target_audience = 'custom') = (custom_phone_numbers IS NOT NULL)
    ),
    CONSTRAINT sms_scheduled_campaigns_consent_basis_of_list
        CHECK ((target_audience = 'custom') = (consent_basis IS NOT NULL)),
    CONSTRAINT sms_scheduled_campaigns_idempotency_whole CHECK ((idempotency_key IS NULL) = (idempotency_hash IS NULL)),
    CONSTRAINT sms_scheduled_campaigns_started_when
        CHECK ((status IN ('sending', 'sent', 'failed')) = (started_at IS NOT NULL)),
    CONSTRAINT sms_scheduled_campaigns_message_when CHECK (
        (started_at IS NOT NULL) = (message_template IS NOT NULL)
        AND (started_at IS NOT NULL) = (link_placeholder IS NOT NULL)
        AND (started_at IS NOT NULL) = (landing_page IS NOT NULL)
    ),
    CONSTRAINT sms_scheduled_campaigns_ended_when CHECK ((status IN ('sent', 'failed')) = (sent_at IS NOT NULL)),
    CONSTRAINT sms_scheduled_campaigns_counts_possible CHECK (
        0 <= taken_count AND taken_count <= recipient_count AND 0 <= open_count AND open_count <= recipient_count
        AND 0 <= delivered_count AND delivered_count <= sent_count AND 0 <= error_count AND 0 <= skipped_count
    )
) WITH (fillfactor = 50); -- room for updates of the counters

COMMENT ON COLUMN sms_scheduled_campaigns.consent_basis IS 'what allows texts to the listed numbers; null for other audiences';
COMMENT ON COLUMN sms_scheduled_campaigns.idempotency_hash IS 'SHA-256 of the request that came with the idempotency key';
COMMENT ON COLUMN sms_scheduled_campaigns.open_count IS
    'Recipients without a text, and texts whose delivery has not ended, without sms_campaign_deltas. So are the next four.';
COMMENT ON COLUMN sms_scheduled_campaigns.clicked_count IS 'Without sms_click_deltas. So is cta_clicked_count.';
COMMENT ON COLUMN sms_scheduled_campaigns.created_by IS 'The name of the member of staff.';

-- Changes of campaigns' counts are rows of their own, so that the reports of one campaign's messages, and its visitors, do not
-- wait for each other on its row.

CREATE TABLE sms_campaign_deltas (
    campaign_id bigint NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY,
    open        bigint NOT NULL,
    sent        bigint NOT NULL,
    delivered   bigint NOT NULL,
    error       bigint NOT NULL,
    skipped     bigint NOT NULL,
    CONSTRAINT sms_campaign_deltas_pkey PRIMARY KEY (campaign_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000); -- its rows live for about a second
COMMENT ON TABLE sms_campaign_deltas IS
    'What must be added to the counts of sms_scheduled_campaigns. The transaction that changes a message adds a row; the sender folds the rows into the campaigns and deletes them.';
COMMENT ON COLUMN sms_campaign_deltas.id IS
    'In the order of the changes of each message. Folding in this order keeps the counts possible.';

CREATE TABLE sms_click_deltas (
    campaign_id bigint NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY,
    clicked     bigint NOT NULL,
    cta_clicked bigint NOT NULL,
    CONSTRAINT sms_click_deltas_pkey PRIMARY KEY (campaign_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000); -- its rows live for about a second
COMMENT ON TABLE sms_click_deltas IS
    'What must be added to clicked_count and cta_clicked_count of sms_scheduled_campaigns. The transaction that records a click adds a row; the sender folds the rows into the campaigns and deletes them.';

-- The recipients of a campaign that has begun. Everything else about them is looked up when their text is sent.
CREATE TABLE sms_recipients (
    campaign_id  bigint NOT NULL,
    phone_number text NOT NULL,
    CONSTRAINT sms_recipients_pkey PRIMARY KEY (campaign_id, phone_number)
);

-- The outbox: the transaction that causes a text writes it here, and it is sent later.
--
-- Sending inserts a row for every text, so foreign keys would slow it down. They are not needed: users are never deleted, and
-- deleting a campaign deletes its texts.
CREATE TABLE sms_sent_messages (
    id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_sent_messages_pkey PRIMARY KEY,
    kind                text NOT NULL CONSTRAINT sms_sent_messages_kind_known
        CHECK (kind IN ('code', 'welcome', 'victory', 'test', 'campaign')),
    campaign_id         bigint,
    user_id             bigint,
    phone_number        text
        CONSTRAINT sms_sent_messages_phone_number_e164 CHECK (phone_number ~ '^\+[0-9]{8,15}$'),
    message_body        text -- null: a welcome text is composed when it is sent; a skipped text has no body
        CONSTRAINT sms_sent_messages_message_body_something CHECK (message_body <> ''),
    sealed_body         bytea,
    consent_id          bigint,
    tracking_id         text,
    tracking_url        text,
    provider_message_id text,
    status              text NOT NULL DEFAULT 'pending' CONSTRAINT sms_sent_messages_status_known CHECK (
        status IN ('pending', 'sending', 'unknown', 'sent', 'delivered', 'undelivered', 'failed', 'skipped')
    ),
    error_message       text,
    attempt             integer NOT NULL DEFAULT 0, -- the number of the last attempt; no number is used twice
    due_at              timestamptz NOT NULL, -- pending: when to send it; unknown: when to ask the provider about it
    is_erased           boolean NOT NULL DEFAULT false,
    sent_at             timestamptz,
    created_at          timestamptz NOT NULL,
    CONSTRAINT sms_sent_messages_campaign_whose CHECK ((kind = 'campaign') = (campaign_id IS NOT NULL)),
    CONSTRAINT sms_sent_messages_codes_sealed CHECK (kind <> 'code' OR message_body IS NULL),
    CONSTRAINT sms_sent_messages_number_until_erased CHECK (
        (phone_number IS NULL) = (is_erased AND status NOT IN ('pending', 'sending', 'unknown'))
    )
);
COMMENT ON COLUMN sms_sent_messages.sealed_body IS
    'the encrypted body of a text that is secret; null once the text is sent or will not be';
COMMENT ON COLUMN sms_sent_messages.consent_id IS
    'the user_consent that allowed a campaign text; null if its recipient was listed and is no entrant';
COMMENT ON COLUMN sms_sent_messages.is_erased IS 'Its recipient was erased: its number and body go when it has ended.';

CREATE INDEX sms_sent_messages_user_id_idx ON sms_sent_messages (user_id, id);
CREATE UNIQUE INDEX sms_sent_messages_tracking_id_key ON sms_sent_messages (tracking_id) WHERE tracking_id IS NOT NULL;
CREATE INDEX sms_sent_messages_campaign_id_idx ON sms_sent_messages (campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX sms_sent_messages_pending_idx ON sms_sent_messages (kind, due_at, id) WHERE status = 'pending';
CREATE INDEX sms_sent_messages_doubtful_idx ON sms_sent_messages (due_at, id) WHERE status IN ('sending', 'unknown');
CREATE INDEX sms_sent_messages_reasons_idx ON sms_sent_messages (campaign_id, status, error_message)
    WHERE campaign_id IS NOT NULL AND status IN ('undelivered', 'failed', 'skipped');
-- Finds the texts to a number that was no entrant's. Those to entrants are found by the entrant.
CREATE INDEX sms_sent_messages_listed_number_idx ON sms_sent_messages (phone_number)
    WHERE user_id IS NULL AND phone_number IS NOT NULL;

-- Whatever changes the status, a secret body is erased once its text is sent or will not be.
CREATE FUNCTION erase_sealed_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.sealed_body := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER sms_sent_messages_erase_sealed_body BEFORE UPDATE OF status ON sms_sent_messages
    FOR EACH ROW WHEN (NEW.sealed_body IS NOT NULL AND NEW.status NOT IN ('pending', 'sending', 'unknown'))
    EXECUTE FUNCTION erase_sealed_body();

-- A text that is being sent keeps its number until it is known what became of it. This erases it then.
CREATE FUNCTION erase_ended_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A provider may repeat the number in its reason.
    NEW.error_message := coalesce(replace(NEW.error_message, OLD.phone_number, 'the number'), NEW.error_message);
    NEW.phone_number := NULL;
    NEW.message_body := NULL;
    NEW.sealed_body := NULL;
    NEW.tracking_id := NULL;
    NEW.tracking_url := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER sms_sent_messages_erase BEFORE UPDATE OF status, is_erased ON sms_sent_messages
    FOR EACH ROW WHEN (NEW.is_erased AND NEW.status NOT IN ('pending', 'sending', 'unknown'))
    EXECUTE FUNCTION erase_ended_text();

-- One row for each link that was opened.
CREATE TABLE sms_click_tracking (
    id                bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_click_tracking_pkey PRIMARY KEY,
    tracking_id       text NOT NULL CONSTRAINT sms_click_tracking_tracking_id_key UNIQUE,
    user_id           bigint,
    user_phone_number text,
    campaign_id       bigint NOT NULL,
    campaign_name     text NOT NULL,
    landing_page      text NOT NULL,
    clicked           boolean NOT NULL DEFAULT true,
    clicked_at        timestamptz NOT NULL,
    cta_clicked       boolean NOT NULL DEFAULT false,
    cta_clicked_at    timestamptz,
    ip_address        inet,
    user_agent        text,
    created_at        timestamptz NOT NULL,
    CONSTRAINT sms_click_tracking_cta_clicked_when CHECK (cta_clicked = (cta_clicked_at IS NOT NULL))
);

-- Finds the clicks of a campaign.
CREATE INDEX sms_click_tracking_campaign_id_idx ON sms_click_tracking (campaign_id, clicked_at);

-- Clearing SMS data deletes them.
CREATE TABLE sms_replies (
    id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_replies_pkey PRIMARY KEY,
    provider_message_id text NOT NULL -- the provider repeats a call until it is acknowledged
        CONSTRAINT sms_replies_provider_message_id_key UNIQUE,
    user_id             bigint -- the entrant with this number when it arrived
        CONSTRAINT sms_replies_user_id_fkey REFERENCES users (id),
    phone_number        text NOT NULL,
    body                text NOT NULL CONSTRAINT sms_replies_body_bounded CHECK (length(body) <= 1600),
    keyword             text CONSTRAINT sms_replies_keyword_known CHECK (keyword IN ('stop', 'start', 'help')),
    is_unclear          boolean NOT NULL DEFAULT false
        CONSTRAINT sms_replies_unclear_without_keyword CHECK (keyword IS NULL OR NOT is_unclear),
    created_at          timestamptz NOT NULL
);
COMMENT ON TABLE sms_replies IS 'What people texted to our number, keywords included.';
COMMENT ON COLUMN sms_replies.body IS 'Without control characters, cut after 1,600 characters.';
COMMENT ON COLUMN sms_replies.keyword IS 'What the message asked for; null for any other text.';

COMMENT ON COLUMN sms_replies.is_unclear IS 'Whether it holds a word for STOP but does not clearly ask for it, and staff have not decided yet.';

CREATE INDEX sms_replies_unclear_idx ON sms_replies (id) WHERE is_unclear;
CREATE INDEX sms_replies_phone_number_idx ON sms_replies (phone_number);
CREATE INDEX sms_replies_user_id_idx ON sms_replies (user_id) WHERE user_id IS NOT NULL;

-- The latest STOP or START of each phone number. Rows are never deleted.
CREATE TABLE sms_opt_outs (
    phone_number text CONSTRAINT sms_opt_outs_pkey PRIMARY KEY,
    opted_out    boolean NOT NULL,
    changed_at   timestamptz NOT NULL
);

-- How many campaign texts each phone number was sent in each month. Rows are never deleted.
CREATE TABLE sms_monthly_counts (
    phone_number text NOT NULL,
    month        date NOT NULL,
    texts        bigint NOT NULL CONSTRAINT sms_monthly_counts_texts_positive CHECK (texts > 0),
    CONSTRAINT sms_monthly_counts_pkey PRIMARY KEY (phone_number, month)
);

CREATE TABLE sms_daily_counts (
    day   date CONSTRAINT sms_daily_counts_pkey PRIMARY KEY,
    texts bigint NOT NULL CONSTRAINT sms_daily_counts_texts_positive CHECK (texts > 0)
);
COMMENT ON TABLE sms_daily_counts IS 'How many texts count toward the budget of each day, in UTC; campaign texts do not.';

-- The lease of the server that sends texts; the table has one row. A server that claims texts compares its fence and locks
-- the row FOR KEY SHARE; a server that takes over locks it FOR UPDATE.
CREATE TABLE sms_dispatcher (
    id             boolean DEFAULT true CONSTRAINT sms_dispatcher_pkey PRIMARY KEY
        CONSTRAINT sms_dispatcher_one CHECK (id),
    owner          text,
    fence          bigint NOT NULL DEFAULT 0,
    expires_at     timestamptz,
    halt           text CONSTRAINT sms_dispatcher_halt_known CHECK (halt IN ('credentials_refused')),
    welcome_minute timestamptz,
    welcome_texts  bigint NOT NULL DEFAULT 0 -- welcome texts claimed in that minute
) WITH (fillfactor = 20);
INSERT INTO sms_dispatcher DEFAULT VALUES;
