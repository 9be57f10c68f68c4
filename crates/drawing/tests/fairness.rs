//! Statistical tests: an entrant's chance is proportional to their weight. And tests of the frozen list.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use drawing::{Freezer, Frozen, Hash, SaltKey, Scheme, Seed, winning_entry_number};
use kernel::{EntrantId, PersonTag};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::num::NonZeroU64;

fn random_bytes(numbers: &mut ChaCha20Rng) -> [u8; 32] {
    let mut bytes = [0; 32];
    numbers.fill_bytes(&mut bytes);
    bytes
}

/// Version 1 ignores tags.
const UNUSED: PersonTag = PersonTag::new([0; 32]);

fn freeze(salt_key: SaltKey, list: &[(i64, u64)]) -> Frozen {
    let mut freezer = Freezer::new(Scheme::One, salt_key);
    list.iter()
        .for_each(|(id, weight)| freezer.push(EntrantId::new(*id), *weight, UNUSED));
    freezer.finish().unwrap()
}

/// The probability that chi-square with `degrees` of freedom is at least this large. The Wilson–Hilferty approximation
/// (1931), accurate to four digits at a thousand degrees, and Abramowitz and Stegun 7.1.26 for the tail of the normal
/// distribution.
fn p_value(chi_square: f64, degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    let z = ((chi_square / degrees).cbrt() - (1.0 - spread)) / spread.sqrt();
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = polynomial * (-x * x).exp() / 2.0;
    if z > 0.0 { tail } else { 1.0 - tail }
}

const CELLS: usize = 1_000;
const DRAWS: u32 = 1_000_000;

/// Draws a million winners among a thousand entrants of unequal weight, each time with another root, and compares how
/// often each entrant wins with how often they should.
fn p_value_of_a_million_drawings(seed: u64) -> f64 {
    let mut numbers = ChaCha20Rng::seed_from_u64(seed);
    let weights: Vec<u64> = (0..CELLS)
        .map(|_| 1 + u64::from(numbers.next_u32() % 20))
        .collect();
    let starts: Vec<u64> = weights
        .iter()
        .scan(1, |start, weight| Some(std::mem::replace(start, *start + weight)))
        .collect();
    let total = NonZeroU64::new(weights.iter().sum()).unwrap();
    let secret = Seed::new(random_bytes(&mut numbers));
    let mut wins = vec![0u32; CELLS];
    for _ in 0..DRAWS {
        let root = Hash::new(random_bytes(&mut numbers));
        let number = winning_entry_number(&secret, &root, CELLS as u64, total);
        wins[starts.partition_point(|start| *start <= number) - 1] += 1;
    }
    let chi_square: f64 = wins
        .iter()
        .zip(&weights)
        .map(|(won, weight)| {
            let expected = f64::from(DRAWS) * *weight as f64 / total.get() as f64;
            (f64::from(*won) - expected).powi(2) / expected
        })
        .sum();
    p_value(chi_square, CELLS as f64 - 1.0)
}

#[test]
fn over_20_million_drawings_chances_are_proportional_to_weights() {
    let half = std::thread::spawn(|| (0..10).map(p_value_of_a_million_drawings).collect::<Vec<_>>());
    let mut p_values: Vec<f64> = (10..20).map(p_value_of_a_million_drawings).collect();
    p_values.extend(half.join().unwrap());
    p_values.sort_by(f64::total_cmp);
    for p in &p_values {
        assert!((1e-4..=1.0 - 1e-4).contains(p), "{p_values:?}");
    }
    // The p-values must be uniformly distributed themselves. Kolmogorov–Smirnov test: with 20 values, the statistic is
    // above 0.418 once in a thousand times.
    let distance = p_values
        .iter()
        .enumerate()
        .map(|(n, p)| (p - n as f64 / 20.0).max((n as f64 + 1.0) / 20.0 - p))
        .fold(0.0, f64::max);
    assert!(distance < 0.418, "{distance}: {p_values:?}");
}

