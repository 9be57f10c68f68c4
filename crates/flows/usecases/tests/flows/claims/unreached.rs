//! Winners whom no text reaches, and claims that a dispute pauses.

use super::fixture::{HOME, OTHER, Site, drawn_at, text};
use chrono::{DateTime, TimeDelta, Utc};
use claims::ClaimStatus::{CodeVerified, Expired, Pending, Unreachable};
use claims::{ClaimRefusal, VerifiedBy};
use fakes::MemTx;
use kernel::{BrowserHash, EventId, Money, StoreError, UnitOfWork};
use pricing::{
    BeginOutcome, CapRules, DisputeId, DisputeStatus, EntryCount, IntentId, NewPurchase, PackageId,
    PurchaseId, Purchases, Reversal,
};
use sms::ProviderStatus;
use staff::Action;
use usecases::claims::review::{ReviewError, Step};
use usecases::claims::winner::{self, ClaimError, ClaimPage, SendCodeError, Visitor};

const fn days(n: i64) -> TimeDelta {
    TimeDelta::days(n)
}

fn call(site: &Site, since: TimeDelta) {
    site.set(drawn_at() + since);
    site.take(0, &Step::NoteCall(text("No answer."))).unwrap();
}

/// A drawing whose winner has sent STOP before.
fn stopped() -> Site {
    let site = Site::drawn();
    site.stop(0);
    site.look_after(TimeDelta::hours(1));
    site
}

fn prove(site: &Site, visitor: &Visitor, browser: BrowserHash) -> Result<ClaimPage, ClaimError> {
    winner::prove(&site.store, site.tools(), visitor, browser)
}

/// A visitor whose token was issued at this time.
fn entered(site: &Site, issued_at: DateTime<Utc>) -> Visitor {
    Visitor {
        own: Some((site.claim(0).entrant, issued_at)),
        ..site.visitor(0, None)
    }
}

#[test]
fn whoever_sent_stop_needs_a_call_and_never_expires_without_one() {
    let site = stopped();
    let page = site.show(0);
    assert!(page.claim.needs_call && page.has_opted_out && !page.can_text);
    let code = winner::send_code(&site.store, site.tools(), &site.visitor(0, None), HOME, true);
    assert!(matches!(code, Err(SendCodeError::CannotText)));
    assert!(matches!(
        site.take(0, &Step::Resend),
        Err(ReviewError::CannotText)
    ));
    site.report(0, ProviderStatus::Failed);
    site.look_after(days(1_000));
    assert_eq!(site.statuses(), [Pending]);
    call(&site, days(1_000));
    site.look_after(days(1_013));
    assert_eq!(site.statuses(), [Pending]);
    site.look_after(days(1_014));
    assert_eq!(site.statuses(), [Expired, Pending]);
}

#[test]
fn a_number_that_no_text_reaches_needs_a_call() {
    let site = Site::drawn();
    site.look_after(TimeDelta::hours(1));
    assert!(!site.claim(0).needs_call, "the text is on its way");
    site.report(0, ProviderStatus::Undelivered);
    site.look_after(TimeDelta::hours(2));
    assert!(site.claim(0).needs_call);
    // Staff try again, and the text arrives.
    site.take(0, &Step::Resend).unwrap();
    site.report(0, ProviderStatus::Delivered);
    site.look_after(TimeDelta::hours(3));
    let claim = site.claim(0);
    assert!(!claim.needs_call);
    assert_eq!(
        claim.expires_at(),
        Some(drawn_at() + TimeDelta::hours(3) + days(14))
    );
}

#[test]
fn a_text_without_a_receipt_is_waited_for_as_long_as_a_winner_has() {
    let site = Site::drawn();
    site.report(0, ProviderStatus::Accepted);
    site.look_after(days(14) - TimeDelta::seconds(1));
    assert!(!site.claim(0).needs_call, "the receipt may still come");
    site.look_after(days(14));
    assert!(site.claim(0).needs_call);
    for day in [14, 15, 16] {
        call(&site, days(day) + TimeDelta::hours(12));
        site.look_after(days(day) + TimeDelta::hours(13));
        assert!(site.claim(0).needs_call, "a call does not make the text arrive");
    }
    site.take(0, &Step::GiveUp).unwrap();
    assert_eq!(site.statuses(), [Unreachable, Pending]);
}

#[test]
fn a_late_receipt_ends_the_need_of_a_call() {
    let site = Site::drawn();
    site.look_after(days(20));
    assert!(site.claim(0).needs_call, "the text was never sent");
    site.report(0, ProviderStatus::Delivered);
    site.look_after(days(21));
    let claim = site.claim(0);
    assert!(!claim.needs_call);
    assert_eq!(claim.expires_at(), Some(drawn_at() + days(35)));
}

#[test]
fn staff_give_up_after_calls_on_three_days() {
    let site = stopped();
    for day in [0, 0, 1] {
        call(&site, days(day) + TimeDelta::hours(12));
        assert!(matches!(
            site.take(0, &Step::GiveUp),
            Err(ReviewError::CalledTooSeldom)
        ));
    }
    call(&site, days(2) + TimeDelta::hours(12));
    let file = site.take(0, &Step::GiveUp).unwrap();
    assert!(file.may_be_unreachable && file.case.calls.len() == 4);
    assert_eq!(site.statuses(), [Unreachable, Pending]);
    assert_eq!(site.audited().last(), Some(&Action::MarkUnreachable));
}

