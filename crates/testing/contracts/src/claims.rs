//! Claims of winners on the store: the ports. The flows are `usecases::claims`.

use crate::Store;
use crate::drawing_flow::kit::Kit;
use crate::messages::{fence, new_message, provider_message, queued, record, record_report};
use crate::support::{at_once, entered, noon};
use ::claims::{
    CallCodeHash, Claim, ClaimEvent, ClaimFilter, ClaimId, ClaimRefusal, ClaimStatus, ClaimTexts, Claims,
    Deadline, EventKind, NewClaim, NewEvent, Objection, PublicWinner, RejectReason, Rejection, Shipment,
    TokenHash, TrackingNumber, VerifiedBy,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{BrowserHash, DrawingId, EntrantId, PageRequest, StoredText};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG, KITCHEN_GARDEN};
use sms::{DeliveryReport, MessageId, MessageKind, ProviderStatus};
use strum::IntoEnumIterator;

const HOME: BrowserHash = BrowserHash::new([1; 32]);

fn day(n: i64) -> DateTime<Utc> {
    noon() + TimeDelta::days(n)
}

/// A drawing to which claims can belong.
fn drawing<S: Store>(store: &S) -> DrawingId {
    Kit::new(1).announce_by_hand(store, |_, _| {}).id
}

fn token(n: u8) -> TokenHash {
    TokenHash::new([n; 32])
}

fn new_claim(drawing: DrawingId, entrant: EntrantId, rank: u8) -> NewClaim {
    NewClaim {
        drawing,
        rank: rank.into(),
        entrant,
        token: token(rank),
        at: day(0),
    }
}

fn added<S: Store>(store: &S, new: &NewClaim) -> ClaimId {
    store.transaction(|tx| tx.add_claim(new)).unwrap().unwrap()
}

fn found<S: Store>(store: &S, id: ClaimId) -> Claim {
    store.read(|tx| tx.find_claim(id)).unwrap().unwrap()
}

fn save<S: Store>(store: &S, claim: &Claim) {
    store.transaction(|tx| tx.save_claim(claim)).unwrap();
}

/// Locks a claim, lets it take a step, and saves it, as every flow does.
fn take<S: Store>(
    store: &S,
    id: ClaimId,
    step: impl Fn(&mut Claim) -> Result<(), ClaimRefusal>,
) -> Result<(), ClaimRefusal> {
    let taken = store.transaction::<_, kernel::StoreError>(|tx| {
        let mut claim = tx.lock_claim(id)?.unwrap();
        let taken = step(&mut claim);
        if taken.is_ok() {
            tx.save_claim(&claim)?;
        }
        Ok(taken)
    });
    taken.unwrap()
}

/// A claim whose browser has proved the number, in a drawing of its own rank.
fn verified<S: Store>(store: &S, drawing: DrawingId, rank: u8) -> ClaimId {
    let entrant = entered(store, 100 + u32::from(rank)).id;
    let id = added(store, &new_claim(drawing, entrant, rank));
    let claim = Claim {
        status: ClaimStatus::CodeVerified,
        browser: Some(HOME),
        verified: Some((VerifiedBy::Code, day(0))),
        deadline: Some(Deadline::starting(day(0))),
        ..found(store, id)
    };
    save(store, &claim);
    id
}

/// No two claims have the same.
fn call_code(claim: &Claim) -> CallCodeHash {
    CallCodeHash::new([100 + u8::try_from(claim.rank).unwrap(); 32])
}

/// Every field has a value.
fn full(claim: &Claim) -> Claim {
    Claim {
        status: ClaimStatus::Rejected,
        deadline: Some(Deadline::starting(day(1))),
        paused_at: Some(day(2)),
        needs_call: true,
        call_code: Some((call_code(claim), day(4))),
        browser: Some(HOME),
        verified: Some((VerifiedBy::Call, day(4))),
        notifications: 3,
        last_notification_at: Some(day(5)),
        reminders: 2,
        sealed_details: Some(vec![1, 2, 3]),
        submitted_at: Some(day(6)),
        rejection: Some(Rejection {
            reason: RejectReason::Affiliated,
            note: "You work\nfor us.".to_owned(),
            at: day(7),
            by_two: true,
            objection: Some(Objection {
                message: "Not any more.".to_owned(),
                at: day(8),
            }),
        }),
        approved_at: Some(day(9)),
        approved_by_two: true,
        confirmed_by_two: true,
        public_winner: Some(PublicWinner {
            first_name: "Ada".to_owned(),
            state: "IL".to_owned(),
        }),
        shipment: Some(Shipment {
            carrier: StoredText::line("Aunt May", Shipment::CARRIER_CHARS).unwrap(),
            tracking_number: TrackingNumber::parse("1Z999-AA1").unwrap(),
            at: day(9),
        }),
        delivered_at: Some(day(10)),
        ended_at: Some(day(11)),
        details_erased_at: Some(day(12)),
        ..claim.clone()
    }
}

