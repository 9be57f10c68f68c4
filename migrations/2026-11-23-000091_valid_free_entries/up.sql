-- Reads the rows without stopping writers. The older ones were checked by stricter constraints before.
ALTER TABLE entry_ledger VALIDATE CONSTRAINT entry_ledger_kind_known;
ALTER TABLE purchases
    VALIDATE CONSTRAINT purchases_status_known,
    VALIDATE CONSTRAINT purchases_completed_when,
    VALIDATE CONSTRAINT purchases_entry_cap_positive,
    VALIDATE CONSTRAINT purchases_cap_whole;
