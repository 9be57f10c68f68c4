//! The frozen list: its root fixes every entrant, and its chunks return them.

use drawing::{Freezer, Frozen, SaltKey};
use kernel::{EntrantId, PersonTag};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn random_bytes(numbers: &mut ChaCha20Rng) -> [u8; 32] {
    let mut bytes = [0; 32];
    numbers.fill_bytes(&mut bytes);
    bytes
}

/// A tag for each id. Tags of positive ids are in the order of ids.
fn tag(id: EntrantId) -> PersonTag {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&id.get().to_be_bytes());
    PersonTag::new(bytes)
}

fn push(freezer: &mut Freezer, id: i64, weight: u64) {
    let id = EntrantId::new(id);
    freezer.push(id, weight, tag(id));
}

fn freeze(salt_key: SaltKey, list: &[(i64, u64)]) -> Frozen {
    let mut freezer = Freezer::new(salt_key);
    list.iter()
        .for_each(|(id, weight)| push(&mut freezer, *id, *weight));
    freezer.finish().unwrap()
}

/// In so many random lists, any changed entrant changes the root.
fn assert_changes_show(lists: u32) {
    let mut numbers = ChaCha20Rng::seed_from_u64(3);
    for round in 0..lists {
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
fn in_random_lists_any_changed_entrant_changes_the_root() {
    assert_changes_show(200);
}

mod slow {
    #[test]
    fn in_10_000_random_lists_any_changed_entrant_changes_the_root() {
        super::assert_changes_show(10_000);
    }
}

#[test]
fn an_empty_unordered_or_too_large_list_is_rejected() {
    use drawing::FreezeError::{Disordered, Empty, TooMany};
    let error = |list: &[(i64, u64)]| {
        let mut freezer = Freezer::new(SaltKey::new([0; 32]));
        list.iter()
            .for_each(|(id, weight)| push(&mut freezer, *id, *weight));
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
        let mut freezer = Freezer::new(salt_key);
        let mut chunks = Vec::new();
        for (n, (id, weight)) in list.iter().enumerate() {
            push(&mut freezer, *id, *weight);
            if n % 5000 == 0 {
                chunks.extend(freezer.take_chunks());
            }
        }
        let frozen = freezer.finish().unwrap();
        chunks.extend(frozen.chunks);
        let kept: Vec<(i64, u64)> = chunks
            .iter()
            .flat_map(|chunk| {
                let tags: Vec<_> = chunk.ids().unwrap().into_iter().map(tag).collect();
                chunk.participants(&salt_key, &tags).unwrap()
            })
            .map(|participant| (participant.id.get(), participant.leaf.weight))
            .collect();
        assert_eq!(kept, list);
        let mut tree = drawing::Tree::default();
        chunks.iter().for_each(|chunk| tree.push(chunk.root));
        assert_eq!(tree.root(), Some(frozen.root));
    }
}
