-- How far an entrant has come with sharing the link (D47). It grants no entries.

CREATE TABLE share_progress (
    user_id         bigint CONSTRAINT share_progress_pkey PRIMARY KEY
        CONSTRAINT share_progress_user_id_fkey REFERENCES users (id),
    email_shared_on date,
    sms_shared_on   date,
    total_shares    bigint NOT NULL CONSTRAINT share_progress_total_shares_positive CHECK (total_shares > 0),
    share_streak    bigint NOT NULL,
    longest_streak  bigint NOT NULL,
    xp              bigint NOT NULL CONSTRAINT share_progress_xp_positive CHECK (xp > 0),
    last_event_id   text,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT share_progress_shared CHECK (num_nonnulls(email_shared_on, sms_shared_on) > 0),
    CONSTRAINT share_progress_streaks CHECK (share_streak BETWEEN 1 AND longest_streak)
);
COMMENT ON TABLE share_progress IS 'How far entrants who shared their link have come.';
COMMENT ON COLUMN share_progress.email_shared_on IS 'The last date, by the calendar of the site.';
COMMENT ON COLUMN share_progress.share_streak IS 'The days in a row that end with the last share.';
COMMENT ON COLUMN share_progress.last_event_id IS 'The client''s id of the last share; a share that is sent again counts once.';
