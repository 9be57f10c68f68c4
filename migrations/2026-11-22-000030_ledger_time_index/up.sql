-- For the rows after the cut-off of a drawing, which stand at the end of the table. New pages are summarized without
-- waiting for a vacuum.
CREATE INDEX CONCURRENTLY IF NOT EXISTS entry_ledger_created_at_idx ON entry_ledger
    USING brin (created_at) WITH (autosummarize = on);
