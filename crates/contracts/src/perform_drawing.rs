//! Drawings on the store: `usecases::perform_drawing::perform` and the use cases that read its results.

mod fairness;

pub use fairness::*;

use crate::Store;
use crate::support::{Noon, at_once, command, entered_through, new_entrant, noon, phone};
use analytics::{Flags, NewFlag};
use drawing::{Commitments, Drawing, Leaf, ListCheck, LogAction, Proof};
use drawing::{DrawingLog, DrawingSort, Drawings};
use fakes::{FakeSeeds, SeededEntropy};
use kernel::{EntrantId, IdempotencyKey, PageRequest, Raffle, Sealer, SortOrder, StoreError};
use raffle::{Entrant, Entrants};
use sms::{Message, MessageKind, Outbox};
use staff::{Action, Actor, AuditFilter, AuditLog, SessionId};
use usecases::drawings::FoundProof;
use usecases::perform_drawing::{DrawingTools, PerformDrawingCommand, PerformDrawingError};

const RAFFLE: Raffle = Raffle::FreshSips; // where `entered` enters

/// Seals without encryption. It cannot open secrets that were sealed under another name.
struct NamedSealer(&'static str);

impl<T> Sealer<T> for NamedSealer {
    fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8> {
        [self.0.as_bytes(), context.as_bytes(), secret].concat()
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let sealed = sealed.strip_prefix(self.0.as_bytes())?;
        sealed.strip_prefix(context.as_bytes()).map(<[u8]>::to_vec)
    }
}

/// Reproducible tools for drawings.
pub(crate) struct Kit {
    entropy: SeededEntropy,
    seeds: FakeSeeds,
    sealer: NamedSealer,
}

impl Kit {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            entropy: SeededEntropy::new(seed),
            seeds: FakeSeeds::new(seed + 1_000),
            sealer: NamedSealer("own"),
        }
    }

    fn tools(&self) -> DrawingTools<'_> {
        DrawingTools {
            clock: &Noon,
            entropy: &self.entropy,
            seeds: &self.seeds,
            sealer: &self.sealer,
            public_origin: "https://example.org",
        }
    }
}

pub(crate) fn committed<S: Store>(store: &S, kit: &Kit) {
    usecases::commitments::ensure_open(store, kit.tools(), RAFFLE).unwrap();
}

fn draw_with<S: Store>(store: &S, kit: &Kit, key: Option<&str>) -> Result<Drawing, PerformDrawingError> {
    let command = PerformDrawingCommand {
        actor: Actor {
            session: SessionId::new(7),
            address: None,
        },
        raffle: RAFFLE,
        idempotency_key: key.map(|key| IdempotencyKey::parse(key).unwrap()),
    };
    usecases::perform_drawing::perform(store, kit.tools(), &command)
}

pub(crate) fn draw<S: Store>(store: &S, kit: &Kit) -> Drawing {
    draw_with(store, kit, None).unwrap()
}

/// An entrant and so many friends, who all entered the raffle.
pub(crate) fn entered_with_friends<S: Store>(store: &S, n: u32, friends: u32) -> Entrant {
    let entrant = usecases::entering::enter(
        store,
        &Noon,
        &SeededEntropy::new(n.into()),
        &command(phone(n), None),
    )
    .unwrap()
    .entrant;
    for friend in 1..=friends {
        entered_through(store, n + friend, &entrant.referral_code);
    }
    entrant
}

fn list_of<S: Store>(store: &S, drawing: &Drawing) -> Vec<Leaf> {
    let chunks = (0..).map_while(|chunk| {
        usecases::published_lists::frozen_leaves(store, drawing.record.drawing, chunk).unwrap()
    });
    chunks.flatten().collect()
}

fn proof_of<S: Store>(store: &S, drawing: &Drawing) -> Proof {
    match usecases::drawings::proof(store, drawing.record.drawing).unwrap() {
        FoundProof::First(proof) => *proof,
        FoundProof::Second(_) => panic!("a proof of version 2"),
    }
}

fn assert_holds<S: Store>(store: &S, drawing: &Drawing) {
    let proof = proof_of(store, drawing);
    assert!(proof.is_valid(), "{:?}", proof.checks());
    let mut check = ListCheck::new(&proof);
    list_of(store, drawing).iter().for_each(|leaf| check.push(leaf));
    assert_eq!(check.finish(), Ok(()));
}

