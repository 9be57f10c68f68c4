//! The winner and the alternates.

use crate::beacon::{BeaconSignature, ChainHash, Round};
use crate::{BeaconChoice, Hash, Seed};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::num::NonZeroU64;

const LABEL: &str = "tombola-drawing/1 winner";

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
            randomness: signature.randomness(),
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
        DrawKey::new(*Hash::of(message.concat()).as_bytes())
    }

    /// The entry that is drawn first. `None` without entries.
    pub fn first_entry(&self) -> Option<u64> {
        drawn_entries(&self.key(), NonZeroU64::new(self.entries)?).next()
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
    let wanted = participants.min(MAX_RANKS);
    let mut ranks: Vec<Rank> = Vec::new();
    for entry_number in drawn_entries(key, entries) {
        if ranks.len() as u64 == wanted {
            break;
        }
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

/// The entry that each output draws, in order, without the outputs that are skipped.
fn drawn_entries(key: &DrawKey, entries: NonZeroU64) -> impl Iterator<Item = u64> {
    let mut outputs = ChaCha20Rng::from_seed(key.0);
    let numbers = (0..MAX_OUTPUTS).filter_map(move |_| below(entries, u64::MAX, outputs.next_u64()));
    numbers.map(|number| 1 + number)
}

/// A number below `total` from an output between 0 and `max`, each with exactly the same probability. Outputs above the last
/// whole multiple of `total` give none.
fn below(total: NonZeroU64, max: u64, output: u64) -> Option<u64> {
    // The number of outputs that give none: (max + 1) mod total, where max + 1 may overflow.
    let excess = (max % total + 1) % total;
    (output <= max - excess).then_some(output % total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: u64 = 255;

    /// Feeds every output of an 8-bit generator in once. Returns how often each number comes out, and how many outputs
    /// give none.
    fn tally(total: u64, draw: impl Fn(NonZeroU64, u64) -> Option<u64>) -> (Vec<u32>, u32) {
        let (mut counts, mut none) = (vec![0; usize::try_from(total).unwrap()], 0);
        let total = NonZeroU64::new(total).unwrap();
        for output in 0..=BYTE {
            match draw(total, output) {
                Some(number) => counts[usize::try_from(number).unwrap()] += 1,
                None => none += 1,
            }
        }
        (counts, none)
    }

    fn is_uniform(counts: &[u32]) -> bool {
        counts.iter().all(|count| Some(count) == counts.first())
    }

    #[test]
    fn every_total_of_an_8_bit_generator_is_exactly_uniform() {
        for total in 1..=BYTE {
            let (counts, rejected) = tally(total, |total, output| below(total, BYTE, output));
            assert!(is_uniform(&counts), "{total}: {counts:?}");
            assert_eq!(
                u64::from(rejected),
                256 % total,
                "no more are rejected than necessary"
            );
        }
    }

    #[test]
    fn a_plain_remainder_is_not_uniform() {
        let biased: Vec<u64> = (1..=BYTE)
            .filter(|total| !is_uniform(&tally(*total, |total, output| Some(output % total)).0))
            .collect();
        let expected: Vec<u64> = (1..=BYTE).filter(|total| 256 % total != 0).collect();
        assert_eq!(biased, expected);
    }

    #[test]
    fn at_64_bits_the_last_accepted_output_is_right() {
        for total in [1, 2, 3, 10, 1 << 32, (1 << 53) - 1, (1 << 63) + 1, u64::MAX] {
            let exact = (1u128 << 64) - (1u128 << 64) % u128::from(total);
            let last = u64::try_from(exact - 1).unwrap();
            let total = NonZeroU64::new(total).unwrap();
            assert_eq!(below(total, u64::MAX, last), Some(last % total));
            if let Some(first_rejected) = last.checked_add(1) {
                assert_eq!(below(total, u64::MAX, first_rejected), None);
                assert_eq!(below(total, u64::MAX, u64::MAX), None, "all above it are, too");
            }
        }
    }
}
