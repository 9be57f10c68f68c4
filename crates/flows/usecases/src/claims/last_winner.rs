use super::own::drawn_at;
use super::reading::drawing_of;
use ::claims::{Claims, PublicWinner};
use chrono::{DateTime, Utc};
use drawing::DrawingId;
use drawing::steps::DrawingSteps;
use kernel::{StoreError, UnitOfWork};

/// The newest winner who agreed to be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastWinner {
    /// The drawing.
    pub drawing: DrawingId,
    /// When it was drawn.
    pub drawn_at: DateTime<Utc>,
    /// The name of the prize, as the seal has it.
    pub prize: String,
    /// Who won it, as the record of the drawing names them.
    pub winner: PublicWinner,
}

/// The winner of the newest drawing whose claim was approved and names somebody.
///
/// # Errors
/// When the store fails.
pub fn last_winner<S>(store: &S) -> Result<Option<LastWinner>, StoreError>
where
    S: UnitOfWork<Tx: Claims + DrawingSteps>,
{
    store.snapshot(|tx| {
        let Some(claim) = tx.newest_named_claim()? else {
            return Ok(None);
        };
        let state = drawing_of(tx, claim.drawing)?;
        let prize = state.plan.prize.words.name.clone();
        Ok(drawn_at(&state)
            .zip(claim.public_winner)
            .map(|(drawn_at, winner)| LastWinner {
                drawing: claim.drawing,
                drawn_at,
                prize,
                winner,
            }))
    })
}
