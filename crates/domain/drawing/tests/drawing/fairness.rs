//! Properties of the result, and statistical tests: chances are proportional to weights, for each rank.

use crate::sample::{Plan, draw, holder, leaves};
use chrono::TimeDelta;
use drawing::beacon::{BeaconSignature, Chain, Round};
use drawing::{BeaconChoice, BeaconValue, DrawFacts, DrawKey, Hash, Seed, ranks};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::num::NonZeroU64;

fn plans() -> impl Strategy<Value = Plan> {
    let entrants = prop::collection::vec((1u64..1000, 1u64..20), 1..40);
    let seed = any::<[u8; 32]>();
    (entrants, seed, any::<[u8; 32]>(), any::<bool>()).prop_map(|(steps, seed, salt_key, is_on)| {
        let mut id = 0;
        let entrants = steps.into_iter().map(|(step, weight)| {
            id += step;
            (id, weight)
        });
        let plan = Plan::default();
        Plan {
            entrants: entrants.collect(),
            salt_key,
            seed: Seed::new(seed),
            beacon: if is_on { plan.beacon } else { BeaconChoice::Off },
            sealed_at: plan.sealed_at - TimeDelta::seconds(1),
            replaces: None,
        }
    })
}

fn facts(plan: &Plan) -> DrawFacts {
    let proof = draw(plan).proof;
    proof.facts_of(proof.drawn().unwrap())
}

