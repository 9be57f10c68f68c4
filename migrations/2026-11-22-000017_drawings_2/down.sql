-- Fails, and changes nothing, if there are drawings that the version before cannot store.
DROP TRIGGER drawing_results_step ON drawing_results;
ALTER TABLE drawing_results DROP CONSTRAINT drawing_results_id_fkey;
ALTER TABLE drawing_chunks
    DROP CONSTRAINT drawing_chunks_drawing_id_fkey,
    ADD CONSTRAINT drawing_chunks_drawing_id_fkey FOREIGN KEY (drawing_id) REFERENCES drawing_results (id)
        DEFERRABLE INITIALLY DEFERRED;
DROP INDEX drawing_audit_logs_checkpoint_idx;
DROP INDEX drawing_audit_logs_void_idx;
DROP INDEX drawing_audit_logs_sealed_idx;
ALTER TABLE drawing_audit_logs
    DROP CONSTRAINT drawing_audit_logs_drawing_id_fkey,
    ADD CONSTRAINT drawing_audit_logs_drawing_id_fkey FOREIGN KEY (drawing_id) REFERENCES drawing_results (id)
        DEFERRABLE INITIALLY DEFERRED,
    DROP CONSTRAINT drawing_audit_logs_action_known,
    ADD CONSTRAINT drawing_audit_logs_action_known CHECK (action IN ('commitment_opened', 'drawing_performed'));
ALTER TABLE drawing_results
    DROP CONSTRAINT drawing_results_version_1,
    DROP CONSTRAINT drawing_results_version_2,
    ALTER COLUMN admin_session_id SET NOT NULL,
    ALTER COLUMN commitment_id SET NOT NULL,
    DROP COLUMN randomness,
    DROP COLUMN beacon_signature,
    DROP COLUMN scheme;
DROP TABLE raffle_prizes;
DROP TABLE retired_commitments;
DROP TABLE drawing_ranks;
DROP TABLE drawing_voids;
DROP TABLE drawing_seals;
DROP TABLE drawing_announcements;
DROP TABLE drawings;
DROP FUNCTION check_seal;
DROP FUNCTION set_drawing_drawn;
DROP FUNCTION set_drawing_status;
DROP FUNCTION check_announcement;
DROP FUNCTION check_drawing_step;
DROP FUNCTION check_new_drawing;
