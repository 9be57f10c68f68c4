//! Erasing people.

use crate::Store;
use crate::drawing_flow::kit::{Kit, many_entrants, performed, request};
use crate::filled::{Filled, beacon, fill, proofs};
use crate::messages::{at, claimed, fence, new_message, queued, record};
use crate::people::{mark, unmark};
use crate::purchase_flow::{begun, on_sale};
use crate::purchases::purchase_with_status;
use crate::support::{
    Noon, SeededEntropy, assert_balanced, at_once, enter, entered, entered_through, fold, free_date,
    ledger_of, messages_to, noon, phone, staff_actor,
};
use chrono::{DateTime, Months, TimeDelta, Utc};
use chrono_tz::Tz;
use claims::Claims;
use drawing::steps::DrawingState;
use drawing::{Outcome, Proof};
use kernel::{EntrantId, PageRequest, StoreError};
use people::People;
use pricing::{EntryCap, FreeDate, FreeEntries, FreeOutcome, PurchaseStatus};
use privacy::{Erased, Erasure};
use raffle::{Entrant, Entrants};
use referral::Referrals;
use sms::{
    Audience, CampaignSecret, Campaigns, ConsentBasis, DeliveryReport, Label, LinkBase, MessageId,
    MessageKind, MessageStatus, NewCampaign, NewMessage, OptOuts, Outbox, Templates,
};
use usecases::people::MarkError;

fn erase_at<S: Store>(store: &S, entrant: EntrantId, at: DateTime<Utc>) -> Erased {
    store
        .transaction::<_, StoreError>(|tx| tx.erase_person(entrant, at))
        .unwrap()
}

fn erase<S: Store>(store: &S, entrant: &Entrant) {
    assert_eq!(erase_at(store, entrant.id, noon()), Erased::Done);
}

/// Enters a number again, with another id.
fn entered_again<S: Store>(store: &S, n: u32, through: Option<&Entrant>) -> Entrant {
    let entropy = SeededEntropy::new(u64::from(n) + 70_000);
    let code = through.map(|referrer| &referrer.referral_code);
    enter(store, &entropy, phone(n), code).unwrap().entrant
}

fn bonus<S: Store>(store: &S, entrant: &Entrant) -> i64 {
    let found = store.read(|tx| tx.find_entrant(entrant.id)).unwrap();
    found.unwrap().entries.bonus
}

fn flag<S: Store>(store: &S, entrant: &Entrant) {
    usecases::flags::flag(store, &Noon, staff_actor(), &crate::flags::flag(entrant.id)).unwrap();
}

fn is_flagged<S: Store>(store: &S, entrant: &Entrant) -> bool {
    store
        .read(|tx| fraud::Appeals::find_hold(tx, entrant.id))
        .unwrap()
        .is_some()
}

pub fn an_erased_entrant_is_found_by_nothing<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    erase(store, &entrant);
    assert_eq!(store.read(|tx| tx.find_entrant(entrant.id)).unwrap(), None);
    assert_eq!(
        store.read(|tx| tx.find_entrant_by_phone(&phone(1))).unwrap(),
        None
    );
    assert_eq!(
        store.read(|tx| tx.find_referrer(&entrant.referral_code)).unwrap(),
        None
    );
    let (salt, _) = store.read(|tx| tx.find_person(entrant.id)).unwrap().unwrap();
    assert_eq!(salt, None);
    let again = entered_again(store, 1, None);
    assert_ne!(again.id, entrant.id);
}

pub fn an_entrant_is_erased_once<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    assert_eq!(erase_at(store, EntrantId::new(77), noon()), Erased::Unknown);
    erase(store, &entrant);
    assert_eq!(erase_at(store, entrant.id, noon()), Erased::Before);
}

pub fn the_ledger_of_an_erased_entrant_goes_on<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let friend = entered_through(store, 2, &referrer.referral_code);
    fold(store);
    let before = store.read(|tx| ledger_of(tx, referrer.id)).unwrap();
    erase(store, &referrer);
    assert_eq!(store.read(|tx| ledger_of(tx, referrer.id)).unwrap(), before);
    flag(store, &friend);
    assert_eq!(store.read(|tx| ledger_of(tx, referrer.id)).unwrap().len(), 3);
    assert_balanced(store);
    fold(store);
    let differences = store.transaction(|tx| analytics::Rollups::differences(tx, Tz::UTC));
    assert_eq!(differences.unwrap(), [""; 0]);
}

