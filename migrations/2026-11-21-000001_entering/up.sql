-- Entering: entrants, referrals, the ledger of entries, and consent.

CREATE TABLE users (
    id                 bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT users_pkey PRIMARY KEY,
    phone_number       text NOT NULL
        CONSTRAINT users_phone_number_e164 CHECK (phone_number ~ '^\+[0-9]{8,15}$'),
    referral_code      text NOT NULL
        CONSTRAINT users_referral_code_upper CHECK (referral_code = upper(referral_code) AND length(referral_code) = 8),
    landing_page       text NOT NULL DEFAULT 'garden-bag'
        CONSTRAINT users_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    base_entries       bigint NOT NULL DEFAULT 1 CONSTRAINT users_base_entries_positive CHECK (base_entries >= 0),
    bonus_entries      bigint NOT NULL DEFAULT 0 CONSTRAINT users_bonus_entries_positive CHECK (bonus_entries >= 0),
    paid_entries       bigint NOT NULL DEFAULT 0 CONSTRAINT users_paid_entries_positive CHECK (paid_entries >= 0),
    total_entries      bigint NOT NULL GENERATED ALWAYS AS (base_entries + bonus_entries + paid_entries) STORED,
    stripe_customer_id text,
    ip_address         inet,
    user_agent         text,
    fingerprint        text,
    sign_up_event_id   text,
    is_flagged         boolean NOT NULL DEFAULT false,
    created_at         timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_phone_number_key UNIQUE (phone_number),
    CONSTRAINT users_referral_code_key UNIQUE (referral_code)
) WITH (fillfactor = 90); -- room for heap-only updates of a popular referrer's counters

CREATE TABLE referrals (
    id                    bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT referrals_pkey PRIMARY KEY,
    referrer_id           bigint NOT NULL CONSTRAINT referrals_referrer_id_fkey REFERENCES users (id),
    referred_user_id      bigint NOT NULL CONSTRAINT referrals_referred_user_id_fkey REFERENCES users (id),
    referred_phone_number text NOT NULL,
    ip_address            inet,
    created_at            timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT referrals_referred_user_id_key UNIQUE (referred_user_id),
    CONSTRAINT referrals_not_oneself CHECK (referrer_id <> referred_user_id)
);

CREATE INDEX referrals_referrer_id_idx ON referrals (referrer_id, id DESC);

CREATE TABLE entry_ledger (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entry_ledger_pkey PRIMARY KEY,
    user_id    bigint NOT NULL CONSTRAINT entry_ledger_user_id_fkey REFERENCES users (id),
    kind       text NOT NULL CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral')),
    delta      bigint NOT NULL CONSTRAINT entry_ledger_delta_something CHECK (delta <> 0),
    cause_id   bigint NOT NULL, -- base: the entrant's id; referral: the friend's id
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT entry_ledger_cause_once UNIQUE (user_id, kind, cause_id)
);

COMMENT ON TABLE entry_ledger IS 'Append-only: the counters on users are its sums.';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER entry_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE user_consent (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT user_consent_pkey PRIMARY KEY,
    user_id      bigint NOT NULL CONSTRAINT user_consent_user_id_fkey REFERENCES users (id),
    consent_type text NOT NULL CONSTRAINT user_consent_type_known CHECK (consent_type IN ('sms_campaigns')),
    version      text NOT NULL, -- of the consent's wording
    act          text NOT NULL CONSTRAINT user_consent_act_known CHECK (act IN ('form', 'default')),
    granted      boolean NOT NULL,
    ip_address   inet,
    user_agent   text,
    granted_at   timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT user_consent_granted_when CHECK (granted = (granted_at IS NOT NULL))
);

CREATE INDEX user_consent_user_id_idx ON user_consent (user_id, consent_type, id DESC);
