//! What the domain `pricing` stores.

mod free_entries;
mod listed;
mod packages;
mod provider_events;
mod purchases;
mod reversals;