pub fn a_referrer_keeps_the_entry_for_an_erased_friend<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let friend = entered_through(store, 2, &referrer.referral_code);
    erase(store, &friend);
    assert_eq!(bonus(store, &referrer), 1);
    let list = store
        .read(|tx| tx.list_referrals(referrer.id, PageRequest::default()))
        .unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].referred_phone, None);
}

pub fn nobody_is_credited_twice_for_a_number_that_was_erased<S: Store>(store: &S) {
    let (one, other) = (entered(store, 1), entered(store, 2));
    let friend = entered_through(store, 3, &one.referral_code);
    erase(store, &friend);
    let again = entered_again(store, 3, Some(&other));
    assert_eq!((bonus(store, &one), bonus(store, &other)), (1, 0));
    erase(store, &again);
    let third = enter(
        store,
        &SeededEntropy::new(9),
        phone(3),
        Some(&other.referral_code),
    )
    .unwrap();
    assert!(third.is_new);
    assert_eq!(bonus(store, &other), 0, "also after a second erasure");
    assert_balanced(store);
}

pub fn who_enters_again_inherits_flag_and_stop<S: Store>(store: &S) {
    let (entrant, referrer) = (entered(store, 1), entered(store, 2));
    flag(store, &entrant);
    store.transaction(|tx| tx.opt_out(&phone(1), noon())).unwrap();
    erase(store, &entrant);
    assert!(!store.read(|tx| tx.has_opted_out(&phone(1))).unwrap());
    let again = entered_again(store, 1, Some(&referrer));
    assert!(is_flagged(store, &again));
    assert!(store.read(|tx| tx.has_opted_out(&phone(1))).unwrap());
    assert_eq!(bonus(store, &referrer), 0, "a flagged friend earns nothing");
    usecases::flags::unflag(store, &Noon, staff_actor(), again.id, "A mistake").unwrap();
    assert_eq!(bonus(store, &referrer), 1);
    assert_balanced(store);
}

/// The mark sets the flag, or comes after one; its end does to the flag what it would have done before the erasure.
pub fn who_enters_again_inherits_the_mark_as_a_duplicate<S: Store>(store: &S) {
    let original = entered(store, 9);
    for (n, was_flagged) in [(1, false), (2, true)] {
        let entrant = entered(store, n);
        if was_flagged {
            flag(store, &entrant);
        }
        mark(store, entrant.id, original.id).unwrap();
        erase(store, &entrant);
        let again = entered_again(store, n, None);
        assert!(is_flagged(store, &again));
        let file = store
            .snapshot(|tx| tx.find_person_file(again.id))
            .unwrap()
            .unwrap();
        let marked = file.duplicate_of.unwrap();
        assert_eq!((marked.person.id, marked.merged_at), (original.id, noon()));
        assert_eq!(
            marked.reason,
            "This number was marked as a duplicate before its data was erased"
        );
        erase(store, &again);
        let third = enter(store, &SeededEntropy::new(u64::from(n)), phone(n), None)
            .unwrap()
            .entrant;
        let unmarked = unmark(store, third.id).unwrap();
        assert_eq!(unmarked.person.duplicate_of, None);
        assert_eq!(is_flagged(store, &third), was_flagged);
    }
    assert_balanced(store);
}

