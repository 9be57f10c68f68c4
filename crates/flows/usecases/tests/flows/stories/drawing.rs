//! A winner is drawn, and everybody can check the drawing. Start here to learn what `crates/domain/drawing` is for;
//! `docs/drawing.md` describes the scheme.
//!
//! The steps are `usecases::drawings::perform`, which announces and seals a drawing, and `usecases::drawings::draw`; the
//! store is in memory, and the beacon's signatures are made by a fake. `crates/testing/contracts` holds PostgreSQL to the same
//! rules.

use crate::support::STAFF;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use claims::ClaimKey;
use drawing::beacon::{Chain, Round};
use drawing::steps::{DrawingState, DrawingStatus, Sealed};
use drawing::{
    Check, Drawn, FrozenEntrants, Hash, KnownChains, ListCheck, Outcome, Proof, Seed, Verdict, is_included,
};
use fakes::{FakeBeacon, FakeSeeds, FixedClock, MemStore, PlainSealer, SeededEntropy};
use kernel::{IdempotencyKey, Origin, PersonTag, Phone, ReferralCode, UnitOfWork};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use raffle::{Entrant, RaffleKey, SignUp};
use staff::SecondPerson;
use usecases::claims::ClaimNotices;
use usecases::drawings::{
    Bringer, BroughtRound, DrawingTools, FindDrawingError, PerformDrawing, PerformError, Performed, Schedule,
};

const RAFFLE: RaffleKey = GARDEN_BAG;

/// A site that nobody has visited yet.
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
    seeds: FakeSeeds,
    sealer: PlainSealer,
    claim_key: ClaimKey,
    beacon: FakeBeacon,
    chain: Chain,
}

impl Site {
    fn new() -> Self {
        let store = MemStore::with_rules();
        store.set_time(noon() - TimeDelta::hours(3));
        Self {
            store,
            clock: FixedClock::default(),
            entropy: SeededEntropy::default(),
            seeds: FakeSeeds::default(),
            sealer: PlainSealer::default(),
            claim_key: ClaimKey::new(&[7; 32]).unwrap(),
            beacon: FakeBeacon::default(),
            chain: Chain::quicknet(),
        }
    }

    fn enter(&self, raffle: RaffleKey, phone: &str, code: Option<&ReferralCode>) -> Entrant {
        let command = SignUp {
            phone: Phone::parse(phone).unwrap(),
            raffle: Some(raffle),
            referral_code: code.cloned(),
            event_id: None,
            consent: None,
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        let entered = usecases::entering::enter(&self.store, &self.clock, &self.entropy, &command, None);
        entered.unwrap().entrant
    }

    /// Three people enter in the morning: Ann with two entries, because Bob came through her link; Bob and Cleo with one
    /// each. Then it is noon.
    fn three_entrants(&self) -> [Entrant; 3] {
        let ann = self.enter(RAFFLE, "555-000-0001", None);
        let bob = self.enter(RAFFLE, "555-000-0002", Some(&ann.referral_code));
        let cleo = self.enter(RAFFLE, "555-000-0003", None);
        self.store.set_time(noon());
        [ann, bob, cleo]
    }

    fn tools(&self) -> DrawingTools<'_> {
        DrawingTools {
            entropy: &self.entropy,
            seeds: &self.seeds,
            sealer: &self.sealer,
            claims: ClaimNotices {
                key: &self.claim_key,
                earlier: &[],
                sealer: &self.sealer,
                public_origin: "https://example.org",
                site_name: "Tombola",
            },
            time_zone: Tz::UTC,
            schedule: Schedule::Manual,
            beacon: Some(&self.chain),
            delay: TimeDelta::hours(1),
            production: false,
        }
    }

    /// Staff ask for a drawing, which is announced and sealed.
    fn try_to_seal(&self) -> Result<DrawingState, PerformError> {
        let request = PerformDrawing {
            actor: STAFF,
            second: SecondPerson::NotNeeded,
            raffle: RAFFLE,
            reason: None,
            prize: None,
            idempotency_key: IdempotencyKey::parse("one"),
        };
        let performed = usecases::drawings::perform(&self.store, self.tools(), &request)?;
        let (Performed::Waiting(state) | Performed::Drawn(state)) = performed;
        Ok(state)
    }

