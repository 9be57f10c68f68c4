-- Rows of kind `clearing` become `referral` rows. Deleting them would give back the entries that clearing took.
ALTER TABLE entry_ledger DROP CONSTRAINT entry_ledger_kind_known;
ALTER TABLE entry_ledger DISABLE TRIGGER entry_ledger_append_only;
UPDATE entry_ledger SET kind = 'referral', cause_id = -cause_id WHERE kind = 'clearing';
ALTER TABLE entry_ledger ENABLE TRIGGER entry_ledger_append_only;
ALTER TABLE entry_ledger ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral'));

DROP SEQUENCE referral_clearings;

DROP INDEX users_flagged_idx, users_ip_address_idx;
ALTER TABLE users
    DROP CONSTRAINT users_flagged_when,
    DROP COLUMN unflagged_at,
    DROP COLUMN flagged_at,
    DROP COLUMN flag_reason;

DROP TABLE analytics_addresses, analytics_session_hours, analytics_funnel_hours, analytics_velocity,
    analytics_referrers, analytics_codes, analytics_raffle_hours, analytics_raffles, analytics_page_hours,
    analytics_pages, analytics_watermarks, conversion_funnel, social_shares, page_view_times, page_views;
