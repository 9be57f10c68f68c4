-- The newest account of each network that is neither flagged nor was cleared by staff. The dashboard shows it for fifty
-- networks, and some have thousands of flagged accounts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_open_accounts_idx ON users (ip_address, created_at, sequence_number)
    WHERE ip_address IS NOT NULL AND NOT is_flagged AND unflagged_at IS NULL;
