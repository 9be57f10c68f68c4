-- Gives every entrant a number that counts up again: the former id, or the sequence number of those who came later.
--
-- Fails, and changes nothing, if a list of a drawing was frozen with random ids: nobody would have them any more.
DO $$
BEGIN
    IF EXISTS (
        SELECT FROM drawing_chunks
        WHERE NOT EXISTS (SELECT FROM users WHERE sequence_number = first_user_id)
    ) THEN
        RAISE EXCEPTION 'a list of a drawing has random ids';
    END IF;
END
$$;

SELECT pg_advisory_xact_lock(7266209184104);
SELECT pg_advisory_xact_lock(7266209184103);

DROP TRIGGER users_refuse_former_id ON users;
CREATE TEMP TABLE old_user_ids ON COMMIT DROP AS SELECT id AS user_id, sequence_number AS former_id FROM users;
ALTER TABLE old_user_ids ADD PRIMARY KEY (user_id);
ANALYZE old_user_ids;
DROP TABLE former_user_ids;

ALTER TABLE referrals
    DROP CONSTRAINT referrals_referrer_id_fkey,
    DROP CONSTRAINT referrals_referred_user_id_fkey;
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_user_id_fkey;
ALTER TABLE user_consent DROP CONSTRAINT user_consent_user_id_fkey;
ALTER TABLE social_shares DROP CONSTRAINT social_shares_user_id_fkey;
ALTER TABLE purchases DROP CONSTRAINT purchases_user_id_fkey;
ALTER TABLE sms_replies DROP CONSTRAINT sms_replies_user_id_fkey;
ALTER TABLE drawing_results DROP CONSTRAINT drawing_results_winner_id_fkey;
ALTER TABLE drawing_ranks DROP CONSTRAINT drawing_ranks_user_id_fkey;

ALTER TABLE users
    DROP CONSTRAINT users_id_52_bits,
    ALTER COLUMN id DROP DEFAULT;
DROP FUNCTION refuse_former_user_id();
DROP FUNCTION random_user_id();
DROP FUNCTION random_52_bits();
UPDATE users SET id = sequence_number;
ALTER TABLE users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('users', 'id'), coalesce(max(id), 0) + 1, false) FROM users;
DROP INDEX users_ip_address_idx;
ALTER TABLE users DROP COLUMN sequence_number;
CREATE INDEX users_ip_address_idx ON users (ip_address, id) WHERE ip_address IS NOT NULL;

ALTER TABLE entry_ledger DISABLE TRIGGER entry_ledger_append_only;
UPDATE entry_ledger
SET user_id = known.former_id,
    cause_id = CASE
        WHEN kind IN ('base', 'referral', 'referral_reversed', 'referral_restored')
            THEN (SELECT cause.former_id FROM old_user_ids AS cause WHERE cause.user_id = cause_id)
        ELSE cause_id
    END
FROM old_user_ids AS known
WHERE known.user_id = entry_ledger.user_id;
ALTER TABLE entry_ledger ENABLE TRIGGER entry_ledger_append_only;

ALTER TABLE drawing_results DISABLE TRIGGER drawing_results_append_only;
UPDATE drawing_results SET winner_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = winner_id;
ALTER TABLE drawing_results ENABLE TRIGGER drawing_results_append_only;

ALTER TABLE drawing_ranks DISABLE TRIGGER drawing_ranks_append_only;
UPDATE drawing_ranks SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = drawing_ranks.user_id;
ALTER TABLE drawing_ranks ENABLE TRIGGER drawing_ranks_append_only;

ALTER TABLE admin_audit_log DISABLE TRIGGER admin_audit_log_append_only;
UPDATE admin_audit_log
SET target = known.former_id::text, details = details - 'formerId'
FROM old_user_ids AS known
WHERE action IN ('flag_user', 'unflag_user') AND target = known.user_id::text;
ALTER TABLE admin_audit_log ENABLE TRIGGER admin_audit_log_append_only;

UPDATE referrals SET referrer_id = referrer.former_id, referred_user_id = friend.former_id
FROM old_user_ids AS referrer, old_user_ids AS friend
WHERE referrer.user_id = referrer_id AND friend.user_id = referred_user_id;
UPDATE user_consent SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = user_consent.user_id;
UPDATE social_shares SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = social_shares.user_id;
UPDATE conversion_funnel SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = conversion_funnel.user_id;
UPDATE purchases SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = purchases.user_id;
UPDATE sms_sent_messages SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = sms_sent_messages.user_id;
UPDATE sms_replies SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = sms_replies.user_id;
UPDATE sms_click_tracking SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = sms_click_tracking.user_id;
UPDATE analytics_referrers SET user_id = known.former_id FROM old_user_ids AS known WHERE known.user_id = analytics_referrers.user_id;

UPDATE analytics_watermarks AS users SET last_id = entrants.last_id, folded = entrants.folded
FROM analytics_watermarks AS entrants
WHERE users.source = 'users' AND entrants.source = 'entrants';
DELETE FROM analytics_watermarks WHERE source = 'entrants';

UPDATE clearing_jobs SET state = 'failed', error_code = 'busy', finished_at = clock_timestamp()
WHERE kind = 'clear_referrals' AND state = 'running' AND bound_id IS NOT NULL;

ALTER TABLE referrals
    ADD CONSTRAINT referrals_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users (id),
    ADD CONSTRAINT referrals_referred_user_id_fkey FOREIGN KEY (referred_user_id) REFERENCES users (id);
ALTER TABLE entry_ledger ADD CONSTRAINT entry_ledger_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE user_consent ADD CONSTRAINT user_consent_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE social_shares ADD CONSTRAINT social_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE purchases ADD CONSTRAINT purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE sms_replies ADD CONSTRAINT sms_replies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE drawing_results ADD CONSTRAINT drawing_results_winner_id_fkey FOREIGN KEY (winner_id) REFERENCES users (id);
ALTER TABLE drawing_ranks ADD CONSTRAINT drawing_ranks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id);
