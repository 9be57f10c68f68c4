DROP TABLE sms_sent_messages;
DROP TABLE drawing_audit_logs;
DROP TABLE drawing_chunks;
DROP TABLE drawing_results;
DROP SEQUENCE drawing_numbers;
DROP TABLE drawing_commitments;
