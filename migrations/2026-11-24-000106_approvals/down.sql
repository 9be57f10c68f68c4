ALTER TABLE winner_verification DROP COLUMN rejected_by_two;
DROP TABLE staff_approvals;
DROP FUNCTION keep_proposal;
