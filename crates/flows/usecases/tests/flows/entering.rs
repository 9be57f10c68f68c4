//! Entering, on the fakes. The rules of the store are tested in `contracts`.

use fakes::{FixedClock, MemStore, SeededEntropy};
use kernel::{
    Consent, ConsentAct, EntrantId, Origin, Phone, ReferralCode, StoreError, UniqueKey, UnitOfWork,
};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG, KITCHEN_GARDEN};
use raffle::{Entrants, Entries, SignUp};
use sms::Consents;
use usecases::drawings::DrawingTimes;
use usecases::entering::{EnterError, Entered, OwnEntrant};
use usecases::entrants::FindEntrantError;

fn command(phone: &str) -> SignUp {
    SignUp {
        phone: Phone::parse(phone).unwrap(),
        raffle: Some(FRESH_SIPS),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    }
}

fn try_to_enter(store: &MemStore, command: &SignUp) -> Result<Entered, EnterError> {
    // Seeded by the phone, so that two entrants draw two codes.
    let bytes = command.phone.as_e164().bytes();
    let seed = bytes.fold(0_u64, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    usecases::entering::enter(
        store,
        &FixedClock::default(),
        &SeededEntropy::new(seed),
        command,
        None,
    )
}

#[test]
fn a_new_entrant_has_one_entry() {
    let store = MemStore::default();
    let Entered { entrant, is_new, .. } = try_to_enter(&store, &command("5551234567")).unwrap();
    assert!(is_new);
    assert_eq!((entrant.raffle, entrant.entries), (FRESH_SIPS, Entries::NEW));
    assert_eq!(
        usecases::entrants::find(&store, entrant.id).unwrap(),
        entrant,
        "what was answered is what was stored"
    );
}

#[test]
fn entering_another_raffle_changes_nothing_while_the_own_one_is_open() {
    let store = MemStore::default();
    let first = try_to_enter(&store, &command("5551234567")).unwrap();
    let other = SignUp {
        raffle: Some(GARDEN_BAG),
        ..command("+1 555 123 4567")
    };
    let again = try_to_enter(&store, &other).unwrap();
    assert_eq!(
        again,
        Entered {
            is_new: false,
            ..first
        }
    );
}

#[test]
fn entering_again_changes_no_consent() {
    let store = MemStore::default();
    let said = |granted| SignUp {
        consent: Some(Consent {
            granted,
            act: ConsentAct::Form,
        }),
        ..command("5551234567")
    };
    let id = try_to_enter(&store, &said(false)).unwrap().entrant.id;
    // Somebody else may have typed the number.
    try_to_enter(&store, &said(true)).unwrap();
    assert!(!store.read(|tx| tx.has_campaign_consent(id)).unwrap());
}

#[test]
fn a_ticked_box_counts_again_in_the_browser_that_entered() {
    let store = MemStore::default();
    let said = |granted: Option<bool>| SignUp {
        consent: granted.map(|granted| Consent {
            granted,
            act: ConsentAct::Form,
        }),
        ..command("5551234567")
    };
    let entropy = SeededEntropy::new(3);
    let from_browser = |command: &SignUp, own: Option<EntrantId>| {
        let clock = FixedClock::default();
        let times = DrawingTimes::DEFAULT;
        let own = own.map(|id| OwnEntrant { id, times });
        usecases::entering::enter(&store, &clock, &entropy, command, own).unwrap()
    };
    let consents = |id| store.read(|tx| tx.has_campaign_consent(id)).unwrap();
    let id = from_browser(&said(None), None).entrant.id;
    let other = from_browser(
        &SignUp {
            phone: Phone::parse("5557654321").unwrap(),
            ..said(None)
        },
        None,
    );
    from_browser(&said(Some(true)), Some(other.entrant.id));
    assert!(!consents(id), "the token of another entrant proves nothing");
    from_browser(&said(None), Some(id));
    assert!(!consents(id));
    from_browser(&said(Some(true)), Some(id));
    assert!(consents(id));
    // An empty box is no refusal: the switch and STOP are there for that.
    from_browser(&said(Some(false)), Some(id));
    assert!(consents(id));
}

#[test]
fn a_referrer_earns_one_entry_in_whichever_raffle_the_friend_enters() {
    let store = MemStore::default();
    let referrer = try_to_enter(&store, &command("5551234567")).unwrap().entrant;
    let friend = SignUp {
        raffle: Some(KITCHEN_GARDEN),
        referral_code: Some(referrer.referral_code.clone()),
        ..command("5557654321")
    };
    try_to_enter(&store, &friend).unwrap();
    let stats = usecases::entrants::stats(&store, referrer.id).unwrap();
    assert_eq!(
        (stats.entries.total(), stats.entries.bonus, stats.friends.all),
        (2, 1, 1)
    );
    let list =
        usecases::entrants::list_referrals(&store, referrer.id, kernel::PageRequest::default()).unwrap();
    assert_eq!(
        (list.total, &list.referrals[0].referred_phone),
        (1, &Some(friend.phone))
    );
}

#[test]
fn an_unknown_code_is_refused_even_for_an_entrant() {
    let store = MemStore::default();
    try_to_enter(&store, &command("5551234567")).unwrap();
    let code = ReferralCode::parse("CDFG3467").unwrap();
    let again = SignUp {
        referral_code: Some(code),
        ..command("5551234567")
    };
    assert!(matches!(
        try_to_enter(&store, &again),
        Err(EnterError::UnknownReferralCode)
    ));
}

#[test]
fn nothing_is_stored_when_the_store_fails() {
    let store = MemStore::default();
    store.fail_next(StoreError::Conflict);
    assert!(matches!(
        try_to_enter(&store, &command("5551234567")),
        Err(EnterError::Store(StoreError::Conflict))
    ));
    assert!(!store.read::<_, StoreError>(|tx| tx.has_entrants()).unwrap());
    assert!(try_to_enter(&store, &command("5551234567")).unwrap().is_new);
}

#[test]
fn a_number_that_was_erased_meanwhile_enters() {
    let store = MemStore::default();
    store.fail_next(StoreError::Duplicate(UniqueKey::PhoneNumber));
    assert!(try_to_enter(&store, &command("5551234567")).unwrap().is_new);
}

#[test]
fn an_unknown_entrant_is_not_found() {
    let unknown = kernel::EntrantId::new(7);
    let store = MemStore::default();
    assert!(matches!(
        usecases::entrants::find(&store, unknown),
        Err(FindEntrantError::UnknownEntrant)
    ));
    assert!(matches!(
        usecases::entrants::stats(&store, unknown),
        Err(FindEntrantError::UnknownEntrant)
    ));
    assert!(matches!(
        usecases::entrants::list_referrals(&store, unknown, kernel::PageRequest::default()),
        Err(FindEntrantError::UnknownEntrant)
    ));
}
