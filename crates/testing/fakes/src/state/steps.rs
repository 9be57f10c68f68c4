//! What the store has of `steps`.

use chrono::{DateTime, Utc};
use drawing::steps::{DrawingState, DrawingStatus, Plan};
use drawing::{DrawingId, DrawingKind, Hash, Period};
use kernel::{EntrantId, StoreError};
use raffle::RaffleKey;
use std::collections::BTreeMap;

/// Drawings and their steps.
#[derive(Clone, Default)]
pub(crate) struct StepsState {
    /// Announced, but without their first announcement: only inside of a unit of work.
    pub(crate) plans: BTreeMap<DrawingId, Plan>,
    pub(crate) drawings: BTreeMap<DrawingId, DrawingState>,
    /// When the seals of this unit of work must be committed.
    pub(crate) deadlines: Vec<DateTime<Utc>>,
}

impl StepsState {
    /// Ends a unit of work: checks what a database checks when it commits.
    pub(crate) fn commit(&mut self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let deadlines = std::mem::take(&mut self.deadlines);
        match deadlines.iter().any(|deadline| *deadline < now) {
            true => Err(StoreError::TooLate),
            false => Ok(()),
        }
    }

    /// Erases the number of a winner.
    pub(crate) fn erase(&mut self, winner: EntrantId) {
        let drawn = self.drawings.values_mut();
        let won = drawn.filter(|state| state.winner().is_some_and(|rank| rank.entrant == winner));
        won.filter_map(|state| state.result.as_mut())
            .for_each(|result| result.step.winner_phone = None);
    }

    /// The drawings that are drawn, with the time of their results.
    pub(crate) fn results(&self) -> impl Iterator<Item = (&DrawingState, DateTime<Utc>)> {
        let drawings = self.drawings.values();
        drawings.filter_map(|state| Some((state, state.result.as_ref()?.entry.entry.at)))
    }

    pub(crate) fn newest(&self, is_wanted: impl Fn(&&DrawingState) -> bool) -> Option<DrawingState> {
        self.drawings.values().rev().find(is_wanted).cloned()
    }

    pub(crate) fn has_regular(&self, raffle: RaffleKey, period: Period) -> bool {
        self.regular(raffle, period).is_some()
    }

    pub(crate) fn regular(&self, raffle: RaffleKey, period: Period) -> Option<DrawingState> {
        self.newest(|state| {
            state.plan.kind == DrawingKind::Regular
                && state.status != DrawingStatus::Void
                && (state.plan.raffle, state.plan.period) == (raffle, period)
        })
    }

    pub(crate) fn has_revealed(&self, commitment: Hash) -> bool {
        let mut with_it = self
            .drawings
            .values()
            .filter(|state| state.plan.commitment == commitment);
        with_it.any(|state| !state.has_unused_seed())
    }

    /// Whether a drawing that replaces this one is sealed, or was.
    pub(crate) fn is_replaced(&self, id: DrawingId) -> bool {
        let mut replacements = self.replacements(id);
        replacements.any(|state| state.seal.is_some())
    }

    /// Whether a drawing may take the list of this one: it is void, and nothing replaces it.
    pub(crate) fn takes_list(&self, plan: &Plan, void: DrawingId) -> bool {
        let month = |plan: &Plan| (plan.raffle, plan.period, plan.kind);
        let is_void = |state: &DrawingState| {
            state.status == DrawingStatus::Void && state.seal.is_some() && month(&state.plan) == month(plan)
        };
        let is_free = self
            .replacements(void)
            .all(|other| other.status == DrawingStatus::Void && other.seal.is_none());
        is_free && self.drawings.get(&void).is_some_and(is_void)
    }

    /// The drawings that were announced with the list of this one, the oldest first.
    pub(crate) fn replacements(&self, id: DrawingId) -> impl DoubleEndedIterator<Item = &DrawingState> {
        let all = self.drawings.values();
        all.filter(move |state| state.plan.replaces == Some(id))
    }

    /// The drawing, if it may take the step to this status.
    pub(crate) fn before(
        &mut self,
        id: DrawingId,
        next: DrawingStatus,
    ) -> Result<&mut DrawingState, StoreError> {
        let state = self.drawings.get_mut(&id);
        state
            .filter(|state| leads_to(state.status, next))
            .ok_or_else(|| refused("the status does not allow the step"))
    }
}

/// Whether a drawing can go from one status to the other.
pub(crate) fn leads_to(status: DrawingStatus, next: DrawingStatus) -> bool {
    use DrawingStatus::{Announced, Drawn, Sealed, Void};
    matches!(
        (status, next),
        (Announced, Sealed | Void) | (Sealed, Drawn | Void) | (Void, Drawn)
    )
}

pub(crate) fn refused(why: &'static str) -> StoreError {
    StoreError::Failed(why.into())
}