pub fn the_open_commitment_stays_open_until_a_drawing_uses_it<S: Store>(store: &S) {
    let kit = Kit::new(1);
    let opened = at_once(10, |_| {
        usecases::commitments::ensure_open(store, kit.tools(), RAFFLE).unwrap()
    });
    let first = &opened[0];
    assert!(
        opened.iter().all(|other| other == first),
        "ten ask at once, one is opened"
    );
    entered_with_friends(store, 1, 2);
    let drawing = draw(store, &kit);
    assert_eq!(
        (drawing.record.commitment, drawing.record.committed_at),
        (first.commitment, first.committed_at)
    );
    assert_eq!(drawing.record.seed.commitment(), first.commitment);
    let next = store.read(|tx| tx.open_commitment(RAFFLE)).unwrap().unwrap();
    assert_ne!(next.commitment, first.commitment);
    assert_eq!(
        store.read(|tx| tx.open_commitment(Raffle::GardenBag)).unwrap(),
        None,
        "other raffles have their own"
    );
    let second = draw(store, &kit);
    assert_eq!(second.record.commitment, next.commitment);
    assert_ne!(second.record.root, drawing.record.root, "salts are new");
}

pub fn a_drawing_is_stored_with_its_list_its_log_entries_and_its_message<S: Store>(store: &S) {
    let kit = Kit::new(2);
    committed(store, &kit);
    let popular = entered_with_friends(store, 1, 5);
    let drawing = draw(store, &kit);
    let record = &drawing.record;
    assert_eq!(
        (record.participants, record.entries, record.drawn_at),
        (6, 11, noon())
    );
    let read = usecases::drawings::find(store, record.drawing).unwrap();
    assert_eq!(read, drawing);
    let list = usecases::drawings::list(
        store,
        DrawingSort::default(),
        SortOrder::default(),
        PageRequest::default(),
    );
    let list = list.unwrap();
    assert_eq!((list.drawings.as_slice(), list.total), (&[read][..], 1));
    assert_holds(store, &drawing);
    assert_eq!(list_of(store, &drawing)[0].weight, 6);

    let winner = store.read(|tx| tx.find_entrant(drawing.winner)).unwrap().unwrap();
    assert_eq!(winner.phone, drawing.winner_phone);
    assert!((popular.id..=EntrantId::new(popular.id.get() + 100)).contains(&winner.id));
    let message = winner_message(store, winner.id);
    assert_eq!(message.content.phone, winner.phone);
    let link = format!("https://example.org/drawings/{}", record.drawing);
    let body = message.content.body.unwrap();
    assert!(body.contains(&link), "{body}");

    let audit = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    assert_eq!(audit[0].action, Action::PerformDrawing);
    assert_eq!(audit[0].target, Some(record.drawing.to_string()));
    let log = store.read(|tx| tx.list_log(0, 10)).unwrap();
    let actions: Vec<LogAction> = log.iter().map(|entry| entry.entry.action).collect();
    assert_eq!(
        actions,
        [
            LogAction::CommitmentOpened,
            LogAction::DrawingPerformed,
            LogAction::CommitmentOpened
        ]
    );
    assert_eq!(log[1].hash, drawing.audit_log_hash);
    assert_eq!(log[1].entry.random_seed, Some(record.seed));
    let report = usecases::drawings::verify_log(store).unwrap();
    assert_eq!(
        (report.entries, report.drawings, report.head),
        (3, 1, Some(log[2].hash))
    );
}

/// The single victory message; all entrants also get a welcome message.
fn winner_message<S: Store>(store: &S, winner: EntrantId) -> Message {
    let mut messages = store.read(|tx| tx.list_messages_to(winner)).unwrap();
    messages.retain(|message| message.content.kind == MessageKind::Victory);
    assert_eq!(messages.len(), 1);
    messages.remove(0)
}

pub fn fifty_concurrent_requests_with_one_key_make_one_drawing<S: Store>(store: &S) {
    let kit = Kit::new(3);
    committed(store, &kit);
    entered_with_friends(store, 1, 9);
    let drawings = at_once(50, |_| draw_with(store, &kit, Some("one-request")).unwrap());
    assert!(drawings.iter().all(|drawing| *drawing == drawings[0]));
    assert_eq!(store.read(|tx| tx.count_drawings()).unwrap(), 1);
    winner_message(store, drawings[0].winner);
    let again = draw_with(store, &kit, Some("another-request")).unwrap();
    assert_ne!(again.record.drawing, drawings[0].record.drawing);
    let elsewhere = PerformDrawingCommand {
        actor: Actor {
            session: SessionId::new(7),
            address: None,
        },
        raffle: Raffle::GardenBag,
        idempotency_key: IdempotencyKey::parse("one-request"),
    };
    let refused = usecases::perform_drawing::perform(store, kit.tools(), &elsewhere);
    assert!(
        matches!(refused, Err(PerformDrawingError::KeyReused)),
        "{refused:?}"
    );
}

