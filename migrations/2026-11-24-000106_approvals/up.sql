-- What one member of staff proposes and another one approves (D52).

CREATE TABLE staff_approvals (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT staff_approvals_pkey PRIMARY KEY,
    kind        text NOT NULL CONSTRAINT staff_approvals_kind_known CHECK (kind IN (
        'invite_member', 'change_member', 'reinvite_member', 'clear_analytics', 'clear_referrals', 'clear_campaigns',
        'clear_sms', 'save_credentials', 'show_packages', 'reject_claim', 'erase_winner', 'perform_drawing'
    )),
    target      text,
    summary     text NOT NULL,
    arguments   jsonb NOT NULL CONSTRAINT staff_approvals_arguments_array CHECK (jsonb_typeof(arguments) = 'array'),
    note        text,
    sealed      bytea,
    proposed_by bigint NOT NULL CONSTRAINT staff_approvals_proposed_by_fkey REFERENCES staff_members (id),
    proposed_at timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    status      text NOT NULL DEFAULT 'open'
        CONSTRAINT staff_approvals_status_known CHECK (status IN ('open', 'approved', 'rejected', 'failed')),
    decided_by  bigint CONSTRAINT staff_approvals_decided_by_fkey REFERENCES staff_members (id),
    decided_at  timestamptz,
    error       text,
    CONSTRAINT staff_approvals_decided_whole CHECK ((status = 'open') = (decided_at IS NULL)),
    CONSTRAINT staff_approvals_open_has_no_decision CHECK (status <> 'open' OR num_nonnulls(decided_by, error) = 0),
    CONSTRAINT staff_approvals_secrets_of_open CHECK (status = 'open' OR sealed IS NULL)
);
COMMENT ON TABLE staff_approvals IS 'Proposals, and what became of them. None is ever deleted.';
COMMENT ON COLUMN staff_approvals.arguments IS 'The exact arguments of the call, as [name, value] in their order, without secrets and the note';
COMMENT ON COLUMN staff_approvals.note IS 'What staff write to a winner; null after the person was erased';
COMMENT ON COLUMN staff_approvals.sealed IS 'Encrypted secrets among the arguments, until the decision';
COMMENT ON COLUMN staff_approvals.decided_by IS 'Null also for the operator, who approved it on the server';
CREATE INDEX staff_approvals_open_idx ON staff_approvals (expires_at) WHERE status = 'open';

-- What was proposed stays as it was, and a decision stands. Only the note may be erased afterwards.
CREATE FUNCTION keep_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'proposals and decisions are kept as they are';
END
$$;
CREATE TRIGGER staff_approvals_proposed BEFORE UPDATE OF
    id, kind, target, summary, arguments, proposed_by, proposed_at, expires_at OR DELETE OR TRUNCATE ON staff_approvals
    FOR EACH STATEMENT EXECUTE FUNCTION keep_proposal();
CREATE TRIGGER staff_approvals_decided BEFORE UPDATE OF status, decided_by, decided_at, error, sealed ON staff_approvals
    FOR EACH ROW WHEN (OLD.status <> 'open') EXECUTE FUNCTION keep_proposal();

-- Whether two people rejected a claim is public (D41).
ALTER TABLE winner_verification ADD COLUMN rejected_by_two boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN winner_verification.rejected_by_two IS 'Whether somebody else approved the rejection';
