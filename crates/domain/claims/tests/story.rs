//! A claim from the drawing to the prize, and the ways in which it can be lost. Start here to learn what
//! this crate is for.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use chrono::{DateTime, TimeDelta, Utc};
use claims::{
    CallCode, Claim, ClaimFilter, ClaimId, ClaimKey, ClaimRefusal, ClaimStatus, PublicWinner, RejectReason,
    Shipment, TrackingNumber, VerifiedBy,
};
use kernel::{BrowserHash, DrawingId, EntrantId, StoredText};
use proptest::prelude::*;

const HOME: BrowserHash = BrowserHash::new([1; 32]);
const OTHER: BrowserHash = BrowserHash::new([2; 32]);

fn hour(n: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::hours(n)
}

fn day(n: i64) -> DateTime<Utc> {
    hour(24 * n)
}

fn key() -> ClaimKey {
    ClaimKey::new(&[7; 32]).unwrap()
}

fn text(text: &str) -> StoredText {
    StoredText::lines(text, 500).unwrap()
}

fn shipment(at: DateTime<Utc>) -> Shipment {
    Shipment {
        carrier: text("UPS"),
        tracking_number: TrackingNumber::parse("1Z999AA1").unwrap(),
        at,
    }
}

fn pending() -> Claim {
    Claim {
        id: ClaimId::new(5),
        drawing: DrawingId::new(1),
        rank: 0,
        entrant: EntrantId::new(9),
        status: ClaimStatus::Pending,
        created_at: day(0),
        deadline: None,
        paused_at: None,
        needs_call: false,
        call_code: None,
        browser: None,
        verified: None,
        notifications: 1,
        last_notification_at: Some(day(0)),
        reminders: 0,
        sealed_details: None,
        submitted_at: None,
        rejection: None,
        approved_at: None,
        approved_by_two: false,
        confirmed_by_two: false,
        public_winner: None,
        shipment: None,
        delivered_at: None,
        ended_at: None,
        details_erased_at: None,
    }
}

/// The right code is entered in a browser.
fn prove(claim: &mut Claim, browser: BrowserHash, now: DateTime<Utc>) {
    claim.prove_by_code(browser, now).unwrap();
}

fn verified() -> Claim {
    let mut claim = pending();
    claim.start_deadline(day(0));
    prove(&mut claim, HOME, day(1));
    claim
}

fn submitted() -> Claim {
    let mut claim = verified();
    claim.submit(Some(&HOME), vec![1], day(2)).unwrap();
    claim
}

fn rejected() -> Claim {
    let mut claim = submitted();
    claim
        .reject(RejectReason::Residence, &text("You live abroad."), false, day(3))
        .unwrap();
    claim
}

#[test]
fn a_winner_proves_the_number_submits_and_gets_the_prize() {
    let mut claim = verified();
    assert_eq!(claim.verified, Some((VerifiedBy::Code, day(1))));
    assert_eq!(
        (claim.status, claim.expires_at()),
        (ClaimStatus::CodeVerified, Some(day(14)))
    );
    claim.submit(Some(&HOME), vec![1], day(2)).unwrap();
    assert_eq!(claim.expires_at(), None, "the winner has nothing to do any more");
    let winner = PublicWinner {
        first_name: "Ada".to_owned(),
        state: "IL".to_owned(),
    };
    claim.approve(Some(winner.clone()), false, day(20)).unwrap();
    assert_eq!(
        (claim.status, &claim.public_winner),
        (ClaimStatus::Verified, &Some(winner))
    );
    assert!(!claim.expire(day(40)));
    claim.ship(shipment(day(40))).unwrap();
    assert_eq!((claim.status, claim.ended_at), (ClaimStatus::Shipped, None));
    claim.deliver(day(42)).unwrap();
    assert_eq!(
        (claim.status, claim.ended_at),
        (ClaimStatus::Delivered, Some(day(42)))
    );
    assert!(!claim.is_passed_on());
}

