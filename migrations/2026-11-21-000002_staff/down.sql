DROP TABLE admin_audit_log;
DROP TABLE admin_login_failures;
DROP TABLE admin_sessions;
