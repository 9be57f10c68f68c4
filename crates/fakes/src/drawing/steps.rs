use crate::MemTx;
use crate::mem_store::directed;
use chrono::{DateTime, Utc};
use drawing::steps::{
    Announced, DrawingState, DrawingStatus, DrawingSteps, Drawn, DueDrawings, Logged, Plan, Sealed, Voided,
};
use drawing::{DrawingId, DrawingKind, DrawingSort, Hash, LogAction, LogEntry, Period, Prize};
use kernel::{EntrantId, IdempotencyKey, PageRequest, SortOrder, StoreError};
use raffle::Raffle;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use strum::IntoEnumIterator;

/// Drawings and their steps.
#[derive(Clone, Default)]
pub(crate) struct StepsState {
    /// Announced, but without their first announcement: only inside of a unit of work.
    plans: BTreeMap<DrawingId, Plan>,
    drawings: BTreeMap<DrawingId, DrawingState>,
    prizes: BTreeMap<Raffle, Prize>,
    /// When the seals of this unit of work must be committed.
    deadlines: Vec<DateTime<Utc>>,
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

    fn newest(&self, is_wanted: impl Fn(&&DrawingState) -> bool) -> Option<DrawingState> {
        self.drawings.values().rev().find(is_wanted).cloned()
    }

    fn has_regular(&self, raffle: Raffle, period: Period) -> bool {
        self.regular(raffle, period).is_some()
    }

    fn regular(&self, raffle: Raffle, period: Period) -> Option<DrawingState> {
        self.newest(|state| {
            state.plan.kind == DrawingKind::Regular
                && state.status != DrawingStatus::Void
                && (state.plan.raffle, state.plan.period) == (raffle, period)
        })
    }

    fn has_revealed(&self, commitment: Hash) -> bool {
        let mut with_it = self
            .drawings
            .values()
            .filter(|state| state.plan.commitment == commitment);
        with_it.any(|state| !state.was_empty())
    }

    /// The drawing, if it may take the step to this status.
    fn before(&mut self, id: DrawingId, next: DrawingStatus) -> Result<&mut DrawingState, StoreError> {
        let state = self.drawings.get_mut(&id);
        state
            .filter(|state| leads_to(state.status, next))
            .ok_or_else(|| refused("the status does not allow the step"))
    }
}

/// Whether a drawing can go from one status to the other.
fn leads_to(status: DrawingStatus, next: DrawingStatus) -> bool {
    use DrawingStatus::{Announced, Drawn, Sealed, Void};
    matches!(
        (status, next),
        (Announced, Sealed | Void) | (Sealed, Drawn | Void)
    )
}

fn refused(why: &'static str) -> StoreError {
    StoreError::Failed(why.into())
}

impl MemTx {
    fn steps(&self) -> &StepsState {
        &self.0.drawing.steps
    }

    fn steps_mut(&mut self) -> &mut StepsState {
        &mut self.0.drawing.steps
    }

    fn log_has(&self, entry: &LogEntry) -> Result<(), StoreError> {
        match self.0.drawing.log.contains(entry) {
            true => Ok(()),
            false => Err(refused("the entry is not in the log")),
        }
    }

    /// The drawings with a list.
    fn sealed(&self) -> impl Iterator<Item = &DrawingState> {
        let drawings = self.steps().drawings.values();
        drawings.filter(|state| state.seal.is_some())
    }
}

impl DrawingSteps for MemTx {
    fn add_plan(&mut self, id: DrawingId, plan: &Plan) -> Result<(), StoreError> {
        if plan.kind == DrawingKind::Additional && plan.reason.is_none() {
            return Err(refused("an additional drawing has a reason"));
        }
        let steps = self.steps_mut();
        if plan.kind == DrawingKind::Regular && steps.has_regular(plan.raffle, plan.period) {
            return Err(refused("the period has a regular drawing"));
        }
        if steps.has_revealed(plan.commitment) {
            return Err(refused("the commitment is in use"));
        }
        let key = plan.request.as_ref().map(|request| &request.key);
        if key.is_some_and(|key| steps.drawings.values().any(|state| has_key(state, key))) {
            return Err(refused("the key has a drawing"));
        }
        steps.plans.insert(id, plan.clone());
        Ok(())
    }

    fn add_announcement(&mut self, id: DrawingId, announced: &Logged<Announced>) -> Result<(), StoreError> {
        self.log_has(&announced.entry)?;
        let steps = self.steps_mut();
        if let Some(plan) = steps.plans.remove(&id) {
            if announced.step.number != 1 {
                return Err(refused("the first announcement has number 1"));
            }
            let state = DrawingState {
                id,
                plan,
                status: DrawingStatus::Announced,
                announcement: announced.clone(),
                seal: None,
                result: None,
                void: None,
            };
            steps.drawings.insert(id, state);
            return Ok(());
        }
        let state = steps.before(id, DrawingStatus::Sealed)?;
        if announced.step.number != state.announcement.step.number + 1 {
            return Err(refused("announcements are numbered"));
        }
        state.announcement = announced.clone();
        Ok(())
    }

    fn add_seal(&mut self, id: DrawingId, sealed: &Logged<Sealed>) -> Result<(), StoreError> {
        self.log_has(&sealed.entry)?;
        let steps = self.steps_mut();
        let state = steps.before(id, DrawingStatus::Sealed)?;
        state.status = DrawingStatus::Sealed;
        state.seal = Some(sealed.clone());
        let deadline = state.announcement.step.seal_before;
        steps.deadlines.extend(deadline);
        Ok(())
    }

