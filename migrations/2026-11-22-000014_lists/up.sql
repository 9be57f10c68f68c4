-- The published lists of drawings, made once and stored compressed, in parts.

-- One part for each chunk. Its bytes are raw deflate and end at a byte boundary (RFC 1951, an empty stored block), so that
-- a gzip header, all parts and a trailer are one gzip stream. Each part can be decompressed alone.
CREATE TABLE drawing_list_parts (
    drawing_id     bigint NOT NULL,
    number         bigint NOT NULL,
    csv_start      bigint NOT NULL CONSTRAINT drawing_list_parts_csv_start_positive CHECK (csv_start >= 0),
    csv_end        bigint NOT NULL,
    deflated_start bigint NOT NULL CONSTRAINT drawing_list_parts_deflated_start_positive CHECK (deflated_start >= 0),
    deflated_end   bigint NOT NULL,
    csv_crc        bigint NOT NULL CONSTRAINT drawing_list_parts_csv_crc_32 CHECK (csv_crc BETWEEN 0 AND 4294967295),
    deflated_crc   bigint NOT NULL
        CONSTRAINT drawing_list_parts_deflated_crc_32 CHECK (deflated_crc BETWEEN 0 AND 4294967295),
    bytes          bytea NOT NULL,
    CONSTRAINT drawing_list_parts_pkey PRIMARY KEY (drawing_id, number),
    CONSTRAINT drawing_list_parts_chunk_fkey FOREIGN KEY (drawing_id, number)
        REFERENCES drawing_chunks (drawing_id, number),
    CONSTRAINT drawing_list_parts_csv_end_key UNIQUE (drawing_id, csv_end),
    CONSTRAINT drawing_list_parts_deflated_end_key UNIQUE (drawing_id, deflated_end),
    CONSTRAINT drawing_list_parts_csv_some CHECK (csv_start < csv_end),
    CONSTRAINT drawing_list_parts_deflated_whole CHECK (deflated_start + length(bytes) = deflated_end AND length(bytes) > 0)
);

-- The bytes are compressed already. Stored outside of the rows as they are, a row is read without its bytes.
ALTER TABLE drawing_list_parts ALTER bytes SET STORAGE EXTERNAL;

COMMENT ON TABLE drawing_list_parts IS 'The published list of a drawing in parts, as they are sent';
COMMENT ON COLUMN drawing_list_parts.csv_start IS 'Where the part begins in the CSV; csv_end is where it ends';
COMMENT ON COLUMN drawing_list_parts.deflated_start IS 'Where the part begins in the deflated list; deflated_end is where it ends';
COMMENT ON COLUMN drawing_list_parts.csv_crc IS 'The CRC-32 of the CSV from its beginning to csv_end';
COMMENT ON COLUMN drawing_list_parts.deflated_crc IS 'The CRC-32 of the deflated list from its beginning to deflated_end';

-- A list of which every part is stored.
CREATE TABLE drawing_lists (
    drawing_id   bigint CONSTRAINT drawing_lists_pkey PRIMARY KEY,
    last_part    bigint NOT NULL,
    root         bytea NOT NULL CONSTRAINT drawing_lists_root_hash CHECK (length(root) = 32),
    csv_end      bigint NOT NULL,
    deflated_end bigint NOT NULL,
    csv_crc      bigint NOT NULL CONSTRAINT drawing_lists_csv_crc_32 CHECK (csv_crc BETWEEN 0 AND 4294967295),
    deflated_crc bigint NOT NULL CONSTRAINT drawing_lists_deflated_crc_32 CHECK (deflated_crc BETWEEN 0 AND 4294967295),
    finished_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT drawing_lists_last_part_fkey FOREIGN KEY (drawing_id, last_part)
        REFERENCES drawing_list_parts (drawing_id, number)
);

COMMENT ON TABLE drawing_lists IS 'The published lists of which every part is stored; the columns repeat the last part';
COMMENT ON COLUMN drawing_lists.root IS 'The Merkle root of the list';

CREATE TRIGGER drawing_list_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_list_parts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_lists_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_lists
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
