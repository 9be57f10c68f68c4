-- Raffles, their entrants, the ledger of entries, and what entrants consented to.

-- ---- raffles ----

CREATE TABLE raffles (
    number        bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT raffles_pkey PRIMARY KEY,
    key           text NOT NULL CONSTRAINT raffles_key_key UNIQUE CONSTRAINT raffles_key_spelled
        CHECK (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(key) BETWEEN 3 AND 40),
    position      bigint NOT NULL,
    is_default    boolean NOT NULL DEFAULT false,
    link_prefix   text CONSTRAINT raffles_link_prefix_word CHECK (link_prefix ~ '^[a-qs-z][a-z]*$'), -- not r and a number
    link_words    text[] NOT NULL DEFAULT '{}',
    tracking_name text,
    tracking_page json,
    share_heading text,
    masks_numbers boolean NOT NULL DEFAULT false,
    waits_for_user boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE raffles IS 'All raffles. Nothing writes the columns with which the first four differ from all others.';
COMMENT ON COLUMN raffles.number IS 'Is used once, also when the raffle is deleted.';
COMMENT ON COLUMN raffles.position IS 'The order in which they are shown';
COMMENT ON COLUMN raffles.is_default IS 'Whoever names no raffle enters this one while it is open.';
COMMENT ON COLUMN raffles.link_prefix IS 'How the ids of links in texts begin, before a dash; null: r and the number';
COMMENT ON COLUMN raffles.link_words IS 'Ids in addresses with one of these words in them show this raffle.';
COMMENT ON COLUMN raffles.tracking_name IS
    'The name under which views of the page behind links in texts are counted; null: planter- and the key';
COMMENT ON COLUMN raffles.tracking_page IS 'What the page behind links in texts shows; null: the kit and the next drawing';
COMMENT ON COLUMN raffles.share_heading IS 'The heading over the ways to share; null: the usual one';
COMMENT ON COLUMN raffles.masks_numbers IS 'Whether the success page masks the numbers of friends that the server sends in full';
COMMENT ON COLUMN raffles.waits_for_user IS 'Whether the success page shows nothing before the figures are there';

CREATE UNIQUE INDEX raffles_is_default_key ON raffles (is_default) WHERE is_default;

CREATE TABLE raffle_openings (
    landing_page text NOT NULL CONSTRAINT raffle_openings_landing_page_fkey REFERENCES raffles (key),
    opens_at     timestamptz NOT NULL,
    closes_at    timestamptz CONSTRAINT raffle_openings_closes_at_later CHECK (closes_at > opens_at),
    CONSTRAINT raffle_openings_pkey PRIMARY KEY (landing_page, opens_at)
);
COMMENT ON TABLE raffle_openings IS 'The times in which raffles were, are or will be open. What has begun stays.';

-- What was open stays so, and what was closed stays closed. Only what is to come changes.
CREATE FUNCTION keep_openings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.opens_at > clock_timestamp() THEN
            RETURN OLD;
        END IF;
    ELSIF (OLD.opens_at > clock_timestamp() OR NEW.opens_at = OLD.opens_at)
        AND (OLD.closes_at IS NULL OR OLD.closes_at > clock_timestamp())
        AND NEW.landing_page = OLD.landing_page
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a raffle was open then' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER raffle_openings_kept BEFORE UPDATE OR DELETE ON raffle_openings
    FOR EACH ROW EXECUTE FUNCTION keep_openings();

CREATE TABLE raffle_versions (
    landing_page     text NOT NULL CONSTRAINT raffle_versions_landing_page_fkey REFERENCES raffles (key),
    number           bigint NOT NULL CONSTRAINT raffle_versions_number_positive CHECK (number > 0),
    content          text NOT NULL,
    hash             bytea NOT NULL,
    published_at     timestamptz NOT NULL,
    published_by     text,
    takes_effect_at  timestamptz NOT NULL,
    CONSTRAINT raffle_versions_pkey PRIMARY KEY (landing_page, number),
    CONSTRAINT raffle_versions_hash_of_content CHECK (hash = sha256(convert_to(content, 'UTF8'))),
    CONSTRAINT raffle_versions_takes_effect_later CHECK (takes_effect_at >= published_at)
);
COMMENT ON TABLE raffle_versions IS
    'What pages, rules and drawings say of a raffle: of the versions that take effect by then, the highest number counts.';
COMMENT ON COLUMN raffle_versions.content IS 'JSON, byte for byte as it was published';
COMMENT ON COLUMN raffle_versions.hash IS 'The SHA-256 of the content, which the announcements of drawings have';
COMMENT ON COLUMN raffle_versions.published_by IS 'The name of the member of staff';

CREATE TRIGGER raffle_versions_append_only BEFORE UPDATE OR TRUNCATE ON raffle_versions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The versions of a raffle that was never open are deleted with it.
CREATE FUNCTION keep_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM raffle_openings WHERE landing_page = OLD.landing_page) THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END
$$;
CREATE TRIGGER raffle_versions_kept BEFORE DELETE ON raffle_versions
    FOR EACH ROW EXECUTE FUNCTION keep_versions();

