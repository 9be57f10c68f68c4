DROP TABLE staff_recovery_codes;
DROP TABLE staff_members;