pub fn who_enters_again_inherits_what_counts_toward_the_cap<S: Store>(store: &S) {
    let cap = EntryCap::new(300).unwrap();
    let date = free_date(noon(), cap);
    let next_month = free_date(noon() + TimeDelta::days(31), cap);
    let used_on = |entrant: &Entrant, date: FreeDate| {
        let used = store.read(|tx| tx.capped_entries(entrant.id, date.day()));
        used.unwrap().all()
    };
    let used = |entrant: &Entrant| used_on(entrant, date);
    let first = entered(store, 1);
    let given_on = |entrant: &Entrant, date| {
        let give = |tx: &mut S::Tx| tx.give_free_entries(entrant.id, date);
        store.transaction(give).unwrap()
    };
    let given = |entrant: &Entrant| given_on(entrant, date);
    assert_eq!(given(&first), FreeOutcome::Given(10));
    assert_eq!(given_on(&first, next_month), FreeOutcome::Given(10));
    for status in [PurchaseStatus::Completed, PurchaseStatus::Canceled] {
        purchase_with_status(store, first.id, status);
    }
    erase(store, &first);
    assert_eq!(given(&first), FreeOutcome::UnknownEntrant);
    let again = entered_again(store, 1, None);
    assert_eq!((used(&again), used_on(&again, next_month)), (30, 10));
    assert_eq!(given(&again), FreeOutcome::Given(9), "270 over 31 dates");
    erase(store, &again);
    let third = enter(store, &SeededEntropy::new(9), phone(1), None)
        .unwrap()
        .entrant;
    assert_eq!(used(&third), 39, "also after a second erasure");
    assert_eq!(used(&entered(store, 2)), 0);
}

pub fn a_start_after_the_erasure_wins<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    store.transaction(|tx| tx.opt_out(&phone(1), noon())).unwrap();
    erase(store, &entrant);
    store.transaction(|tx| tx.opt_in(&phone(1), noon())).unwrap();
    entered_again(store, 1, None);
    assert!(!store.read(|tx| tx.has_opted_out(&phone(1))).unwrap());
}

pub fn after_13_months_only_the_stop_is_kept<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1), entered(store, 2));
    mark(store, entrant.id, entered(store, 3).id).unwrap();
    store.transaction(|tx| tx.opt_out(&phone(1), noon())).unwrap();
    let long_ago = noon() - Months::new(13);
    for erased in [&entrant, &other] {
        assert_eq!(erase_at(store, erased.id, long_ago), Erased::Done);
    }
    let forget = |now| {
        store
            .transaction::<_, StoreError>(|tx| tx.forget_numbers(now))
            .unwrap()
    };
    assert_eq!(forget(noon() - TimeDelta::seconds(1)), 0);
    assert_eq!(forget(noon()), 2);
    assert_eq!(forget(noon()), 0);
    let again = entered_again(store, 1, None);
    assert!(!is_flagged(store, &again));
    assert!(matches!(unmark(store, again.id), Err(MarkError::NotMarked)));
    assert!(store.read(|tx| tx.has_opted_out(&phone(1))).unwrap());
}

pub fn a_stop_is_known_when_the_number_is_listed_again<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    store.transaction(|tx| tx.opt_out(&phone(1), noon())).unwrap();
    erase(store, &entrant);
    let template = crate::messages::new_template("June", "Look: [there]");
    store
        .transaction::<_, StoreError>(|tx| {
            let template = tx.add_template(&template, None, noon())?;
            tx.add_campaign(&NewCampaign {
                template,
                name: Label::parse("June").unwrap(),
                scheduled_at: noon(),
                audience: Audience::Custom(vec![phone(1), phone(2)]),
                consent_basis: Some(ConsentBasis::not_stated()),
                link_base: LinkBase::parse("https://example.org").unwrap(),
                secret: CampaignSecret::new([7; 32]),
                idempotency_key: None,
                created_by: None,
                at: noon(),
            })
        })
        .unwrap();
    let [erased, stranger] = [1, 2].map(|n| store.read(|tx| tx.has_opted_out(&phone(n))).unwrap());
    assert!(erased && !stranger);
}

