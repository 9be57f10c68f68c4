-- A sign-up writes the friend's entry, and then the referrer's entry for it. Both rows get one time, so that a cut-off
-- between the two statements does not split a sign-up. This is still a time at which the transaction held the lock: only
-- a row that the same transaction wrote is looked at.
CREATE OR REPLACE FUNCTION set_ledger_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.created_at := NULL;
    IF NEW.kind = 'referral' THEN
        SELECT created_at INTO NEW.created_at
        FROM entry_ledger
        WHERE user_id = NEW.cause_id AND kind = 'base' AND xmin = pg_current_xact_id()::xid;
    END IF;
    NEW.created_at := coalesce(NEW.created_at, clock_timestamp());
    RETURN NEW;
END
$$;
