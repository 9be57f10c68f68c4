//! Consents to campaign messages: STOP revokes them, START restores what STOP revoked.

use crate::Store;
use crate::support::{at_once, entered, noon, phone};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Consent, ConsentAct, EntrantId};
use sms::{
    ConsentId, Consents, DeliveryReport, FORM_WORDING, NewConsent, OptOuts, SWITCH_WORDING, StoredConsent,
    Wording,
};

fn later(minutes: i64) -> DateTime<Utc> {
    noon() + TimeDelta::minutes(minutes)
}

fn record<S: Store>(store: &S, entrant: EntrantId, granted: bool, (act, wording): (ConsentAct, Wording)) {
    let new = NewConsent {
        entrant,
        consent: Consent { granted, act },
        wording,
        address: Some("2001:db8::7".parse().unwrap()),
        user_agent: Some("Browser".to_owned()),
        at: noon(),
    };
    store.transaction(|tx| tx.record_consent(&new)).unwrap();
}

const FORM: (ConsentAct, Wording) = (ConsentAct::Form, FORM_WORDING);
const SWITCH: (ConsentAct, Wording) = (ConsentAct::Switch, SWITCH_WORDING);

fn stop<S: Store>(store: &S, n: u32, at: DateTime<Utc>) {
    let stop = |tx: &mut S::Tx| {
        tx.opt_out(&phone(n), at)?;
        tx.revoke_consents(&phone(n), at)
    };
    store.transaction(stop).unwrap();
}

fn start<S: Store>(store: &S, n: u32, at: DateTime<Utc>) {
    let start = |tx: &mut S::Tx| {
        tx.opt_in(&phone(n), at)?;
        tx.restore_consents(&phone(n), at)
    };
    store.transaction(start).unwrap();
}

fn consents<S: Store>(store: &S, entrant: EntrantId) -> bool {
    store.read(|tx| tx.has_campaign_consent(entrant)).unwrap()
}

/// The rows of an entrant, oldest first.
fn rows<S: Store>(store: &S, entrant: EntrantId) -> Vec<StoredConsent> {
    let ids = (1..=100).map(ConsentId::new);
    let found = ids.filter_map(|id| store.read(|tx| tx.find_consent(id)).unwrap());
    found.filter(|row| row.entrant == entrant).collect()
}

pub fn stop_revokes_a_consent_and_start_restores_it<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1).id, entered(store, 2).id);
    record(store, entrant, true, FORM);
    record(store, other, true, FORM);
    stop(store, 1, later(1));
    stop(store, 1, later(2));
    assert_eq!((consents(store, entrant), consents(store, other)), (false, true));
    start(store, 1, later(3));
    start(store, 1, later(4));
    assert!(consents(store, entrant));
    let rows = rows(store, entrant);
    let act = |act| Consent { granted: true, act };
    let given = StoredConsent {
        id: rows[0].id,
        entrant,
        consent: act(ConsentAct::Form),
        wording: FORM_WORDING.version.to_owned(),
        address: Some("2001:db8::7".parse().unwrap()),
        at: noon(),
        revoked_at: Some(later(1)),
    };
    let restored = StoredConsent {
        id: rows[1].id,
        consent: act(ConsentAct::StartKeyword),
        address: None,
        at: later(3),
        revoked_at: None,
        ..given.clone()
    };
    assert_eq!(rows, [given, restored]);
    let unknown = ConsentId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.find_consent(unknown)).unwrap(), None);
}

pub fn start_restores_only_what_stop_revoked<S: Store>(store: &S) {
    let silent = entered(store, 1).id;
    let refused = entered(store, 2).id;
    record(store, refused, false, FORM);
    let changed = entered(store, 3).id;
    record(store, changed, true, FORM);
    let renewed = entered(store, 4).id;
    record(store, renewed, true, FORM);
    for n in 1..=5 {
        stop(store, n, later(1));
    }
    record(store, changed, false, SWITCH);
    record(store, renewed, true, SWITCH);
    for n in 1..=5 {
        start(store, n, later(2));
    }
    let now = [silent, refused, changed, renewed].map(|entrant| consents(store, entrant));
    assert_eq!(now, [false, false, false, true]);
    let counts = [silent, refused, changed, renewed].map(|entrant| rows(store, entrant).len());
    assert_eq!(counts, [0, 1, 2, 2], "START adds nothing");
}

/// Whichever comes last: a number that has opted out has no consent, and one that opted in again has it back.
pub fn of_stop_and_start_at_once_the_last_counts<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    record(store, entrant, true, FORM);
    for round in 0..10 {
        at_once(6, |n| match n % 2 {
            0 => stop(store, 1, later(round)),
            _ => start(store, 1, later(round)),
        });
        let has_opted_out = store.read(|tx| tx.has_opted_out(&phone(1))).unwrap();
        assert_eq!(consents(store, entrant), !has_opted_out, "round {round}");
    }
}

/// A provider that refuses a text because its recipient has opted out tells us of a STOP.
pub fn a_number_that_the_provider_reports_as_opted_out_loses_its_consent<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1).id, entered(store, 2).id);
    record(store, entrant, true, FORM);
    record(store, other, true, FORM);
    let fence = crate::messages::fence(store);
    let campaign = crate::campaigns::sending_to(store, fence, phone(1));
    let message = crate::campaigns::taken_from(store, fence, campaign);
    crate::messages::record(store, message, 1, DeliveryReport::OptedOut, 1);
    assert_eq!((consents(store, entrant), consents(store, other)), (false, true));
    assert!(store.read(|tx| tx.has_opted_out(&phone(1))).unwrap());
    start(store, 1, later(3));
    assert!(consents(store, entrant));
}
