//! Drawing the winner and the alternates of a sealed drawing.

use super::announce::append_to_log;
use super::seal::{add_void, log_without_figures};
use super::{DrawingTools, FlowTx, find_state};
use crate::claims::ask_first;
use crate::sessions::NOBODY;
use chrono::{DateTime, Utc};
use drawing::beacon::{BeaconSignature, BeaconVerifier, Round};
use drawing::steps::DrawingSteps;
use drawing::steps::{
    DrawingState, DrawingStatus, Drawn, DrawnRank, LateRound, LateRoundDetails, Logged, Plan, VoidDetails,
    Voided,
};
use drawing::{Chunk, DrawingId, Drawings, LogAction, NewLogEntry, Rank, Record};
use kernel::{DatabaseClock, EntrantId, StoreError, UnitOfWork};
use raffle::Entrant;
use staff::{Action, Actor, AuditLog, MemberId, NewAuditEntry, SessionId};

/// A value of the beacon. It does not matter who brings it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BroughtRound {
    /// The round.
    pub round: Round,
    /// Its signature, which is verified.
    pub signature: BeaconSignature,
}

/// Why a drawing was not drawn. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// There is no such drawing.
    #[error("unknown drawing")]
    UnknownDrawing,
    /// It has no list, or was drawn without a beacon.
    #[error("the drawing is not sealed")]
    NotSealed,
    /// The round is not due.
    #[error("the round is not due")]
    TooEarly,
    /// Another round was announced.
    #[error("another round was announced")]
    AnotherRound,
    /// The chain did not sign the round with this signature.
    #[error("the signature is not valid")]
    InvalidSignature,
    /// The drawing was announced with a chain that is not configured any more.
    #[error("the chain of the drawing is not known")]
    UnknownChain,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who brings a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bringer {
    /// The server, which asked the beacon.
    Server,
    /// A member of staff.
    Staff(Actor),
    /// Anybody.
    Visitor,
}

/// Draws a sealed drawing with the announced round of the beacon, stores the result, and asks the winner to claim the prize. Called
/// again, it returns the drawing.
///
/// The round of a void drawing overturns the void, and a drawing that was announced with its list is withdrawn. When that one
/// is sealed already, the round is kept beside the void drawing with the entry that would have won.
///
/// # Errors
/// [`DrawError`].
pub fn draw<S>(
    store: &S,
    tools: DrawingTools,
    verifier: &dyn BeaconVerifier,
    id: DrawingId,
    brought: BroughtRound,
    by: Bringer,
) -> Result<DrawingState, DrawError>
where
    S: UnitOfWork<Tx: FlowTx>,
{
    let state = find_state(store, id)?.ok_or(DrawError::UnknownDrawing)?;
    let round = announced_round(&state, brought)?;
    if is_settled(&state) {
        return Ok(state);
    }
    if by == Bringer::Visitor {
        // No signature of a round of the future is valid. Strangers hear so before one is verified.
        store.read(|tx| check_due(tx, &state))?;
    }
    check(tools, verifier, &state, brought)?;
    store.transaction(|tx| {
        tx.begin_drawing()?;
        let state = tx.find_state(id)?.ok_or(DrawError::UnknownDrawing)?;
        if is_settled(&state) {
            return Ok(state);
        }
        let state = take_round(tx, tools, state, brought)?;
        if let Some(actor) = by.actor() {
            let at = tx.database_time()?;
            tx.record_audit(&brought_entry(actor, id, round, at))?;
        }
        Ok(state)
    })
}

impl Bringer {
    /// Who stands in the audit log, if anybody does.
    const fn actor(self) -> Option<Actor> {
        match self {
            Self::Server => None,
            Self::Staff(actor) => Some(actor),
            Self::Visitor => Some(NOBODY),
        }
    }
}

/// Whether no round changes anything about it any more.
fn is_settled(state: &DrawingState) -> bool {
    state.status == DrawingStatus::Drawn || state.late.is_some()
}

/// The round that was announced, if it is the one that was brought. A sealed drawing never changes its round.
fn announced_round(state: &DrawingState, brought: BroughtRound) -> Result<Round, DrawError> {
    let announced = state.announcement.step.round.filter(|_| state.seal.is_some());
    let round = announced.ok_or(DrawError::NotSealed)?;
    match round == brought.round {
        true => Ok(round),
        false => Err(DrawError::AnotherRound),
    }
}