    fn add_result(&mut self, id: DrawingId, drawn: &Logged<Drawn>) -> Result<(), StoreError> {
        self.log_has(&drawn.entry)?;
        let state = self.steps_mut().before(id, DrawingStatus::Drawn)?;
        state.status = DrawingStatus::Drawn;
        state.result = Some(drawn.clone());
        Ok(())
    }

    fn add_void(&mut self, id: DrawingId, voided: &Logged<Voided>) -> Result<(), StoreError> {
        self.log_has(&voided.entry)?;
        let state = self.steps_mut().before(id, DrawingStatus::Void)?;
        state.status = DrawingStatus::Void;
        state.void = Some(voided.clone());
        Ok(())
    }

    fn find_state(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().drawings.get(&id).cloned())
    }

    fn find_state_by_key(&self, key: &IdempotencyKey) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().newest(|state| has_key(state, key)))
    }

    fn regular_drawing_of(&self, raffle: Raffle, period: Period) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().regular(raffle, period))
    }

    fn unreplaced_void(&self, raffle: Raffle) -> Result<Option<DrawingState>, StoreError> {
        let is_regular_void = |state: &&DrawingState| {
            let is_void = state.status == DrawingStatus::Void && state.seal.is_some();
            is_void && state.plan.kind == DrawingKind::Regular && state.plan.raffle == raffle
        };
        let newest = self.steps().newest(is_regular_void);
        Ok(newest.filter(|void| !self.steps().has_regular(raffle, void.plan.period)))
    }

    fn unused_commitment(&self, raffle: Raffle) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().newest(|state| {
            let is_empty = state.plan.raffle == raffle && state.was_empty();
            is_empty && !self.steps().has_revealed(state.plan.commitment)
        }))
    }

    fn open_drawing(&self, raffle: Raffle) -> Result<Option<DrawingState>, StoreError> {
        let is_open = |state: &&DrawingState| {
            let is_open = matches!(state.status, DrawingStatus::Announced | DrawingStatus::Sealed);
            is_open && state.plan.raffle == raffle
        };
        Ok(self.steps().newest(is_open))
    }

    fn list_due(&self) -> Result<DueDrawings, StoreError> {
        let now = self.0.clock.now();
        let with = |status, is_due: fn(&Announced) -> Option<DateTime<Utc>>| -> Vec<DrawingId> {
            let drawings = self.steps().drawings.values();
            let waiting = drawings.filter(|state| state.status == status);
            let due = waiting.filter(|state| is_due(&state.announcement.step).is_some_and(|due| due <= now));
            due.map(|state| state.id).collect()
        };
        Ok(DueDrawings {
            to_seal: with(DrawingStatus::Announced, |announced| Some(announced.seal_due_at)),
            to_draw: with(DrawingStatus::Sealed, |announced| announced.round_at),
        })
    }

    fn list_drawings(
        &self,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<DrawingState>, StoreError> {
        let mut sorted: Vec<_> = self.sealed().collect();
        sorted.sort_by(|one, other| compare(sort, order, one, other));
        let part = sorted.into_iter().skip(page.offset as usize);
        Ok(part.take(page.limit as usize).cloned().collect())
    }

    fn count_drawings(&self) -> Result<i64, StoreError> {
        Ok(i64::try_from(self.sealed().count()).unwrap_or(i64::MAX))
    }

    fn count_voids(&self, raffle: Raffle) -> Result<i64, StoreError> {
        let drawings = self.steps().drawings.values();
        let of_raffle = drawings.filter(|state| state.plan.raffle == raffle);
        let voids = of_raffle.filter(|state| state.status == DrawingStatus::Void && state.seal.is_some());
        Ok(i64::try_from(voids.count()).unwrap_or(i64::MAX))
    }

    fn prize_of(&self, raffle: Raffle) -> Result<Option<Prize>, StoreError> {
        Ok(self.steps().prizes.get(&raffle).cloned())
    }

    fn set_prize(
        &mut self,
        raffle: Raffle,
        prize: &Prize,
        _session: i64,
        _at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.steps_mut().prizes.insert(raffle, prize.clone());
        Ok(())
    }

    fn last_checkpoint_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let mut newest_first = self.0.drawing.log.iter().rev();
        let newest = newest_first.find(|entry| entry.entry.action == LogAction::Checkpoint);
        Ok(newest.map(|entry| entry.entry.at))
    }
}

fn has_key(state: &DrawingState, key: &IdempotencyKey) -> bool {
    let request = state.plan.request.as_ref();
    request.is_some_and(|request| request.key == *key)
}

/// A drawing without the value comes last in either order.
fn compare(sort: DrawingSort, order: SortOrder, one: &DrawingState, other: &DrawingState) -> Ordering {
    let by_id = directed(order, one.id.cmp(&other.id));
    let values = |drawing: &DrawingState| match sort {
        DrawingSort::CreatedAt => Some(drawing.plan.at.timestamp_micros()),
        DrawingSort::Raffle => Raffle::iter()
            .filter(|raffle| raffle.as_str() < drawing.plan.raffle.as_str())
            .count()
            .try_into()
            .ok(),
        DrawingSort::WinningEntryNumber => number(drawing.winning_entry_number()),
        DrawingSort::TotalParticipants => number(drawing.participants()),
        DrawingSort::TotalEntries => number(drawing.entries()),
    };
    let by_value = match (values(one), values(other)) {
        (Some(a), Some(b)) => directed(order, a.cmp(&b)),
        (a, b) => b.is_some().cmp(&a.is_some()),
    };
    by_value.then(by_id)
}

fn number(value: Option<u64>) -> Option<i64> {
    value.and_then(|value| i64::try_from(value).ok())
}