CREATE TABLE raffle_drafts (
    landing_page text CONSTRAINT raffle_drafts_pkey PRIMARY KEY
        CONSTRAINT raffle_drafts_landing_page_fkey REFERENCES raffles (key),
    revision     bigint NOT NULL CONSTRAINT raffle_drafts_revision_positive CHECK (revision > 0),
    content      text NOT NULL,
    saved_at     timestamptz NOT NULL,
    saved_by     text
);
COMMENT ON TABLE raffle_drafts IS 'What staff write of a raffle before they publish it';
COMMENT ON COLUMN raffle_drafts.revision IS 'Counts up with each change';
COMMENT ON COLUMN raffle_drafts.content IS 'JSON, which may be incomplete';
COMMENT ON COLUMN raffle_drafts.saved_by IS 'The name of the member of staff';

-- Deletes a raffle that was never open, with its draft and versions, unless something names it. The function runs as the
-- owner of the tables: the server's role cannot delete versions.
CREATE FUNCTION delete_raffle(deleted text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM raffle_openings WHERE landing_page = deleted) THEN
        RETURN false;
    END IF;
    DELETE FROM raffle_drafts WHERE landing_page = deleted;
    DELETE FROM raffle_versions WHERE landing_page = deleted;
    DELETE FROM raffles WHERE key = deleted;
    RETURN true;
EXCEPTION WHEN foreign_key_violation THEN
    RETURN false;
END
$$;
REVOKE EXECUTE ON FUNCTION delete_raffle(text) FROM PUBLIC;

CREATE FUNCTION list_raffles() RETURNS TABLE (
    number bigint, key text, is_default boolean, link_prefix text, link_words text[], tracking_name text,
    opens_at timestamptz[], closes_at timestamptz[]
) LANGUAGE sql STABLE AS $$
    SELECT raffle.number, raffle.key, raffle.is_default, raffle.link_prefix, raffle.link_words, raffle.tracking_name,
           coalesce(opening.opens_at, '{}'), coalesce(opening.closes_at, '{}')
    FROM raffles AS raffle
    LEFT JOIN ( -- once for all of them: each sign-up asks
        SELECT landing_page, array_agg(opens_at ORDER BY opens_at) AS opens_at,
               array_agg(closes_at ORDER BY opens_at) AS closes_at
        FROM raffle_openings GROUP BY landing_page
    ) AS opening ON opening.landing_page = raffle.key
    ORDER BY raffle.position, raffle.number
$$;

-- The raffles, none of which opens or closes until the transaction ends, and the moment since when. Whoever opens or closes
-- one holds them alone. A lock of rows would let them wait for as long as others come; and a statement that
-- takes the lock by itself would see the raffles as they were before it waited.
CREATE FUNCTION hold_raffles(alone boolean) RETURNS TABLE (
    since timestamptz, number bigint, key text, is_default boolean, link_prefix text, link_words text[], tracking_name text,
    opens_at timestamptz[], closes_at timestamptz[]
) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF alone THEN
        PERFORM pg_advisory_xact_lock(7266209184105);
    ELSE
        PERFORM pg_advisory_xact_lock_shared(7266209184105);
    END IF;
    RETURN QUERY SELECT clock_timestamp(), raffle.* FROM list_raffles() AS raffle;
END
$$;