pub fn a_claim_reads_back<S: Store>(store: &S) {
    let (drawing, entrant) = (drawing(store), entered(store, 1).id);
    let id = added(store, &new_claim(drawing, entrant, 3));
    let fresh = found(store, id);
    let expected = (id, drawing, 3, entrant, ClaimStatus::Pending, day(0));
    assert_eq!(
        (
            fresh.id,
            fresh.drawing,
            fresh.rank,
            fresh.entrant,
            fresh.status,
            fresh.created_at
        ),
        expected
    );
    assert_eq!((fresh.expires_at(), fresh.notifications), (None, 0));
    for changed in [full(&fresh), fresh] {
        save(store, &changed);
        assert_eq!(found(store, id), changed);
        let by_token = store.read(|tx| tx.find_claim_by_token(&token(3))).unwrap();
        assert_eq!(by_token, Some(changed.clone()));
        let by_call = store
            .read(|tx| tx.find_claim_by_call_code(&call_code(&changed)))
            .unwrap();
        assert_eq!(by_call, changed.call_code.map(|_| changed.clone()));
        let locked = store.transaction(|tx| tx.lock_claim(id)).unwrap();
        assert_eq!(locked, Some(changed));
    }
    let unknown = ClaimId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.find_claim(unknown)).unwrap(), None);
    assert_eq!(store.read(|tx| tx.find_claim_by_token(&token(4))).unwrap(), None);
    assert_eq!(store.transaction(|tx| tx.lock_claim(unknown)).unwrap(), None);
}

pub fn every_status_reason_and_method_is_stored<S: Store>(store: &S) {
    let drawing = drawing(store);
    let id = verified(store, drawing, 0);
    let fresh = found(store, id);
    let statuses = ClaimStatus::iter().map(|status| Claim {
        status,
        ..fresh.clone()
    });
    let methods = VerifiedBy::iter().map(|by| Claim {
        verified: Some((by, day(4))),
        ..fresh.clone()
    });
    let reasons = RejectReason::iter().map(|reason| Claim {
        rejection: full(&fresh)
            .rejection
            .map(|rejection| Rejection { reason, ..rejection }),
        ..fresh.clone()
    });
    for changed in statuses.chain(methods).chain(reasons) {
        save(store, &changed);
        assert_eq!(found(store, id), changed);
    }
}

pub fn a_rank_has_one_claim<S: Store>(store: &S) {
    let (drawing, entrant) = (drawing(store), entered(store, 1).id);
    let new = new_claim(drawing, entrant, 0);
    let added_ids = at_once(8, |_| store.transaction(|tx| tx.add_claim(&new)).unwrap());
    assert_eq!(added_ids.iter().flatten().count(), 1);
    let next = added(store, &new_claim(drawing, entrant, 1));
    let claims = store.read(|tx| tx.claims_of(&[drawing])).unwrap();
    let ranks: Vec<u32> = claims.iter().map(|claim| claim.rank).collect();
    assert_eq!((ranks, claims[1].id), (vec![0, 1], next));
    assert_eq!(
        store
            .read(|tx| tx.claims_of(&[DrawingId::new(i64::MAX)]))
            .unwrap(),
        []
    );
    assert_eq!(store.read(|tx| tx.claims_of(&[])).unwrap(), []);
}

pub fn of_two_submits_at_once_one_counts<S: Store>(store: &S) {
    let drawing = drawing(store);
    for rank in 0..10 {
        let id = verified(store, drawing, rank);
        let submitted = at_once(4, |n| {
            let details = vec![u8::try_from(n).unwrap()];
            take(store, id, |claim| {
                claim.submit(Some(&HOME), details.clone(), day(1))
            })
        });
        assert_eq!(submitted.iter().filter(|taken| taken.is_ok()).count(), 1);
        let winner = submitted.iter().position(Result::is_ok).unwrap();
        assert_eq!(
            found(store, id).sealed_details,
            Some(vec![u8::try_from(winner).unwrap()])
        );
    }
}

