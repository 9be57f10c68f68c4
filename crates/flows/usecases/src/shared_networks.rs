//! The networks that many people share.

use fraud::{NewSharedNetwork, SharedNetwork, SharedNetworkId, SharedNetworks};
use kernel::{Clock, Network, PageRequest, StoreError, UnitOfWork};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// Why the list of shared networks was not changed.
#[derive(Debug, thiserror::Error)]
pub enum SharedNetworksError {
    /// The network is listed already.
    #[error("listed already")]
    AlreadyListed,
    /// There is no such shared network.
    #[error("unknown shared network")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A page of the shared networks, the newest first, with the number of all.
pub fn list<S>(store: &S, page: PageRequest) -> Result<(Vec<SharedNetwork>, i64), StoreError>
where
    S: UnitOfWork<Tx: SharedNetworks>,
{
    store.snapshot(|tx| Ok((tx.list_shared_networks(page)?, tx.count_shared_networks()?)))
}

/// Lists a network. Flags that its accounts have stay.
///
/// # Errors
/// [`SharedNetworksError::AlreadyListed`].
pub fn add<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    new: &NewSharedNetwork,
) -> Result<SharedNetwork, SharedNetworksError>
where
    S: UnitOfWork<Tx: SharedNetworks + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let id = tx
            .add_shared_network(new, at)?
            .ok_or(SharedNetworksError::AlreadyListed)?;
        let entry = NewAuditEntry::new(actor, Action::AddSharedNetwork, at).target(id);
        tx.record_audit(&with_network(entry, new.network(), new.label()))?;
        Ok(SharedNetwork {
            id,
            network: new.network(),
            label: new.label().to_owned(),
            created_at: at,
        })
    })
}

/// Removes a network from the list. The next detection checks all its accounts again.
///
/// # Errors
/// [`SharedNetworksError::Unknown`].
pub fn remove<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: SharedNetworkId,
) -> Result<(), SharedNetworksError>
where
    S: UnitOfWork<Tx: SharedNetworks + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let removed = tx
            .remove_shared_network(id)?
            .ok_or(SharedNetworksError::Unknown)?;
        let entry = NewAuditEntry::new(actor, Action::RemoveSharedNetwork, at).target(id);
        tx.record_audit(&with_network(entry, removed.network, &removed.label))?;
        Ok(())
    })
}

fn with_network(entry: NewAuditEntry, network: Network, label: &str) -> NewAuditEntry {
    entry.shared_network(network).text("label", label)
}