-- The first four. They are open since before anybody could enter.
INSERT INTO raffles (
    key, position, is_default, link_prefix, link_words, tracking_name, share_heading, masks_numbers, waits_for_user,
    tracking_page
) VALUES
    ('garden-bag', 1, true, 'garden', '{garden}', 'planter-garden', 'Double Your Chances!', true, false,
     $page${"thanks":"Thank you for growing with us","name":"Garden Package","description":"Everything for your first garden bed and a long season of growing, delivered to your door.","prizes":[{"item":"Greenhouse kit","detail":"Six by four feet, aluminum frame","valueInCents":45000},{"item":"Raised bed","detail":"Eight by four feet, untreated cedar","valueInCents":32000},{"item":"Tool set","detail":"Spade, fork, rake and hoe, ash handles","valueInCents":24500},{"item":"Garden cart","detail":"Six cubic feet, two wheels, tips to unload","valueInCents":18000},{"item":"Compost tumbler","detail":"Two chambers, 43 gallons","valueInCents":16000},{"item":"Drip irrigation","detail":"For four beds, with a timer","valueInCents":14000},{"item":"Seeds and bulbs","detail":"Vegetables, herbs and flowers for a year","valueInCents":9500},{"item":"Soil","detail":"One cubic yard of soil and compost, delivered","valueInCents":8500},{"item":"Gloves, kneeler and hat","detail":"Leather palms, thick foam, wide brim","valueInCents":6000}],"totalValue":"$1,735","drawing":{"day":"12-31","words":"December 31st"}}$page$),
    ('fresh-sips', 2, false, 'fresh', '{fresh,sips}', NULL, NULL, false, false,
     $page${"thanks":"Thank you for raising a glass with us","name":"Fresh Sips Package","description":"A whole bar for your home, from the cart to the cordials, without a drop of alcohol in it.","prizes":[{"item":"Ice maker","detail":"Clear cubes, 26 pounds a day, for the counter","valueInCents":42000},{"item":"Bar cart","detail":"Steel and walnut, two shelves","valueInCents":31000},{"item":"Juicer","detail":"Cold press, whole fruit","valueInCents":26500},{"item":"Glasses","detail":"Six coupes, six highballs, six tumblers","valueInCents":21600},{"item":"Copper bar set","detail":"Shaker, jigger, strainers, spoon and press","valueInCents":14800},{"item":"Cordials and syrups","detail":"Twelve bottles, no alcohol","valueInCents":14400},{"item":"Soda maker","detail":"With two bottles and a cylinder","valueInCents":13000},{"item":"Herb garden","detail":"Mint, basil and rosemary under a small lamp","valueInCents":6200}],"totalValue":"$1,695","drawing":{"day":"01-15","words":"January 15th"}}$page$),
    ('kitchen-garden', 3, false, 'kitchen', '{kitchen}', NULL, NULL, false, false,
     $page${"thanks":"Thank you for cooking with us","name":"Kitchen Garden Package","description":"From seed to pot: everything to grow food on a counter and turn it into dinner.","prizes":[{"item":"Indoor garden","detail":"Room for 24 plants, with grow light and pump","valueInCents":34500},{"item":"Dutch oven","detail":"Six quarts, enameled cast iron","valueInCents":21000},{"item":"Knife and board","detail":"Eight-inch chef's knife, maple board","valueInCents":16500},{"item":"Countertop composter","detail":"Scraps become soil overnight","valueInCents":12900},{"item":"Herb pots","detail":"Six, terracotta, with saucers","valueInCents":8400},{"item":"Seeds and potting mix","detail":"Tomato, basil, chili and lettuce","valueInCents":5400},{"item":"Drying rack and jars","detail":"Four tiers, a dozen jars","valueInCents":4800},{"item":"Apron and snips","detail":"Heavy cotton, stainless steel","valueInCents":3000}],"totalValue":"$1,065","drawing":{"day":"02-14","words":"February 14th"}}$page$),
    ('sustainable-living', 4, false, 'sustainable', '{sustainable,eco}', NULL, NULL, false, true,
     $page${"thanks":"Thank you for living lighter with us","name":"Sustainable Living Package","description":"Power from the sun, water from the tap, and less in the trash.","prizes":[{"item":"Power station","detail":"300 watt-hours, charges laptops and phones","valueInCents":26000},{"item":"Solar panel","detail":"100 watts, folds up","valueInCents":24000},{"item":"Water filter","detail":"Two gallons, stainless steel, no electricity","valueInCents":18500},{"item":"Bed linen","detail":"Organic cotton, queen size","valueInCents":14000},{"item":"Worm composter","detail":"Three trays, for indoors","valueInCents":11500},{"item":"Glass jars","detail":"Two dozen, bamboo lids","valueInCents":7800},{"item":"Refills","detail":"Laundry, dish and bath soap for a year","valueInCents":6200},{"item":"Cotton bags and wraps","detail":"Six bags, four beeswax wraps","valueInCents":3500}],"totalValue":"$1,115","drawing":{"day":"03-22","words":"March 22nd"}}$page$);