    /// The round's time has come, and drand publishes its signature.
    fn draw(&self, sealed: &DrawingState) -> DrawingState {
        let round = sealed.announcement.step.round.unwrap();
        self.store.set_time(self.chain.time_of(round).unwrap());
        let signature = FakeBeacon::signature_of(round);
        let brought = BroughtRound { round, signature };
        usecases::drawings::draw(
            &self.store,
            self.tools(),
            &self.beacon,
            sealed.id,
            brought,
            Bringer::Server,
        )
        .unwrap()
    }

    fn seal_and_draw(&self) -> DrawingState {
        self.draw(&self.try_to_seal().unwrap())
    }

    fn proof(&self, drawing: &DrawingState) -> Proof {
        usecases::drawings::proof(&self.store, drawing.id).unwrap()
    }

    fn verdict(&self, proof: &Proof) -> Verdict {
        proof.verdict(KnownChains {
            chains: &[Chain::quicknet()],
            verifier: &self.beacon,
        })
    }
}

fn noon() -> DateTime<Utc> {
    "2026-06-30T12:00:00Z".parse().unwrap()
}

fn seal_of(state: &DrawingState) -> &Sealed {
    &state.seal.as_ref().unwrap().step
}

fn flip_a_bit(bytes: &[u8; 32]) -> [u8; 32] {
    let mut flipped = *bytes;
    flipped[0] ^= 1;
    flipped
}

fn drawn_in(proof: &mut Proof) -> &mut Drawn {
    match &mut proof.outcome {
        Outcome::Drawn(drawn) => drawn,
        _ => unreachable!("it is drawn"),
    }
}

#[test]
fn the_list_and_the_seed_are_public_before_the_round() {
    let site = Site::new();
    site.three_entrants();
    site.enter(FRESH_SIPS, "555-000-0004", None);

    let sealed = site.try_to_seal().unwrap();
    assert_eq!(sealed.status, DrawingStatus::Sealed);
    let seal = seal_of(&sealed);
    assert_eq!((seal.participants, seal.entries), (3, 4), "of this raffle only");

    // The proof has the seed and the root of the list already. Nobody knows the round's signature yet.
    let proof = site.proof(&sealed);
    assert!(matches!(proof.outcome, Outcome::Sealed { .. }));
    assert_eq!((proof.seed, proof.root), (seal.seed, seal.root));
    assert_eq!(proof.seed.commitment(), proof.commitment);
    assert_eq!(site.verdict(&proof).failed(), []);
    let round_at = site.chain.time_of(proof.round.unwrap()).unwrap();
    assert!(round_at >= noon() + TimeDelta::hours(1));
}

#[test]
fn a_winner_and_alternates_are_drawn_among_all_entries() {
    let site = Site::new();
    let entrants = site.three_entrants();
    let drawing = site.seal_and_draw();

    let ranks = &drawing.result.as_ref().unwrap().step.ranks;
    assert!((1..=4).contains(&ranks[0].entry_number));
    let mut drawn: Vec<_> = ranks.iter().map(|rank| rank.entrant).collect();
    let mut all = entrants.map(|entrant| entrant.id);
    drawn.sort();
    all.sort();
    assert_eq!(drawn, all, "everybody has one rank");
}

#[test]
fn a_request_that_is_sent_again_returns_the_same_drawing() {
    let site = Site::new();
    site.three_entrants();
    let sealed = site.try_to_seal().unwrap();
    assert_eq!(site.try_to_seal().unwrap(), sealed);
    let drawn = site.draw(&sealed);
    assert_eq!(site.try_to_seal().unwrap(), drawn);
}

#[test]
fn a_drawing_needs_somebody_to_draw() {
    let empty = Site::new();
    assert!(matches!(empty.try_to_seal(), Err(PerformError::NoParticipants)));
}

