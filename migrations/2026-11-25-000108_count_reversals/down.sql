DROP FUNCTION count_reversals(text);