#[test]
fn the_approximated_p_values_match_the_tables() {
    // Tables of chi-square with 999 degrees of freedom.
    assert!((p_value(999.0 - 0.667, 999.0) - 0.5).abs() < 1e-3);
    assert!((p_value(1073.643, 999.0) - 0.05).abs() < 1e-3);
    assert!((p_value(1142.848, 999.0) - 0.001).abs() < 1e-4);
    assert!((p_value(926.6, 999.0) - 0.95).abs() < 2e-3);
}

#[test]
fn in_10_000_random_lists_any_changed_entrant_changes_the_root() {
    let mut numbers = ChaCha20Rng::seed_from_u64(3);
    for round in 0..10_000u32 {
        let length = 2 + numbers.next_u32() % 60;
        let mut id = 0;
        let list: Vec<(i64, u64)> = (0..length)
            .map(|_| {
                id += 2 + i64::from(numbers.next_u32() % 50);
                (id, 1 + u64::from(numbers.next_u32() % 9))
            })
            .collect();
        let salt_key = SaltKey::new(random_bytes(&mut numbers));
        let place = (numbers.next_u32() % (length - 1)) as usize;
        let mut changed = list.clone();
        match round % 4 {
            0 => changed[place].0 += 1,
            1 => changed[place].1 += 1,
            2 if changed[place].1 != changed[place + 1].1 => {
                let weight = changed[place].1;
                changed[place].1 = changed[place + 1].1;
                changed[place + 1].1 = weight;
            }
            _ => drop(changed.remove(place)),
        }
        let (before, after) = (freeze(salt_key, &list), freeze(salt_key, &changed));
        assert_ne!(before.root, after.root, "round {round}");
        let other_salts = SaltKey::new(random_bytes(&mut numbers));
        assert_ne!(freeze(other_salts, &list).root, before.root);
    }
}

#[test]
fn an_empty_unordered_or_too_large_list_is_rejected() {
    use drawing::FreezeError::{Disordered, Empty, TooMany};
    let error = |list: &[(i64, u64)]| {
        let mut freezer = Freezer::new(Scheme::One, SaltKey::new([0; 32]));
        list.iter()
            .for_each(|(id, weight)| freezer.push(EntrantId::new(*id), *weight, UNUSED));
        freezer.finish().unwrap_err()
    };
    assert_eq!(error(&[]), Empty);
    assert_eq!(error(&[(2, 1), (1, 1)]), Disordered);
    assert_eq!(error(&[(1, 1), (1, 1)]), Disordered);
    assert_eq!(error(&[(1, 1), (2, 0), (3, 1)]), Disordered);
    assert_eq!(error(&[(1, (1 << 53) - 1), (2, 1)]), TooMany);
    assert_eq!(error(&[(1, u64::MAX)]), TooMany);
    assert_eq!(
        freeze(SaltKey::new([0; 32]), &[(-5, (1 << 53) - 1)]).participants,
        1
    );
}

#[test]
fn chunks_of_any_length_of_list_return_the_same_entrants_and_root() {
    let salt_key = SaltKey::new([9; 32]);
    for length in [1, 2, 4095, 4096, 4097, 8192, 8193, 20_000] {
        let list: Vec<(i64, u64)> = (0..length)
            .map(|n| (n * 3 + (n % 2), 1 + u64::try_from(n % 300).unwrap()))
            .collect();
        let mut freezer = Freezer::new(Scheme::One, salt_key);
        let mut chunks = Vec::new();
        for (n, (id, weight)) in list.iter().enumerate() {
            freezer.push(EntrantId::new(*id), *weight, UNUSED);
            if n % 5000 == 0 {
                chunks.extend(freezer.take_chunks());
            }
        }
        let frozen = freezer.finish().unwrap();
        chunks.extend(frozen.chunks);
        let kept: Vec<(i64, u64)> = chunks
            .iter()
            .flat_map(|chunk| chunk.participants(&salt_key).unwrap())
            .map(|participant| (participant.id.get(), participant.leaf.weight))
            .collect();
        assert_eq!(kept, list);
        let mut tree = drawing::Tree::default();
        chunks.iter().for_each(|chunk| tree.push(chunk.root));
        assert_eq!(tree.root(), Some(frozen.root));
    }
}
