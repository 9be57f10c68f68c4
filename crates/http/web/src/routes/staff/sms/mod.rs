//! Messages in the console.

pub(crate) mod account;
pub(crate) mod campaigns;
pub(crate) mod evidence;
pub(crate) mod replies;
pub(crate) mod templates;
pub(crate) mod welcome;

use super::Store;
use crate::routes::route_table::Routes;

pub(super) fn routes<S: Store>() -> Routes {
    templates::routes::<S>()
        .and(campaigns::routes::<S>())
        .and(account::routes::<S>())
        .and(evidence::routes::<S>())
        .and(replies::routes::<S>())
        .and(welcome::routes::<S>())
}

/// The message about a field that must be filled in.
const MISSING: &str = "Please fill in all required fields";
