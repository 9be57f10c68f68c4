//! Implements the store ports on PostgreSQL, with Diesel.
//!
//! [`PgStore`] is the unit of work and [`PgTx`] the open transaction; each port has its own file, in the folder of its
//! domain. Rows are private: they are converted to domain values, or to [`kernel::StoreError::Corrupt`]. Frequent writes
//! are single statements in `sql/`, so that a benchmark can run the same ones. [`migrations::run`] brings the schema up to
//! date.

mod analytics;
mod append_lock;
mod claims;
mod codes;
mod conninfo;
mod drawing;
mod errors;
mod fraud;
pub mod migrations;
mod named_lock;
mod people;
mod pool;
mod pricing;
mod privacy;
mod push;
mod raffle;
mod referral;
pub mod roles;
mod rows;
mod schema;
mod sealed_keys;
mod sms;
mod sorting;
mod staff;
mod statement;
mod tls;
mod unit_of_work;
mod waiting_sign_ups;

pub use self::privacy::exports::left_out as left_out_of_exports;
pub use conninfo::{ConnInfo, ConnInfoError, Endpoint};
pub use pool::PoolSettings;
pub use sealed_keys::{Sealed, SealedCount};
pub use tls::{TlsError, check_root_certificates};
pub use unit_of_work::{PgStore, PgTx};
