-- For the few entrants whose entries a dispute holds: a seal counts them, and would read all entrants otherwise.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_held_entries_idx ON users (id) WHERE held_entries > 0;
