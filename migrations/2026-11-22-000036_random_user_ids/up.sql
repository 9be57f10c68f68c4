-- Random ids for entrants (D35): ids that count up let anybody find every entrant.
--
-- Every entrant gets a new id. former_user_ids keeps the old one, because frozen lists of drawings and payments at the
-- provider name it. Links that end in an old id stop working, except in the browser that entered: its token names that id.
--
-- All rows that name an entrant change in this one transaction, which keeps every other transaction off these tables: about
-- a minute for a million entrants (docs/operations.md, Upgrading). Rows are updated, and tables are not rewritten, because a
-- transaction whose snapshot is older than a rewrite sees an empty table: a checkpoint of the ledger would record that.
--
-- Servers of the version before hold ids in memory for one request only, and go on: whoever inserts an entrant without an id
-- gets a random one.

-- From here on nobody folds, clears, adds to the ledger or draws (append_lock.rs, drawings.rs).
SELECT pg_advisory_xact_lock(7266209184104);
SELECT pg_advisory_xact_lock(7266209184103);
LOCK TABLE drawing_audit_logs IN ACCESS EXCLUSIVE MODE;
LOCK TABLE users, referrals, entry_ledger, user_consent, social_shares, conversion_funnel, purchases, sms_sent_messages,
    sms_replies, sms_click_tracking, drawing_results, drawing_ranks, analytics_watermarks, analytics_referrers,
    admin_audit_log, clearing_jobs IN ACCESS EXCLUSIVE MODE;
SET LOCAL work_mem = '128MB';
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL jit = off;

-- The first digit and the last twelve of a random UUID are random; version and variant are among the others.
CREATE FUNCTION random_52_bits() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(uuid, 1) || right(uuid, 12))::bit(52)::bigint
    FROM (SELECT gen_random_uuid()::text AS uuid) AS random
$$;

CREATE TABLE former_user_ids (
    former_id bigint CONSTRAINT former_user_ids_pkey PRIMARY KEY,
    user_id   bigint NOT NULL CONSTRAINT former_user_ids_user_id_key UNIQUE
);
COMMENT ON TABLE former_user_ids IS
    'The ids that entrants had before ids became random. Lists of drawings, payments and tokens of that time name them.';

-- Draws again what is taken. No new id is anybody's former id.
DO $$
BEGIN
    WHILE EXISTS (SELECT FROM users WHERE NOT EXISTS (SELECT FROM former_user_ids WHERE former_id = users.id)) LOOP
        INSERT INTO former_user_ids (former_id, user_id)
        SELECT id, drawn
        FROM (
            SELECT id, random_52_bits() AS drawn
            FROM users
            WHERE NOT EXISTS (SELECT FROM former_user_ids WHERE former_id = users.id)
            OFFSET 0
        ) AS candidate
        WHERE drawn > 0 AND NOT EXISTS (SELECT FROM users WHERE users.id = drawn)
        ON CONFLICT DO NOTHING;
    END LOOP;
END
$$;
ANALYZE former_user_ids;

-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE referrals
    DROP CONSTRAINT referrals_referrer_id_fkey,
    DROP CONSTRAINT referrals_referred_user_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_user_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE user_consent DROP CONSTRAINT user_consent_user_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE social_shares DROP CONSTRAINT social_shares_user_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE purchases DROP CONSTRAINT purchases_user_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE sms_replies DROP CONSTRAINT sms_replies_user_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE drawing_results DROP CONSTRAINT drawing_results_winner_id_fkey;
-- allow drop: added again below; nobody uses the tables meanwhile
ALTER TABLE drawing_ranks DROP CONSTRAINT drawing_ranks_user_id_fkey;

-- The order in which entrants came, for roll-ups, which fold new rows. No answer shows it.
ALTER TABLE users ADD COLUMN sequence_number bigint;
COMMENT ON COLUMN users.sequence_number IS 'Grows with each entrant, with gaps. It is never shown: it can be counted.';
ALTER TABLE users ALTER COLUMN id DROP IDENTITY;
-- allow drop: added again below, with the new order
DROP INDEX users_ip_address_idx;
-- allow data: nobody uses the table meanwhile
UPDATE users SET id = known.user_id, sequence_number = known.former_id
FROM former_user_ids AS known
WHERE known.former_id = users.id;

CREATE SEQUENCE users_sequence_number_seq OWNED BY users.sequence_number;
SELECT setval(
    'users_sequence_number_seq',
    1 + greatest((SELECT max(sequence_number) FROM users),
                 (SELECT last_id FROM analytics_watermarks WHERE source = 'users'), 0),
    false
);
-- allow not-null: filled above; nobody uses the table meanwhile
ALTER TABLE users
    ALTER COLUMN sequence_number SET DEFAULT nextval('users_sequence_number_seq'),
    ALTER COLUMN sequence_number SET NOT NULL;
-- allow constraint: nobody uses the table meanwhile
ALTER TABLE users
    ADD CONSTRAINT users_sequence_number_key UNIQUE (sequence_number),
    ADD CONSTRAINT users_id_52_bits CHECK (id BETWEEN 1 AND 4503599627370495);
-- allow index: nobody uses the table meanwhile
CREATE INDEX users_ip_address_idx ON users (ip_address, sequence_number) WHERE ip_address IS NOT NULL;