/// Draws a sealed or void drawing, or keeps the round beside the void one. The caller holds the lock of drawings.
fn take_round<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    state: DrawingState,
    brought: BroughtRound,
) -> Result<DrawingState, StoreError> {
    match tx.replacement_of(state.id)? {
        Some(other) if other.seal.is_some() => keep_late_round(tx, state, brought),
        Some(other) if other.status == DrawingStatus::Announced => {
            withdraw(tx, other, state.id)?;
            draw_in(tx, tools, state, Some(brought.signature))
        }
        _ => draw_in(tx, tools, state, Some(brought.signature)),
    }
}

/// Withdraws an announced drawing that was to replace another one.
fn withdraw<T: FlowTx>(tx: &mut T, announced: DrawingState, drawn: DrawingId) -> Result<(), StoreError> {
    let details = VoidDetails {
        reason: Voided::withdrawn_for(drawn),
        hosts: Vec::new(),
    };
    let at = tx.database_time()?;
    add_void(tx, announced, details, None, at).map(drop)
}

fn keep_late_round<T: FlowTx>(
    tx: &mut T,
    mut state: DrawingState,
    brought: BroughtRound,
) -> Result<DrawingState, StoreError> {
    let unsealed = || corrupt("drawing_seals", "drawing_id", state.id);
    let seal = state.seal.as_ref().ok_or_else(unsealed)?.entry.hash;
    let value = state.beacon_value(Some(brought.signature)).ok_or_else(unsealed)?;
    let facts = state.facts(value).ok_or_else(unsealed)?;
    let step = LateRound {
        signature: brought.signature,
        entry_number: facts.first_entry().ok_or_else(unsealed)?,
    };
    let details = LateRoundDetails {
        seal,
        round: Some(brought.round),
        signature: step.signature,
        entry_number: step.entry_number,
    };
    let at = tx.database_time()?;
    let entry = log_without_figures(tx, LogAction::LateRound, state.id, details.details(), None, at)?;
    let late = Logged { step, entry };
    tx.add_late_round(state.id, &late)?;
    state.late = Some(late);
    Ok(state)
}

fn check_due<T: FlowTx>(tx: &T, state: &DrawingState) -> Result<(), DrawError> {
    let now = tx.database_time()?;
    match state.announcement.step.round_at.is_some_and(|due| now < due) {
        true => Err(DrawError::TooEarly),
        false => Ok(()),
    }
}

/// Checks a value of the beacon.
fn check(
    tools: DrawingTools,
    verifier: &dyn BeaconVerifier,
    state: &DrawingState,
    brought: BroughtRound,
) -> Result<(), DrawError> {
    let round = brought.round;
    let chain = tools.chain_of(state.plan.beacon).ok_or(DrawError::UnknownChain)?;
    match verifier.verifies(&chain, round, &brought.signature) {
        true => Ok(()),
        false => Err(DrawError::InvalidSignature),
    }
}

/// Draws a sealed drawing with a verified signature, or without one if the beacon is off. The caller holds the lock of
/// drawings.
pub(super) fn draw_in<T: FlowTx>(
    tx: &mut T,
    tools: DrawingTools,
    mut state: DrawingState,
    signature: Option<BeaconSignature>,
) -> Result<DrawingState, StoreError> {
    let unsealed = || corrupt("drawing_seals", "drawing_id", state.id);
    let beacon = state.beacon_value(signature).ok_or_else(unsealed)?;
    let facts = state.facts(beacon).ok_or_else(unsealed)?;
    let mut list = List::new(tx, state.id);
    let ranks = facts.ranks(|entry| list.holder_of(entry).map(|member| member.index))?;
    let ranks: Vec<DrawnRank> = ranks
        .iter()
        .map(|rank| list.entrant_of(rank))
        .collect::<Result<_, _>>()?;
    let winner = find_winner(tx, &state, &ranks)?;
    let entry_numbers = ranks.iter().map(|rank| rank.entry_number).collect();
    let record = state
        .record_of(facts, entry_numbers, tx.database_time()?)
        .ok_or_else(unsealed)?;
    let entry = append_to_log(tx, log_entry(&record, state.plan.session))?;
    let step = Drawn {
        signature,
        ranks,
        winner_phone: winner.map(|winner| winner.phone),
        verification_hash: record.verification_hash(),
    };
    let drawn = Logged { step, entry };
    tx.add_result(state.id, &drawn)?;
    state.result = Some(drawn);
    state.status = DrawingStatus::Drawn;
    ask_first(tx, tools.claims, &state, record.drawn_at)?;
    if let Some(session) = state.plan.session {
        tx.record_audit(&audit_entry(&record, &state.plan, SessionId::new(session)))?;
    }
    Ok(state)
}

