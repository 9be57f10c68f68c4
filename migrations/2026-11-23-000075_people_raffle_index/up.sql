-- The newest entrants of one raffle, which may be a small one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_landing_page_idx ON users (landing_page, sequence_number);
