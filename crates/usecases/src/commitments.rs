//! Commitments: the hashes of seeds, which are published before the drawings (D16).

use crate::perform_drawing::DrawingTools;
use chrono::{DateTime, SubsecRound, Utc};
use drawing::{
    Commitment, Commitments, DrawingLog, Drawings, LogAction, LogEntry, NewCommitment, NewLogEntry, SaltKey,
    Secrets,
};
use kernel::{Clock, Raffle, Sealer, StoreError, UnitOfWork};

/// Finds the open commitment of a raffle, if it has one.
pub fn find_open<S>(store: &S, raffle: Raffle) -> Result<Option<Commitment>, StoreError>
where
    S: UnitOfWork<Tx: Commitments>,
{
    store.read(|tx| tx.open_commitment(raffle))
}

/// Finds the open commitment of a raffle, and opens the first one if there is none. Each drawing opens the commitment
/// of the next.
pub fn ensure_open<S>(store: &S, tools: DrawingTools, raffle: Raffle) -> Result<Commitment, StoreError>
where
    S: UnitOfWork<Tx: Drawings + Commitments + DrawingLog>,
{
    if let Some(commitment) = find_open(store, raffle)? {
        return Ok(commitment);
    }
    let first = prepare(tools, raffle, now(tools.clock));
    store.transaction(|tx| {
        tx.begin_drawing()?;
        open(tx, &first)?;
        tx.open_commitment(raffle)?.ok_or(StoreError::Conflict)
    })
}

/// Whether the seed of this commitment can be unsealed.
pub fn can_be_opened(tools: DrawingTools, commitment: &Commitment) -> bool {
    unseal(tools.sealer, commitment).is_some()
}

/// The time in whole microseconds, which is what is stored and hashed.
pub(crate) fn now(clock: &dyn Clock) -> DateTime<Utc> {
    clock.now().trunc_subsecs(6)
}

/// A fresh seed and salt key, sealed, with the seed's hash.
pub(crate) fn prepare(tools: DrawingTools, raffle: Raffle, at: DateTime<Utc>) -> NewCommitment {
    let mut salt_key = [0; 32];
    tools.entropy.fill(&mut salt_key);
    let secrets = Secrets {
        seed: tools.seeds.new_seed(),
        salt_key: SaltKey::new(salt_key),
    };
    NewCommitment {
        raffle,
        commitment: secrets.seed.commitment(),
        source: tools.seeds.source(),
        sealed: tools.sealer.seal(&context(raffle), &secrets.to_bytes()),
        at,
    }
}

/// Binds a sealed seed to its raffle, so that the seed of another raffle cannot take its place.
fn context(raffle: Raffle) -> String {
    format!("drawing seed of {raffle}")
}

/// The seed and salt key of a commitment; `None` when they were sealed with a key that is not configured any more.
pub(crate) fn unseal(sealer: &dyn Sealer<Secrets>, commitment: &Commitment) -> Option<Secrets> {
    let bytes = sealer.open(&context(commitment.raffle), &commitment.sealed);
    bytes
        .and_then(|bytes| Secrets::from_bytes(&bytes))
        .filter(|secrets| secrets.seed.commitment() == commitment.commitment)
}

/// Opens a commitment and adds it to the log, unless the raffle has an open one.
pub(crate) fn open<T: Commitments + DrawingLog>(tx: &mut T, new: &NewCommitment) -> Result<(), StoreError> {
    if tx.add_commitment(new)?.is_none() {
        return Ok(());
    }
    let entry = NewLogEntry {
        action: LogAction::CommitmentOpened,
        drawing: None,
        details: format!(
            r#"{{"landingPage":"{}","commitment":"{}","seedSource":"{}"}}"#,
            new.raffle,
            new.commitment,
            new.source.as_str()
        ),
        random_seed: None,
        participant_count: None,
        verification_hash: None,
        session: None,
        at: new.at,
    };
    append_to_log(tx, entry).map(drop)
}

/// Adds an entry to the log of drawings, after the last one.
pub(crate) fn append_to_log(tx: &mut impl DrawingLog, entry: NewLogEntry) -> Result<LogEntry, StoreError> {
    let entry = LogEntry::after(tx.last_log_entry()?, entry);
    tx.add_log_entry(&entry)?;
    Ok(entry)
}
