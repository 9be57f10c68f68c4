//! Ids that entrants had before ids became random (D35). PostgreSQL gets them from a migration; on the fakes a test gives
//! them.

use crate::Store;
use crate::drawing_flow::kit::{Kit, drawn, waiting};
use crate::purchase_flow::{begun, event, on_sale, paid, paid_entries};
use crate::support::{
    Noon, SeededEntropy, assert_balanced, command, fold, new_entrant, phone, session, share, staff_actor,
};
use analytics::{Collection, Platform, Rollups};
use chrono_tz::Tz;
use drawing::Proof;
use drawing::steps::{DrawingState, DrawingStatus};
use kernel::{EntrantId, Entropy, StoreError, UniqueKey};
use pricing::{EventKind, Intent};
use raffle::{Entrant, Entrants, NewEntrant};
use sms::{Consent, ConsentAct, MessageKind, Outbox};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use usecases::drawings::OwnLeaf;
use usecases::entrants::{AskedEntrant, FindEntrantError};
use usecases::flags::FlagCommand;

/// Gives the ids 1, 2, 3 … to entrants, as servers did before, and random bytes for everything else.
struct CountingIds {
    last: AtomicU64,
    rest: SeededEntropy,
}

impl Entropy for CountingIds {
    fn fill(&self, bytes: &mut [u8]) {
        match bytes.len() {
            8 => bytes.copy_from_slice(&(1 + self.last.fetch_add(1, Ordering::Relaxed)).to_be_bytes()),
            _ => self.rest.fill(bytes),
        }
    }
}

/// The number of entrants of [`fill`].
const ENTRANTS: u32 = 8;

/// What was in a store whose ids count up.
pub struct Filled {
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) drawn: DrawingState,
    pub(crate) sealed: DrawingState,
    pub(crate) proofs: Vec<Proof>,
    leaves: Vec<OwnLeaf>,
    unpaid: Intent,
}

pub(crate) fn beacon() -> Kit {
    Kit::with_beacon(72)
}

/// Fills an empty store with entrants 1 to 8 and with something in every table that names an entrant: friends, consents,
/// messages, shares, funnel steps, flags, purchases, a drawing that is drawn and one that waits for its round.
pub fn fill<S: Store>(store: &S) -> Filled {
    let entropy = CountingIds {
        last: AtomicU64::new(0),
        rest: SeededEntropy::new(71),
    };
    let mut entrants: Vec<Entrant> = Vec::new();
    for n in 0..ENTRANTS {
        // Every third one enters through the first one's link.
        let referrer = entrants.first().filter(|_| n % 3 == 1);
        let mut command = command(phone(n), referrer.map(|referrer| &referrer.referral_code));
        command.consent = Some(Consent {
            granted: n % 2 == 0,
            act: ConsentAct::Form,
        });
        command.session = Some(session(&format!("visit-{n}")));
        entrants.push(
            usecases::entering::enter(store, &Noon, &entropy, &command)
                .unwrap()
                .entrant,
        );
    }
    let ids: Vec<i64> = entrants.iter().map(|entrant| entrant.id.get()).collect();
    assert_eq!(ids, (1..=i64::from(ENTRANTS)).collect::<Vec<_>>());

    let package = on_sale(store);
    let (first, second) = (
        begun(store, 1, entrants[0].id, package),
        begun(store, 2, entrants[1].id, package),
    );
    event(store, "evt_1", EventKind::Succeeded(paid(1, &first)));
    store
        .transaction(|tx| tx.collect(&[share(Some(&entrants[2]), Platform::Sms, None)]))
        .unwrap();
    flag(store, &entrants[4]);
    flag(store, &entrants[5]);
    fold(store);
    let drawn = drawn(store, &Kit::new(73));
    let sealed = waiting(store, &beacon());
    Filled {
        proofs: proofs(store, &[&drawn, &sealed]),
        leaves: [&drawn, &sealed]
            .map(|state| leaf(store, state, entrants[2].id))
            .into(),
        unpaid: paid(2, &second),
        entrants,
        drawn,
        sealed,
    }
}

fn flag<S: Store>(store: &S, entrant: &Entrant) {
    let command = FlagCommand {
        entrant: entrant.id,
        reason: "any".to_owned(),
    };
    usecases::flags::flag(store, &Noon, staff_actor(), &command).unwrap();
}

pub(crate) fn proofs<S: Store>(store: &S, drawings: &[&DrawingState]) -> Vec<Proof> {
    let proof = |state: &&DrawingState| usecases::drawings::proof(store, state.id).unwrap();
    drawings.iter().map(proof).collect()
}

fn leaf<S: Store>(store: &S, state: &DrawingState, entrant: EntrantId) -> OwnLeaf {
    usecases::drawings::own_leaf(store, state.id, entrant).unwrap()
}

impl Filled {
    /// Checks the same store after every entrant got another id.
    ///
    /// # Panics
    /// If anything that names an entrant names nobody or somebody else, or a proof changed.
    pub fn assert_moved<S: Store>(&self, store: &S) {
        let now = self.moved(store);
        self.assert_former_ids(store, &now);
        assert_balanced(store);
        assert_eq!(store.transaction(|tx| tx.differences(Tz::UTC)).unwrap(), [""; 0]);
        self.assert_proofs(store, &now);
        self.assert_the_sealed_drawing_is_drawn(store, &now);
        self.assert_payments(store, &now);
        self.assert_newcomers(store);
    }

    /// The ids of now, by the ids of before.
    fn moved<S: Store>(&self, store: &S) -> BTreeMap<EntrantId, EntrantId> {
        let mut moved = BTreeMap::new();
        for before in &self.entrants {
            let found = store.read(|tx| tx.find_entrant_by_phone(&before.phone)).unwrap();
            let now = found.unwrap();
            assert_ne!(now.id, before.id);
            assert!(now.id.get() > 0 && now.id <= EntrantId::MAX);
            assert_eq!(now.referral_code, before.referral_code);
            moved.insert(before.id, now.id);
        }
        moved
    }

