use crate::mem_store::MemTx;
use crate::state::directed;
use crate::state::steps::{StepsState, refused};
use chrono::{DateTime, Utc};
use drawing::steps::{
    Announced, DrawingState, DrawingStatus, DrawingSteps, Drawn, DueDrawings, LateRound, Logged, Plan,
    Sealed, Voided,
};
use drawing::{DrawingId, DrawingKind, DrawingSort, LogAction, LogEntry, Period};
use kernel::{IdempotencyKey, PageRequest, SortOrder, StoreError};
use raffle::RaffleKey;
use std::cmp::Ordering;

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

    /// The drawings of a raffle, or of all, with a list.
    fn sealed_of(&self, raffle: Option<RaffleKey>) -> impl Iterator<Item = &DrawingState> {
        let drawings = self.steps().drawings.values();
        let is_of = move |state: &&DrawingState| raffle.is_none_or(|raffle| state.plan.raffle == raffle);
        drawings.filter(|state| state.seal.is_some()).filter(is_of)
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
        if plan.replaces.is_some_and(|void| !steps.takes_list(plan, void)) {
            return Err(refused("it does not replace this drawing"));
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
                late: None,
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
        let is_replaced = self.steps().is_replaced(id);
        let state = self.steps_mut().before(id, DrawingStatus::Drawn)?;
        if state.status == DrawingStatus::Void && (is_replaced || state.seal.is_none()) {
            return Err(refused("the drawing is void for good"));
        }
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

    fn add_late_round(&mut self, id: DrawingId, late: &Logged<LateRound>) -> Result<(), StoreError> {
        self.log_has(&late.entry)?;
        let state = self.steps_mut().drawings.get_mut(&id);
        let void = state.filter(|state| state.void.is_some() && state.late.is_none());
        void.ok_or_else(|| refused("only a void drawing has a late round"))?
            .late = Some(late.clone());
        Ok(())
    }

    fn copy_chunks(&mut self, from: DrawingId, to: DrawingId) -> Result<(), StoreError> {
        let chunks = &mut self.0.drawing.chunks;
        let list = chunks.range((from, 0)..=(from, u32::MAX));
        let copy: Vec<_> = list
            .map(|((_, number), chunk)| ((to, *number), chunk.clone()))
            .collect();
        chunks.extend(copy);
        Ok(())
    }

    fn find_state(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().drawings.get(&id).cloned())
    }

    fn find_state_by_key(&self, key: &IdempotencyKey) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().newest(|state| has_key(state, key)))
    }

    fn regular_drawing_of(
        &self,
        raffle: RaffleKey,
        period: Period,
    ) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().regular(raffle, period))
    }

    fn unreplaced_void(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        let steps = self.steps();
        let is_void = |state: &&DrawingState| {
            state.status == DrawingStatus::Void && state.seal.is_some() && state.plan.raffle == raffle
        };
        let is_unreplaced = |state: &&DrawingState| {
            let mut others = steps.replacements(state.id);
            !steps.is_replaced(state.id) && others.all(|other| other.status == DrawingStatus::Void)
        };
        let mut voids = steps.drawings.values().filter(is_void);
        Ok(voids.find(is_unreplaced).cloned())
    }

    fn replacement_of(&self, id: DrawingId) -> Result<Option<DrawingState>, StoreError> {
        let steps = self.steps();
        let sealed = steps.replacements(id).rfind(|state| state.seal.is_some());
        Ok(sealed.or_else(|| steps.replacements(id).next_back()).cloned())
    }

    fn unused_commitment(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        Ok(self.steps().newest(|state| {
            let is_unused = state.plan.raffle == raffle && state.has_unused_seed();
            is_unused && !self.steps().has_revealed(state.plan.commitment)
        }))
    }

    fn open_drawing(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        let is_open = |state: &&DrawingState| {
            let is_open = matches!(state.status, DrawingStatus::Announced | DrawingStatus::Sealed);
            is_open && state.plan.raffle == raffle
        };
        Ok(self.steps().newest(is_open))
    }

    fn next_cut_off(
        &self,
        raffle: RaffleKey,
        after: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        let announced = self.steps().drawings.values().filter(|state| {
            let is_announced = state.status == DrawingStatus::Announced && state.plan.replaces.is_none();
            is_announced && state.plan.raffle == raffle
        });
        let cut_offs =
            announced.map(|state| state.plan.cut_off.unwrap_or(state.announcement.step.seal_due_at));
        Ok(cut_offs.filter(|cut_off| *cut_off > after).min())
    }

    fn newest_listed(&self, raffle: RaffleKey) -> Result<Option<DrawingState>, StoreError> {
        let is_listed = |state: &&DrawingState| {
            let is_listed = matches!(state.status, DrawingStatus::Sealed | DrawingStatus::Drawn);
            is_listed && state.plan.raffle == raffle
        };
        Ok(self.steps().newest(is_listed))
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
        raffle: Option<RaffleKey>,
        sort: DrawingSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<DrawingState>, StoreError> {
        let mut sorted: Vec<_> = self.sealed_of(raffle).collect();
        sorted.sort_by(|one, other| compare(sort, order, one, other));
        let part = sorted.into_iter().skip(page.offset as usize);
        Ok(part.take(page.limit as usize).cloned().collect())
    }

    fn count_drawings(&self, raffle: Option<RaffleKey>) -> Result<i64, StoreError> {
        Ok(i64::try_from(self.sealed_of(raffle).count()).unwrap_or(i64::MAX))
    }

    fn count_voids(&self, raffle: RaffleKey) -> Result<i64, StoreError> {
        let drawings = self.steps().drawings.values();
        let of_raffle = drawings.filter(|state| state.plan.raffle == raffle);
        let voids = of_raffle.filter(|state| state.status == DrawingStatus::Void && state.seal.is_some());
        Ok(i64::try_from(voids.count()).unwrap_or(i64::MAX))
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
        DrawingSort::Raffle => None,
        DrawingSort::WinningEntryNumber => number(drawing.winning_entry_number()),
        DrawingSort::TotalParticipants => number(drawing.participants()),
        DrawingSort::TotalEntries => number(drawing.entries()),
    };
    let by_value = match (values(one), values(other)) {
        _ if sort == DrawingSort::Raffle => directed(order, one.plan.raffle.cmp(&other.plan.raffle)),
        (Some(a), Some(b)) => directed(order, a.cmp(&b)),
        (a, b) => b.is_some().cmp(&a.is_some()),
    };
    by_value.then(by_id)
}

fn number(value: Option<u64>) -> Option<i64> {
    value.and_then(|value| i64::try_from(value).ok())
}
