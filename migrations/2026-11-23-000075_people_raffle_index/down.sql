DROP INDEX users_landing_page_idx;