    fn assert_former_ids<S: Store>(&self, store: &S, now: &BTreeMap<EntrantId, EntrantId>) {
        for (before, id) in now {
            let (found, former) = store
                .read::<_, StoreError>(|tx| Ok((tx.find_by_former_id(*before)?, tx.former_id_of(*id)?)))
                .unwrap();
            assert_eq!((found, former), (Some(*id), Some(*before)));
            assert_eq!(store.read(|tx| tx.find_by_former_id(*id)).unwrap(), None);
            let find = |id, token| usecases::entrants::find(store, AskedEntrant { id, token });
            let unknown = |found| matches!(found, Err(FindEntrantError::UnknownEntrant));
            assert!(unknown(find(*before, None)), "a stranger");
            assert!(
                unknown(find(*before, Some(EntrantId::new(1 << 40)))),
                "another browser"
            );
            for (asked, token) in [(*before, *before), (*id, *before), (*id, *id)] {
                let own = find(asked, Some(token)).unwrap();
                assert_eq!((own.found.id, own.is_own), (*id, true));
            }
        }
    }

    fn assert_proofs<S: Store>(&self, store: &S, now: &BTreeMap<EntrantId, EntrantId>) {
        assert_eq!(proofs(store, &[&self.drawn, &self.sealed]), self.proofs);
        usecases::drawings::verify_log(store).unwrap();
        let before = self.entrants[2].id;
        for (state, leaf_before) in [&self.drawn, &self.sealed].into_iter().zip(&self.leaves) {
            for token in [before, now[&before]] {
                assert_eq!(leaf(store, state, token), *leaf_before);
            }
        }
        let winner = |state: &DrawingState| state.result.as_ref().unwrap().step.ranks[0].entrant;
        let found = crate::drawing_flow::kit::find(store, self.drawn.id);
        assert_eq!(winner(&found), now[&winner(&self.drawn)]);
    }

    fn assert_the_sealed_drawing_is_drawn<S: Store>(&self, store: &S, now: &BTreeMap<EntrantId, EntrantId>) {
        let drawn = beacon().draw(store, &self.sealed).unwrap();
        assert_eq!(drawn.status, DrawingStatus::Drawn);
        let ranks = &drawn.result.as_ref().unwrap().step.ranks;
        assert!(
            ranks
                .iter()
                .all(|rank| now.values().any(|id| *id == rank.entrant)),
            "{ranks:?}"
        );
        let messages = store.read(|tx| tx.list_messages_to(ranks[0].entrant)).unwrap();
        assert!(
            messages
                .iter()
                .any(|message| message.content.kind == MessageKind::Victory),
            "{messages:?}"
        );
        usecases::drawings::verify_log(store).unwrap();
    }

    /// The provider's event has the id of before.
    fn assert_payments<S: Store>(&self, store: &S, now: &BTreeMap<EntrantId, EntrantId>) {
        let buyer = now[&self.entrants[1].id];
        assert_eq!(paid_entries(store, buyer), 0);
        let mut of_another = self.unpaid.clone();
        of_another.entrant = Some(self.entrants[2].id);
        event(store, "evt_2", EventKind::Succeeded(of_another));
        assert_eq!(paid_entries(store, buyer), 0);
        event(store, "evt_3", EventKind::Succeeded(self.unpaid.clone()));
        assert!(paid_entries(store, buyer) > 0);
    }

    /// Nobody gets a former id, and each newcomer is folded once.
    fn assert_newcomers<S: Store>(&self, store: &S) {
        let new = new_entrant(100, "CDFGHJKM");
        let taken = NewEntrant {
            id: self.entrants[0].id,
            ..new.clone()
        };
        let refused = store.transaction(|tx| tx.add_entrant(&taken)).unwrap_err();
        assert!(
            matches!(refused, StoreError::Duplicate(UniqueKey::EntrantId)),
            "{refused:?}"
        );
        assert!(store.transaction(|tx| tx.add_entrant(&new)).unwrap().is_some());
        fold(store);
        assert_eq!(store.transaction(|tx| tx.differences(Tz::UTC)).unwrap(), [""; 0]);
    }
}

/// Draws among the entrants of now.
pub fn draw<S: Store>(store: &S) {
    drawn(store, &Kit::new(74));
}

/// `give` gives an entrant a former id.
pub fn a_former_id_finds_its_entrant_and_is_given_to_nobody_else<S: Store>(
    store: &S,
    give: impl Fn(EntrantId, EntrantId),
) {
    let (id, former) = (new_entrant(1, "CDFG3467").id, EntrantId::new(77));
    store
        .transaction(|tx| tx.add_entrant(&new_entrant(1, "CDFG3467")))
        .unwrap();
    let find = |asked| {
        let both = |tx: &S::Tx| Ok::<_, StoreError>((tx.find_by_former_id(asked)?, tx.former_id_of(asked)?));
        store.read(both).unwrap()
    };
    assert_eq!((find(id), find(former)), ((None, None), (None, None)));
    give(id, former);
    assert_eq!(find(former), (Some(id), None));
    assert_eq!(find(id), (None, Some(former)));
    assert_eq!(store.read(|tx| tx.find_entrant(former)).unwrap(), None);
    let taken = NewEntrant {
        id: former,
        ..new_entrant(2, "HJKM3467")
    };
    let refused = store.transaction(|tx| tx.add_entrant(&taken)).unwrap_err();
    assert!(
        matches!(refused, StoreError::Duplicate(UniqueKey::EntrantId)),
        "{refused:?}"
    );
}
