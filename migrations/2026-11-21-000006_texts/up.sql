-- Texts: templates, campaigns and their recipients, sending, opened links, and opt-outs.

CREATE TABLE sms_campaign_templates (
    id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_campaign_templates_pkey PRIMARY KEY,
    name             text NOT NULL CONSTRAINT sms_campaign_templates_name_line CHECK (length(name) BETWEEN 1 AND 80),
    landing_page     text NOT NULL CONSTRAINT sms_campaign_templates_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    message_template text NOT NULL CONSTRAINT sms_campaign_templates_message_template_bounded
        CHECK (length(message_template) BETWEEN 1 AND 1600),
    link_placeholder text NOT NULL DEFAULT '{LINK}' CONSTRAINT sms_campaign_templates_link_placeholder_line
        CHECK (length(link_placeholder) BETWEEN 1 AND 40),
    is_active        boolean NOT NULL DEFAULT true,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL
);

CREATE TABLE welcome_sms_templates (
    id               bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT welcome_sms_templates_pkey PRIMARY KEY,
    landing_page     text NOT NULL CONSTRAINT welcome_sms_templates_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    message_template text NOT NULL CONSTRAINT welcome_sms_templates_message_template_bounded
        CHECK (length(message_template) BETWEEN 1 AND 1600),
    is_active        boolean NOT NULL DEFAULT true,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT welcome_sms_templates_landing_page_key UNIQUE (landing_page)
);

