//! A small drawing for tests.

use crate::{
    DrawingId, Freezer, Hash, Leaf, Proof, ProvenLeaf, Record, SaltKey, Scheme, Seed, SeedSource,
    inclusion_path, winning_entry_number,
};
use chrono::DateTime;
use kernel::{EntrantId, PersonTag, Raffle};

/// A list of four entrants with three entries each, and its valid proof, in which the third entrant won.
pub(crate) fn list_and_proof() -> (Vec<Leaf>, Proof) {
    let salt_key = SaltKey::new([1; 32]);
    let mut freezer = Freezer::new(Scheme::One, salt_key);
    (1..=4).for_each(|id| freezer.push(EntrantId::new(id), 3, PersonTag::new([0; 32])));
    let frozen = freezer.finish().unwrap();
    let participants = frozen.chunks[0].participants(&salt_key).unwrap();
    let leaves: Vec<Leaf> = participants.iter().map(|entrant| entrant.leaf).collect();
    let number = |seed: &Seed| winning_entry_number(seed, &frozen.root, frozen.participants, frozen.entries);
    let mut seeds = (0..=u8::MAX).map(|byte| Seed::new([byte; 32]));
    let seed = seeds.find(|seed| leaves[2].holds(number(seed))).unwrap();
    let record = Record {
        drawing: DrawingId::new(1),
        raffle: Raffle::GardenBag,
        commitment: seed.commitment(),
        committed_at: DateTime::UNIX_EPOCH,
        seed_source: SeedSource::Os,
        seed,
        root: frozen.root,
        participants: frozen.participants,
        entries: frozen.entries.get(),
        winning_entry_number: number(&seed),
        drawn_at: DateTime::UNIX_EPOCH,
    };
    let hashes: Vec<Hash> = leaves.iter().map(Leaf::hash).collect();
    let proven = |index: usize| ProvenLeaf {
        leaf: leaves[index],
        path: inclusion_path(&hashes, index),
    };
    let proof = Proof {
        winner: proven(2),
        last: proven(3),
        verification_hash: record.verification_hash(),
        audit_log_hash: Hash::ZERO,
        winner_last4: Some("4567".to_owned()),
        record,
    };
    (leaves, proof)
}
