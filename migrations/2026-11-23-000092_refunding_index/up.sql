-- The purchases that the provider is asked about, now with those to be refunded.
CREATE INDEX CONCURRENTLY IF NOT EXISTS purchases_due_idx ON purchases (next_check_at, id)
    WHERE status IN ('pending', 'failed', 'refunding');
