-- Clearing data in the background: one row for each job that staff started.

CREATE TABLE clearing_jobs (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT clearing_jobs_pkey PRIMARY KEY,
    kind        text NOT NULL CONSTRAINT clearing_jobs_kind_known
        CHECK (kind IN ('clear_analytics', 'clear_referrals', 'clear_campaigns', 'clear_sms')),
    state       text NOT NULL DEFAULT 'running'
        CONSTRAINT clearing_jobs_state_known CHECK (state IN ('running', 'completed', 'failed')),
    session_id  bigint NOT NULL, -- no foreign key: sessions are deleted, jobs are kept
    ip_address  inet,
    total       jsonb, -- how much there was to delete, by name; null until it was counted
    deleted     jsonb NOT NULL DEFAULT '{}', -- how much has been deleted, by name
    bound_id    bigint,
    group_id    bigint,
    after_id    bigint,
    attempts    integer NOT NULL DEFAULT 0 CONSTRAINT clearing_jobs_attempts_positive CHECK (attempts >= 0),
    error_code  text CONSTRAINT clearing_jobs_error_code_known CHECK (error_code IN ('busy', 'store_failed')),
    started_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT clearing_jobs_finished_when CHECK ((state = 'running') = (finished_at IS NULL)),
    CONSTRAINT clearing_jobs_error_when CHECK ((state = 'failed') = (error_code IS NOT NULL)),
    CONSTRAINT clearing_jobs_position_whole CHECK (num_nulls(bound_id, group_id, after_id) IN (0, 3))
);

CREATE UNIQUE INDEX clearing_jobs_running_key ON clearing_jobs (kind) WHERE state = 'running';

COMMENT ON TABLE clearing_jobs IS 'Clearings of data. Each deletes in batches and writes how far it has come here, in the same transactions.';
COMMENT ON COLUMN clearing_jobs.session_id IS 'The staff session that started it, for the audit log';
COMMENT ON COLUMN clearing_jobs.bound_id IS
    'Nothing newer than this is deleted; null before deleting begins. clear_referrals: the last row of the ledger; texts: the last campaign';
COMMENT ON COLUMN clearing_jobs.group_id IS 'clear_referrals: the number of the clearing in the ledger; texts: the campaign of the last deleted text';
COMMENT ON COLUMN clearing_jobs.after_id IS 'clear_referrals: the last entrant whose entries were taken; texts: the last deleted text';
COMMENT ON COLUMN clearing_jobs.attempts IS 'Failed attempts since the last progress';
COMMENT ON COLUMN clearing_jobs.updated_at IS 'The last progress or attempt. A server that stops leaves this behind, and another one continues';
