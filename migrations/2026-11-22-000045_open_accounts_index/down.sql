DROP INDEX users_open_accounts_idx;
