-- Constraints stay valid.
SELECT 1;
