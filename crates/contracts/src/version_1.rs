//! Drawings that the version before `tombola-drawing/2` stored.

use crate::Store;
use drawing::{DrawingId, ListCheck};
use usecases::drawings::FoundProof;

/// Verifies the proofs of these drawings with their published lists, and the log.
pub fn drawings_verify<S: Store>(store: &S, drawings: &[i64]) {
    for id in drawings {
        let id = DrawingId::new(*id);
        let FoundProof::First(proof) = usecases::drawings::proof(store, id).unwrap() else {
            panic!("a proof of version 2")
        };
        assert!(proof.is_valid(), "{:?}", proof.checks());
        let mut check = ListCheck::new(&proof);
        let chunks =
            (0..).map_while(|chunk| usecases::published_lists::frozen_leaves(store, id, chunk).unwrap());
        chunks.flatten().for_each(|leaf| check.push(&leaf));
        assert_eq!(check.finish(), Ok(()));
    }
    usecases::drawings::verify_log(store).unwrap();
}