/// The frozen list, of which only the chunks with drawn entries are read, each once.
struct List<'a, T> {
    tx: &'a T,
    drawing: DrawingId,
    chunks: Vec<Vec<Member>>,
}

/// An entrant of the list.
#[derive(Clone, Copy)]
struct Member {
    /// The id that the list has.
    id: EntrantId,
    index: u64,
    first_entry: u64,
    weight: u64,
}

impl Member {
    fn holds(&self, entry: u64) -> bool {
        (self.first_entry..self.first_entry.saturating_add(self.weight)).contains(&entry)
    }
}

impl<'a, T: FlowTx> List<'a, T> {
    const fn new(tx: &'a T, drawing: DrawingId) -> Self {
        Self {
            tx,
            drawing,
            chunks: Vec::new(),
        }
    }

    /// The entrant who holds an entry.
    fn holder_of(&mut self, entry: u64) -> Result<Member, StoreError> {
        if let Some(known) = self.known_holder_of(entry) {
            return Ok(known);
        }
        let chunk = self
            .tx
            .find_chunk_with_entry(self.drawing, entry)?
            .ok_or_else(|| corrupt("drawing_chunks", "first_entry", self.drawing))?;
        let members = members_of(&chunk).ok_or_else(|| corrupt("drawing_chunks", "packed", self.drawing))?;
        self.chunks.push(members);
        self.known_holder_of(entry)
            .ok_or_else(|| corrupt("drawing_chunks", "packed", self.drawing))
    }

    fn known_holder_of(&self, entry: u64) -> Option<Member> {
        self.chunks.iter().find_map(|members| {
            let place = members.partition_point(|member| member.first_entry <= entry);
            let member = members.get(place.checked_sub(1)?)?;
            member.holds(entry).then_some(*member)
        })
    }

    fn entrant_of(&mut self, rank: &Rank) -> Result<DrawnRank, StoreError> {
        Ok(DrawnRank {
            rank: rank.rank,
            entry_number: rank.entry_number,
            index: rank.index,
            entrant: self.holder_of(rank.entry_number)?.id,
        })
    }
}

fn members_of(chunk: &Chunk) -> Option<Vec<Member>> {
    let mut first_entry = chunk.first_entry;
    let mut members = Vec::new();
    for (index, (id, weight)) in (chunk.first_index()..).zip(chunk.unpacked()?) {
        members.push(Member {
            id,
            index,
            first_entry,
            weight,
        });
        first_entry = first_entry.checked_add(weight)?;
    }
    Some(members)
}

/// The entrant who was drawn first. `None` if the person was erased after the list was sealed.
fn find_winner<T: FlowTx>(
    tx: &T,
    state: &DrawingState,
    ranks: &[DrawnRank],
) -> Result<Option<Entrant>, StoreError> {
    let nobody = || corrupt("drawing_ranks", "user_id", state.id);
    let winner = ranks.first().ok_or_else(nobody)?;
    tx.find_entrant(winner.entrant)
}

fn corrupt(table: &'static str, column: &'static str, drawing: DrawingId) -> StoreError {
    StoreError::corrupt(table, column, drawing.get())
}

fn log_entry(record: &Record, session: Option<i64>) -> NewLogEntry {
    NewLogEntry {
        action: LogAction::DrawingPerformed,
        drawing: Some(record.drawing),
        details: record.drawn_details().details(),
        random_seed: Some(record.facts.seed),
        participant_count: Some(record.facts.participants),
        verification_hash: Some(record.verification_hash()),
        session,
        at: record.drawn_at,
    }
}

fn brought_entry(actor: Actor, drawing: DrawingId, round: Round, at: DateTime<Utc>) -> NewAuditEntry {
    let round = i64::try_from(round.number()).unwrap_or(i64::MAX);
    NewAuditEntry::new(actor, Action::BringBeacon, at)
        .target(drawing)
        .number("round", round)
}

fn audit_entry(record: &Record, plan: &Plan, session: SessionId) -> NewAuditEntry {
    let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
    let winning = record.entry_numbers.first().copied().unwrap_or_default();
    // The request that asked for the drawing may have ended long ago.
    let actor = Actor {
        member: plan.member.map(MemberId::new),
        session,
        address: None,
    };
    NewAuditEntry::new(actor, Action::PerformDrawing, record.drawn_at)
        .target(record.drawing)
        .text("landingPage", record.raffle.as_str())
        .number("winningEntryNumber", number(winning))
        .number("totalParticipants", number(record.facts.participants))
        .number("totalEntries", number(record.facts.entries))
}
