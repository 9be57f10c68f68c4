//! Derives the winning entry: section 1.5.

use crate::{Hash, Seed};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::num::NonZeroU64;

const LABEL: &str = "tombola-drawing/1 winner";

/// The number of the winning entry, from 1, derived from the seed, the root and the size of the list.
pub fn winning_entry_number(seed: &Seed, root: &Hash, participants: u64, entries: NonZeroU64) -> u64 {
    let mut outputs = ChaCha20Rng::from_seed(key(seed, root, participants, entries));
    1 + below(entries, u64::MAX, || outputs.next_u64())
}

fn key(seed: &Seed, root: &Hash, participants: u64, entries: NonZeroU64) -> [u8; 32] {
    let message = [
        LABEL.as_bytes(),
        seed.as_bytes(),
        root.as_bytes(),
        &participants.to_be_bytes(),
        &entries.get().to_be_bytes(),
    ];
    *Hash::of(message.concat()).as_bytes()
}

/// A number below `total`, each with exactly the same probability, from outputs between 0 and `max`: outputs above the
/// last whole multiple of `total` are rejected.
fn below(total: NonZeroU64, max: u64, mut next: impl FnMut() -> u64) -> u64 {
    let last_accepted = last_accepted(total, max);
    loop {
        let output = next();
        if output <= last_accepted {
            return output % total;
        }
    }
}

/// The highest output that is not rejected.
pub(crate) fn last_accepted(total: NonZeroU64, max: u64) -> u64 {
    // The number of outputs to reject: (max + 1) mod total, where max + 1 may overflow.
    let excess = (max % total + 1) % total;
    max - excess
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: u64 = 255;

    /// Feeds every output of an 8-bit generator in once. Returns how often each number comes out, and how many outputs
    /// are rejected.
    fn tally(total: u64, draw: impl Fn(NonZeroU64, &mut dyn FnMut() -> u64) -> u64) -> (Vec<u32>, u32) {
        let (mut counts, mut rejected) = (vec![0; usize::try_from(total).unwrap()], 0);
        let total = NonZeroU64::new(total).unwrap();
        for output in 0..=BYTE {
            let mut asked = 0;
            let drawn = draw(total, &mut || {
                asked += 1;
                // 0 follows the first output: it is never rejected.
                if asked == 1 { output } else { 0 }
            });
            if asked == 1 {
                counts[usize::try_from(drawn).unwrap()] += 1;
            } else {
                rejected += 1;
            }
        }
        (counts, rejected)
    }

    fn is_uniform(counts: &[u32]) -> bool {
        counts.iter().all(|count| Some(count) == counts.first())
    }

    #[test]
    fn every_total_of_an_8_bit_generator_is_exactly_uniform() {
        for total in 1..=BYTE {
            let (counts, rejected) = tally(total, |total, next| below(total, BYTE, next));
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
            .filter(|total| !is_uniform(&tally(*total, |total, next| next() % total).0))
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
            assert_eq!(below(total, u64::MAX, || last), last % total);
            if let Some(first_rejected) = last.checked_add(1) {
                let mut outputs = [first_rejected, u64::MAX, 0].into_iter();
                assert_eq!(below(total, u64::MAX, || outputs.next().unwrap()), 0);
                assert_eq!(outputs.next(), None, "both were rejected");
            }
        }
    }
}
