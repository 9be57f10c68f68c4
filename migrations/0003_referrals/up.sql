-- Referrals of friends, and how far entrants have come with sharing their link.

CREATE TABLE referrals (
    id                    bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT referrals_pkey PRIMARY KEY,
    referrer_id           bigint NOT NULL CONSTRAINT referrals_referrer_id_fkey REFERENCES users (id),
    referred_user_id      bigint NOT NULL CONSTRAINT referrals_referred_user_id_key UNIQUE
        CONSTRAINT referrals_referred_user_id_fkey REFERENCES users (id),
    referred_phone_number text,
    ip_address            inet,
    is_reversed           boolean NOT NULL DEFAULT false,
    reversals             bigint NOT NULL DEFAULT 0,
    referrer_moves        bigint NOT NULL DEFAULT 0,
    converted_at          timestamptz, -- when the friend first completed a purchase
    created_at            timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT referrals_not_oneself CHECK (referrer_id <> referred_user_id)
);

-- A flag takes back the entry that the flagged sign-up earned its referrer, and the end of the flag gives it back.
COMMENT ON COLUMN referrals.is_reversed IS 'whether the entry for this referral is taken back, because the friend is flagged';
COMMENT ON COLUMN referrals.reversals IS 'how often it was taken back';

COMMENT ON COLUMN referrals.referrer_moves IS
    'How often the referrer had moved to another raffle: after another move, the entry is out, and a flag changes none.';

CREATE INDEX referrals_referrer_id_idx ON referrals (referrer_id, id DESC);
-- Such rows are few, so they are counted on demand, without a roll-up.
CREATE INDEX referrals_converted_idx ON referrals (referrer_id) WHERE converted_at IS NOT NULL;

-- The numbers of clearings of referrals in the ledger.
CREATE SEQUENCE referral_clearings;

-- It grants no entries.
CREATE TABLE share_progress (
    user_id          bigint CONSTRAINT share_progress_pkey PRIMARY KEY
        CONSTRAINT share_progress_user_id_fkey REFERENCES users (id),
    email_shared_on  date,
    sms_shared_on    date,
    system_shared_on date,
    copy_shared_on   date,
    total_shares     bigint NOT NULL CONSTRAINT share_progress_total_shares_positive CHECK (total_shares > 0),
    share_streak     bigint NOT NULL,
    longest_streak   bigint NOT NULL,
    bonus_entries    bigint NOT NULL DEFAULT 0 CONSTRAINT share_progress_bonus_entries_none CHECK (bonus_entries = 0),
    level            bigint NOT NULL DEFAULT 1 CONSTRAINT share_progress_level_positive CHECK (level > 0),
    xp               bigint NOT NULL DEFAULT 0 CONSTRAINT share_progress_xp_positive CHECK (xp >= 0),
    last_event_id    text,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT share_progress_shared CHECK (
        num_nonnulls(email_shared_on, sms_shared_on, system_shared_on, copy_shared_on) > 0
    ),
    CONSTRAINT share_progress_streaks CHECK (share_streak BETWEEN 1 AND longest_streak)
);
COMMENT ON TABLE share_progress IS 'How far entrants who shared their link have come.';
COMMENT ON COLUMN share_progress.email_shared_on IS 'The last date, by the calendar of the site.';
COMMENT ON COLUMN share_progress.system_shared_on IS 'In the sheet of the system, which does not say where.';
COMMENT ON COLUMN share_progress.share_streak IS 'The days in a row that end with the last share.';
COMMENT ON COLUMN share_progress.bonus_entries IS 'Sharing grants no entries.';
COMMENT ON COLUMN share_progress.last_event_id IS 'The client''s id of the last share; a share that is sent again counts once.';
