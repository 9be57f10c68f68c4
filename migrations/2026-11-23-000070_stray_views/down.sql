DROP TRIGGER IF EXISTS page_views_divert ON page_views;
DROP FUNCTION IF EXISTS divert_page_view();
ALTER TABLE page_views DROP CONSTRAINT IF EXISTS page_views_before_next_month;
DO $$
BEGIN
    -- It is gone if the third step was taken and reverted.
    IF to_regclass('page_views_other') IS NOT NULL THEN
        INSERT INTO page_views OVERRIDING SYSTEM VALUE SELECT * FROM page_views_other;
        UPDATE page_views SET id = DEFAULT WHERE id < 0;
    END IF;
END
$$;
DROP TABLE IF EXISTS page_views_other;