#[test]
fn a_prize_is_sent_after_the_approval_and_before_the_delivery() {
    for mut claim in [pending(), submitted(), rejected()] {
        assert_eq!(claim.ship(shipment(day(3))), Err(ClaimRefusal::WrongStatus));
    }
    let mut claim = submitted();
    claim.approve(None, false, day(3)).unwrap();
    claim.ship(shipment(day(4))).unwrap();
    claim.ship(shipment(day(6))).unwrap();
    assert_eq!(claim.shipment, Some(shipment(day(6))), "the first was lost");
    assert_eq!(claim.check_provable(day(7)), Ok(()));
    claim.deliver(day(8)).unwrap();
    assert_eq!(claim.ship(shipment(day(9))), Err(ClaimRefusal::WrongStatus));
    assert!(claim.erase_details(day(98)));
    assert_eq!(claim.shipment, None);
}

#[test]
fn only_the_browser_that_proved_the_number_submits_or_declines() {
    for browser in [None, Some(&OTHER)] {
        assert_eq!(
            verified().submit(browser, vec![1], day(2)),
            Err(ClaimRefusal::AnotherBrowser)
        );
        assert_eq!(
            verified().decline(browser, day(2)),
            Err(ClaimRefusal::AnotherBrowser)
        );
        assert_eq!(
            rejected().object(browser, &text("But I do."), day(4)),
            Err(ClaimRefusal::AnotherBrowser)
        );
    }
    assert_eq!(
        pending().submit(Some(&HOME), vec![1], day(2)),
        Err(ClaimRefusal::AnotherBrowser)
    );
    let mut moved = verified();
    prove(&mut moved, OTHER, day(2));
    assert!(!moved.is_bound_to(Some(&HOME)), "the newest browser counts");
    assert_eq!(moved.submit(Some(&OTHER), vec![1], day(2)), Ok(()));
}

#[test]
fn a_claim_without_a_delivered_text_or_a_call_does_not_expire() {
    let mut claim = pending();
    assert!(!claim.expire(day(1_000)));
    claim.note_call(day(1_000)).unwrap();
    assert!(!claim.expire(day(1_013)));
    assert!(claim.expire(day(1_014)));
    assert_eq!((claim.status, claim.is_passed_on()), (ClaimStatus::Expired, true));
    assert!(!claim.expire(day(1_015)), "it ends once");
}

#[test]
fn after_the_deadline_nothing_is_possible_even_before_a_server_has_noticed() {
    let mut claim = verified();
    for refused in [
        claim.submit(Some(&HOME), vec![1], day(14)),
        claim.decline(Some(&HOME), day(14)),
        claim.check_provable(day(14)),
        claim.note_call(day(14)),
    ] {
        assert_eq!(refused, Err(ClaimRefusal::Expired));
    }
    assert!(claim.expire(day(14)));
    assert_eq!(
        claim.submit(Some(&HOME), vec![1], day(14)),
        Err(ClaimRefusal::Expired)
    );
}

#[test]
fn a_dispute_pauses_the_claim_and_gives_the_time_back() {
    let mut claim = verified();
    claim.set_paused(true, day(10));
    claim.set_paused(true, day(11));
    assert_eq!(
        claim.submit(Some(&HOME), vec![1], day(11)),
        Err(ClaimRefusal::Paused)
    );
    assert!(!claim.expire(day(30)));
    assert!(!claim.take_reminder(day(30)));
    claim.set_paused(false, day(30));
    assert_eq!(claim.expires_at(), Some(day(34)));
    let mut claim = submitted();
    claim.set_paused(true, day(3));
    assert_eq!(claim.approve(None, false, day(3)), Err(ClaimRefusal::Paused));
}

#[test]
fn a_winner_is_reminded_twice_and_once_after_a_server_was_away() {
    let mut claim = pending();
    assert!(!claim.take_reminder(day(7)), "no text has arrived");
    claim.start_deadline(day(0));
    let reminded: Vec<i64> = (0..14).filter(|n| claim.take_reminder(day(*n))).collect();
    assert_eq!(reminded, [7, 12]);
    let mut away = verified();
    assert!(away.take_reminder(day(13)));
    assert!(!away.take_reminder(day(13)));
    assert!(!submitted().take_reminder(day(8)));
}

