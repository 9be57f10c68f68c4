DROP INDEX entry_ledger_free_idx;
