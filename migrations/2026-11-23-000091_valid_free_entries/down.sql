-- A constraint that was validated is valid for the version before, too.
SELECT 1;