#[test]
fn a_rejected_winner_objects_once_within_seven_days_and_staff_may_approve() {
    let mut claim = rejected();
    assert!(!claim.expire(day(9)));
    claim.object(Some(&HOME), &text("I moved back."), day(9)).unwrap();
    let again = claim.object(Some(&HOME), &text("Really."), day(9));
    assert_eq!(again, Err(ClaimRefusal::ObjectedBefore));
    let mut approved = claim.clone();
    approved.approve(None, false, day(9)).unwrap();
    assert_eq!(
        (approved.status, approved.is_passed_on()),
        (ClaimStatus::Verified, false)
    );
    assert!(claim.expire(day(10)), "seven days after the rejection");
    assert!(claim.is_passed_on());
    assert_eq!(
        claim.approve(None, false, day(10)),
        Err(ClaimRefusal::WrongStatus)
    );
    let late = rejected().object(Some(&HOME), &text("I moved back."), day(10));
    assert_eq!(late, Err(ClaimRefusal::ObjectionWindowOver));
}

#[test]
fn the_code_of_a_call_opens_a_claim_once_and_for_a_day() {
    let hash = key().hash_call_code(&CallCode::parse("ABCDE-23456").unwrap());
    let mut claim = pending();
    claim.needs_call = true;
    assert_eq!(
        claim.make_call_code(hash, hour(0)),
        Err(ClaimRefusal::WrongStatus)
    );
    claim.confirm_number(true, hour(0)).unwrap();
    assert!(claim.confirmed_by_two);
    let refused = Err(ClaimRefusal::AnotherBrowser);
    assert_eq!(claim.bind_after_call(HOME, hour(0)), refused, "there is no code");
    claim.make_call_code(hash, hour(0)).unwrap();
    assert_eq!(claim.clone().bind_after_call(HOME, hour(24)), refused);
    claim.bind_after_call(HOME, hour(23)).unwrap();
    assert_eq!(claim.bind_after_call(OTHER, hour(23)), refused);
    assert!(claim.is_bound_to(Some(&HOME)));
    claim.make_call_code(hash, hour(24)).unwrap();
    claim.bind_after_call(OTHER, hour(24)).unwrap();
    assert!(claim.is_bound_to(Some(&OTHER)), "the winner has another phone");
    claim.make_call_code(hash, hour(25)).unwrap();
    claim.decline(Some(&OTHER), hour(25)).unwrap();
    assert_eq!(claim.call_code, None);

    let mut proved = verified();
    proved.needs_call = true; // the phone broke, and texts do not arrive any more
    proved.confirm_number(false, day(2)).unwrap();
    assert_eq!(proved.verified, Some((VerifiedBy::Call, day(2))));
    proved.make_call_code(hash, day(2)).unwrap();
    proved.bind_after_call(OTHER, day(2)).unwrap();
}

#[test]
fn staff_give_up_only_a_winner_whom_no_text_reaches() {
    let mut claim = pending();
    assert_eq!(claim.give_up(day(1)), Err(ClaimRefusal::NeedsNoCall));
    assert_eq!(
        claim.confirm_number(false, day(1)),
        Err(ClaimRefusal::NeedsNoCall)
    );
    claim.needs_call = true;
    let mut confirmed = claim.clone();
    confirmed.confirm_number(false, day(1)).unwrap();
    assert_eq!(confirmed.verified, Some((VerifiedBy::Call, day(1))));
    assert_eq!(confirmed.give_up(day(2)), Err(ClaimRefusal::WrongStatus));
    claim.give_up(day(3)).unwrap();
    assert_eq!(
        (claim.status, claim.is_passed_on()),
        (ClaimStatus::Unreachable, true)
    );
}

#[test]
fn a_visitor_token_counts_only_where_no_code_can_be_sent() {
    let mut claim = pending();
    assert_eq!(
        claim.prove_by_token(HOME, true, day(1)),
        Err(ClaimRefusal::NeedsNoCall)
    );
    claim.prove_by_token(HOME, false, day(1)).unwrap();
    assert_eq!(claim.verified, Some((VerifiedBy::VisitorToken, day(1))));
    assert_eq!(claim.expires_at(), Some(day(15)));
}

#[test]
fn a_dispute_gives_the_time_to_object_back() {
    let mut claim = rejected();
    claim.set_paused(true, day(5));
    claim.set_paused(false, day(25));
    assert!(claim.is_objection_open(day(30) - TimeDelta::seconds(1)));
    assert!(!claim.expire(day(30) - TimeDelta::seconds(1)));
    assert!(claim.expire(day(30)));

    let mut claim = submitted();
    claim.set_paused(true, day(2));
    claim
        .reject(
            RejectReason::PaymentReversed,
            &text("The payment was disputed."),
            false,
            day(4),
        )
        .unwrap();
    claim.set_paused(false, day(9));
    assert_eq!(
        claim.rejection.unwrap().at,
        day(9),
        "the pause before the rejection took nothing"
    );
}

