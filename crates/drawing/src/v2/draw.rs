//! The winner and the alternates: section 2.7.

use super::BeaconChoice;
use crate::beacon::{BeaconSignature, ChainHash, Round};
use crate::winner::last_accepted;
use crate::{Hash, Seed};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::num::NonZeroU64;

const LABEL: &str = "tombola-drawing/2 winner";

/// How many entrants get a rank, if there are so many.
pub const MAX_RANKS: u64 = 10;

/// How many outputs of the stream are looked at, at most.
pub const MAX_OUTPUTS: u32 = 1 << 20;

/// The round of the beacon that decides a drawing. In a proof these are claims until they are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeaconValue {
    /// The beacon that was announced.
    pub beacon: BeaconChoice,
    /// The round; `None`, written as 0, when the beacon is off.
    pub round: Option<Round>,
    /// The round's signature; `None` when the beacon is off.
    pub signature: Option<BeaconSignature>,
    /// The hash of the signature; zeros when the beacon is off.
    pub randomness: Hash,
}

impl BeaconValue {
    /// The beacon is off.
    pub const OFF: Self = Self {
        beacon: BeaconChoice::Off,
        round: None,
        signature: None,
        randomness: Hash::ZERO,
    };

    /// A round with its signature, which decides the randomness.
    pub fn signed(chain: ChainHash, round: Round, signature: BeaconSignature) -> Self {
        Self {
            beacon: BeaconChoice::Chain(chain),
            round: Some(round),
            signature: Some(signature),
            randomness: Hash::new(*signature.randomness().as_bytes()),
        }
    }

    /// The round's number; 0 when the beacon is off.
    pub fn round_number(&self) -> u64 {
        self.round.map_or(0, Round::number)
    }

    /// Whether the randomness belongs to the signature, or all is empty because the beacon is off. It does not say whether
    /// the signature is valid.
    pub fn is_consistent(&self) -> bool {
        match (self.beacon, self.round, self.signature) {
            (BeaconChoice::Off, ..) => *self == Self::OFF,
            (BeaconChoice::Chain(chain), Some(round), Some(signature)) => {
                *self == Self::signed(chain, round, signature)
            }
            _ => false,
        }
    }
}

/// Everything that decides the winner and the alternates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawFacts {
    /// The hash of the announcement's entry.
    pub opening: Hash,
    /// The seed.
    pub seed: Seed,
    /// The Merkle root of the entrants' leaves.
    pub root: Hash,
    /// The hash of their weights.
    pub weights_hash: Hash,
    /// How many entrants there are.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: u64,
    /// The beacon's round.
    pub beacon: BeaconValue,
}

/// The key of the stream that draws the entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DrawKey([u8; 32]);

impl DrawKey {
    /// The key with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for DrawKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for DrawKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DrawKey({self})")
    }
}

impl DrawFacts {
    /// The key that follows from the facts.
    pub fn key(&self) -> DrawKey {
        // Without a beacon, the salts must not decide anything: whoever knows the seed could try them.
        let (root, randomness) = match self.beacon.beacon {
            BeaconChoice::Off => (Hash::ZERO, Hash::ZERO),
            BeaconChoice::Chain(_) => (self.root, self.beacon.randomness),
        };
        let message = [
            LABEL.as_bytes(),
            self.opening.as_bytes(),
            self.seed.as_bytes(),
            root.as_bytes(),
            self.weights_hash.as_bytes(),
            &self.participants.to_be_bytes(),
            &self.entries.to_be_bytes(),
            &self.beacon.round_number().to_be_bytes(),
            randomness.as_bytes(),
        ];
        DrawKey(*Hash::of(message.concat()).as_bytes())
    }

    /// The ranks that follow from the facts. `holder` returns the index of the entrant who holds an entry.
    ///
    /// # Errors
    /// When `holder` fails.
    pub fn ranks<E>(&self, holder: impl FnMut(u64) -> Result<u64, E>) -> Result<Vec<Rank>, E> {
        match NonZeroU64::new(self.entries) {
            None => Ok(Vec::new()),
            Some(entries) => ranks(&self.key(), entries, self.participants, holder),
        }
    }
}

/// An entrant who was drawn. Rank 0 is the winner; the others are alternates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// The rank, from 0.
    pub rank: u32,
    /// The number of the drawn entry, from 1.
    pub entry_number: u64,
    /// The index of the entrant who holds it.
    pub index: u64,
}

/// Draws the winner and the alternates, at most ten different entrants. `holder` returns the index of the entrant who
/// holds an entry.
///
/// # Errors
/// When `holder` fails.
pub fn ranks<E>(
    key: &DrawKey,
    entries: NonZeroU64,
    participants: u64,
    mut holder: impl FnMut(u64) -> Result<u64, E>,
) -> Result<Vec<Rank>, E> {
    let mut outputs = ChaCha20Rng::from_seed(key.0);
    let last_accepted = last_accepted(entries, u64::MAX);
    let wanted = participants.min(MAX_RANKS);
    let mut ranks: Vec<Rank> = Vec::new();
    for _ in 0..MAX_OUTPUTS {
        if ranks.len() as u64 == wanted {
            break;
        }
        let output = outputs.next_u64();
        if output > last_accepted {
            continue;
        }
        let entry_number = 1 + output % entries;
        let index = holder(entry_number)?;
        if ranks.iter().all(|rank| rank.index != index) {
            let rank = ranks.len() as u32;
            ranks.push(Rank {
                rank,
                entry_number,
                index,
            });
        }
    }
    Ok(ranks)
}
