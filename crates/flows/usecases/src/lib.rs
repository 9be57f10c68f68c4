//! The flows of visitors and staff, one module each. Only this crate opens transactions and combines domains.
//!
//! A flow takes its store, clock and randomness as arguments, and reads downwards. Start at [`entering`].
//!
//! A flow that returns [`kernel::StoreError`] fails only when the store does; then it has written nothing, unless its
//! documentation says otherwise.

pub mod accounts;
pub mod analytics;
pub mod appeals;
pub mod approvals;
pub mod audit;
pub mod campaign_results;
pub mod campaigns;
pub mod claims;
pub mod clearing;
pub mod codes;
pub mod collection;
pub mod consents;
pub mod credentials;
pub mod drawings;
pub mod entering;
pub mod entrants;
pub mod flags;
pub mod free_entries;
pub mod health;
pub mod odds;
pub mod opening;
pub mod opting_out;
pub mod packages;
pub mod people;
pub mod phone_verification;
pub mod pictures;
pub mod privacy;
pub mod provider_callbacks;
pub mod published_lists;
pub mod purchases;
pub mod push;
pub mod raffles;
pub mod reconcile;
pub mod reseal;
pub mod retention;
pub mod rollups;
pub mod rules;
mod runner;
pub mod second_factor;
pub mod send_messages;
pub mod sessions;
pub mod shared_networks;
pub mod sharing;
pub mod sms_templates;
pub mod start_settings;
mod store;
pub mod waiting;

pub use runner::{RunError, Runner};
pub use store::{Ports, Store};