INSERT INTO raffle_openings (landing_page, opens_at) SELECT key, 'epoch' FROM raffles;
INSERT INTO raffle_versions (landing_page, number, content, hash, published_at, takes_effect_at)
SELECT first.key, 1, first.content, sha256(convert_to(first.content, 'UTF8')), 'epoch', 'epoch' FROM (VALUES
    ('garden-bag', $json${"name":"Garden Bag Essentials","title":"Win the Garden Bag Essentials","tagline":"A canvas bag, packed for a season of growing.","description":"One bag with the tools you reach for every day and the seeds to get started.","kit":[{"item":"Canvas tool bag","detail":"Waxed cotton, eight pockets, leather handles","valueInCents":3800},{"item":"Hand trowel","detail":"Forged steel with an ash handle","valueInCents":2400},{"item":"Hand fork","detail":"Three tines, made to match the trowel","valueInCents":2200},{"item":"Bypass pruners","detail":"For stems up to three quarters of an inch","valueInCents":3200},{"item":"Garden gloves","detail":"Leather palms, cotton backs, sizes S to XL","valueInCents":1800},{"item":"Seed box","detail":"Ten packets of vegetables, herbs and flowers","valueInCents":2400}],"totalValue":{"dollars":150,"orMore":true},"metaTitle":"Win the Garden Bag Essentials, free every month","metaDescription":"A free monthly raffle for a canvas bag of garden tools and seeds worth $150+. Enter with your phone number. No purchase required.","successTitle":"Garden Bag Success!","showsNextDrawing":false,"share":{"emailSubject":"Amazing Raffle - Win Premium Supplies!","emailBody":"Hi,\n\nI entered a free monthly raffle for the Garden Bag Essentials: a canvas bag of garden tools and seeds worth $150+. No purchase required.\n\nYou can enter here: {LINK}\n\nAll it takes is a phone number. If you enter through my link, I get an extra entry.","textBody":"I entered a free monthly raffle for a bag of garden tools and seeds worth $150+. Enter through my link and I get an extra entry: {LINK}"},"palette":"clay","picture":{"scene":"tool-bag","upload":null,"alt":""}}$json$),
    ('fresh-sips', $json${"name":"Fresh Sips Mixology Kit","title":"Win the Fresh Sips Mixology Kit","tagline":"Good drinks at home, shaken by you.","description":"Bar tools, two glasses and three cordials without alcohol, for many evenings.","kit":[{"item":"Cocktail shaker","detail":"Stainless steel, 24 ounces, seals tight","valueInCents":3400},{"item":"Two coupe glasses","detail":"Six ounces, thin rim, dishwasher safe","valueInCents":3200},{"item":"Jigger and bar spoon","detail":"Marked from a quarter ounce to two ounces","valueInCents":2200},{"item":"Strainer pair","detail":"One coiled, one fine mesh","valueInCents":2000},{"item":"Citrus press","detail":"Takes limes and lemons","valueInCents":1800},{"item":"Three cordials","detail":"Lime, ginger and pink grapefruit, no alcohol","valueInCents":3600}],"totalValue":{"dollars":150,"orMore":true},"metaTitle":"Win the Fresh Sips Mixology Kit, free monthly","metaDescription":"A free monthly raffle for a mixology kit worth $150+: shaker, coupe glasses, bar tools and cordials. No purchase required.","successTitle":"Fresh Sips Success!","showsNextDrawing":true,"share":{"emailSubject":"Free Monthly Fresh Sips Mixology Kit - Win $150+ in Supplies!","emailBody":"Hi,\n\nI entered a free monthly raffle for the Fresh Sips Mixology Kit: a shaker, two coupe glasses, bar tools and cordials worth $150+. No purchase required.\n\nYou can enter here: {LINK}\n\nAll it takes is a phone number. If you enter through my link, I get an extra entry.","textBody":"I entered a free monthly raffle for a mixology kit worth $150+. Enter through my link and I get an extra entry: {LINK}"},"palette":"mint","picture":{"scene":"cocktail","upload":null,"alt":""}}$json$),
    ('kitchen-garden', $json${"name":"Kitchen Garden Essentials","title":"Win the Kitchen Garden Essentials","tagline":"Tomatoes and basil, an arm's length from the stove.","description":"Pots, plants, soil and the few tools a sunny sill needs. No yard required.","kit":[{"item":"Three terracotta pots","detail":"Six, seven and eight inches, with saucers","valueInCents":3600},{"item":"Starter plants","detail":"Two bush tomatoes and two pots of basil","valueInCents":2200},{"item":"Potting mix","detail":"Peat-free, 16 quarts","valueInCents":2000},{"item":"Watering can","detail":"Enameled steel with a long spout, two quarts","valueInCents":3400},{"item":"Herb shears","detail":"Stainless steel, come apart for washing","valueInCents":1800},{"item":"Stakes and labels","detail":"Bamboo stakes, soft ties, wooden labels","valueInCents":1400},{"item":"Seed packets","detail":"Cherry tomato, Genovese basil, chives","valueInCents":1200}],"totalValue":{"dollars":150,"orMore":true},"metaTitle":"Win the Kitchen Garden Essentials, free monthly","metaDescription":"A free monthly raffle for a windowsill garden worth $150+: pots, tomato and basil plants, soil and tools. No purchase required.","successTitle":"Kitchen Garden Success!","showsNextDrawing":true,"share":{"emailSubject":"Free Monthly Kitchen Garden Essentials - Win $150+ in Supplies!","emailBody":"Hi,\n\nI entered a free monthly raffle for the Kitchen Garden Essentials: pots, tomato and basil plants, soil and tools worth $150+. No purchase required.\n\nThe next winner is announced {NEXT_DRAWING}.\n\nYou can enter here: {LINK}\n\nAll it takes is a phone number. If you enter through my link, I get an extra entry.","textBody":"I entered a free monthly raffle for a windowsill kitchen garden worth $150+. Enter through my link and I get an extra entry: {LINK}"},"palette":"tomato","picture":{"scene":"kitchen-herbs","upload":null,"alt":""}}$json$),
    ('sustainable-living', $json${"name":"Sustainable Living Starter Kit","title":"Win the Sustainable Living Starter Kit","tagline":"Everyday things you keep instead of throwing away.","description":"Jars, bags, brushes and soap that replace plastic and last for years.","kit":[{"item":"Four glass jars","detail":"Clip lids, from half a pint to two quarts","valueInCents":3600},{"item":"Cotton bags","detail":"Six produce bags and one tote, machine washable","valueInCents":2600},{"item":"Bamboo brushes","detail":"A dish brush and two toothbrushes","valueInCents":2000},{"item":"Steel water bottle","detail":"Insulated, 20 ounces","valueInCents":3000},{"item":"Beeswax wraps","detail":"Three sizes, good for about a year","valueInCents":2200},{"item":"Soap bars","detail":"Hand, dish and shampoo, wrapped in paper","valueInCents":2400}],"totalValue":{"dollars":150,"orMore":true},"metaTitle":"Win the Sustainable Living Starter Kit, free","metaDescription":"A free monthly raffle for a starter kit worth $150+: glass jars, cotton bags, bamboo brushes and more. No purchase required.","successTitle":"Sustainable Living Success!","showsNextDrawing":true,"share":{"emailSubject":"Free Monthly Sustainable Living Starter Kit - Win $150+ in Supplies!","emailBody":"Hi,\n\nI entered a free monthly raffle for the Sustainable Living Starter Kit: glass jars, cotton bags, bamboo brushes and more, worth $150+. No purchase required.\n\nYou can enter here: {LINK}\n\nAll it takes is a phone number. If you enter through my link, I get an extra entry.","textBody":"I entered a free monthly raffle for a sustainable living kit worth $150+. Enter through my link and I get an extra entry: {LINK}"},"palette":"lagoon","picture":{"scene":"starter-kit","upload":null,"alt":""}}$json$)
) AS first (key, content);
INSERT INTO raffle_drafts (landing_page, revision, content, saved_at)
SELECT landing_page, 1, content, published_at FROM raffle_versions;

