//! Drawing a winner: D16 and D17. `docs/drawing.md` describes the scheme.

use crate::commitments::{self, append_to_log, unseal};
use chrono::{DateTime, Utc};
use drawing::{
    Chunk, Commitment, Commitments, Drawing, DrawingId, DrawingLog, Drawings, FreezeError, Freezer, Frozen,
    FrozenEntrants, LogAction, NewDrawing, NewLogEntry, Participant, Record, SaltKey, Scheme, Secrets, Seeds,
    winning_entry_number,
};
use kernel::{Clock, EntrantId, Entropy, IdempotencyKey, PersonTag, Raffle, Sealer, StoreError, UnitOfWork};
use raffle::{Entrant, Entrants};
use sms::{MessageKind, NewMessage, Outbox, winner_message};
use staff::{Action, Actor, AuditLog, ClearingJobs, NewAuditEntry};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// Everything that a drawing needs besides the store.
#[derive(Clone, Copy)]
pub struct DrawingTools<'a> {
    /// The time.
    pub clock: &'a dyn Clock,
    /// Random bytes for the salts, which do not influence the winner.
    pub entropy: &'a dyn Entropy,
    /// The source of seeds.
    pub seeds: &'a dyn Seeds,
    /// Seals seeds until they are used.
    pub sealer: &'a dyn Sealer<Secrets>,
    /// The site's origin, for the winner's link to the proof.
    pub public_origin: &'a str,
}

