-- page_views is partitioned by month (docs/adr/0017), without moving more than the few rows of page_views_other. The servers
-- make the months to come.

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
    before  timestamptz -- page_view_times: the latest time before which rows were deleted
);
INSERT INTO retention_marks (source)
VALUES ('views'), ('signUps'), ('consents'), ('referrals'), ('shares'), ('clicks'), ('viewTimes'), ('run');

DO $$
DECLARE
    bound uuid := (SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''')::uuid FROM pg_constraint
                   WHERE conrelid = 'page_views'::regclass AND conname = 'page_views_before_next_month');
    millis bigint := ('x' || left(replace(bound::text, '-', ''), 12))::bit(48)::bigint;
    earlier text := 'page_views_before_' || to_char(to_timestamp(millis / 1000) AT TIME ZONE 'UTC', 'YYYY_MM');
    next_id bigint;
BEGIN
    LOCK TABLE page_views, page_views_other IN ACCESS EXCLUSIVE MODE;
    DROP TRIGGER page_views_divert ON page_views;
    DROP FUNCTION divert_page_view();

    -- Partitions cannot have an identity column before PostgreSQL 17.
    next_id := nextval(pg_get_serial_sequence('page_views', 'id'));
    ALTER TABLE page_views ALTER COLUMN id DROP IDENTITY;
    EXECUTE format('CREATE SEQUENCE page_views_id_seq START %s', next_id);

    -- The partition keeps the name page_views_pkey, which servers of the version before know.
    EXECUTE format('ALTER TABLE page_views RENAME TO %I', earlier);
    ALTER INDEX page_views_id_idx RENAME TO page_views_before_id_idx;
    EXECUTE format('CREATE TABLE page_views (LIKE %I INCLUDING DEFAULTS INCLUDING COMMENTS) PARTITION BY RANGE (view_key)', earlier);
    ALTER TABLE page_views
        ADD CONSTRAINT page_views_session_id_short CHECK (length(session_id) <= 64),
        ADD CONSTRAINT page_views_key PRIMARY KEY (view_key),
        ALTER COLUMN id SET DEFAULT nextval('page_views_id_seq');
    ALTER SEQUENCE page_views_id_seq OWNED BY page_views.id;
    CREATE INDEX page_views_id_idx ON page_views (id);

    -- The valid constraint says that all rows belong there, so they are not read.
    EXECUTE format('ALTER TABLE page_views ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', earlier, bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT page_views_before_next_month', earlier);

    -- Keys of sessions without a time begin with 48 one bits.
    CREATE TABLE page_views_untimed PARTITION OF page_views
        FOR VALUES FROM ('ffffffff-ffff-0000-0000-000000000000') TO (MAXVALUE);
    UPDATE page_views_other SET id = nextval('page_views_id_seq') WHERE id < 0;
    INSERT INTO page_views_untimed SELECT * FROM page_views_other
    WHERE view_key >= 'ffffffff-ffff-0000-0000-000000000000';
    DELETE FROM page_views_other WHERE view_key >= 'ffffffff-ffff-0000-0000-000000000000';
    ALTER TABLE page_views ATTACH PARTITION page_views_other DEFAULT;
END
$$;
COMMENT ON COLUMN page_views.time_spent IS 'in milliseconds; collecting only appends rows, folding fills it in';
