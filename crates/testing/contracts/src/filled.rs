//! A store with something in every table that names an entrant.

use crate::Store;
use crate::drawing_flow::kit::{Kit, drawn, waiting};
use crate::purchase_flow::{begun, event, on_sale, paid};
use crate::support::{Noon, SeededEntropy, command, fold, phone, session, share, staff_actor};
use analytics::{Collection, Platform};
use drawing::Proof;
use drawing::steps::DrawingState;
use kernel::{Consent, ConsentAct};
use pricing::EventKind;
use raffle::Entrant;

/// The number of entrants of [`fill`].
const ENTRANTS: u32 = 8;

/// What is in a filled store.
pub struct Filled {
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) drawn: DrawingState,
    pub(crate) sealed: DrawingState,
    pub(crate) proofs: Vec<Proof>,
}

pub(crate) fn beacon() -> Kit {
    Kit::with_beacon(72)
}

/// Fills an empty store with eight entrants and with something in every table that names an entrant: friends, consents,
/// messages, shares, funnel steps, flags, purchases, a drawing that is drawn and one that waits for its round.
pub fn fill<S: Store>(store: &S) -> Filled {
    let entropy = SeededEntropy::new(71);
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
            usecases::entering::enter(store, &Noon, &entropy, &command, None)
                .unwrap()
                .entrant,
        );
    }
    let package = on_sale(store);
    let first = begun(store, 1, entrants[0].id, package);
    begun(store, 2, entrants[1].id, package);
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
        entrants,
        drawn,
        sealed,
    }
}

fn flag<S: Store>(store: &S, entrant: &Entrant) {
    usecases::flags::flag(store, &Noon, staff_actor(), &crate::flags::flag(entrant.id)).unwrap();
}

pub(crate) fn proofs<S: Store>(store: &S, drawings: &[&DrawingState]) -> Vec<Proof> {
    let proof = |state: &&DrawingState| usecases::drawings::proof(store, state.id).unwrap();
    drawings.iter().map(proof).collect()
}
