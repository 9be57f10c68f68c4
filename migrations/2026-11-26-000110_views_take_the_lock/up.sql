-- Each statement that adds views takes the advisory lock of writers (crates/store-postgres/src/append_lock.rs), so that a COPY needs
-- no transaction that takes it before.
CREATE FUNCTION take_append_lock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7266209184103);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION take_append_lock() IS 'Takes the advisory lock that everybody who appends events holds until the transaction ends';
CREATE TRIGGER page_views_append_lock BEFORE INSERT ON page_views
    FOR EACH STATEMENT EXECUTE FUNCTION take_append_lock();

-- Each session of the database draws a hundred ids at once. So a step may get a smaller id than one that was committed before it.
-- Folding marks each step that it has counted, and finds such a step the next time.
ALTER SEQUENCE conversion_funnel_id_seq CACHE 100;