pub fn a_submit_and_the_deadline_at_once_end_in_one_of_them<S: Store>(store: &S) {
    let drawing = drawing(store);
    for rank in 0..10 {
        let id = verified(store, drawing, rank);
        // The winner's request began before the deadline, and is recorded while a server takes the claim away.
        let taken = at_once(2, |n| match n {
            0 => take(store, id, |claim| claim.submit(Some(&HOME), vec![1], day(13))),
            _ => take(store, id, |claim| match claim.expire(day(14)) {
                true => Ok(()),
                false => Err(ClaimRefusal::WrongStatus),
            }),
        });
        let claim = found(store, id);
        match taken[0] {
            Ok(()) => assert_eq!((claim.status, claim.ended_at), (ClaimStatus::Submitted, None)),
            Err(_) => assert_eq!((claim.status, claim.sealed_details), (ClaimStatus::Expired, None)),
        }
        assert_ne!(taken[0].is_ok(), taken[1].is_ok());
    }
}

pub fn of_approval_and_rejection_at_once_one_counts<S: Store>(store: &S) {
    let drawing = drawing(store);
    let note = StoredText::lines("No.", 500).unwrap();
    for rank in 0..10 {
        let id = verified(store, drawing, rank);
        take(store, id, |claim| claim.submit(Some(&HOME), vec![1], day(1))).unwrap();
        let decided = at_once(2, |n| match n {
            0 => take(store, id, |claim| claim.approve(None, false, day(2))),
            _ => take(store, id, |claim| {
                claim.reject(RejectReason::Fraud, &note, false, day(2))
            }),
        });
        let claim = found(store, id);
        // An approval may follow a rejection, whose objection window is open; nothing follows an approval.
        match claim.status {
            ClaimStatus::Verified => assert!(decided[0].is_ok()),
            ClaimStatus::Rejected => assert!(decided[0].is_err() && decided[1].is_ok()),
            other => panic!("{other:?}"),
        }
        assert_eq!(claim.rejection.is_some(), decided[1].is_ok());
    }
}

pub fn claims_are_filtered_and_paged_newest_first<S: Store>(store: &S) {
    let drawing = drawing(store);
    let ids: Vec<ClaimId> = (0..6).map(|rank| verified(store, drawing, rank)).collect();
    let change = |n: usize, change: &dyn Fn(&mut Claim)| {
        let mut claim = found(store, ids[n]);
        change(&mut claim);
        save(store, &claim);
    };
    change(0, &|claim| claim.status = ClaimStatus::Expired);
    change(1, &|claim| claim.status = ClaimStatus::Submitted);
    change(2, &|claim| *claim = full(claim)); // rejected, objected and ended
    change(3, &|claim| {
        *claim = full(claim);
        claim.ended_at = None;
    });
    change(4, &|claim| claim.needs_call = true);
    change(5, &|claim| {
        claim.needs_call = true;
        claim.status = ClaimStatus::Verified;
    });
    let list = |filter, limit, offset| -> Vec<usize> {
        let page = PageRequest { limit, offset };
        let claims = store.read(|tx| tx.list_claims(filter, page)).unwrap();
        let place = |claim: &Claim| ids.iter().position(|id| *id == claim.id).unwrap();
        claims.iter().map(place).collect()
    };
    for (filter, expected) in [
        (ClaimFilter::All, vec![5, 4, 3, 2, 1, 0]),
        (ClaimFilter::Status(ClaimStatus::Rejected), vec![3, 2]),
        (ClaimFilter::Status(ClaimStatus::Delivered), vec![]),
        (ClaimFilter::NeedsCall, vec![4]),
        (ClaimFilter::WaitsForStaff, vec![4, 3, 1]),
    ] {
        let count = store.read(|tx| tx.count_claims(filter)).unwrap();
        assert_eq!(count, i64::try_from(expected.len()).unwrap(), "{filter:?}");
        assert_eq!(list(filter, 10, 0), expected, "{filter:?}");
    }
    assert_eq!(
        (list(ClaimFilter::All, 2, 1), list(ClaimFilter::All, 2, 6)),
        (vec![4, 3], vec![])
    );
    // Live: not ended, or with details that were not erased.
    let live = store.read(|tx| tx.list_live_claims()).unwrap();
    let live: Vec<_> = live.iter().map(|claim| claim.id).collect();
    assert_eq!(live, [ids[0], ids[1], ids[3], ids[4], ids[5]]);
}

