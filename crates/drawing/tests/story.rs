//! A winner is drawn, and everybody can check the drawing. Start here to learn what this crate is for; `docs/drawing.md`
//! describes the scheme.
//!
//! The flow is `usecases::perform_drawing::perform`; the store is in memory. `crates/contracts` holds PostgreSQL to the
//! same rules.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use drawing::{Check, Drawing, Hash, ListCheck, Proof, Seed, is_included};
use fakes::{FakeSeeds, FixedClock, MemStore, PlainSealer, SeededEntropy};
use kernel::{IdempotencyKey, Origin, Phone, Raffle, ReferralCode};
use raffle::Entrant;
use staff::{Actor, SessionId};
use usecases::drawings::FindDrawingError;
use usecases::drawings::FoundProof;
use usecases::entering::EnterCommand;
use usecases::perform_drawing::{DrawingTools, PerformDrawingCommand, PerformDrawingError};

const RAFFLE: Raffle = Raffle::GardenBag;

/// A site that nobody has visited yet.
#[derive(Default)]
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
    seeds: FakeSeeds,
    sealer: PlainSealer,
}

impl Site {
    fn enter(&self, raffle: Raffle, phone: &str, code: Option<&ReferralCode>) -> Entrant {
        let command = EnterCommand {
            phone: Phone::parse(phone).unwrap(),
            raffle,
            referral_code: code.cloned(),
            event_id: None,
            consent: None,
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        let entered = usecases::entering::enter(&self.store, &self.clock, &self.entropy, &command);
        entered.unwrap().entrant
    }

    /// Ann with two entries, because Bob came through her link; Bob and Cleo with one each.
    fn three_entrants(&self) -> [Entrant; 3] {
        let ann = self.enter(RAFFLE, "555-000-0001", None);
        let bob = self.enter(RAFFLE, "555-000-0002", Some(&ann.referral_code));
        let cleo = self.enter(RAFFLE, "555-000-0003", None);
        [ann, bob, cleo]
    }

    fn tools(&self) -> DrawingTools<'_> {
        DrawingTools {
            clock: &self.clock,
            entropy: &self.entropy,
            seeds: &self.seeds,
            sealer: &self.sealer,
            public_origin: "https://example.org",
        }
    }

    /// Publishes the hash of the seed that the next drawing will use.
    fn commit(&self) -> Hash {
        usecases::commitments::ensure_open(&self.store, self.tools(), RAFFLE)
            .unwrap()
            .commitment
    }

    fn try_to_draw(&self) -> Result<Drawing, PerformDrawingError> {
        let command = PerformDrawingCommand {
            actor: Actor {
                session: SessionId::new(1),
                address: None,
            },
            raffle: RAFFLE,
            idempotency_key: IdempotencyKey::parse("one"),
        };
        usecases::perform_drawing::perform(&self.store, self.tools(), &command)
    }

    fn draw(&self) -> Drawing {
        self.commit();
        self.try_to_draw().unwrap()
    }

    fn proof(&self, drawing: &Drawing) -> Proof {
        match usecases::drawings::proof(&self.store, drawing.record.drawing).unwrap() {
            FoundProof::First(proof) => *proof,
            FoundProof::Second(_) => unreachable!("it has version 1"),
        }
    }
}

/// The checks that a proof fails.
fn failed(proof: &Proof) -> Vec<Check> {
    let failed = proof.checks().into_iter().filter(|(_, holds)| !holds);
    failed.map(|(check, _)| check).collect()
}

fn flip_a_bit(bytes: &[u8; 32]) -> [u8; 32] {
    let mut flipped = *bytes;
    flipped[0] ^= 1;
    flipped
}

#[test]
fn a_winner_is_drawn_among_all_entries() {
    let site = Site::default();
    let entrants = site.three_entrants();
    site.enter(Raffle::FreshSips, "555-000-0004", None);
    let published = site.commit();

    let drawing = site.try_to_draw().unwrap();
    let record = &drawing.record;
    assert_eq!(
        (record.participants, record.entries),
        (3, 4),
        "of this raffle only"
    );
    assert!((1..=4).contains(&record.winning_entry_number));
    let winner = entrants.iter().find(|entrant| entrant.id == drawing.winner);
    assert_eq!(winner.unwrap().phone, drawing.winner_phone);

    // The seed is the one whose hash was published before, and the next seed's hash is published already.
    assert_eq!(record.commitment, published);
    assert_eq!(record.seed.commitment(), published);
    assert_ne!(site.commit(), published);
}

