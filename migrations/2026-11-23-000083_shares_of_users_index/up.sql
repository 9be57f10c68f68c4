-- Finds the shares of an entrant.
CREATE INDEX CONCURRENTLY IF NOT EXISTS social_shares_user_id_idx ON social_shares (user_id) WHERE user_id IS NOT NULL;
