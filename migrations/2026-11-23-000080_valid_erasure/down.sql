-- The migration before drops the constraints.
SELECT 1;
