-- The server runs as a role that owns nothing and cannot change or delete logs, the ledger and drawings (D53). What it must
-- do to them all the same, it does with functions that run as their owner. `tombola migrate` grants the role its rights:
-- crates/store-postgres/src/roles.rs.

-- Drawings take turns by a lock on this table. A lock on the log itself would need the right to change the log.
CREATE TABLE drawing_turns (
    nothing boolean CONSTRAINT drawing_turns_empty CHECK (false)
);
COMMENT ON TABLE drawing_turns IS 'Has no rows. Whoever writes to the log of drawings locks it until the transaction ends.';

ALTER FUNCTION set_drawing_status() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION set_drawing_drawn() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;

-- Erasing a person: what the append-only tables may lose. Triggers refuse any other change of them.
CREATE FUNCTION erase_winner_number(entrant bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE drawing_results SET winner_phone_number = NULL WHERE winner_id = entrant AND winner_phone_number IS NOT NULL
$$;
CREATE FUNCTION erase_claim_notes(entrant bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE winner_verification_events SET note = NULL
    WHERE note IS NOT NULL AND claim_id IN (SELECT id FROM winner_verification WHERE winner_id = entrant)
$$;
-- What staff wrote about the entrant, the appeals and the claims. Appeals are deleted before, so all entries about appeals
-- that are gone lose their notes.
CREATE FUNCTION erase_audit_notes(entrant bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE admin_audit_log SET details = details - ARRAY['reason', 'note', 'notes', 'tags']
    WHERE details ?| ARRAY['reason', 'note', 'notes', 'tags'] AND (
        action IN ('flag_user', 'unflag_user', 'edit_person', 'mark_duplicate', 'unmark_duplicate')
            AND target = entrant::text
        OR action = 'decide_appeal' AND NOT EXISTS (SELECT FROM flag_appeals WHERE flag_appeals.id::text = target)
        OR action IN ('approve_claim', 'reject_claim', 'deliver_prize', 'resend_claim', 'note_call', 'confirm_number',
                      'mark_unreachable')
            AND target IN (SELECT id::text FROM winner_verification WHERE winner_id = entrant)
    )
$$;

-- The months of page_views, which the servers make and drop. A month such as 2026_12; its keys are from first_key to end_key.
CREATE FUNCTION make_views_month(month text, first_key uuid, end_key uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    made text := 'page_views_' || month;
    reader regrole;
BEGIN
    IF month !~ '^[0-9]{4}_[0-9]{2}$' THEN
        RAISE EXCEPTION '% is no month', month USING ERRCODE = 'invalid_parameter_value';
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE page_views INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', made);
    EXECUTE format('ALTER TABLE public.%I ADD CONSTRAINT %I PRIMARY KEY (view_key)', made, made || '_pkey');
    EXECUTE format('CREATE INDEX %I ON public.%I (id)', made || '_id_idx', made);
    LOCK TABLE page_views_other IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('INSERT INTO public.%I SELECT * FROM page_views_other WHERE view_key >= $1 AND view_key < $2', made)
        USING first_key, end_key;
    DELETE FROM page_views_other WHERE view_key >= first_key AND view_key < end_key;
    EXECUTE format('ALTER TABLE page_views ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
                   made, first_key, end_key);
    -- Whoever uses the whole table uses the partition too.
    FOR reader IN
        SELECT DISTINCT acl.grantee::regrole FROM pg_class, aclexplode(relacl) AS acl
        WHERE pg_class.oid = 'page_views'::regclass AND acl.grantee NOT IN (0, relowner)
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON public.%I TO %s', made, reader);
    END LOOP;
END
$$;
CREATE FUNCTION drop_views_month(dropped text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'page_views'::regclass AND relname = dropped
            AND dropped ~ '^page_views_(before_)?[0-9]{4}_[0-9]{2}$'
    ) THEN
        RAISE EXCEPTION '% is no month of page_views', dropped USING ERRCODE = 'invalid_parameter_value';
    END IF;
    EXECUTE format('DROP TABLE public.%I', dropped);
END
$$;

REVOKE EXECUTE ON FUNCTION
    erase_winner_number(bigint), erase_claim_notes(bigint), erase_audit_notes(bigint),
    make_views_month(text, uuid, uuid), drop_views_month(text)
FROM PUBLIC;
