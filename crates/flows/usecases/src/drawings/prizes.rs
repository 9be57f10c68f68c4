//! The prizes that staff set for raffles.

use super::FlowTx;
use super::seal::current_prize;
use drawing::Prize;
use drawing::steps::DrawingSteps;
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use raffle::{RaffleKey, Raffles};
use staff::AuditLog;
use staff::{Action, Actor, NewAuditEntry};

/// Sets the prize of a raffle. The next seal freezes it into the record.
pub fn set_prize<S>(store: &S, actor: Actor, raffle: RaffleKey, prize: &Prize) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.transaction(|tx| {
        let at = tx.database_time()?;
        let before = current_prize(tx, raffle)?;
        tx.set_prize(raffle, prize, actor.session.get(), at)?;
        let entry = NewAuditEntry::new(actor, Action::SetPrize, at)
            .target(raffle)
            .text("name", &prize.name)
            .text("value", &prize.value)
            .text("nameBefore", before.name)
            .text("valueBefore", before.value);
        tx.record_audit(&entry).map(drop)
    })
}

/// The prize of each raffle, in the order in which raffles are shown: what staff set, or the kit of its page.
pub fn prizes<S>(store: &S) -> Result<Vec<(RaffleKey, Prize)>, StoreError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    store.read(|tx| {
        tx.list_raffles()?
            .keys()
            .map(|raffle| Ok((raffle, current_prize(tx, raffle)?)))
            .collect()
    })
}
