ALTER TABLE analytics_referrers ADD COLUMN conversions bigint NOT NULL DEFAULT 0;
DROP INDEX referrals_converted_idx;
ALTER TABLE referrals DROP COLUMN converted_at;

-- Bought entries are removed with their purchases, from the counters and from the ledger.
ALTER TABLE entry_ledger DISABLE TRIGGER entry_ledger_append_only;
DELETE FROM entry_ledger WHERE kind IN ('purchase', 'refund');
ALTER TABLE entry_ledger ENABLE TRIGGER entry_ledger_append_only;
UPDATE users SET paid_entries = 0 WHERE paid_entries <> 0;
ALTER TABLE entry_ledger
    DROP CONSTRAINT entry_ledger_kind_known,
    ADD CONSTRAINT entry_ledger_kind_known CHECK (kind IN ('base', 'referral', 'clearing'));
COMMENT ON COLUMN entry_ledger.cause_id IS 'base: the entrant; referral: the friend; clearing: its number';

DROP TABLE provider_events;
DROP TABLE system_settings;
DROP TABLE purchases;
DROP TABLE entry_packages;
