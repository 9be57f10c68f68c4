-- Erasing a person (D45). The id stays; whatever says who it was becomes null or is deleted.
--
-- Servers of the version before read the rows of erased persons as damaged. So erase nobody while they still run.

ALTER TABLE users ADD COLUMN erased_at timestamptz;
COMMENT ON COLUMN users.erased_at IS 'When the person was erased. The id stays for the ledger, the drawings and the logs.';
ALTER TABLE users ALTER COLUMN phone_number DROP NOT NULL;
-- The next migration validates them.
ALTER TABLE users
    ADD CONSTRAINT users_number_until_erased CHECK ((phone_number IS NULL) = (erased_at IS NOT NULL)) NOT VALID,
    ADD CONSTRAINT users_erased_whole CHECK (
        erased_at IS NULL
        OR num_nonnulls(ip_address, user_agent, fingerprint, sign_up_event_id, stripe_customer_id, person_salt,
                        flag_evidence) = 0
    ) NOT VALID;

ALTER TABLE referrals ALTER COLUMN referred_phone_number DROP NOT NULL;
ALTER TABLE sms_click_tracking ALTER COLUMN user_phone_number DROP NOT NULL;

-- A text that is being sent keeps its number until it is known what became of it. A trigger erases it then.
ALTER TABLE sms_sent_messages ADD COLUMN is_erased boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN sms_sent_messages.is_erased IS 'Its recipient was erased: its number and body go when it has ended.';
ALTER TABLE sms_sent_messages ALTER COLUMN phone_number DROP NOT NULL;
ALTER TABLE sms_sent_messages ADD CONSTRAINT sms_sent_messages_number_until_erased CHECK (
    (phone_number IS NULL) = (is_erased AND status NOT IN ('pending', 'sending', 'unknown'))
) NOT VALID;

CREATE FUNCTION erase_ended_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A provider may repeat the number in its reason.
    NEW.error_message := coalesce(replace(NEW.error_message, OLD.phone_number, 'the number'), NEW.error_message);
    NEW.phone_number := NULL;
    NEW.message_body := NULL;
    NEW.sealed_body := NULL;
    NEW.tracking_id := NULL;
    NEW.tracking_url := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER sms_sent_messages_erase BEFORE UPDATE OF status, is_erased ON sms_sent_messages
    FOR EACH ROW WHEN (NEW.is_erased AND NEW.status NOT IN ('pending', 'sending', 'unknown'))
    EXECUTE FUNCTION erase_ended_text();

-- Append-only rows may lose what is personal in them, and nothing else of them changes. The first trigger of each table
-- refuses statements that set any other column, the second one anything but erasing.

ALTER TABLE drawing_results ALTER COLUMN winner_phone_number DROP NOT NULL;
-- allow drop: the next statement replaces it
DROP TRIGGER drawing_results_append_only ON drawing_results;
CREATE TRIGGER drawing_results_append_only BEFORE UPDATE OF
    id, landing_page, winner_id, winner_index, total_participants, total_entries, winning_entry_number, drawing_method,
    commitment_id, merkle_root, random_seed, salt_key, verification_hash, idempotency_key, admin_session_id, created_at,
    scheme, beacon_signature, randomness
    OR DELETE OR TRUNCATE ON drawing_results
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_results_only_erased BEFORE UPDATE OF winner_phone_number ON drawing_results
    FOR EACH ROW WHEN (NEW.winner_phone_number IS NOT NULL) EXECUTE FUNCTION refuse_change();

-- allow drop: the next statement replaces it
DROP TRIGGER winner_verification_events_append_only ON winner_verification_events;
CREATE TRIGGER winner_verification_events_append_only
    BEFORE UPDATE OF id, claim_id, kind, session_id, created_at OR DELETE OR TRUNCATE ON winner_verification_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER winner_verification_events_only_erased BEFORE UPDATE OF note ON winner_verification_events
    FOR EACH ROW WHEN (NEW.note IS NOT NULL) EXECUTE FUNCTION refuse_change();

-- Of the audit log, what staff wrote about somebody.
-- allow drop: the next statement replaces it
DROP TRIGGER admin_audit_log_append_only ON admin_audit_log;
CREATE TRIGGER admin_audit_log_append_only
    BEFORE UPDATE OF id, session_id, action, target, ip_address, created_at OR DELETE OR TRUNCATE ON admin_audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER admin_audit_log_only_erased BEFORE UPDATE OF details ON admin_audit_log
    FOR EACH ROW WHEN (NEW.details IS DISTINCT FROM OLD.details - ARRAY['reason', 'note', 'notes', 'tags'])
    EXECUTE FUNCTION refuse_change();

-- What outlives an erasure, by an HMAC of the number. A STOP stays; the rest goes after 13 months.
CREATE TABLE erased_numbers (
    number_hmac  bytea NOT NULL CONSTRAINT erased_numbers_pkey PRIMARY KEY
        CONSTRAINT erased_numbers_hmac_length CHECK (length(number_hmac) = 32),
    opted_out_at timestamptz,
    is_flagged   boolean NOT NULL,
    was_credited boolean NOT NULL,
    counts       jsonb NOT NULL CONSTRAINT erased_numbers_counts_object CHECK (jsonb_typeof(counts) = 'object'),
    entries      jsonb NOT NULL CONSTRAINT erased_numbers_entries_object CHECK (jsonb_typeof(entries) = 'object'),
    expires_at   timestamptz NOT NULL
);
CREATE INDEX erased_numbers_expires_at_idx ON erased_numbers (expires_at);
COMMENT ON TABLE erased_numbers IS 'What the next entrant with the number of an erased one inherits.';
COMMENT ON COLUMN erased_numbers.opted_out_at IS 'When the number said STOP, if that stood';
COMMENT ON COLUMN erased_numbers.was_credited IS 'Whether somebody got an entry for the sign-up of this number';
COMMENT ON COLUMN erased_numbers.counts IS 'The campaign texts of each month, by its first day';
COMMENT ON COLUMN erased_numbers.entries IS 'The bought and free entries that count toward the cap of each month, by its first day';
COMMENT ON COLUMN erased_numbers.expires_at IS 'When all but the STOP is forgotten';

-- Counted by capped_entries, which a later migration makes.
CREATE TABLE inherited_entries (
    user_id bigint NOT NULL CONSTRAINT inherited_entries_user_id_fkey REFERENCES users (id),
    month   date NOT NULL,
    entries bigint NOT NULL,
    CONSTRAINT inherited_entries_pkey PRIMARY KEY (user_id, month)
);
COMMENT ON TABLE inherited_entries IS
    'The entries of an erased person with the same number that count toward the cap of an entrant in a month.';
