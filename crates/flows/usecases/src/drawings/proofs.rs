//! What is published of a drawing once it is sealed: its proof, its list, and each entrant's own leaf.

use super::{DrawingTools, FindDrawingError, announce};
use drawing::steps::{
    DrawingSort, DrawingState, DrawingStatus, DrawingSteps, Drawn as DrawnStep, DrawnRank, Logged, Sealed,
};
use drawing::{
    BeaconValue, Chunk, CutOffs, DrawingId, DrawingLog, Drawn, FrozenEntrants, Hash, Outcome, Participant,
    Proof, ProvenLeaf, ProvenRank, SaltKey, inclusion_path, is_included,
};
use kernel::{EntrantId, PageRequest, PersonSalt, PersonTag, Phone, SortOrder, StoreError, UnitOfWork};
use raffle::{Entrants, RaffleKey, Raffles, Versions};

/// An entrant's leaf in a drawing, with its Merkle path and everything that its hash is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLeaf {
    /// The entrant with the salt that blinds the id.
    pub participant: Participant,
    /// The sibling hashes on the way to the root, lowest first.
    pub path: Vec<Hash>,
    /// The number that the entrant has now.
    pub phone: Phone,
    /// The random bytes behind the tag. None once they are erased.
    pub person_salt: Option<PersonSalt>,
    /// The tag that the leaf is made of.
    pub tag: PersonTag,
    /// The number and the hash of the newest entry of the log.
    pub log_head: Option<(i64, Hash)>,
}

/// The proof of a drawing that is sealed, drawn or void.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`], also for a drawing that has no list yet.
pub fn proof<S>(store: &S, id: DrawingId) -> Result<Proof, FindDrawingError>
where
    S: UnitOfWork<Tx: DrawingSteps + FrozenEntrants + CutOffs + Versions>,
{
    store.snapshot(|tx| {
        let (state, sealed) = find_sealed(tx, id)?;
        Ok(proof_of(tx, &state, &sealed)?)
    })
}

/// A drawing that has a list, with its seal.
fn find_sealed<T: DrawingSteps>(
    tx: &T,
    id: DrawingId,
) -> Result<(DrawingState, Logged<Sealed>), FindDrawingError> {
    let state = tx.find_state(id)?.ok_or(FindDrawingError::UnknownDrawing)?;
    let sealed = state.seal.clone().ok_or(FindDrawingError::UnknownDrawing)?;
    Ok((state, sealed))
}

fn proof_of<T: FrozenEntrants + CutOffs + Versions>(
    tx: &T,
    state: &DrawingState,
    seal: &Logged<Sealed>,
) -> Result<Proof, StoreError> {
    let list = FrozenList::new(tx, state.id, seal.step.salt_key)?;
    Ok(Proof {
        drawing: state.id,
        raffle: state.plan.raffle,
        period: state.plan.period,
        kind: state.plan.kind,
        cut_off: seal.step.cut_off,
        commitment: state.plan.commitment,
        committed_at: state.announcement.entry.entry.at,
        seed_source: state.plan.seed_source,
        seed: seal.step.seed,
        root: seal.step.root,
        weights_hash: seal.step.weights_hash,
        participants: seal.step.participants,
        entries: seal.step.entries,
        version: version_of(tx, state)?,
        announcement: state.announcement.entry.clone(),
        seal: seal.entry.clone(),
        last: list.prove(seal.step.participants.saturating_sub(1))?,
        beacon: state.plan.beacon,
        round: state.announcement.step.round,
        outcome: outcome(tx, state, &list)?,
    })
}

/// The bytes of the version that promises the prize.
fn version_of<T: Versions>(tx: &T, state: &DrawingState) -> Result<Option<String>, StoreError> {
    match state.plan.prize.version {
        Some(stamp) => tx.version_bytes(state.plan.raffle, stamp.number),
        None => Ok(None),
    }
}

fn outcome<T: FrozenEntrants + CutOffs>(
    tx: &T,
    state: &DrawingState,
    list: &FrozenList<'_, T>,
) -> Result<Outcome, StoreError> {
    match (&state.result, state.status) {
        (Some(result), _) => Ok(Outcome::Drawn(Box::new(drawn(state, result, list)?))),
        (None, DrawingStatus::Void) => Ok(Outcome::Void {
            late: state.late.as_ref().map(|late| late.step.clone()),
        }),
        (None, _) => Ok(Outcome::Sealed {
            waiting_since: state.waiting_since(tx.database_time()?),
        }),
    }
}

