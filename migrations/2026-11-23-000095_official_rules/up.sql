-- The versions of the official rules (D48). Each counts from the beginning of a month on.

CREATE TABLE official_rules (
    version     bigint CONSTRAINT official_rules_pkey PRIMARY KEY
        CONSTRAINT official_rules_version_valid CHECK (version BETWEEN 1 AND 4294967295),
    from_period text NOT NULL CONSTRAINT official_rules_from_period_month CHECK (from_period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
    hash        bytea NOT NULL,
    text        text NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT official_rules_hash_of_text CHECK (hash = sha256(convert_to(text, 'UTF8')))
);

COMMENT ON TABLE official_rules IS 'Every version of the official rules, byte for byte';
COMMENT ON COLUMN official_rules.from_period IS
    'The first month for which it counts; the rules of a month are the highest version from that month or an earlier one';
COMMENT ON COLUMN official_rules.hash IS 'The SHA-256 of the text, which the announcements of drawings have';

CREATE TRIGGER official_rules_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON official_rules
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
