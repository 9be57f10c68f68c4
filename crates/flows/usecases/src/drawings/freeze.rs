//! Freezing the list of a drawing, part by part.

use super::FlowTx;
use chrono::{DateTime, Utc};
use drawing::steps::DrawingState;
use drawing::{Candidate, EntriesByKind, FreezeError, Freezer, Frozen, FrozenEntrants, SaltKey};
use kernel::StoreError;
use raffle::RaffleKey;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Why a drawing was not sealed. It stays announced.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// There is no such drawing.
    #[error("unknown drawing")]
    UnknownDrawing,
    /// Entries for referrals were taken back from a part of the entrants, so a drawing would not be fair.
    #[error("clearing referrals has not ended")]
    ClearingUnfinished,
    /// The seed was sealed with a key that is not configured any more.
    #[error("the sealed seed cannot be opened")]
    Secrets,
    /// The raffle's entrants cannot be frozen into a list.
    #[error(transparent)]
    Unlistable(#[from] FreezeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The number of entrants that are read at once. Their chunks are stored before the next ones are read.
const PART: u32 = 1 << 16;
/// The number of entrants in a batch for the hashing thread.
const BATCH: usize = 1024;
/// The number of batches that may wait for the hashing thread.
const BATCHES: usize = 64;
/// The pause after each batch. The database pauses too: it reads ahead only until the connection's buffers are full.
const PAUSE: Duration = Duration::from_micros(1_500);
/// For how long a seal makes pauses at most. After that, it reads on without them.
const MAX_TIME_WITH_PAUSES: Duration = Duration::from_secs(45);

/// Reads the entrants that can win, stores the list and returns it with its entries by kind. While the beacon leaves time,
/// it pauses after each batch, so that visitors get most of the database.
pub(super) fn freeze<T: FlowTx>(
    tx: &mut T,
    state: &DrawingState,
    salt_key: SaltKey,
    cut_off: DateTime<Utc>,
) -> Result<(Frozen, EntriesByKind), SealError> {
    let mut freezer = Freezer::new(salt_key);
    let mut entries = EntriesByKind::default();
    let pauses_end = Instant::now() + time_with_pauses(tx, state)?;
    loop {
        let size = freezer.size();
        entries += read_part(tx, state.plan.raffle, cut_off, pauses_end, &mut freezer)?;
        tx.add_chunks(state.id, &freezer.take_chunks())?;
        if freezer.size() - size < u64::from(PART) {
            break;
        }
    }
    let frozen = freezer.finish()?;
    tx.add_chunks(state.id, &frozen.chunks)?;
    let imported = tx.imported_entries(state.plan.raffle, cut_off)?;
    Ok((frozen, entries.with_imported(imported)))
}

#[expect(
    clippy::disallowed_methods,
    reason = "nothing is waited for: the database is left to visitors for this long"
)]
fn pause_before(end: Instant) {
    if Instant::now() < end {
        thread::sleep(PAUSE);
    }
}

/// At most half of the time that is left before the seal must be committed. Zero when the beacon is off: then staff wait for
/// the winner.
fn time_with_pauses<T: FlowTx>(tx: &T, state: &DrawingState) -> Result<Duration, StoreError> {
    let Some(seal_before) = state.announcement.step.seal_before else {
        return Ok(Duration::ZERO);
    };
    let left = (seal_before - tx.database_time()?).to_std().unwrap_or_default();
    Ok(MAX_TIME_WITH_PAUSES.min(left / 2))
}

/// Reads one part, and hashes it on another thread, so that reading and hashing overlap. Returns the part's entries.
fn read_part<T: FrozenEntrants>(
    tx: &T,
    raffle: RaffleKey,
    cut_off: DateTime<Utc>,
    pauses_end: Instant,
    freezer: &mut Freezer,
) -> Result<EntriesByKind, StoreError> {
    let after = freezer.last_tag();
    let (batches, received) = sync_channel::<Vec<Candidate>>(BATCHES);
    thread::scope(|scope| {
        scope.spawn(move || {
            for candidate in received.into_iter().flatten() {
                freezer.push(candidate.id, candidate.entries.total(), candidate.tag);
            }
        });
        let mut entries = EntriesByKind::default();
        let mut batch = Vec::with_capacity(BATCH);
        let read = tx.read_participants(raffle, cut_off, after, PART, &mut |candidate| {
            entries += candidate.entries;
            batch.push(candidate);
            if batch.len() == BATCH {
                send_batch(&batches, std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                pause_before(pauses_end);
            }
        });
        send_batch(&batches, batch);
        // The thread ends when it has received everything.
        drop(batches);
        read.map(|()| entries)
    })
}

/// The thread receives until the sender is dropped, so sending never fails.
fn send_batch(batches: &SyncSender<Vec<Candidate>>, batch: Vec<Candidate>) {
    let _ = batches.send(batch);
}
