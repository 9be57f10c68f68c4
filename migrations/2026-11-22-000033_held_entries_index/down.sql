DROP INDEX users_held_entries_idx;