-- For whoever inserts a row without an id: servers of the version before, and SQL scripts.
CREATE FUNCTION random_user_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    drawn bigint;
BEGIN
    LOOP
        drawn := random_52_bits();
        EXIT WHEN drawn > 0 AND NOT EXISTS (SELECT FROM users WHERE id = drawn)
            AND NOT EXISTS (SELECT FROM former_user_ids WHERE former_id = drawn);
    END LOOP;
    RETURN drawn;
END
$$;
ALTER TABLE users ALTER COLUMN id SET DEFAULT random_user_id();

-- A former id counts as taken: it would stand for two entrants.
CREATE FUNCTION refuse_former_user_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM former_user_ids WHERE former_id = NEW.id) THEN
        RAISE EXCEPTION 'another entrant had the id %', NEW.id
            USING ERRCODE = 'unique_violation', CONSTRAINT = 'users_pkey';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER users_refuse_former_id BEFORE INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION refuse_former_user_id();

-- Ledger, audit log and drawings are append-only; their triggers are off until the rows are changed.
ALTER TABLE entry_ledger DISABLE TRIGGER entry_ledger_append_only;
-- allow data: nobody uses the table meanwhile
UPDATE entry_ledger
SET user_id = known.user_id,
    cause_id = CASE
        WHEN kind IN ('base', 'referral', 'referral_reversed', 'referral_restored')
            THEN (SELECT cause.user_id FROM former_user_ids AS cause WHERE cause.former_id = cause_id)
        ELSE cause_id
    END
FROM former_user_ids AS known
WHERE known.former_id = entry_ledger.user_id;
ALTER TABLE entry_ledger ENABLE TRIGGER entry_ledger_append_only;

ALTER TABLE drawing_results DISABLE TRIGGER drawing_results_append_only;
-- allow data: nobody uses the table meanwhile
UPDATE drawing_results SET winner_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = winner_id;
ALTER TABLE drawing_results ENABLE TRIGGER drawing_results_append_only;

ALTER TABLE drawing_ranks DISABLE TRIGGER drawing_ranks_append_only;
-- allow data: nobody uses the table meanwhile
UPDATE drawing_ranks SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = drawing_ranks.user_id;
ALTER TABLE drawing_ranks ENABLE TRIGGER drawing_ranks_append_only;

-- What staff did to an entrant stays findable by the entrant; the details keep the id that the log had.
ALTER TABLE admin_audit_log DISABLE TRIGGER admin_audit_log_append_only;
-- allow data: nobody uses the table meanwhile
UPDATE admin_audit_log
SET target = known.user_id::text, details = details || jsonb_build_object('formerId', known.former_id)
FROM former_user_ids AS known
WHERE action IN ('flag_user', 'unflag_user') AND target = known.former_id::text;
ALTER TABLE admin_audit_log ENABLE TRIGGER admin_audit_log_append_only;

-- allow data: nobody uses the table meanwhile
UPDATE referrals SET referrer_id = referrer.user_id, referred_user_id = friend.user_id
FROM former_user_ids AS referrer, former_user_ids AS friend
WHERE referrer.former_id = referrer_id AND friend.former_id = referred_user_id;
-- allow data: nobody uses the table meanwhile
UPDATE user_consent SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = user_consent.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE social_shares SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = social_shares.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE conversion_funnel SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = conversion_funnel.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE purchases SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = purchases.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE sms_sent_messages SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = sms_sent_messages.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE sms_replies SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = sms_replies.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE sms_click_tracking SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = sms_click_tracking.user_id;
-- allow data: nobody uses the table meanwhile
UPDATE analytics_referrers SET user_id = known.user_id
FROM former_user_ids AS known
WHERE known.former_id = analytics_referrers.user_id;

-- Entrants are folded by their sequence number from here on. Servers of the version before fold by id: they find nothing new.
INSERT INTO analytics_watermarks (source, last_id, folded)
SELECT 'entrants', last_id, folded FROM analytics_watermarks WHERE source = 'users';
-- allow data: one row, and nobody folds meanwhile
UPDATE analytics_watermarks SET last_id = 9223372036854775807, folded = 0 WHERE source = 'users';

-- A clearing of referrals goes through the entrants by their ids and cannot go on. Staff may start it again: what is left is
-- taken then. Its end is recorded as the program records it.
WITH ended AS (
    UPDATE clearing_jobs
    SET state = 'failed', error_code = 'busy', updated_at = clock_timestamp(), finished_at = clock_timestamp()
    WHERE kind = 'clear_referrals' AND state = 'running' AND bound_id IS NOT NULL
    RETURNING session_id, deleted, ip_address, finished_at
)
INSERT INTO admin_audit_log (session_id, action, details, ip_address, created_at)
SELECT session_id, 'clear_referrals', deleted || '{"error": "busy"}', ip_address, finished_at FROM ended;

-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE referrals
    ADD CONSTRAINT referrals_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users (id),
    ADD CONSTRAINT referrals_referred_user_id_fkey FOREIGN KEY (referred_user_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE entry_ledger ADD CONSTRAINT entry_ledger_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE user_consent ADD CONSTRAINT user_consent_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE social_shares ADD CONSTRAINT social_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE purchases ADD CONSTRAINT purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE sms_replies ADD CONSTRAINT sms_replies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE drawing_results ADD CONSTRAINT drawing_results_winner_id_fkey FOREIGN KEY (winner_id) REFERENCES users (id);
-- allow constraint: nobody uses the tables meanwhile
ALTER TABLE drawing_ranks ADD CONSTRAINT drawing_ranks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE former_user_ids
    ADD CONSTRAINT former_user_ids_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
CREATE TRIGGER former_user_ids_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON former_user_ids
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
