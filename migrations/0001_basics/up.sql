-- What the tables of all domains share.

CREATE TABLE schema_version (
    is_only boolean NOT NULL DEFAULT true CONSTRAINT schema_version_pkey PRIMARY KEY
        CONSTRAINT schema_version_one_row CHECK (is_only),
    sha256  text NOT NULL CONSTRAINT schema_version_sha256 CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
COMMENT ON TABLE schema_version IS 'The build that made this database (`migrations.rs` of store-postgres).';
COMMENT ON COLUMN schema_version.sha256 IS 'The SHA-256 of all migrations of that build';

-- For tables that are append-only. The server's role cannot change them either (`roles.rs` of store-postgres).
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