/// A name is there once staff have approved, and no longer than the person is.
pub fn the_newest_drawing_that_names_its_winner_is_found<S: Store>(store: &S) {
    let newest = || {
        let found = store.read(|tx| tx.newest_named_claim()).unwrap();
        found.map(|claim| claim.id)
    };
    assert_eq!(newest(), None);
    let kit = Kit::new(1);
    let drawing = |raffle| kit.announce_by_hand(store, |plan, _| plan.raffle = raffle).id;
    let raffles = [GARDEN_BAG, FRESH_SIPS, KITCHEN_GARDEN];
    let ids: Vec<ClaimId> = (0..)
        .zip(raffles)
        .map(|(rank, raffle)| verified(store, drawing(raffle), rank))
        .collect();
    assert_eq!(newest(), None, "nobody is named yet");
    let name = |id, is_named: bool| {
        let mut claim = found(store, id);
        claim.status = ClaimStatus::Verified;
        claim.public_winner = is_named.then(|| PublicWinner {
            first_name: "Ada".to_owned(),
            state: "IL".to_owned(),
        });
        save(store, &claim);
    };
    let (first, second) = (ids[0], ids[1]);
    name(second, true);
    name(first, true);
    assert_eq!(newest(), Some(second), "by drawing, whoever was approved last");
    name(second, false);
    assert_eq!(newest(), Some(first));
}

pub fn events_of_claims_read_back_in_order<S: Store>(store: &S) {
    let drawing = drawing(store);
    let (id, other) = (verified(store, drawing, 0), verified(store, drawing, 1));
    let called = NewEvent {
        note: Some("Nobody answered.".to_owned()),
        session: Some(7),
        ..NewEvent::new(id, EventKind::Called, day(1))
    };
    let code = |n, claim| NewEvent::new(claim, EventKind::CodeSent, day(n));
    for event in [&called, &code(2, id), &code(3, other), &code(3, id)] {
        store.transaction(|tx| tx.add_claim_event(event)).unwrap();
    }
    let events = store.read(|tx| tx.list_claim_events(id)).unwrap();
    let sent = |n| ClaimEvent {
        kind: EventKind::CodeSent,
        note: None,
        session: None,
        at: day(n),
    };
    let first = ClaimEvent {
        kind: EventKind::Called,
        note: Some("Nobody answered.".to_owned()),
        session: Some(7),
        at: day(1),
    };
    assert_eq!(events, [first, sent(2), sent(3)]);
}

pub fn every_kind_of_event_is_stored<S: Store>(store: &S) {
    let id = verified(store, drawing(store), 0);
    let kinds: Vec<_> = EventKind::iter().collect();
    for kind in &kinds {
        let event = NewEvent::new(id, *kind, day(1));
        store.transaction(|tx| tx.add_claim_event(&event)).unwrap();
    }
    let events = store.read(|tx| tx.list_claim_events(id)).unwrap();
    assert_eq!(
        events.into_iter().map(|event| event.kind).collect::<Vec<_>>(),
        kinds
    );
}

fn texts<S: Store>(store: &S, id: ClaimId) -> ClaimTexts {
    store.read(|tx| tx.claim_texts(id)).unwrap()
}

pub fn a_claim_knows_what_became_of_its_texts<S: Store>(store: &S) {
    let drawing = drawing(store);
    let (id, other) = (verified(store, drawing, 0), verified(store, drawing, 1));
    assert_eq!(texts(store, id), ClaimTexts::default());
    let fence = fence(store);
    let send = |n: u32| -> MessageId {
        let message = queued(store, &new_message(MessageKind::Victory, n, 0));
        for _ in 0..2 {
            store.transaction(|tx| tx.link_claim_text(id, message)).unwrap();
        }
        message
    };
    let (first, second) = (send(1), send(2));
    let on_the_way = ClaimTexts {
        delivered: false,
        on_the_way: true,
    };
    assert_eq!(
        (texts(store, id), texts(store, other)),
        (on_the_way, ClaimTexts::default())
    );
    assert_eq!(
        crate::messages::claimed(store, fence, 10, 0).len(),
        4,
        "with two welcomes"
    );
    let report = |message: MessageId, status| provider_message(u32::try_from(message.get()).unwrap(), status);
    for message in [first, second] {
        let accepted = report(message, ProviderStatus::Accepted);
        record(store, message, 1, DeliveryReport::AtProvider(accepted), 1);
    }
    assert_eq!(texts(store, id), on_the_way);
    record_report(store, first, &report(first, ProviderStatus::Undelivered), 2);
    assert_eq!(texts(store, id), on_the_way, "the second may still arrive");
    record_report(store, second, &report(second, ProviderStatus::Undelivered), 2);
    assert_eq!(texts(store, id), ClaimTexts::default());
    let third = send(3);
    crate::messages::claimed(store, fence, 10, 3);
    let accepted = report(third, ProviderStatus::Accepted);
    record(store, third, 1, DeliveryReport::AtProvider(accepted), 3);
    record_report(store, third, &report(third, ProviderStatus::Delivered), 4);
    let delivered = ClaimTexts {
        delivered: true,
        on_the_way: false,
    };
    assert_eq!(texts(store, id), delivered);
}