#[test]
fn a_claim_without_details_has_none_to_erase() {
    let mut claim = verified();
    assert!(claim.expire(day(100)));
    assert!(
        !claim.erase_details(day(200)),
        "nothing was erased that an event could name"
    );
    assert_eq!((claim.browser, claim.details_erased_at), (None, Some(day(200))));
}

#[test]
fn details_are_erased_90_days_after_the_end() {
    let mut claim = submitted();
    claim.approve(None, false, day(3)).unwrap();
    assert!(!claim.erase_details(day(1_000)), "it has not ended");
    claim.deliver(day(10)).unwrap();
    assert!(!claim.erase_details(day(100) - TimeDelta::seconds(1)));
    assert!(claim.erase_details(day(100)));
    assert_eq!(
        (claim.sealed_details.clone(), claim.details_erased_at),
        (None, Some(day(100)))
    );
    assert!(!claim.erase_details(day(101)));
}

#[test]
fn staff_see_what_waits_for_them() {
    let waits = |claim: &Claim| ClaimFilter::WaitsForStaff.matches(claim);
    assert!(!waits(&pending()));
    assert!(waits(&submitted()));
    assert!(!waits(&rejected()));
    let mut objected = rejected();
    objected
        .object(Some(&HOME), &text("I moved back."), day(4))
        .unwrap();
    assert!(waits(&objected));
    objected.expire(day(10));
    assert!(!waits(&objected));
    let mut unreached = pending();
    unreached.needs_call = true;
    assert!(waits(&unreached) && ClaimFilter::NeedsCall.matches(&unreached));
}

/// Takes a step; whether it succeeds does not matter here.
fn step(claim: &mut Claim, n: u8, now: DateTime<Utc>) {
    match n {
        0 => claim.start_deadline(now),
        1 => drop(claim.prove_by_code(HOME, now)),
        2 => drop(claim.prove_by_code(OTHER, now)),
        3 => drop(claim.submit(Some(&HOME), vec![1], now)),
        4 => drop(claim.decline(Some(&HOME), now)),
        5 => drop(claim.approve(None, false, now)),
        6 => drop(claim.reject(RejectReason::Fraud, &text("No."), false, now)),
        7 => drop(claim.object(Some(&HOME), &text("Yes."), now)),
        8 => drop(claim.deliver(now)),
        16 => drop(claim.ship(shipment(now))),
        9 => drop(claim.expire(now)),
        10 => claim.set_paused(true, now),
        11 => claim.set_paused(false, now),
        12 => drop(claim.note_call(now)),
        13 => drop(claim.give_up(now)),
        14 => claim.needs_call = !claim.needs_call,
        _ => drop(claim.take_reminder(now)),
    }
}

proptest! {
    /// Whatever happens in whatever order: a claim that has ended stays as it is, a prize needs details and an approval, and
    /// nobody loses a claim by time before 14 days have passed since a text or a call.
    #[test]
    fn a_claim_ends_once(steps in prop::collection::vec((0..17_u8, 0..100_i64), 0..60)) {
        let mut claim = pending();
        let mut now = day(0);
        for (n, hours) in steps {
            now += TimeDelta::hours(hours);
            let before = claim.clone();
            step(&mut claim, n, now);
            if let Some(ended) = before.ended_at {
                prop_assert_eq!((claim.status, claim.ended_at), (before.status, Some(ended)));
            }
            if matches!(claim.status, ClaimStatus::Verified | ClaimStatus::Shipped) {
                prop_assert!(claim.submitted_at.is_some() && claim.approved_at.is_some());
            }
            if claim.status == ClaimStatus::Expired && before.status != ClaimStatus::Expired {
                prop_assert!(now - claim.deadline.unwrap().started_at >= claims::CLAIM_PERIOD);
            }
            prop_assert_eq!(claim.is_passed_on(), claim.status.is_lost() && claim.ended_at.is_some());
        }
    }
}
