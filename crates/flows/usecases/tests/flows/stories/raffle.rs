//! Entering a raffle, from the typed phone number to the entry ledger. Start here to learn what `crates/domain/raffle` is for.
//!
//! The flow is `usecases::entering::enter`; the store is in memory. `crates/testing/contracts` holds PostgreSQL to the same rules.

use fakes::{FixedClock, MemStore, SeededEntropy};
use kernel::{EntrantId, Origin, Phone, ReferralCode, StoreError, UnitOfWork};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use raffle::{Entrants, Entries, EntryKind, EntryLedger, LedgerRow, RaffleKey, SignUp};
use usecases::entering::{Entered, enter};

/// A site that nobody has visited yet.
#[derive(Default)]
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
}

impl Site {
    fn enter(&self, raffle: RaffleKey, typed: &str, friends_code: Option<&ReferralCode>) -> Entered {
        let command = SignUp {
            phone: Phone::parse(typed).unwrap(),
            raffle: Some(raffle),
            referral_code: friends_code.cloned(),
            event_id: None,
            consent: None,
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        enter(&self.store, &self.clock, &self.entropy, &command, None).unwrap()
    }

    /// The counters of an entrant.
    fn entries_of(&self, id: EntrantId) -> Entries {
        let entrant = self.store.read::<_, StoreError>(|tx| tx.find_entrant(id));
        entrant.unwrap().unwrap().entries
    }

    /// The rows behind these counters, oldest first.
    fn ledger_of(&self, id: EntrantId) -> Vec<LedgerRow> {
        self.store.ledger_of(id)
    }
}

#[test]
fn a_phone_number_enters_once() {
    let site = Site::default();
    let first = site.enter(GARDEN_BAG, "(555) 123-4567", None);
    assert!(first.is_new);
    assert_eq!(first.entrant.entries, Entries::NEW);

    // The same number, spelled differently and on another raffle's page, is the same entrant.
    let second = site.enter(FRESH_SIPS, "+1 555 123 4567", None);
    assert!(!second.is_new);
    assert_eq!(second.entrant, first.entrant);
    assert_eq!(second.entrant.raffle, GARDEN_BAG, "the first raffle stays");
    assert_eq!(site.store.count_entrants(), 1);
}

#[test]
fn every_entry_has_a_row_in_the_ledger() {
    let site = Site::default();
    let Entered { entrant: ann, .. } = site.enter(GARDEN_BAG, "555-123-4567", None);
    let Entered { entrant: bob, .. } = site.enter(FRESH_SIPS, "555-765-4321", Some(&ann.referral_code));

    // One row for entering, caused by Ann; one for the friend she brought, caused by Bob.
    let row = |kind, cause: EntrantId| LedgerRow {
        kind,
        delta: 1,
        cause: cause.get(),
    };
    let expected = [row(EntryKind::Base, ann.id), row(EntryKind::Referral, bob.id)];
    assert_eq!(site.ledger_of(ann.id), expected);
    assert_eq!(site.ledger_of(bob.id), [row(EntryKind::Base, bob.id)]);
}

#[test]
fn the_counters_are_the_sums_of_the_ledger() {
    let site = Site::default();
    let Entered { entrant: ann, .. } = site.enter(GARDEN_BAG, "555-000-0000", None);
    for friend in 1..=20 {
        let typed = format!("555-000-{friend:04}");
        site.enter(GARDEN_BAG, &typed, Some(&ann.referral_code));
    }
    let entries = site.entries_of(ann.id);
    assert_eq!(
        entries,
        Entries {
            base: 1,
            bonus: 20,
            paid: 0,
            held: 0,
        }
    );
    assert_eq!(entries.total(), 21);

    // The store can check this for all entrants at once.
    let unbalanced = site.store.read::<_, StoreError>(|tx| tx.unbalanced_entrants());
    assert_eq!(unbalanced.unwrap(), []);
}

#[test]
fn an_entrant_is_stored_whole_or_not_at_all() {
    let site = Site::default();
    let command = SignUp {
        phone: Phone::parse("555-123-4567").unwrap(),
        raffle: Some(GARDEN_BAG),
        // Nobody has this code, so the flow fails after its transaction began.
        referral_code: Some(ReferralCode::parse("CDFG3467").unwrap()),
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    };
    assert!(enter(&site.store, &site.clock, &site.entropy, &command, None).is_err());
    let has_entrants = site.store.read::<_, StoreError>(|tx| tx.has_entrants());
    assert!(!has_entrants.unwrap());
}