pub fn an_open_claim_or_purchase_stands_against_an_erasure<S: Store>(store: &S) {
    let buyer = entered(store, 1);
    let package = on_sale(store);
    begun(store, 1, buyer.id, package);
    assert_eq!(erase_at(store, buyer.id, noon()), Erased::OpenPurchase);
    let declined = entered(store, 2);
    purchase_with_status(store, declined.id, PurchaseStatus::Failed);
    let hour = TimeDelta::hours(1);
    let almost = noon() + hour - TimeDelta::seconds(1);
    assert_eq!(erase_at(store, declined.id, almost), Erased::OpenPurchase);
    assert_eq!(erase_at(store, declined.id, noon() + hour), Erased::Done);
    let later = noon() + TimeDelta::days(400);
    assert_eq!(erase_at(store, buyer.id, later), Erased::Done);
    let drawn = {
        many_entrants(store, 3);
        crate::drawing_flow::kit::drawn(store, &Kit::new(3))
    };
    let winner = drawn.result.as_ref().unwrap().step.ranks[0].entrant;
    assert_eq!(erase_at(store, winner, later), Erased::OpenClaim);
    end_claims(store, &drawn);
    assert_eq!(erase_at(store, winner, later), Erased::Done);
}

fn end_claims<S: Store>(store: &S, drawn: &DrawingState) {
    let end = |tx: &mut S::Tx| {
        for claim in tx.claims_of(&[drawn.id])? {
            let mut claim = tx.lock_claim(claim.id)?.unwrap();
            claim.end_for_erased(noon());
            tx.save_claim(&claim)?;
        }
        Ok(())
    };
    store.transaction::<_, StoreError>(end).unwrap();
}

fn text_to<S: Store>(store: &S, entrant: &Entrant) -> MessageId {
    let message = NewMessage {
        entrant: Some(entrant.id),
        phone: entrant.phone.clone(),
        ..new_message(MessageKind::Victory, 1, 0)
    };
    queued(store, &message)
}

fn status<S: Store>(store: &S, id: MessageId) -> Option<MessageStatus> {
    let found = store.read(|tx| tx.find_message(id)).unwrap();
    found.map(|message| message.status)
}

pub fn texts_that_wait_are_skipped<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1), entered(store, 2));
    let (text, others) = (text_to(store, &entrant), text_to(store, &other));
    erase(store, &entrant);
    assert_eq!(status(store, text), None);
    assert_eq!(store.read(|tx| messages_to(tx, entrant.id)).unwrap(), []);
    assert_eq!(status(store, others), Some(MessageStatus::Pending));
    let sent = claimed(store, fence(store), 100, 1);
    assert!(sent.iter().all(|message| message.phone == phone(2)), "{sent:?}");
}

pub fn a_text_that_is_being_sent_is_erased_when_it_has_ended<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let text = text_to(store, &entrant);
    let fence = fence(store);
    let sending = claimed(store, fence, 100, 1);
    assert!(sending.iter().any(|message| message.id == text));
    erase(store, &entrant);
    assert_eq!(status(store, text), Some(MessageStatus::Sending));
    record(store, text, 1, DeliveryReport::NotSent { retry_at: at(2) }, 2);
    assert_eq!(status(store, text), Some(MessageStatus::Pending));
    assert!(
        claimed(store, fence, 100, 3)
            .iter()
            .all(|message| message.id != text)
    );
    assert_eq!(status(store, text), None, "it was skipped");
    assert_eq!(
        store.read(|tx| messages_to(tx, entrant.id)).unwrap().len(),
        sending.len() - 1
    );
}

/// A proof without what may leave it.
fn without_digits(mut proof: Proof) -> Proof {
    if let Outcome::Drawn(drawn) = &mut proof.outcome {
        drawn.winner_last4 = None;
    }
    proof
}

fn end_open<S: Store>(store: &S, filled: &Filled) {
    end_claims(store, &filled.drawn);
    for entrant in &filled.entrants {
        let later = noon() + TimeDelta::days(400);
        assert_eq!(erase_at(store, entrant.id, later), Erased::Done, "{}", entrant.id);
    }
}