/// A request to draw a winner.
#[derive(Debug, Clone)]
pub struct PerformDrawingCommand {
    /// The staff session that asks.
    pub actor: Actor,
    /// The raffle to draw from.
    pub raffle: Raffle,
    /// The client's key for this request: sent again, it returns the same drawing.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why no winner was drawn.
#[derive(Debug, thiserror::Error)]
pub enum PerformDrawingError {
    /// No entrant of the raffle can win.
    #[error("nobody can be drawn")]
    NoParticipants,
    /// No seed has been committed to, so a seed could still be chosen at will.
    #[error("there is no open commitment")]
    NoCommitment,
    /// The key was used for a drawing of another raffle.
    #[error("the idempotency key belongs to another raffle's drawing")]
    KeyReused,
    /// Entries for referrals were taken back from a part of the entrants, so a drawing would not be fair.
    #[error("clearing referrals has not ended")]
    ClearingUnfinished,
    /// The seed was sealed with a key that is not configured any more.
    #[error("the sealed seed cannot be opened")]
    Sealed,
    /// The raffle's entrants cannot be frozen into a list.
    #[error(transparent)]
    Unlistable(FreezeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<FreezeError> for PerformDrawingError {
    fn from(error: FreezeError) -> Self {
        match error {
            FreezeError::Empty => Self::NoParticipants,
            FreezeError::Disordered | FreezeError::TooMany => Self::Unlistable(error),
        }
    }
}

/// The number of entrants that are read at once. Their chunks are stored before the next ones are read.
const PART: u32 = 1 << 19;
/// Version 1 counts every entry that is committed when the list is read.
const NO_CUT_OFF: DateTime<Utc> = DateTime::<Utc>::MAX_UTC;
/// The number of entrants in a batch for the hashing thread.
const BATCH: usize = 4096;
/// The number of batches that may wait for the hashing thread.
const BATCHES: usize = 16;

/// Draws one winner, one drawing at a time: freezes the list of entrants, uses up the commitment, stores the list and
/// the result, writes both logs, queues the winner's message and opens the next commitment, all or nothing.
///
/// A key that was used before returns the drawing that it was used for.
///
/// # Errors
/// [`PerformDrawingError`]; nothing has changed then, and the commitment stays open.
pub fn perform<S>(
    store: &S,
    tools: DrawingTools,
    command: &PerformDrawingCommand,
) -> Result<Drawing, PerformDrawingError>
where
    S: UnitOfWork<
        Tx: Drawings
                + Commitments
                + FrozenEntrants
                + DrawingLog
                + Entrants
                + Outbox
                + AuditLog
                + ClearingJobs,
    >,
{
    let at = commitments::now(tools.clock);
    let next = commitments::prepare(tools, command.raffle, at);
    store.transaction(|tx| {
        tx.begin_drawing()?;
        if let Some(drawing) = performed_before(tx, command)? {
            return Ok(drawing);
        }
        if tx.has_unfinished_referral_clearing()? {
            return Err(PerformDrawingError::ClearingUnfinished);
        }
        let commitment = tx
            .open_commitment(command.raffle)?
            .ok_or(PerformDrawingError::NoCommitment)?;
        let secrets = unseal(tools.sealer, &commitment).ok_or(PerformDrawingError::Sealed)?;
        let id = tx.reserve_drawing_id()?;
        let frozen = freeze(tx, id, command.raffle, secrets.salt_key)?;
        let record = record_of(id, &commitment, &secrets, &frozen, at);
        let (winner, entrant) = find_winner(tx, &record, &secrets.salt_key)?;
        tx.add_drawing(&NewDrawing {
            record: record.clone(),
            commitment: commitment.id,
            salt_key: secrets.salt_key,
            winner: winner.id,
            winner_phone: entrant.phone.clone(),
            winner_index: winner.leaf.index,
            idempotency_key: command.idempotency_key.clone(),
            session: command.actor.session.get(),
        })?;
        let logged = append_to_log(tx, log_entry(&record, command.actor))?;
        tx.record_audit(&audit_entry(&record, command.actor))?;
        tx.queue_message(&message_to_winner(&record, &entrant, tools.public_origin))?;
        commitments::open(tx, &next)?;
        Ok(Drawing {
            verification_hash: record.verification_hash(),
            record,
            audit_log_hash: logged.hash,
            salt_key: secrets.salt_key,
            winner: winner.id,
            winner_phone: entrant.phone,
            winner_index: winner.leaf.index,
        })
    })
}

fn performed_before(
    tx: &impl Drawings,
    command: &PerformDrawingCommand,
) -> Result<Option<Drawing>, PerformDrawingError> {
    let Some(key) = &command.idempotency_key else {
        return Ok(None);
    };
    match tx.find_drawing_by_key(key)? {
        Some(drawing) if drawing.record.raffle != command.raffle => Err(PerformDrawingError::KeyReused),
        found => Ok(found),
    }
}

/// Reads the entrants that can win and stores the list, part by part.
fn freeze<T: FrozenEntrants>(
    tx: &mut T,
    drawing: DrawingId,
    raffle: Raffle,
    salt_key: SaltKey,
) -> Result<Frozen, PerformDrawingError> {
    let mut freezer = Freezer::new(Scheme::One, salt_key);
    loop {
        let size = freezer.size();
        freeze_part(tx, raffle, &mut freezer)?;
        tx.add_chunks(drawing, &freezer.take_chunks())?;
        if freezer.size() - size < u64::from(PART) {
            break;
        }
    }
    let frozen = freezer.finish()?;
    tx.add_chunks(drawing, &frozen.chunks)?;
    Ok(frozen)
}

/// Reads one part, and hashes it on another thread, so that reading and hashing overlap.
fn freeze_part<T: FrozenEntrants>(tx: &T, raffle: Raffle, freezer: &mut Freezer) -> Result<(), StoreError> {
    let after = freezer.last_id();
    let (batches, received) = sync_channel::<Vec<(EntrantId, u64, PersonTag)>>(BATCHES);
    thread::scope(|scope| {
        scope.spawn(move || {
            for (id, weight, tag) in received.into_iter().flatten() {
                freezer.push(id, weight, tag);
            }
        });
        let mut batch = Vec::with_capacity(BATCH);
        let read = tx.read_participants(raffle, NO_CUT_OFF, after, PART, &mut |id, weight, tag| {
            batch.push((id, weight, tag));
            if batch.len() == BATCH {
                send_batch(&batches, std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
            }
        });
        send_batch(&batches, batch);
        // The thread ends when it has received everything.
        drop(batches);
        read
    })
}

/// The thread receives until the sender is dropped, so sending never fails.
fn send_batch<T>(batches: &SyncSender<T>, batch: T) {
    let _ = batches.send(batch);
}

fn record_of(
    drawing: DrawingId,
    commitment: &Commitment,
    secrets: &Secrets,
    frozen: &Frozen,
    at: DateTime<Utc>,
) -> Record {
    Record {
        drawing,
        raffle: commitment.raffle,
        commitment: commitment.commitment,
        committed_at: commitment.committed_at,
        seed_source: commitment.source,
        seed: secrets.seed,
        root: frozen.root,
        participants: frozen.participants,
        entries: frozen.entries.get(),
        winning_entry_number: winning_entry_number(
            &secrets.seed,
            &frozen.root,
            frozen.participants,
            frozen.entries,
        ),
        drawn_at: at,
    }
}

fn find_winner<T: FrozenEntrants + Entrants>(
    tx: &T,
    record: &Record,
    salt_key: &SaltKey,
) -> Result<(Participant, Entrant), StoreError> {
    let corrupt = |column| StoreError::Corrupt {
        table: "drawing_chunks",
        column,
        row: record.drawing.get(),
    };
    let chunk = tx
        .find_chunk_with_entry(record.drawing, record.winning_entry_number)?
        .ok_or_else(|| corrupt("first_entry"))?;
    let winner = participant_with_entry(&chunk, record.winning_entry_number, salt_key)
        .ok_or_else(|| corrupt("packed"))?;
    let entrant = tx.find_entrant(winner.id)?.ok_or_else(|| corrupt("packed"))?;
    Ok((winner, entrant))
}

fn participant_with_entry(chunk: &Chunk, entry: u64, salt_key: &SaltKey) -> Option<Participant> {
    let mut participants = chunk.participants(salt_key)?.into_iter();
    participants.find(|participant| participant.leaf.holds(entry))
}

fn log_entry(record: &Record, actor: Actor) -> NewLogEntry {
    NewLogEntry {
        action: LogAction::DrawingPerformed,
        drawing: Some(record.drawing),
        details: format!(
            r#"{{"landingPage":"{}","root":"{}","totalEntries":{},"winningEntryNumber":{}}}"#,
            record.raffle, record.root, record.entries, record.winning_entry_number
        ),
        random_seed: Some(record.seed),
        participant_count: Some(record.participants),
        verification_hash: Some(record.verification_hash()),
        session: Some(actor.session.get()),
        at: record.drawn_at,
    }
}

fn audit_entry(record: &Record, actor: Actor) -> NewAuditEntry {
    let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
    NewAuditEntry::new(actor, Action::PerformDrawing, record.drawn_at)
        .target(record.drawing)
        .text("landingPage", record.raffle.as_str())
        .number("winningEntryNumber", number(record.winning_entry_number))
        .number("totalParticipants", number(record.participants))
        .number("totalEntries", number(record.entries))
}

fn message_to_winner(record: &Record, winner: &Entrant, public_origin: &str) -> NewMessage {
    let proof = format!("{public_origin}/drawings/{}", record.drawing);
    NewMessage {
        kind: MessageKind::Victory,
        entrant: Some(winner.id),
        phone: winner.phone.clone(),
        body: Some(winner_message(
            record.raffle.prize(),
            record.winning_entry_number,
            &proof,
        )),
        at: record.drawn_at,
    }
}