proptest! {
    #[test]
    fn a_changed_weight_seed_or_round_changes_the_key(plan in plans(), place: prop::sample::Index, bit in 0usize..256) {
        let before = facts(&plan);
        let mut weight = plan.clone();
        weight.entrants[place.index(plan.entrants.len())].1 += 1;
        // Also when the announcement stays the same, and with it `openingHash`.
        let sealed = facts(&weight);
        prop_assert_ne!(sealed.key(), before.key());
        prop_assert_ne!(DrawFacts { opening: before.opening, entries: before.entries, ..sealed }.key(), before.key());

        let mut bytes = *plan.seed.as_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        prop_assert_ne!(DrawFacts { seed: Seed::new(bytes), ..before }.key(), before.key());

        let next = before.beacon.round_number() + 1;
        let signature = BeaconSignature::new([1; 48]);
        let beacon = BeaconValue::signed(Chain::quicknet().chain_hash, Round::new(next).unwrap(), signature);
        let same_randomness = BeaconValue { randomness: before.beacon.randomness, ..beacon };
        prop_assert_ne!(DrawFacts { beacon, ..before }.key(), before.key());
        prop_assert_ne!(DrawFacts { beacon: same_randomness, ..before }.key(), before.key());
    }

    #[test]
    fn salts_decide_nothing_without_a_beacon(plan in plans(), salt_key: [u8; 32]) {
        prop_assume!(salt_key != plan.salt_key);
        let entry_numbers = |plan: &Plan| {
            let proof = draw(plan).proof;
            proof.record_of(proof.drawn().unwrap()).entry_numbers
        };
        let off = Plan { beacon: BeaconChoice::Off, ..plan };
        let other = Plan { salt_key, ..off.clone() };
        prop_assert_ne!(facts(&off).root, facts(&other).root);
        prop_assert_eq!(facts(&off).key(), facts(&other).key());
        prop_assert_eq!(entry_numbers(&off), entry_numbers(&other));
    }

    #[test]
    fn everybody_who_was_drawn_is_somebody_else(plan in plans()) {
        let proof = draw(&plan).proof;
        let ranks = &proof.drawn().unwrap().ranks;
        prop_assert_eq!(ranks.len(), plan.entrants.len().min(10));
        let holders: BTreeSet<u64> =
            ranks.iter().map(|rank| holder(&leaves(&plan), rank.entry_number)).collect();
        prop_assert_eq!(holders.len(), ranks.len());
    }
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

#[test]
fn the_approximated_p_values_match_the_tables() {
    // Tables of chi-square with 999 degrees of freedom.
    assert!((p_value(999.0 - 0.667, 999.0) - 0.5).abs() < 1e-3);
    assert!((p_value(1073.643, 999.0) - 0.05).abs() < 1e-3);
    assert!((p_value(1142.848, 999.0) - 0.001).abs() < 1e-4);
    assert!((p_value(926.6, 999.0) - 0.95).abs() < 2e-3);
}

/// How far counts are from what is expected.
fn chi_square(counts: &[u32], expected: impl Fn(usize) -> f64) -> f64 {
    let cell = |(n, count): (usize, &u32)| (f64::from(*count) - expected(n)).powi(2) / expected(n);
    counts.iter().enumerate().map(cell).sum()
}

fn assert_likely(p: f64) {
    assert!((1e-4..=1.0 - 1e-4).contains(&p), "p = {p}");
}

/// Four entrants, all of whom get a rank: the chance of each of the 24 orders is a product, entrant by entrant, of their
/// weight divided by the weights that are left.
const WEIGHTS: [u64; 4] = [1, 2, 3, 6];

fn orders() -> Vec<([usize; 4], f64)> {
    let mut orders = Vec::new();
    for code in 0..256 {
        let order = [code >> 6, (code >> 4) & 3, (code >> 2) & 3, code & 3];
        if order.iter().collect::<BTreeSet<_>>().len() < 4 {
            continue;
        }
        let (mut left, mut chance) = (12.0, 1.0);
        for index in order {
            chance *= WEIGHTS[index] as f64 / left;
            left -= WEIGHTS[index] as f64;
        }
        orders.push((order, chance));
    }
    orders
}

/// Draws so many times, and compares how often each order of ranks comes out with how often it should.
fn p_value_of_orders(draws: u32) -> f64 {
    let orders = orders();
    assert_eq!(orders.len(), 24);
    assert!((orders.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9);
    let mut places = [0; 256];
    for (n, (order, _)) in orders.iter().enumerate() {
        places[order.iter().fold(0, |code, index| code * 4 + index)] = n;
    }
    let entries = NonZeroU64::new(WEIGHTS.iter().sum()).unwrap();
    let holders: Vec<u64> = (0..4u64)
        .flat_map(|index| vec![index; usize::try_from(WEIGHTS[usize::try_from(index).unwrap()]).unwrap()])
        .collect();
    let mut numbers = ChaCha20Rng::seed_from_u64(39);
    let mut counts = [0u32; 24];
    for _ in 0..draws {
        let mut key = [0; 32];
        numbers.fill_bytes(&mut key);
        let holder = |entry| Ok::<_, Infallible>(holders[usize::try_from(entry).unwrap() - 1]);
        let drawn = ranks(&DrawKey::new(key), entries, 4, holder).unwrap();
        let code = drawn
            .iter()
            .fold(0, |code, rank| code * 4 + usize::try_from(rank.index).unwrap());
        counts[places[code]] += 1;
    }
    let expected = |n: usize| f64::from(draws) * orders[n].1;
    p_value(chi_square(&counts, expected), 23.0)
}

/// Draws so many winners among a thousand entrants of unequal weight, each time with another round, and compares how often
/// each entrant wins with how often they should.
fn p_value_of_rounds(seed: u64, draws: u32) -> f64 {
    let mut numbers = ChaCha20Rng::seed_from_u64(seed);
    let weights: Vec<u64> = (0..1000)
        .map(|_| 1 + u64::from(numbers.next_u32() % 20))
        .collect();
    let starts: Vec<u64> = weights
        .iter()
        .scan(1, |start, weight| Some(std::mem::replace(start, *start + weight)))
        .collect();
    let entries = weights.iter().sum();
    let mut wins = vec![0u32; weights.len()];
    let mut facts = DrawFacts {
        opening: Hash::new([1; 32]),
        seed: Seed::new([2; 32]),
        root: Hash::new([3; 32]),
        weights_hash: Hash::new([4; 32]),
        participants: 1,
        entries,
        beacon: BeaconValue::OFF,
    };
    for number in 1..=u64::from(draws) {
        let mut signature = [0; 48];
        numbers.fill_bytes(&mut signature);
        let signature = BeaconSignature::new(signature);
        facts.beacon = BeaconValue::signed(
            Chain::quicknet().chain_hash,
            Round::new(number).unwrap(),
            signature,
        );
        let holder = |entry| Ok::<_, Infallible>(starts.partition_point(|start| *start <= entry) as u64 - 1);
        // With one participant only rank 0 is drawn; the winner does not depend on the other ranks.
        let drawn = facts.ranks(holder).unwrap();
        wins[usize::try_from(drawn[0].index).unwrap()] += 1;
    }
    let expected = |n: usize| f64::from(draws) * weights[n] as f64 / entries as f64;
    p_value(chi_square(&wins, expected), weights.len() as f64 - 1.0)
}

#[test]
fn every_order_of_ranks_has_its_chance() {
    assert_likely(p_value_of_orders(20_000));
}

#[test]
fn chances_are_proportional_to_weights() {
    assert_likely(p_value_of_rounds(2, 100_000));
}

mod slow {
    use super::{assert_likely, p_value_of_orders, p_value_of_rounds};

    const DRAWS: u32 = 1_000_000;

    #[test]
    fn over_a_million_drawings_every_order_of_ranks_has_its_chance() {
        assert_likely(p_value_of_orders(DRAWS));
    }

    #[test]
    fn over_20_million_rounds_chances_are_proportional_to_weights() {
        let p_values = |seeds: std::ops::Range<u64>| -> Vec<f64> {
            seeds.map(|seed| p_value_of_rounds(seed, DRAWS)).collect()
        };
        let half = std::thread::spawn(move || p_values(0..10));
        let mut p_values = p_values(10..20);
        p_values.extend(half.join().unwrap());
        p_values.sort_by(f64::total_cmp);
        p_values.iter().copied().for_each(assert_likely);
        // The p-values must be uniformly distributed themselves. Kolmogorov–Smirnov test: with 20 values, the statistic is
        // above 0.418 once in a thousand times.
        let distance = p_values
            .iter()
            .enumerate()
            .map(|(n, p)| (p - n as f64 / 20.0).max((n as f64 + 1.0) / 20.0 - p))
            .fold(0.0, f64::max);
        assert!(distance < 0.418, "{distance}: {p_values:?}");
    }
}