fn drawn<T: FrozenEntrants>(
    state: &DrawingState,
    result: &Logged<DrawnStep>,
    list: &FrozenList<'_, T>,
) -> Result<Drawn, StoreError> {
    let step = &result.step;
    let beacon = state.beacon_value(step.signature).unwrap_or(BeaconValue::OFF);
    let ranks = step.ranks.iter().map(|rank| list.prove_rank(rank));
    let ranks: Vec<ProvenRank> = ranks.collect::<Result<_, _>>()?;
    let winner = ranks.first().ok_or_else(|| corrupt(state.id, "packed"))?;
    Ok(Drawn {
        signature: step.signature,
        randomness: beacon.randomness,
        winning_entry_number: winner.entry_number,
        winner: winner.proven.clone(),
        drawn_at: result.entry.entry.at,
        verification_hash: step.verification_hash,
        audit_log_hash: result.entry.hash,
        winner_last4: step.winner_phone.as_ref().map(last_four),
        ranks,
    })
}

fn last_four(phone: &Phone) -> String {
    phone.last_four().to_owned()
}

/// The leaf in a drawing that has a list of the entrant whom a browser's token names.
///
/// # Errors
/// [`FindDrawingError::UnknownDrawing`] and [`FindDrawingError::NotInIt`].
pub fn own_leaf<S>(store: &S, id: DrawingId, token: EntrantId) -> Result<OwnLeaf, FindDrawingError>
where
    S: UnitOfWork<Tx: DrawingSteps + FrozenEntrants + DrawingLog + Entrants>,
{
    store.snapshot(|tx| {
        let (_, seal) = find_sealed(tx, id)?;
        let list = FrozenList::new(tx, id, seal.step.salt_key)?;
        let entrant = tx.find_entrant(token)?.ok_or(FindDrawingError::NotInIt)?;
        let (person_salt, tag) = tx.find_person(entrant.id)?.ok_or(FindDrawingError::NotInIt)?;
        let found = list.find(entrant.id, &tag)?;
        let (participant, path) = found.ok_or(FindDrawingError::NotInIt)?;
        Ok(OwnLeaf {
            participant,
            path,
            phone: entrant.phone,
            person_salt,
            tag,
            log_head: tx.last_log_entry()?,
        })
    })
}

/// The sealed drawings whose list an entrant is on, with their line of the list, oldest first.
pub(crate) fn drawings_of<T>(
    tx: &T,
    entrant: EntrantId,
) -> Result<Vec<(DrawingState, Participant)>, StoreError>
where
    T: DrawingSteps + FrozenEntrants + Entrants,
{
    let Some((_, tag)) = tx.find_person(entrant)? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for state in tx.list_drawings(None, DrawingSort::CreatedAt, SortOrder::Ascending, ALL)? {
        if let Some(participant) = line_of(tx, &state, entrant, &tag)? {
            found.push((state, participant));
        }
    }
    Ok(found)
}

/// More than there are drawings.
const ALL: PageRequest = PageRequest {
    limit: u32::MAX,
    offset: 0,
};

fn line_of<T: FrozenEntrants>(
    tx: &T,
    state: &DrawingState,
    entrant: EntrantId,
    tag: &PersonTag,
) -> Result<Option<Participant>, StoreError> {
    let Some(seal) = &state.seal else { return Ok(None) };
    let Some(chunk) = tx.find_chunk_with_tag(state.id, tag)? else {
        return Ok(None);
    };
    let participants = participants_of(tx, state.id, &seal.step.salt_key, &chunk)?;
    Ok(participants.into_iter().find(|one| one.id == entrant))
}

/// Whom a rank drew; `None` unless the stored list is the sealed one and has the drawn entry there.
pub(crate) fn drawn_participant<T: FrozenEntrants>(
    tx: &T,
    state: &DrawingState,
    rank: &DrawnRank,
) -> Result<Option<Participant>, StoreError> {
    let seal = state
        .seal
        .as_ref()
        .ok_or_else(|| corrupt(state.id, "drawing_id"))?;
    let Sealed {
        salt_key,
        root,
        participants,
        ..
    } = &seal.step;
    let (participant, path) = FrozenList::new(tx, state.id, *salt_key)?.at(rank.index)?;
    let leaf = participant.leaf;
    let is_sealed = is_included(leaf.hash(), leaf.index, *participants, &path, root);
    Ok(Some(participant).filter(|_| is_sealed && leaf.holds(rank.entry_number)))
}

/// The entrants of a chunk of a drawing's list.
pub(crate) fn participants_of_chunk<T>(
    tx: &T,
    id: DrawingId,
    chunk: &Chunk,
) -> Result<Vec<Participant>, StoreError>
where
    T: DrawingSteps + FrozenEntrants,
{
    let seal = tx.find_state(id)?.and_then(|state| state.seal);
    let seal = seal.ok_or_else(|| corrupt(id, "drawing_id"))?;
    participants_of(tx, id, &seal.step.salt_key, chunk)
}