-- Nobody publishes a version in the past: the versions above are as old as their raffles.
CREATE FUNCTION check_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.published_at NOT BETWEEN transaction_timestamp() AND clock_timestamp() THEN
        RAISE EXCEPTION 'a version is published now' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER raffle_versions_new BEFORE INSERT ON raffle_versions
    FOR EACH ROW EXECUTE FUNCTION check_version();


-- ---- entrants ----

-- The first digit and the last twelve of a random UUID are random; version and variant are among the others.
CREATE FUNCTION random_52_bits() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(uuid, 1) || right(uuid, 12))::bit(52)::bigint
    FROM (SELECT gen_random_uuid()::text AS uuid) AS random
$$;

-- For SQL scripts that insert entrants without an id. The program draws ids itself. Ids that count up would let anybody find
-- every entrant.
CREATE FUNCTION random_user_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    drawn bigint;
BEGIN
    LOOP
        drawn := random_52_bits();
        EXIT WHEN drawn > 0 AND NOT EXISTS (SELECT FROM users WHERE id = drawn);
    END LOOP;
    RETURN drawn;
END
$$;

CREATE TABLE users (
    id                 bigint NOT NULL DEFAULT random_user_id() CONSTRAINT users_pkey PRIMARY KEY
        CONSTRAINT users_id_52_bits CHECK (id BETWEEN 1 AND 4503599627370495),
    sequence_number    bigserial CONSTRAINT users_sequence_number_key UNIQUE,
    phone_number       text CONSTRAINT users_phone_number_key UNIQUE
        CONSTRAINT users_phone_number_e164 CHECK (phone_number ~ '^\+[0-9]{8,15}$'),
    person_salt        bytea CONSTRAINT users_person_salt_length CHECK (length(person_salt) = 32),
    person_tag         bytea NOT NULL CONSTRAINT users_person_tag_sha256 CHECK (length(person_tag) = 32),
    referral_code      text NOT NULL CONSTRAINT users_referral_code_key UNIQUE
        CONSTRAINT users_referral_code_upper CHECK (referral_code = upper(referral_code) AND length(referral_code) = 8),
    landing_page       text NOT NULL DEFAULT 'garden-bag' -- for SQL scripts
        CONSTRAINT users_landing_page_fkey REFERENCES raffles (key),
    base_entries       bigint NOT NULL DEFAULT 1 CONSTRAINT users_base_entries_positive CHECK (base_entries >= 0),
    bonus_entries      bigint NOT NULL DEFAULT 0 CONSTRAINT users_bonus_entries_positive CHECK (bonus_entries >= 0),
    paid_entries       bigint NOT NULL DEFAULT 0 CONSTRAINT users_paid_entries_positive CHECK (paid_entries >= 0),
    held_entries       bigint NOT NULL DEFAULT 0
        CONSTRAINT users_held_entries_bounded CHECK (held_entries BETWEEN 0 AND paid_entries),
    total_entries      bigint NOT NULL GENERATED ALWAYS AS (base_entries + bonus_entries + paid_entries) STORED,
    stripe_customer_id text
        CONSTRAINT users_stripe_customer_id_short CHECK (length(stripe_customer_id) BETWEEN 1 AND 255),
    ip_address         inet,
    user_agent         text,
    fingerprint        text,
    sign_up_event_id   text,
    is_flagged         boolean NOT NULL DEFAULT false,
    flag_reason        text,
    flag_public_reason text CONSTRAINT users_flag_public_reason_known
        CHECK (flag_public_reason IN ('several_accounts', 'duplicate', 'automated', 'not_eligible', 'rules')),
    flag_evidence      jsonb CONSTRAINT users_flag_evidence_list CHECK (jsonb_typeof(flag_evidence) = 'array'),
    flagged_at         timestamptz,
    unflagged_at       timestamptz, -- staff removed the flag; fraud detection skips this entrant from then on
    moves              bigint NOT NULL DEFAULT 0,
    signed_out_at      timestamptz,
    kept_token_hash    bytea CONSTRAINT users_kept_token_hash_length CHECK (length(kept_token_hash) = 32),
    created_at         timestamptz NOT NULL DEFAULT now(),
    erased_at          timestamptz,
    CONSTRAINT users_sign_out_whole CHECK ((signed_out_at IS NULL) = (kept_token_hash IS NULL)),
    CONSTRAINT users_flagged_when CHECK (is_flagged = (flagged_at IS NOT NULL)),
    CONSTRAINT users_flag_public_reason_of_flag CHECK (is_flagged OR flag_public_reason IS NULL),
    CONSTRAINT users_number_until_erased CHECK ((phone_number IS NULL) = (erased_at IS NOT NULL)),
    CONSTRAINT users_erased_whole CHECK (
        erased_at IS NULL
        OR num_nonnulls(ip_address, user_agent, fingerprint, sign_up_event_id, stripe_customer_id, person_salt,
                        flag_evidence, signed_out_at) = 0
    )
) WITH (fillfactor = 90); -- room for heap-only updates of a popular referrer's counters

