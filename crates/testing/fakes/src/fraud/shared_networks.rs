use crate::mem_store::MemTx;
use crate::state::{count, next_id, storable};
use chrono::{DateTime, Utc};
use fraud::{NewSharedNetwork, SharedNetwork, SharedNetworkId, SharedNetworks};
use kernel::{Network, PageRequest, StoreError};

impl MemTx {
    pub(super) fn is_shared(&self, network: Network) -> bool {
        let mut shared = self.0.fraud.shared_networks.iter();
        shared.any(|shared| shared.network.contains(network))
    }
}

impl SharedNetworks for MemTx {
    fn add_shared_network(
        &mut self,
        new: &NewSharedNetwork,
        at: DateTime<Utc>,
    ) -> Result<Option<SharedNetworkId>, StoreError> {
        storable([new.label()])?;
        let fraud = &mut self.0.fraud;
        if fraud
            .shared_networks
            .iter()
            .any(|shared| shared.network == new.network())
        {
            return Ok(None);
        }
        let id = SharedNetworkId::new(next_id(fraud.shared_networks_made));
        fraud.shared_networks_made += 1;
        fraud.shared_networks.push(SharedNetwork {
            id,
            network: new.network(),
            label: new.label().to_owned(),
            created_at: at,
        });
        Ok(Some(id))
    }

    fn remove_shared_network(&mut self, id: SharedNetworkId) -> Result<Option<SharedNetwork>, StoreError> {
        let fraud = &mut self.0.fraud;
        let Some(place) = fraud.shared_networks.iter().position(|shared| shared.id == id) else {
            return Ok(None);
        };
        let removed = fraud.shared_networks.remove(place);
        fraud
            .checked
            .retain(|network, _| !removed.network.contains(*network));
        Ok(Some(removed))
    }

    fn list_shared_networks(&self, page: PageRequest) -> Result<Vec<SharedNetwork>, StoreError> {
        let newest_first = self.0.fraud.shared_networks.iter().rev();
        let part = newest_first.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn count_shared_networks(&self) -> Result<i64, StoreError> {
        Ok(count(self.0.fraud.shared_networks.iter()))
    }
}