/// Whoever is in a chunk. Their tags stand with the entrants, and never change.
fn participants_of<T: FrozenEntrants>(
    tx: &T,
    id: DrawingId,
    salt_key: &SaltKey,
    chunk: &Chunk,
) -> Result<Vec<Participant>, StoreError> {
    let packed = || corrupt(id, "packed");
    let tags = tx.tags_of(&chunk.ids().ok_or_else(packed)?)?;
    chunk.participants(salt_key, &tags).ok_or_else(packed)
}

/// The frozen list of a drawing, and the roots of its chunks.
struct FrozenList<'a, T> {
    tx: &'a T,
    id: DrawingId,
    salt_key: SaltKey,
    roots: Vec<Hash>,
}

impl<'a, T: FrozenEntrants> FrozenList<'a, T> {
    fn new(tx: &'a T, id: DrawingId, salt_key: SaltKey) -> Result<Self, StoreError> {
        let roots = tx.chunk_roots(id)?;
        Ok(Self {
            tx,
            id,
            salt_key,
            roots,
        })
    }

    fn participants(&self, chunk: &Chunk) -> Result<Vec<Participant>, StoreError> {
        participants_of(self.tx, self.id, &self.salt_key, chunk)
    }

    fn prove(&self, index: u64) -> Result<ProvenLeaf, StoreError> {
        let (participant, path) = self.at(index)?;
        Ok(ProvenLeaf {
            leaf: participant.leaf,
            path,
        })
    }

    /// The entrant at this place of the list, with the path to the root.
    fn at(&self, index: u64) -> Result<(Participant, Vec<Hash>), StoreError> {
        let missing = || corrupt(self.id, "number");
        let number = Chunk::number_of(index).ok_or_else(missing)?;
        let chunk = self.tx.find_chunk(self.id, number)?.ok_or_else(missing)?;
        let participants = self.participants(&chunk)?;
        let mut places = participants.iter().enumerate();
        let (place, participant) = places
            .find(|(_, participant)| participant.leaf.index == index)
            .ok_or_else(|| corrupt(self.id, "packed"))?;
        Ok((*participant, self.path_of(&participants, place, &chunk)))
    }

    /// An entrant's place in the list, with the path to the root.
    fn find(&self, id: EntrantId, tag: &PersonTag) -> Result<Option<(Participant, Vec<Hash>)>, StoreError> {
        let Some(chunk) = self.tx.find_chunk_with_tag(self.id, tag)? else {
            return Ok(None);
        };
        let participants = self.participants(&chunk)?;
        let place = participants.iter().position(|participant| participant.id == id);
        Ok(place.and_then(|place| {
            let path = self.path_of(&participants, place, &chunk);
            Some((*participants.get(place)?, path))
        }))
    }

    fn prove_rank(&self, rank: &DrawnRank) -> Result<ProvenRank, StoreError> {
        Ok(ProvenRank {
            rank: rank.rank,
            entry_number: rank.entry_number,
            proven: self.prove(rank.index)?,
        })
    }

    /// The path to the chunk's root, and from there to the root.
    fn path_of(&self, participants: &[Participant], place: usize, chunk: &Chunk) -> Vec<Hash> {
        let leaves: Vec<Hash> = participants
            .iter()
            .map(|participant| participant.leaf.hash())
            .collect();
        let mut path = inclusion_path(&leaves, place);
        path.extend(inclusion_path(&self.roots, chunk.number as usize));
        path
    }
}

fn corrupt(drawing: DrawingId, column: &'static str) -> StoreError {
    StoreError::corrupt("drawing_chunks", column, drawing.get())
}

/// The announced drawings whose secrets cannot be opened with the configured keys. They cannot be sealed.
pub fn unreadable_secrets<S>(
    store: &S,
    tools: DrawingTools,
) -> Result<Vec<(DrawingId, RaffleKey)>, StoreError>
where
    S: UnitOfWork<Tx: Raffles + DrawingSteps>,
{
    store.snapshot(|tx| {
        let mut unreadable = Vec::new();
        for raffle in tx.list_raffles()?.keys() {
            let open = tx.open_drawing(raffle)?;
            let announced = open.filter(|state| state.status == DrawingStatus::Announced);
            if let Some(state) = announced
                && announce::unseal(tools.sealer, &state.plan).is_none()
            {
                unreadable.push((state.id, raffle));
            }
        }
        Ok(unreadable)
    })
}
