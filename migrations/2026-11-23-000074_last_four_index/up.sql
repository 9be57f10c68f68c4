-- Staff search for the last four digits of a number: a hundred of a million entrants, the newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_last_four_idx ON users (right(phone_number, 4), sequence_number);