pub fn old_proofs_do_not_change_when_everybody_is_erased<S: Store>(store: &S) {
    let filled = fill(store);
    end_open(store, &filled);
    let now = proofs(store, &[&filled.drawn, &filled.sealed]);
    let before: Vec<_> = filled.proofs.iter().cloned().map(without_digits).collect();
    assert_eq!(now, before);
    usecases::drawings::verify_log(store).unwrap();
    assert_balanced(store);
    // The list of the other one was sealed before: it is drawn, and nobody can claim the prize.
    let drawn = beacon().draw(store, &filled.sealed).unwrap();
    let result = drawn.result.as_ref().unwrap();
    assert_eq!(result.step.winner_phone, None);
    let claims = store.read(|tx| tx.claims_of(&[drawn.id])).unwrap();
    assert_eq!(claims.len(), result.step.ranks.len());
    assert!(
        claims
            .iter()
            .all(|claim| claim.status == claims::ClaimStatus::Unreachable)
    );
    usecases::drawings::verify_log(store).unwrap();
    assert_eq!(proofs(store, &[&drawn]).len(), 1);
}

pub fn an_erased_entrant_leaves_drawings_that_are_not_sealed<S: Store>(store: &S) {
    let (one, two) = (entered(store, 1), entered(store, 2));
    erase(store, &one);
    let state = performed(store, &Kit::new(5), &request(None));
    let seal = state.seal.as_ref().unwrap();
    assert_eq!(seal.step.participants, 1);
    let ranks = &state.result.as_ref().unwrap().step.ranks;
    assert_eq!(ranks[0].entrant, two.id);
}

pub fn entering_and_erasing_at_once_leave_one_entrant<S: Store>(store: &S) {
    let referrer = entered(store, 1000);
    for n in 0..10 {
        let entrant = entered_through(store, n, &referrer.referral_code);
        at_once(8, |thread| {
            if thread == 0 {
                erase(store, &entrant);
            } else {
                let entropy = SeededEntropy::new(u64::from(n * 100 + thread) + 50_000);
                enter(store, &entropy, phone(n), Some(&referrer.referral_code)).unwrap();
            }
        });
        assert_eq!(store.read(|tx| tx.find_entrant(entrant.id)).unwrap(), None);
    }
    assert_eq!(bonus(store, &referrer), 10, "each number counts once");
    assert_balanced(store);
}

pub fn erasing_and_claiming_at_once_sends_or_skips_each_text<S: Store>(store: &S) {
    let entrants: Vec<Entrant> = (0..8).map(|n| entered(store, n)).collect();
    let texts: Vec<MessageId> = entrants.iter().map(|entrant| text_to(store, entrant)).collect();
    let fence = fence(store);
    let taken = at_once(9, |thread| match entrants.get(thread as usize) {
        Some(entrant) => {
            erase(store, entrant);
            Vec::new()
        }
        None => claimed(store, fence, 100, 1),
    });
    let sending: Vec<MessageId> = taken.into_iter().flatten().map(|message| message.id).collect();
    for text in texts {
        let expected = sending.contains(&text).then_some(MessageStatus::Sending);
        assert_eq!(status(store, text), expected);
    }
    assert!(
        claimed(store, fence, 100, 2).is_empty(),
        "the others were skipped"
    );
}

pub fn erasing_and_drawing_at_once_draw_among_who_was_listed<S: Store>(store: &S) {
    let entrants: Vec<Entrant> = (0..6).map(|n| entered(store, n)).collect();
    let drawn = at_once(5, |thread| match thread.checked_sub(1) {
        None => Some(performed(store, &Kit::new(5), &request(None))),
        Some(n) => {
            let erased = erase_at(store, entrants[n as usize].id, noon());
            // The winner has an open claim.
            assert!(matches!(erased, Erased::Done | Erased::OpenClaim), "{erased:?}");
            None
        }
    });
    let drawn = drawn.into_iter().flatten().next().unwrap();
    let participants = drawn.seal.as_ref().unwrap().step.participants;
    assert!((2..=6).contains(&participants), "{participants}");
    let claims = store.read(|tx| tx.claims_of(&[drawn.id])).unwrap();
    let waits = |claim: &claims::Claim| claim.status == claims::ClaimStatus::Pending;
    assert_eq!(
        claims.iter().filter(|claim| waits(claim)).count(),
        1,
        "one rank is asked"
    );
    assert_eq!(proofs(store, &[&drawn]).len(), 1);
    usecases::drawings::verify_log(store).unwrap();
    assert_balanced(store);
}
