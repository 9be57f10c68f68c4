//! What the domain `staff` stores.

mod accounts;
mod admin_sessions;
mod approvals;
mod audit_log;
mod clearing_jobs;
mod login_attempts;
mod settings;
mod start_settings;
