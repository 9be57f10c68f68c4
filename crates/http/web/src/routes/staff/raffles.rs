//! Raffles: what they say, their order, and when they are open.

mod contents;
mod opening;

use super::Store;
use crate::routes::route_table::Routes;

pub(crate) use contents::PublishedView;
pub(crate) use opening::RaffleOpeningView;

pub(super) fn routes<S: Store>() -> Routes {
    opening::routes::<S>().and(contents::routes::<S>())
}