pub fn concurrent_drawings_use_different_commitments<S: Store>(store: &S) {
    let kit = Kit::new(4);
    committed(store, &kit);
    entered_with_friends(store, 1, 9);
    let drawings = at_once(8, |_| draw(store, &kit));
    let mut commitments: Vec<_> = drawings
        .iter()
        .map(|drawing| drawing.record.commitment.to_string())
        .collect();
    commitments.sort();
    commitments.dedup();
    assert_eq!(commitments.len(), 8, "each uses its own commitment");
    let report = usecases::drawings::verify_log(store).unwrap();
    assert_eq!((report.drawings, report.entries), (8, 17));
    drawings.iter().for_each(|drawing| assert_holds(store, drawing));
}

pub fn a_drawing_sees_each_sign_up_completely_or_not_at_all<S: Store>(store: &S) {
    let kit = Kit::new(5);
    committed(store, &kit);
    let popular = entered_with_friends(store, 1, 3);
    let drawings = at_once(6, |n| match n {
        0 | 1 => (0..4).map(|_| draw(store, &kit)).collect(),
        _ => {
            for friend in 0..15 {
                entered_through(store, n * 1000 + friend, &popular.referral_code);
            }
            Vec::new()
        }
    });
    for drawing in drawings.iter().flatten() {
        // Every entrant but the first was referred, which earned the referrer one entry.
        let record = &drawing.record;
        assert_eq!(record.entries, record.participants + (record.participants - 1));
        assert_eq!(list_of(store, drawing)[0].weight, record.participants);
        assert_holds(store, drawing);
    }
}

/// The official rules promise this under 'Entry period and drawing'.
pub fn an_entry_counts_from_the_first_drawing_that_is_performed_after_it<S: Store>(store: &S) {
    let kit = Kit::new(8);
    committed(store, &kit);
    let entrant = entered_with_friends(store, 1, 1);
    let totals = |drawing: &Drawing| (drawing.record.participants, drawing.record.entries);
    let first = draw(store, &kit);
    assert_eq!(totals(&first), (2, 3));
    entered_through(store, 3, &entrant.referral_code);
    assert_eq!(totals(&draw(store, &kit)), (3, 5));
    // The first drawing keeps its list.
    assert_eq!(list_of(store, &first).len(), 2);
    assert_holds(store, &first);
}

pub fn a_drawing_without_participants_changes_nothing<S: Store>(store: &S) {
    let kit = Kit::new(6);
    let refused = draw_with(store, &kit, None);
    assert!(
        matches!(refused, Err(PerformDrawingError::NoCommitment)),
        "{refused:?}"
    );
    committed(store, &kit);
    let open = store.read(|tx| tx.open_commitment(RAFFLE)).unwrap();
    let refused = draw_with(store, &kit, None);
    assert!(
        matches!(refused, Err(PerformDrawingError::NoParticipants)),
        "{refused:?}"
    );
    let entrant = entered_with_friends(store, 1, 0);
    flag(store, entrant.id);
    let refused = draw_with(store, &kit, None);
    assert!(
        matches!(refused, Err(PerformDrawingError::NoParticipants)),
        "{refused:?}"
    );
    let other_raffle = store
        .transaction::<_, StoreError>(|tx| tx.add_entrant(&new_entrant(50, "CDFG3467")))
        .unwrap();
    assert!(other_raffle.is_some());
    let refused = draw_with(store, &kit, None);
    assert!(
        matches!(refused, Err(PerformDrawingError::NoParticipants)),
        "{refused:?}"
    );
    assert_eq!(store.read(|tx| tx.open_commitment(RAFFLE)).unwrap(), open);
    assert_eq!(store.read(|tx| tx.count_drawings()).unwrap(), 0);
    assert_eq!(usecases::drawings::verify_log(store).unwrap().entries, 1);
}

pub fn no_drawing_happens_if_the_seed_cannot_be_opened<S: Store>(store: &S) {
    let kit = Kit::new(7);
    committed(store, &kit);
    entered_with_friends(store, 1, 1);
    let other_kit = Kit {
        sealer: NamedSealer("other"),
        ..Kit::new(8)
    };
    let refused = draw_with(store, &other_kit, None);
    assert!(matches!(refused, Err(PerformDrawingError::Sealed)), "{refused:?}");
    assert_eq!(store.read(|tx| tx.count_drawings()).unwrap(), 0);
    assert_holds(store, &draw(store, &kit));
}

fn flag<S: Store>(store: &S, entrant: EntrantId) {
    let flag = NewFlag {
        entrant,
        reason: "Test".to_owned(),
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}