COMMENT ON COLUMN users.sequence_number IS
    'The order in which entrants came, for roll-ups, with gaps. It is never shown: it can be counted.';
COMMENT ON COLUMN users.person_salt IS '32 random bytes; null after the person was erased';
COMMENT ON COLUMN users.person_tag IS
    'SHA-256(0x04, person_salt, the number at the time of entering as ASCII with its plus sign); never changes';
COMMENT ON COLUMN users.held_entries IS
    'Paid entries of disputed purchases. They count in total_entries, which entrants see, but not in drawings.';
COMMENT ON COLUMN users.flag_public_reason IS 'What the entrant reads about a flag of staff.';
COMMENT ON COLUMN users.flag_evidence IS 'What fraud detection found; null without a flag and for a flag of staff.';
COMMENT ON COLUMN users.landing_page IS 'The raffle that the entrant is in; raffle_moves says where the entrant was before.';
COMMENT ON COLUMN users.moves IS 'How often the entrant has moved to another raffle: what was earned or begun before the last move gives and takes nothing.';
COMMENT ON COLUMN users.signed_out_at IS 'When the entrant signed out all browsers but one; earlier tokens of others are not good.';
COMMENT ON COLUMN users.kept_token_hash IS 'The SHA-256 of the token of the browser that stayed';
COMMENT ON COLUMN users.erased_at IS 'When the person was erased. The id stays for the ledger, the drawings and the logs.';

CREATE INDEX users_ip_address_idx ON users (ip_address, sequence_number) WHERE ip_address IS NOT NULL;
CREATE INDEX users_flagged_idx ON users (flagged_at DESC, id DESC) WHERE is_flagged;
-- For the few entrants whose entries a dispute holds: a seal counts them, and would read all entrants otherwise.
CREATE INDEX users_held_entries_idx ON users (id) WHERE held_entries > 0;
-- The newest account of each network that is neither flagged nor was cleared by staff. The dashboard shows it for fifty
-- networks, and some have thousands of flagged accounts.
CREATE INDEX users_open_accounts_idx ON users (ip_address, created_at, sequence_number)
    WHERE ip_address IS NOT NULL AND NOT is_flagged AND unflagged_at IS NULL;
-- Staff search for the last four digits of a number: a hundred of a million entrants, the newest first.
CREATE INDEX users_last_four_idx ON users (right(phone_number, 4), sequence_number);
-- The newest entrants of one raffle, which may be a small one.
CREATE INDEX users_landing_page_idx ON users (landing_page, sequence_number);
-- The list of a drawing: the entrants of one raffle in the order of their tags.
CREATE UNIQUE INDEX users_person_tag_key ON users (landing_page, person_tag);

-- The person tag binds an entrant to the number in the lists of drawings (docs/drawing.md).

-- For SQL scripts that insert entrants without a tag. Two random UUIDs have 244 random bits; the program makes salts of 256.
CREATE FUNCTION make_person_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.person_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    NEW.person_tag := sha256('\x04'::bytea || NEW.person_salt || convert_to(NEW.phone_number, 'UTF8'));
    RETURN NEW;
END
$$;
CREATE TRIGGER users_make_person_tag BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.person_tag IS NULL) EXECUTE FUNCTION make_person_tag();

-- Whoever was erased stays erased.
CREATE FUNCTION keep_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an erased entrant stays erased' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER users_keep_erased BEFORE UPDATE OF erased_at ON users
    FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at) EXECUTE FUNCTION keep_erased();

CREATE FUNCTION keep_person_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'person_tag never changes, and person_salt only becomes null' USING ERRCODE = 'restrict_violation';
END
$$;
-- AFTER, because foreign keys read the old row after each update anyway, and a BEFORE trigger would lock it once more.
CREATE TRIGGER users_keep_person_tag AFTER UPDATE ON users
    FOR EACH ROW WHEN (
        OLD.person_tag IS NOT NULL
        AND (NEW.person_tag IS DISTINCT FROM OLD.person_tag
             OR (NEW.person_salt IS NOT NULL AND NEW.person_salt IS DISTINCT FROM OLD.person_salt))
    ) EXECUTE FUNCTION keep_person_tag();

