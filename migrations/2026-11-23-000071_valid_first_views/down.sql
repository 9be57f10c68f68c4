-- The constraint stays valid.
SELECT 1;
