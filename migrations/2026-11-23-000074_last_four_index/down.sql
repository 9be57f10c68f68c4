DROP INDEX users_last_four_idx;