-- The database sets the times of flags and of ledger rows, because they decide who takes part in a drawing with what. A time
-- that a statement passes is overwritten. One statement's flags have one time.
CREATE FUNCTION set_flag_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.is_flagged THEN
        NEW.flagged_at := OLD.flagged_at;
    ELSE
        NEW.flagged_at := statement_timestamp();
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER users_set_flag_time_on_insert BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.is_flagged) EXECUTE FUNCTION set_flag_time();
CREATE TRIGGER users_set_flag_time_on_update BEFORE UPDATE ON users
    FOR EACH ROW WHEN (NEW.is_flagged AND (NOT OLD.is_flagged OR NEW.flagged_at IS DISTINCT FROM OLD.flagged_at))
    EXECUTE FUNCTION set_flag_time();

-- The evidence goes with its flag, whoever removes it.
CREATE FUNCTION drop_flag_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.flag_evidence := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER users_drop_flag_evidence BEFORE UPDATE ON users
    FOR EACH ROW WHEN (NOT NEW.is_flagged AND NEW.flag_evidence IS NOT NULL) EXECUTE FUNCTION drop_flag_evidence();

CREATE TABLE entry_ledger (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entry_ledger_pkey PRIMARY KEY,
    user_id    bigint NOT NULL CONSTRAINT entry_ledger_user_id_fkey REFERENCES users (id),
    kind       text NOT NULL CONSTRAINT entry_ledger_kind_known CHECK (kind IN (
        'base', 'imported', 'referral', 'referral_reversed', 'referral_restored', 'clearing', 'free', 'purchase', 'refund',
        'dispute_held', 'dispute_released', 'moved_base', 'moved_referrals', 'moved_free', 'moved_paid', 'moved_held'
    )),
    delta      bigint NOT NULL CONSTRAINT entry_ledger_delta_something CHECK (delta <> 0),
    cause_id   bigint NOT NULL,
    step       bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT entry_ledger_cause_once UNIQUE (user_id, kind, cause_id, step),
    CONSTRAINT entry_ledger_step_known CHECK (
        step = 0 OR kind IN ('base', 'referral_reversed', 'referral_restored', 'refund', 'dispute_held', 'dispute_released')
    )
);

COMMENT ON TABLE entry_ledger IS 'Append-only: the counters on users are its sums.';
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base and imported: the entrant; referral, referral_reversed and referral_restored: the friend; clearing: its number; free: the date of the claim as a number, such as 20261123; purchase, refund, dispute_held and dispute_released: the purchase; moved_base and the following ones: the number of the move';
COMMENT ON COLUMN entry_ledger.step IS
    'the number of the change, for causes that change entries several times (flags of a friend; refunds and disputes of a purchase), and for the base entry of a move its number; else 0';

-- For the rows after the cut-off of a drawing, which stand at the end of the table. New pages are summarized without
-- waiting for a vacuum.
CREATE INDEX entry_ledger_created_at_idx ON entry_ledger USING brin (created_at) WITH (autosummarize = on);
-- The console counts the entries that a clearing of referrals would take: all bonus entries but the free ones.
CREATE INDEX entry_ledger_free_idx ON entry_ledger (user_id) INCLUDE (delta) WHERE kind IN ('free', 'moved_free');
-- A seal counts the entries of imported people.
CREATE INDEX entry_ledger_imported_idx ON entry_ledger (user_id) INCLUDE (delta, created_at) WHERE kind = 'imported';

CREATE TRIGGER entry_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The time is taken after the statement has locked the table. So whoever sees, after a moment, that nobody holds that lock any
-- more knows all rows from before that moment.
--
-- A sign-up writes the friend's entry, and then the referrer's entry for it. Both rows get one time, so that a cut-off between
-- the two statements does not split a sign-up. So do the rows of a move, which takes the base entry out first. This is still a
-- time at which the transaction held the lock: only a row that the same transaction wrote is looked at.
CREATE FUNCTION set_ledger_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.created_at := NULL;
    IF NEW.kind = 'referral' THEN
        SELECT created_at INTO NEW.created_at
        FROM entry_ledger
        WHERE user_id = NEW.cause_id AND kind = 'base' AND xmin = pg_current_xact_id()::xid;
    ELSIF NEW.kind IN ('moved_referrals', 'moved_free', 'moved_paid', 'moved_held') OR NEW.kind = 'base' AND NEW.step > 0 THEN
        SELECT created_at INTO NEW.created_at
        FROM entry_ledger
        WHERE user_id = NEW.user_id AND kind = 'moved_base' AND xmin = pg_current_xact_id()::xid
            AND cause_id = CASE NEW.kind WHEN 'base' THEN NEW.step ELSE NEW.cause_id END;
    END IF;
    NEW.created_at := coalesce(NEW.created_at, clock_timestamp());
    RETURN NEW;
