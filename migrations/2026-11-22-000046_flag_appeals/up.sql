-- Entrants whom fraud detection or staff flagged may say why they should not be (D36).

CREATE TABLE flag_appeals (
    id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT flag_appeals_pkey PRIMARY KEY,
    user_id       bigint NOT NULL CONSTRAINT flag_appeals_user_id_fkey REFERENCES users (id),
    message       text NOT NULL CONSTRAINT flag_appeals_message_bounded CHECK (length(message) BETWEEN 10 AND 500),
    status        text NOT NULL DEFAULT 'open'
        CONSTRAINT flag_appeals_status_known CHECK (status IN ('open', 'accepted', 'rejected')),
    note          text CONSTRAINT flag_appeals_note_bounded CHECK (length(note) BETWEEN 1 AND 500),
    flag_reason   text NOT NULL, -- of the flag at the time of the appeal, like the next two
    flag_evidence jsonb CONSTRAINT flag_appeals_flag_evidence_list CHECK (jsonb_typeof(flag_evidence) = 'array'),
    flagged_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL,
    decided_at    timestamptz,
    CONSTRAINT flag_appeals_decided_when CHECK ((status = 'open') = (decided_at IS NULL)),
    CONSTRAINT flag_appeals_note_of_decision CHECK (note IS NULL OR status <> 'open')
);
COMMENT ON COLUMN flag_appeals.note IS 'What staff answer; the entrant reads it.';

CREATE UNIQUE INDEX flag_appeals_one_open ON flag_appeals (user_id) WHERE status = 'open';
CREATE INDEX flag_appeals_user_id_idx ON flag_appeals (user_id, id DESC);
CREATE INDEX flag_appeals_decided_at_idx ON flag_appeals (decided_at DESC, id DESC) WHERE status <> 'open';

-- All rows have been null until now.
ALTER TABLE users VALIDATE CONSTRAINT users_flag_evidence_list;
