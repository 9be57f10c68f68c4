-- Fraud detection counts accounts by network instead of by address: an IPv6 network is its /64 (D36). Flags keep their
-- evidence, and staff list networks that many people share.
-- Servers of the version before go on with analytics_addresses, which this version still folds. A later migration drops it.

CREATE FUNCTION network_of(address inet) RETURNS cidr LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE family(address) WHEN 4 THEN network(address) ELSE network(set_masklen(address, 64)) END
$$;
COMMENT ON FUNCTION network_of IS 'What one subscriber has: an IPv4 address, or the /64 of an IPv6 address.';

CREATE TABLE analytics_networks (
    network  cidr CONSTRAINT analytics_networks_pkey PRIMARY KEY,
    accounts bigint NOT NULL DEFAULT 0,
    checked  bigint NOT NULL DEFAULT 0 -- the number of accounts when fraud detection last ran
) WITH (fillfactor = 80);

CREATE INDEX analytics_networks_accounts_idx ON analytics_networks (accounts DESC, network) WHERE accounts > 1;
CREATE INDEX analytics_networks_unchecked_idx ON analytics_networks (accounts) WHERE accounts > checked AND accounts > 1;

-- Entrants are folded into networks with a position of their own, from the first one on: servers of the version before
-- move the position of users, but do not know networks.
INSERT INTO analytics_watermarks (source) VALUES ('networks');

CREATE TABLE shared_networks (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT shared_networks_pkey PRIMARY KEY,
    network    cidr NOT NULL
        CONSTRAINT shared_networks_narrow CHECK (masklen(network) >= CASE family(network) WHEN 4 THEN 20 ELSE 40 END),
    label      text NOT NULL CONSTRAINT shared_networks_label_short CHECK (length(label) BETWEEN 1 AND 80),
    created_at timestamptz NOT NULL,
    CONSTRAINT shared_networks_network_key UNIQUE (network)
);
COMMENT ON TABLE shared_networks IS 'Networks whose accounts are not flagged only because there are many, such as those of a school.';

ALTER TABLE users
    ADD COLUMN flag_evidence jsonb,
    ADD CONSTRAINT users_flag_evidence_list CHECK (jsonb_typeof(flag_evidence) = 'array') NOT VALID;
COMMENT ON COLUMN users.flag_evidence IS 'What fraud detection found; null without a flag and for a flag of staff.';

-- For servers of the version before, which do not know the column when they remove a flag.
CREATE FUNCTION drop_flag_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.flag_evidence := NULL;
    RETURN NEW;
END
$$;

CREATE TRIGGER users_drop_flag_evidence BEFORE UPDATE ON users
    FOR EACH ROW WHEN (NOT NEW.is_flagged AND NEW.flag_evidence IS NOT NULL) EXECUTE FUNCTION drop_flag_evidence();