#[test]
fn a_request_that_is_sent_again_returns_the_same_drawing() {
    let site = Site::default();
    site.three_entrants();
    let drawing = site.draw();
    assert_eq!(site.try_to_draw().unwrap(), drawing);
}

#[test]
fn a_drawing_needs_a_published_commitment_and_somebody_to_draw() {
    let site = Site::default();
    site.three_entrants();
    assert!(matches!(
        site.try_to_draw(),
        Err(PerformDrawingError::NoCommitment)
    ));

    let empty = Site::default();
    empty.commit();
    assert!(matches!(
        empty.try_to_draw(),
        Err(PerformDrawingError::NoParticipants)
    ));
}

#[test]
fn the_proof_and_the_published_list_hold() {
    let site = Site::default();
    site.three_entrants();
    let drawing = site.draw();
    let proof = site.proof(&drawing);
    assert_eq!(failed(&proof), []);
    assert!(proof.is_valid());

    let mut list = ListCheck::new(&proof);
    let leaves = usecases::published_lists::frozen_leaves(&site.store, drawing.record.drawing, 0).unwrap();
    leaves.unwrap().iter().for_each(|leaf| list.push(leaf));
    assert_eq!(list.finish(), Ok(()));
}

#[test]
fn one_changed_byte_fails_the_checks_that_depend_on_it() {
    let site = Site::default();
    site.three_entrants();
    let proof = site.proof(&site.draw());
    let changed = |change: fn(&mut Proof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        failed(&changed)
    };

    let seed = changed(|proof| proof.record.seed = Seed::new(flip_a_bit(proof.record.seed.as_bytes())));
    assert!(seed.contains(&Check::Commitment) && seed.contains(&Check::VerificationHash));

    let root = changed(|proof| proof.record.root = Hash::new(flip_a_bit(proof.record.root.as_bytes())));
    assert!(root.contains(&Check::WinnerIncluded) && root.contains(&Check::Totals));

    let commitment = changed(|proof| {
        proof.record.commitment = Hash::new(flip_a_bit(proof.record.commitment.as_bytes()));
    });
    assert_eq!(commitment, [Check::Commitment, Check::VerificationHash]);

    let hash = changed(|proof| {
        proof.verification_hash = Hash::new(flip_a_bit(proof.verification_hash.as_bytes()));
    });
    assert_eq!(hash, [Check::VerificationHash]);

    // One entry more for the winner: the leaf's hash is not in the tree any more.
    let weight = changed(|proof| proof.winner.leaf.weight += 1);
    assert_eq!(weight, [Check::WinnerIncluded]);

    let number = changed(|proof| proof.record.winning_entry_number ^= 1);
    assert!(number.contains(&Check::WinningNumber) && number.contains(&Check::VerificationHash));
}

#[test]
fn entrants_find_their_own_place_in_the_list() {
    let site = Site::default();
    let [ann, ..] = site.three_entrants();
    let drawing = site.draw();
    let id = drawing.record.drawing;
    let own = usecases::drawings::own_leaf(&site.store, id, ann.id).unwrap();
    let leaf = own.participant.leaf;
    assert_eq!((leaf.index, leaf.first_entry, leaf.weight), (0, 1, 2));

    // The salt shows Ann that the line is hers, and the path shows that the line is in the tree.
    assert_eq!(own.participant.salt.blind(ann.id), leaf.blinded_id);
    assert!(is_included(
        leaf.hash(),
        leaf.index,
        3,
        &own.path,
        &drawing.record.root
    ));

    // Who enters later is not in it.
    let dan = site.enter(RAFFLE, "555-000-0004", None);
    assert!(matches!(
        usecases::drawings::own_leaf(&site.store, id, dan.id),
        Err(FindDrawingError::NotInIt)
    ));
}