#[test]
fn a_winner_whom_texts_reach_is_neither_confirmed_by_call_nor_given_up() {
    let site = Site::drawn();
    site.report(0, ProviderStatus::Delivered);
    for step in [Step::ConfirmNumber(text("We spoke.")), Step::GiveUp] {
        let refused = site.take(0, &step);
        assert!(
            matches!(refused, Err(ReviewError::Refused(ClaimRefusal::NeedsNoCall))),
            "{step:?}"
        );
    }
}

#[test]
fn after_a_confirming_call_its_code_opens_the_claim_in_one_browser() {
    let site = stopped();
    let visitor = site.visitor(0, None);
    let confirm = Step::ConfirmNumber(text("We spoke, and she named the number."));
    let first = site.take(0, &confirm).unwrap().call_code.unwrap();
    let shown = site.take(0, &confirm).unwrap().call_code.unwrap();
    assert_eq!(shown.expires_at, drawn_at() + TimeDelta::hours(1) + days(1));
    assert!(!site.show(0).can_prove, "the link alone opens nothing");
    assert!(matches!(
        prove(&site, &visitor, HOME),
        Err(ClaimError::Refused(ClaimRefusal::AnotherBrowser))
    ));
    let open = |code, browser| winner::open_after_call(&site.store, site.tools(), code, browser);
    assert!(matches!(open(&first.code, HOME), Err(ClaimError::UnknownClaim)));
    assert_eq!(open(&shown.code, HOME).unwrap(), visitor.token);
    let page = site.show(0);
    assert_eq!((page.claim.status, page.is_this_browser), (CodeVerified, true));
    assert!(matches!(page.claim.verified, Some((VerifiedBy::Call, _))));
    assert!(matches!(open(&shown.code, OTHER), Err(ClaimError::UnknownClaim)));
    assert!(site.submit(0).is_ok());
}

#[test]
fn a_visitor_token_from_before_the_seal_proves_the_number_where_no_text_arrives() {
    let site = stopped();
    let late = entered(&site, drawn_at());
    assert!(
        prove(&site, &late, HOME).is_err(),
        "the token is not from before the seal"
    );
    let own = entered(&site, drawn_at() - TimeDelta::hours(1));
    assert!(winner::show(&site.store, site.tools(), &own).unwrap().can_prove);
    let page = prove(&site, &own, HOME).unwrap();
    assert!(matches!(page.claim.verified, Some((VerifiedBy::VisitorToken, _))));
    assert!(site.submit(0).is_ok());

    let reached = Site::drawn();
    reached.report(0, ProviderStatus::Delivered);
    let own = entered(&reached, drawn_at() - TimeDelta::hours(1));
    let refused = prove(&reached, &own, HOME);
    assert!(
        matches!(refused, Err(ClaimError::Refused(ClaimRefusal::NeedsNoCall))),
        "{refused:?}"
    );
}

fn buy(site: &Site, at: DateTime<Utc>) -> IntentId {
    let sold = NewPurchase {
        entrant: site.claim(0).entrant,
        package: PackageId::new(1),
        price: Money::from_cents(500).unwrap(),
        entries: EntryCount::new(5).unwrap(),
        event_id: EventId::parse("event-1").unwrap(),
        at,
    };
    let intent = IntentId::parse("pi_1").unwrap();
    let buy = |tx: &mut MemTx| {
        let BeginOutcome::Begun(id) = tx.begin_purchase(&sold, 10, CapRules::DEFAULT.date_at(at))? else {
            panic!("not begun");
        };
        tx.record_intent_id(id, &intent)?;
        tx.complete_purchase(id, at).map(|_| id)
    };
    let _: PurchaseId = site.store.transaction::<_, StoreError>(buy).unwrap();
    intent
}

fn dispute(site: &Site, intent: &IntentId, status: DisputeStatus) {
    let dispute = Reversal::Dispute(DisputeId::parse("du_1").unwrap(), status);
    let report = |tx: &mut MemTx| tx.reverse_purchase(intent, &dispute, drawn_at());
    site.store.transaction::<_, StoreError>(report).unwrap();
}

#[test]
fn a_dispute_about_counted_entries_pauses_the_claim_and_gives_the_time_back() {
    let site = Site::drawn();
    site.set(drawn_at() - TimeDelta::hours(2));
    let intent = buy(&site, drawn_at() - TimeDelta::hours(2));
    site.set(drawn_at());
    site.prove(0);
    dispute(&site, &intent, DisputeStatus::Open);
    assert_eq!(
        site.submit(0).unwrap_err(),
        ClaimRefusal::Paused,
        "at once, before a server has looked"
    );
    site.look_after(days(1));
    assert!(site.claim(0).paused_at.is_some());
    site.look_after(days(30));
    assert_eq!(site.statuses(), [CodeVerified]);
    dispute(&site, &intent, DisputeStatus::Won);
    site.look_after(days(31));
    let claim = site.claim(0);
    assert_eq!(
        (claim.paused_at, claim.expires_at()),
        (None, Some(drawn_at() + days(44)))
    );
    assert!(site.submit(0).is_ok());
}

#[test]
fn a_dispute_about_a_later_purchase_pauses_nothing() {
    let site = Site::drawn();
    site.prove(0);
    site.set(drawn_at() + TimeDelta::hours(1));
    let intent = buy(&site, drawn_at() + TimeDelta::hours(1));
    dispute(&site, &intent, DisputeStatus::Open);
    assert!(site.submit(0).is_ok());
}
