DROP INDEX purchases_due_idx;
