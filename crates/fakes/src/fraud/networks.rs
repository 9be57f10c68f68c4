//! The accounts of each network.

use crate::mem_store::State;
use fraud::NetworkAccount;
use kernel::{EntrantId, Network};
use raffle::Entrant;
use std::collections::BTreeMap;

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

    fn network_account(
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
