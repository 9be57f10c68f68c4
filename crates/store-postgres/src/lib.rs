//! Implements the store ports on PostgreSQL, with Diesel.
//!
//! [`PgStore`] is the unit of work and [`PgTx`] the open transaction; each port has its own file. Rows are private:
//! they are converted to domain values, or to [`kernel::StoreError::Corrupt`]. Frequent writes are single statements in
//! `sql/`, so that a benchmark can run the same ones. [`migrations::run`] brings the schema up to date.

mod admin_sessions;
mod appeals;
mod append_lock;
mod audit_log;
mod campaign_counts;
mod campaign_dispatching;
mod campaigns;
mod claims;
mod clearing;
mod clearing_jobs;
mod clicks;
mod collection;
mod conninfo;
mod consents;
mod cut_offs;
mod daily_counts;
mod data_requests;
mod detection;
mod dispatching;
mod drawing_log;
mod drawing_steps;
mod drawings;
mod entrants;
mod erased_numbers;
mod erasure;
mod errors;
mod evidence;
mod exports;
mod figures;
mod flags;
mod free_entries;
mod frozen_entrants;
mod ledger;
mod login_attempts;
mod message_changes;
mod message_evidence;
pub mod migrations;
mod official_rules;
mod opt_outs;
mod outbox;
mod packages;
mod people;
mod pool;
mod provider_events;
mod published_lists;
mod purchases;
mod push;
mod recount;
mod referrals;
mod replies;
mod retention;
mod reversals;
mod rollups;
mod schema;
mod settings;
mod share_progress;
mod shared_networks;
mod sms_clearing;
mod sms_templates;
mod sorting;
mod statement;
mod tls;
mod unit_of_work;
mod verifications;
mod view_months;

pub use conninfo::{ConnInfo, ConnInfoError, Endpoint};
pub use exports::left_out as left_out_of_exports;
pub use pool::PoolSettings;
pub use tls::{TlsError, check_root_certificates};
pub use unit_of_work::{PgStore, PgTx};
