//! What the domain `analytics` stores.

pub(crate) mod clearing;
mod collection;
mod figures;
mod recount;
mod rollups;
mod share_progress;
pub(crate) mod view_months;
