//! The raffles: which there are, and when they are open.

use kernel::{StoreError, UnitOfWork};
use raffle::{RaffleList, Raffles};

/// All raffles, drafts too, in the order in which they are shown.
pub fn list<S>(store: &S) -> Result<RaffleList, StoreError>
where
    S: UnitOfWork<Tx: Raffles>,
{
    store.read(|tx| tx.list_raffles())
}