END
$$;
CREATE TRIGGER entry_ledger_set_time BEFORE INSERT ON entry_ledger
    FOR EACH ROW EXECUTE FUNCTION set_ledger_time();

CREATE TABLE raffle_moves (
    user_id   bigint NOT NULL CONSTRAINT raffle_moves_user_id_fkey REFERENCES users (id),
    number    bigint NOT NULL CONSTRAINT raffle_moves_number_positive CHECK (number > 0),
    from_page text NOT NULL CONSTRAINT raffle_moves_from_page_fkey REFERENCES raffles (key),
    to_page   text NOT NULL CONSTRAINT raffle_moves_to_page_fkey REFERENCES raffles (key),
    moved_at  timestamptz NOT NULL,
    CONSTRAINT raffle_moves_pkey PRIMARY KEY (user_id, number),
    CONSTRAINT raffle_moves_elsewhere CHECK (from_page <> to_page)
);
COMMENT ON TABLE raffle_moves IS
    'Who moved to another raffle, append-only: lists of drawings and statistics say by it where an entrant was.';
COMMENT ON COLUMN raffle_moves.number IS 'The number of the move of this entrant, from 1';
COMMENT ON COLUMN raffle_moves.moved_at IS 'The time of the rows of the ledger';

-- For those who moved since the cut-off of a drawing.
CREATE INDEX raffle_moves_moved_at_idx ON raffle_moves (moved_at);

CREATE TRIGGER raffle_moves_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON raffle_moves
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A move is at the time of its rows of the ledger, whatever a statement passes.
CREATE FUNCTION set_move_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT created_at INTO NEW.moved_at
    FROM entry_ledger
    WHERE user_id = NEW.user_id AND kind = 'moved_base' AND cause_id = NEW.number;
    RETURN NEW;
END
$$;
CREATE TRIGGER raffle_moves_set_time BEFORE INSERT ON raffle_moves
    FOR EACH ROW EXECUTE FUNCTION set_move_time();

CREATE TABLE user_consent (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT user_consent_pkey PRIMARY KEY,
    user_id      bigint NOT NULL CONSTRAINT user_consent_user_id_fkey REFERENCES users (id),
    consent_type text NOT NULL CONSTRAINT user_consent_type_known CHECK (consent_type IN ('sms_campaigns')),
    version      text NOT NULL, -- of the consent's wording
    act          text NOT NULL
        CONSTRAINT user_consent_act_known CHECK (act IN ('form', 'default', 'switch', 'start_keyword')),
    granted      boolean NOT NULL,
    ip_address   inet,
    user_agent   text,
    granted_at   timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT user_consent_granted_when CHECK (granted = (granted_at IS NOT NULL))
);
COMMENT ON COLUMN user_consent.revoked_at IS 'when a text that said STOP revoked it';

CREATE INDEX user_consent_user_id_idx ON user_consent (user_id, consent_type, id DESC);

-- ---- uploaded pictures ----

CREATE TABLE pictures (
    hash          bytea NOT NULL CONSTRAINT pictures_pkey PRIMARY KEY
        CONSTRAINT pictures_hash_sha256 CHECK (length(hash) = 32),
    added_at      timestamptz NOT NULL,
    last_named_at timestamptz NOT NULL,
    withdrawn_at  timestamptz
);
COMMENT ON COLUMN pictures.hash IS 'The name of the picture in contents: the hash of its first rendition';
COMMENT ON COLUMN pictures.last_named_at IS 'When it was uploaded, or a draft or version was last seen to name it';

CREATE TABLE picture_renditions (
    picture_hash bytea NOT NULL CONSTRAINT picture_renditions_picture_hash_fkey REFERENCES pictures (hash) ON DELETE CASCADE,
    position     bigint NOT NULL CONSTRAINT picture_renditions_position_known CHECK (position BETWEEN 0 AND 3),
    width        bigint NOT NULL,
    height       bigint NOT NULL,
    hash         bytea NOT NULL,
    jpeg         bytea CONSTRAINT picture_renditions_jpeg_of_hash CHECK (sha256(jpeg) = hash),
    CONSTRAINT picture_renditions_pkey PRIMARY KEY (picture_hash, position),
    CONSTRAINT picture_renditions_first_names_picture CHECK ((position = 0) <= (hash = picture_hash))
);
COMMENT ON COLUMN picture_renditions.position IS 'From 0: those for pages, the largest first; 3: the one for link previews';
COMMENT ON COLUMN picture_renditions.hash IS 'Its address; two pictures can have a rendition in common';
COMMENT ON COLUMN picture_renditions.jpeg IS 'null once the picture was withdrawn';
ALTER TABLE picture_renditions ALTER COLUMN jpeg SET STORAGE EXTERNAL; -- compressed already

CREATE INDEX picture_renditions_hash_idx ON picture_renditions (hash);

-- The uploads that contents name, as these spell them. Whatever holds contents stands here.
CREATE FUNCTION named_pictures() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT content::json -> 'picture' ->> 'upload' FROM raffle_versions
    UNION ALL SELECT content::json -> 'picture' ->> 'upload' FROM raffle_drafts
$$;