CREATE TABLE sms_scheduled_campaigns (
    id                   bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_scheduled_campaigns_pkey PRIMARY KEY,
    template_id          bigint NOT NULL CONSTRAINT sms_scheduled_campaigns_template_id_fkey
        REFERENCES sms_campaign_templates (id),
    campaign_name        text NOT NULL
        CONSTRAINT sms_scheduled_campaigns_campaign_name_line CHECK (length(campaign_name) BETWEEN 1 AND 80),
    scheduled_date       timestamptz NOT NULL,
    target_audience      text NOT NULL CONSTRAINT sms_scheduled_campaigns_target_audience_known
        CHECK (target_audience IN ('all', 'landing_page', 'custom')),
    landing_page_filter  text CONSTRAINT sms_scheduled_campaigns_landing_page_filter_known
        CHECK (landing_page_filter IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    custom_phone_numbers jsonb, -- an array of strings
    custom_number_count  bigint NOT NULL DEFAULT 0, -- the length of custom_phone_numbers
    tracking_url_base    text NOT NULL,
    secret               bytea NOT NULL -- tracking ids are derived from it
        CONSTRAINT sms_scheduled_campaigns_secret_length CHECK (length(secret) = 32),
    idempotency_key      text,
    status               text NOT NULL DEFAULT 'pending' CONSTRAINT sms_scheduled_campaigns_status_known
        CHECK (status IN ('pending', 'sending', 'sent', 'failed', 'cancelled')),
    -- Copied from the template when the campaign begins.
    message_template     text,
    link_placeholder     text,
    landing_page         text,
    -- Counters. The transaction that changes a text also changes them.
    recipient_count      bigint NOT NULL DEFAULT 0,
    taken_count          bigint NOT NULL DEFAULT 0, -- recipients up to last_recipient; each of them has a text
    open_count           bigint NOT NULL DEFAULT 0, -- recipients without a text, and texts whose delivery has not ended
    sent_count           bigint NOT NULL DEFAULT 0,
    delivered_count      bigint NOT NULL DEFAULT 0,
    error_count          bigint NOT NULL DEFAULT 0,
    skipped_count        bigint NOT NULL DEFAULT 0,
    clicked_count        bigint NOT NULL DEFAULT 0,
    cta_clicked_count    bigint NOT NULL DEFAULT 0,
    last_recipient       text NOT NULL DEFAULT '',
    created_at           timestamptz NOT NULL,
    started_at           timestamptz,
    sent_at              timestamptz, -- when the campaign ended
    CONSTRAINT sms_scheduled_campaigns_idempotency_key_key UNIQUE (idempotency_key),
    CONSTRAINT sms_scheduled_campaigns_audience_whole CHECK (
        (target_audience = 'landing_page') = (landing_page_filter IS NOT NULL)
        AND (target_audience = 'custom') = (custom_phone_numbers IS NOT NULL)
    ),
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

-- The recipients of a campaign that has begun. Everything else about them is looked up when their text is sent.
CREATE TABLE sms_recipients (
    campaign_id  bigint NOT NULL,
    phone_number text NOT NULL,
    CONSTRAINT sms_recipients_pkey PRIMARY KEY (campaign_id, phone_number)
);

-- Sending inserts a row for every text, so foreign keys would slow it down. They are not needed: users are never deleted,
-- and deleting a campaign deletes its texts.
ALTER TABLE sms_sent_messages
    DROP CONSTRAINT sms_sent_messages_user_id_fkey,
    DROP CONSTRAINT sms_sent_messages_tracking_id_key,
    DROP CONSTRAINT sms_sent_messages_kind_known,
    DROP CONSTRAINT sms_sent_messages_status_known,
    ADD CONSTRAINT sms_sent_messages_kind_known CHECK (kind IN ('welcome', 'victory', 'test', 'campaign')),
    ADD CONSTRAINT sms_sent_messages_status_known CHECK (
        status IN ('pending', 'sending', 'unknown', 'sent', 'delivered', 'undelivered', 'failed', 'skipped')
    ),
    ADD CONSTRAINT sms_sent_messages_campaign_whose CHECK ((kind = 'campaign') = (campaign_id IS NOT NULL)),
    ALTER COLUMN message_body DROP NOT NULL, -- a welcome text is composed when it is sent; a skipped text has no body
    ADD COLUMN attempt integer NOT NULL DEFAULT 0, -- the number of the last attempt; no number is used twice
    ADD COLUMN due_at timestamptz; -- pending: when to send it; unknown: when to ask the provider about it
UPDATE sms_sent_messages SET due_at = created_at;
ALTER TABLE sms_sent_messages ALTER COLUMN due_at SET NOT NULL;

CREATE UNIQUE INDEX sms_sent_messages_tracking_id_key ON sms_sent_messages (tracking_id)
    WHERE tracking_id IS NOT NULL;
CREATE INDEX sms_sent_messages_campaign_id_idx ON sms_sent_messages (campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX sms_sent_messages_pending_idx ON sms_sent_messages (kind, due_at, id) WHERE status = 'pending';
CREATE INDEX sms_sent_messages_doubtful_idx ON sms_sent_messages (due_at, id) WHERE status IN ('sending', 'unknown');
CREATE INDEX sms_sent_messages_reasons_idx ON sms_sent_messages (campaign_id, status, error_message)
    WHERE campaign_id IS NOT NULL AND status IN ('undelivered', 'failed', 'skipped');

-- One row for each link that was opened.
CREATE TABLE sms_click_tracking (
    id                bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_click_tracking_pkey PRIMARY KEY,
    tracking_id       text NOT NULL,
    user_id           bigint,
    user_phone_number text NOT NULL,
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
    CONSTRAINT sms_click_tracking_tracking_id_key UNIQUE (tracking_id),
    CONSTRAINT sms_click_tracking_cta_clicked_when CHECK (cta_clicked = (cta_clicked_at IS NOT NULL))
);

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

-- The lease of the server that sends texts; the table has one row. A server that claims texts compares its fence and locks
-- the row FOR KEY SHARE; a server that takes over locks it FOR UPDATE.
CREATE TABLE sms_dispatcher (
    id             boolean DEFAULT true CONSTRAINT sms_dispatcher_pkey PRIMARY KEY,
    owner          text,
    fence          bigint NOT NULL DEFAULT 0,
    expires_at     timestamptz,
    halt           text CONSTRAINT sms_dispatcher_halt_known CHECK (halt IN ('credentials_refused')),
    welcome_minute timestamptz,
    welcome_texts  bigint NOT NULL DEFAULT 0, -- welcome texts claimed in that minute
    CONSTRAINT sms_dispatcher_one CHECK (id)
) WITH (fillfactor = 20);
INSERT INTO sms_dispatcher DEFAULT VALUES;
