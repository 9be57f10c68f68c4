DROP INDEX social_shares_user_id_idx;