#[test]
fn the_proof_and_the_published_list_hold() {
    let site = Site::new();
    site.three_entrants();
    let drawing = site.seal_and_draw();
    let proof = site.proof(&drawing);
    let verdict = site.verdict(&proof);
    assert_eq!((verdict.failed(), verdict.foreknowledge), (vec![], None));

    let mut list = ListCheck::new(&proof);
    let leaves = usecases::published_lists::frozen_leaves(&site.store, drawing.id, 0).unwrap();
    leaves.unwrap().iter().for_each(|leaf| list.push(leaf));
    assert_eq!(list.finish(), Ok(()));
}

#[test]
fn one_changed_byte_fails_the_checks_that_depend_on_it() {
    let site = Site::new();
    site.three_entrants();
    let proof = site.proof(&site.seal_and_draw());
    let failed_after = |change: fn(&mut Proof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        site.verdict(&changed).failed()
    };

    let seed = failed_after(|proof| proof.seed = Seed::new(flip_a_bit(proof.seed.as_bytes())));
    assert!(seed.contains(&Check::Seed) && seed.contains(&Check::Record));

    let root = failed_after(|proof| proof.root = Hash::new(flip_a_bit(proof.root.as_bytes())));
    assert!(root.contains(&Check::LastLeaf) && root.contains(&Check::RankLeaves));

    let commitment = failed_after(|proof| {
        proof.commitment = Hash::new(flip_a_bit(proof.commitment.as_bytes()));
    });
    assert!(commitment.contains(&Check::Announcement) && commitment.contains(&Check::Seed));

    let round = failed_after(|proof| proof.round = proof.round.map(round_after));
    assert!(round.contains(&Check::Announcement) && round.contains(&Check::Beacon));

    let hash = failed_after(|proof| {
        let drawn = drawn_in(proof);
        drawn.verification_hash = Hash::new(flip_a_bit(drawn.verification_hash.as_bytes()));
    });
    assert_eq!(hash, [Check::Record]);

    // One entry more for the winner: the leaf's hash is not in the tree any more.
    let weight = failed_after(|proof| drawn_in(proof).ranks[0].proven.leaf.weight += 1);
    assert!(weight.contains(&Check::RankLeaves));

    let number = failed_after(|proof| drawn_in(proof).winning_entry_number ^= 1);
    assert!(number.contains(&Check::Draw));
}

fn round_after(round: Round) -> Round {
    Round::new(round.number() + 1).unwrap()
}

#[test]
fn entrants_find_their_own_place_in_the_list() {
    let site = Site::new();
    let [ann, bob, cleo] = site.three_entrants();
    let sealed = site.try_to_seal().unwrap();
    let own = usecases::drawings::own_leaf(&site.store, sealed.id, ann.id).unwrap();
    let leaf = own.participant.leaf;
    // The list is in the order of tags, which nobody chooses. Each of the others has one entry.
    let tags = site
        .store
        .read(|tx| tx.tags_of(&[ann.id, bob.id, cleo.id]))
        .unwrap();
    let before = tags.iter().filter(|tag| **tag < own.tag).count() as u64;
    assert_eq!(
        (leaf.index, leaf.first_entry, leaf.weight),
        (before, before + 1, 2)
    );

    // The salts show Ann that the line is hers, and the path shows that the line is in the tree.
    let person = PersonTag::of(&own.person_salt.unwrap(), &ann.phone);
    assert_eq!(own.participant.salt.blind(ann.id, &person), leaf.blinded_id);
    let root = seal_of(&sealed).root;
    assert!(is_included(leaf.hash(), leaf.index, 3, &own.path, &root));

    // Who enters later is not in it.
    let dan = site.enter(RAFFLE, "555-000-0004", None);
    assert!(matches!(
        usecases::drawings::own_leaf(&site.store, sealed.id, dan.id),
        Err(FindDrawingError::NotInIt)
    ));
}
