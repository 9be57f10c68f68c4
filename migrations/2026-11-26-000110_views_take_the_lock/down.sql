ALTER SEQUENCE conversion_funnel_id_seq CACHE 1;
DROP TRIGGER page_views_append_lock ON page_views;
DROP FUNCTION take_append_lock();
