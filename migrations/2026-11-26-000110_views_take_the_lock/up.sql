-- A statement that adds views takes the advisory lock of writers by itself (crates/store-postgres/src/append_lock.rs), so that a COPY
-- needs no transaction around it.
CREATE FUNCTION take_append_lock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7266209184103);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION take_append_lock() IS 'Takes the advisory lock that everybody who appends events holds until the transaction ends';
CREATE TRIGGER page_views_append_lock BEFORE INSERT ON page_views
    FOR EACH STATEMENT EXECUTE FUNCTION take_append_lock();

-- Folding marks steps one by one and looks at no last id of them, so these numbers need not follow the order of commits.
ALTER SEQUENCE conversion_funnel_id_seq CACHE 100;
