//! What the store has of `fraud`.

use super::State;
use chrono::{DateTime, Utc};
use fraud::{
    Appeal, AppealCase, AppealStatus, Evidence, NetworkAccount, PublicReason, REASON_OF_DETECTION,
    REASON_WITHOUT_ADDRESS, SharedNetwork,
};
use kernel::{EntrantId, Network};
use raffle::Entrant;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

#[derive(Clone, Default)]
pub(crate) struct FraudState {
    pub(crate) flags: BTreeMap<EntrantId, Flag>,
    pub(crate) unflagged: BTreeSet<EntrantId>,
    /// How many accounts each network had when detection checked it.
    pub(crate) checked: BTreeMap<Network, usize>,
    pub(crate) appeals: Vec<StoredAppeal>,
    pub(crate) shared_networks: Vec<SharedNetwork>,
    pub(crate) shared_networks_made: usize,
}

#[derive(Clone)]
pub(crate) struct Flag {
    pub(crate) reason: String,
    pub(crate) public_reason: Option<PublicReason>,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) at: DateTime<Utc>,
}

impl Flag {
    pub(crate) fn forget_address(&mut self) {
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

/// An appeal, with the flag at the time when it was made.
#[derive(Clone)]
pub(crate) struct StoredAppeal {
    pub(crate) entrant: EntrantId,
    pub(crate) appeal: Appeal,
    pub(crate) flag: Flag,
}

impl StoredAppeal {
    pub(crate) fn is_of(&self, entrant: EntrantId) -> bool {
        self.entrant == entrant
    }

    pub(crate) fn is_open_of(&self, entrant: EntrantId) -> bool {
        self.entrant == entrant && self.appeal.status == AppealStatus::Open
    }

    pub(crate) fn decide(&mut self, status: AppealStatus, note: Option<String>, at: DateTime<Utc>) {
        self.appeal.status = status;
        self.appeal.note = note;
        self.appeal.decided_at = Some(at);
    }
}

impl State {
    pub(crate) fn case(&self, stored: &StoredAppeal) -> Option<AppealCase> {
        let entrant = self.entrant(stored.entrant)?;
        Some(AppealCase {
            appeal: stored.appeal.clone(),
            entrant: entrant.id,
            phone: entrant.phone.clone(),
            raffle: entrant.raffle,
            total_entries: entrant.entries.total(),
            is_flagged: self.fraud.flags.contains_key(&entrant.id),
            reason: stored.flag.reason.clone(),
            evidence: stored.flag.evidence.clone(),
            flagged_at: stored.flag.at,
        })
    }

    pub(crate) fn appeals_with(&self, status: Option<AppealStatus>) -> impl Iterator<Item = &StoredAppeal> {
        let appeals = self.fraud.appeals.iter();
        appeals.filter(move |stored| status.is_none_or(|status| stored.appeal.status == status))
    }
}

impl State {
    /// The accounts of each network, oldest first.
    pub(crate) fn networks(&self) -> BTreeMap<Network, Vec<NetworkAccount>> {
        let addresses: BTreeMap<_, _> = self.addresses.iter().copied().collect();
        let referrers = self
            .referrals
            .iter()
            .map(|(by, friend, _)| (*friend, *by))
            .collect();
        let mut networks: BTreeMap<Network, Vec<NetworkAccount>> = BTreeMap::new();
        for entrant in &self.entrants {
            if let Some(address) = addresses.get(&entrant.id).copied().flatten() {
                let account = self.network_account(entrant, &referrers);
                networks.entry(Network::of(address)).or_default().push(account);
            }
        }
        for accounts in networks.values_mut() {
            // Stable: accounts of the same moment stay in the order in which they were added.
            accounts.sort_by_key(|account| account.created_at);
        }
        networks
    }

    pub(crate) fn network_account(
        &self,
        entrant: &Entrant,
        referrers: &BTreeMap<EntrantId, EntrantId>,
    ) -> NetworkAccount {
        let id = entrant.id;
        let fraud = &self.fraud;
        NetworkAccount {
            id,
            created_at: entrant.created_at,
            fingerprint: self.fingerprints.get(&id).cloned(),
            referrer: referrers.get(&id).copied(),
            is_open: !fraud.flags.contains_key(&id) && !fraud.unflagged.contains(&id),
        }
    }
}
