//! Flags, detection, appeals and shared networks in memory.

mod appeals;
mod flags;
mod networks;
mod shared_networks;

use appeals::StoredAppeal;
use chrono::{DateTime, Utc};
use fraud::{Evidence, REASON_OF_DETECTION, REASON_WITHOUT_ADDRESS, SharedNetwork};
use kernel::{EntrantId, Network};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

#[derive(Clone, Default)]
pub(crate) struct FraudState {
    pub(crate) flags: BTreeMap<EntrantId, Flag>,
    unflagged: BTreeSet<EntrantId>,
    /// How many accounts each network had when detection checked it.
    checked: BTreeMap<Network, usize>,
    appeals: Vec<StoredAppeal>,
    shared_networks: Vec<SharedNetwork>,
    shared_networks_made: usize,
}

#[derive(Clone)]
pub(crate) struct Flag {
    pub(crate) reason: String,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) at: DateTime<Utc>,
}

impl Flag {
    fn forget_address(&mut self) {
        if self.reason.starts_with(REASON_OF_DETECTION) {
            REASON_WITHOUT_ADDRESS.clone_into(&mut self.reason);
        }
    }
}

impl FraudState {
    /// Erases the appeals of an entrant.
    pub(crate) fn erase(&mut self, entrant: EntrantId) {
        self.appeals.retain(|appeal| !appeal.is_of(entrant));
    }

    /// Forgets the address of an entrant: in the reasons of flags, and as an account of its network.
    pub(crate) fn forget_address(&mut self, entrant: EntrantId, address: Option<IpAddr>) {
        let checked = address.and_then(|address| self.checked.get_mut(&Network::of(address)));
        if let Some(accounts) = checked {
            *accounts = accounts.saturating_sub(1);
        }
        let of_appeals = self.appeals.iter_mut().filter(|appeal| appeal.is_of(entrant));
        let copies = of_appeals.map(|appeal| &mut appeal.flag);
        copies
            .chain(self.flags.get_mut(&entrant))
            .for_each(Flag::forget_address);
    }
}
