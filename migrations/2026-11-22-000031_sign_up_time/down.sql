CREATE OR REPLACE FUNCTION set_ledger_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.created_at := clock_timestamp();
    RETURN NEW;
END
$$;
