DO $$
DECLARE
    next_id bigint := nextval('page_views_id_seq');
BEGIN
    CREATE TABLE page_views_whole (LIKE page_views INCLUDING CONSTRAINTS INCLUDING COMMENTS);
    ALTER TABLE page_views_whole ALTER COLUMN created_at SET DEFAULT now(), ALTER COLUMN time_spent SET DEFAULT 0;
    INSERT INTO page_views_whole SELECT * FROM page_views;
    DROP TABLE page_views;
    ALTER TABLE page_views_whole RENAME TO page_views;
    ALTER TABLE page_views ADD CONSTRAINT page_views_pkey PRIMARY KEY (view_key);
    CREATE INDEX page_views_id_idx ON page_views (id);
    EXECUTE format('ALTER TABLE page_views ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START %s)', next_id);
END
$$;
DROP TABLE retired_views, retired_codes, retention_marks;
