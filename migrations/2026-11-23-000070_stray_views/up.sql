-- page_views becomes partitioned by month in three steps (docs/adr/0017). This one sees to it that page_views has only
-- views from before the next month, which the second step checks without stopping anybody. Views with later keys, whose
-- browsers gave no time or a wrong one, wait in another table: there are few, and the third step makes them visible again.

CREATE TABLE page_views_other (LIKE page_views INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE page_views_other ADD CONSTRAINT page_views_other_pkey PRIMARY KEY (view_key);
CREATE INDEX page_views_other_id_idx ON page_views_other (id);

-- A negative id says that the view is not in the roll-ups yet; the third step gives it a new id.
CREATE FUNCTION divert_page_view() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.id := -NEW.id;
    INSERT INTO page_views_other SELECT NEW.* ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    next_month timestamp := date_trunc('month', (now() AT TIME ZONE 'UTC') + interval '1 month');
    bound uuid := rpad(lpad(to_hex((extract(epoch FROM next_month) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
    folded bigint;
BEGIN
    LOCK TABLE page_views IN ACCESS EXCLUSIVE MODE;
    folded := (SELECT last_id FROM analytics_watermarks WHERE source = 'page_views');
    INSERT INTO page_views_other SELECT * FROM page_views WHERE view_key >= bound;
    UPDATE page_views_other SET id = -id WHERE id > folded;
    DELETE FROM page_views WHERE view_key >= bound;
    EXECUTE format('ALTER TABLE page_views ADD CONSTRAINT page_views_before_next_month CHECK (view_key < %L) NOT VALID', bound);
    EXECUTE format('CREATE TRIGGER page_views_divert BEFORE INSERT ON page_views
                    FOR EACH ROW WHEN (NEW.view_key >= %L) EXECUTE FUNCTION divert_page_view()', bound);
END
$$;
