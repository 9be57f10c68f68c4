-- The console counts the entries that a clearing of referrals would take: all bonus entries but the free ones.
CREATE INDEX CONCURRENTLY IF NOT EXISTS entry_ledger_free_idx ON entry_ledger (user_id) INCLUDE (delta) WHERE kind = 'free';
