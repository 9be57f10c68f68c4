//! The winner's steps.

use super::fixture::{HOME, OTHER, Site, details, drawn_at, reject};
use chrono::TimeDelta;
use claims::ClaimStatus::{CodeVerified, Declined, Pending, Rejected, Submitted, Verified};
use claims::{ClaimDetails, ClaimRefusal, EventKind, VerifiedBy};
use codes::Code;
use kernel::BrowserHash;
use sms::{DailyBudget, MessageKind};
use usecases::claims::review::Step;
use usecases::claims::winner::{self, ClaimError, SendCodeError, VerifyError};
use usecases::codes::{Refusal, Rejected as Refused};

fn send(site: &Site, account: bool) -> Result<(), SendCodeError> {
    send_from(site, HOME, account)
}

fn send_from(site: &Site, browser: BrowserHash, account: bool) -> Result<(), SendCodeError> {
    winner::send_code(
        &site.store,
        site.tools(),
        &site.visitor(0, None),
        browser,
        account,
    )
    .map(drop)
}

fn try_code(site: &Site, code: &Code) -> Result<(), VerifyError> {
    winner::verify(&site.store, site.tools(), &site.visitor(0, None), code, HOME).map(drop)
}

fn another(code: &Code) -> Code {
    let other = if code.as_str() == "000000" {
        "000001"
    } else {
        "000000"
    };
    Code::parse(other).unwrap()
}

#[test]
fn the_link_shows_the_claim_and_nothing_else_does() {
    let site = Site::drawn();
    let page = site.show(0);
    assert_eq!(page.claim.status, Pending);
    assert!(page.can_text && !page.is_this_browser && !page.can_prove && !page.has_opted_out);
    let unknown = winner::show(&site.store, site.tools(), &site.visitor(1, Some(HOME)));
    assert!(
        matches!(unknown, Err(ClaimError::UnknownClaim)),
        "the next rank was not asked"
    );
}

#[test]
fn a_code_proves_the_number_and_binds_the_browser() {
    let site = Site::drawn();
    site.prove(0);
    let claim = site.claim(0);
    assert_eq!(
        (claim.status, claim.verified),
        (CodeVerified, Some((VerifiedBy::Code, drawn_at())))
    );
    assert!(site.show(0).is_this_browser);
    assert!(
        !winner::show(&site.store, site.tools(), &site.visitor(0, Some(OTHER)))
            .unwrap()
            .is_this_browser
    );
    let kinds: Vec<_> = site.events(0).iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::CodeSent, EventKind::NumberVerified]);
}

#[test]
fn wrong_tries_are_counted_and_five_end_the_code() {
    let site = Site::drawn();
    send(&site, true).unwrap();
    let code = site.newest_code(0);
    for left in (0..5).rev() {
        let tried = try_code(&site, &another(&code));
        assert!(
            matches!(tried, Err(VerifyError::Rejected(Refused::Wrong { left: n })) if n == left),
            "{tried:?}"
        );
    }
    assert!(matches!(
        try_code(&site, &code),
        Err(VerifyError::Rejected(Refused::Expired))
    ));
    site.set(drawn_at() + TimeDelta::minutes(1));
    send(&site, true).unwrap();
    try_code(&site, &site.newest_code(0)).unwrap();
}

#[test]
fn a_claim_gets_one_code_a_minute_and_five_a_day_for_browsers_that_did_not_enter() {
    let site = Site::drawn();
    for minute in 0..5 {
        site.set(drawn_at() + TimeDelta::minutes(minute));
        send(&site, true).unwrap();
        assert_eq!(site.show(0).code.unwrap().resend_after, TimeDelta::minutes(1));
        let again = send(&site, true);
        assert!(
            matches!(again, Err(SendCodeError::Refused(Refusal::Limited(wait))) if wait >= TimeDelta::minutes(1)),
            "{again:?}"
        );
    }
    site.set(drawn_at() + TimeDelta::hours(1));
    assert!(
        matches!(send(&site, true), Err(SendCodeError::Refused(Refusal::Limited(wait))) if wait == TimeDelta::hours(23))
    );
    assert_eq!(site.texts(0, MessageKind::Code).len(), 5);
}

#[test]
fn without_an_account_or_a_budget_no_code_is_sent_and_nothing_changes() {
    let mut site = Site::drawn();
    assert!(matches!(
        send(&site, false),
        Err(SendCodeError::Refused(Refusal::TextsNotConfigured))
    ));
    site.budget = DailyBudget::new(0);
    assert!(matches!(
        send(&site, true),
        Err(SendCodeError::Refused(Refusal::BudgetUsed(_)))
    ));
    assert_eq!(site.events(0), vec![]);
    assert_eq!(site.show(0).code, None);
    assert!(site.texts(0, MessageKind::Code).is_empty());
}

#[test]
fn only_the_bound_browser_submits_and_its_details_are_stored_encrypted() {
    let site = Site::drawn();
    assert_eq!(site.submit(0).unwrap_err(), ClaimRefusal::AnotherBrowser);
    site.prove(0);
    let other = winner::submit(
        &site.store,
        site.tools(),
        &site.visitor(0, Some(OTHER)),
        &details(),
    );
    assert!(matches!(
        other,
        Err(ClaimError::Refused(ClaimRefusal::AnotherBrowser))
    ));
    assert_eq!(site.submit(0).unwrap().claim.status, Submitted);
    let claim = site.claim(0);
    let sealed = claim.sealed_details.unwrap();
    assert_eq!(ClaimDetails::open(&site.sealer, claim.id, &sealed), Ok(details()));
    assert_eq!(
        site.submit(0).unwrap_err(),
        ClaimRefusal::WrongStatus,
        "details are sent once"
    );
    assert_eq!(site.decline(0).unwrap_err(), ClaimRefusal::WrongStatus);
}

#[test]
fn whoever_declines_passes_the_prize_on_at_once_and_for_good() {
    let site = Site::drawn();
    assert_eq!(site.decline(0).unwrap_err(), ClaimRefusal::AnotherBrowser);
    site.prove(0);
    site.decline(0).unwrap();
    assert_eq!(site.statuses(), [Declined, Pending]);
    assert_eq!(site.texts(1, MessageKind::Victory).len(), 1);
    assert_ne!(site.claim(0).entrant, site.claim(1).entrant);
    for refused in [site.decline(0), site.submit(0), site.object(0)] {
        assert_eq!(refused.unwrap_err(), ClaimRefusal::WrongStatus);
    }
    let code = send(&site, true);
    assert!(matches!(
        code,
        Err(SendCodeError::Claim(ClaimError::Refused(
            ClaimRefusal::WrongStatus
        )))
    ));
    assert_eq!(site.statuses(), [Declined, Pending]);
}

#[test]
fn a_rejected_winner_objects_once_and_staff_may_still_approve() {
    let site = Site::drawn();
    site.prove(0);
    assert_eq!(site.object(0).unwrap_err(), ClaimRefusal::WrongStatus);
    site.submit(0).unwrap();
    site.take(0, &reject()).unwrap();
    let page = site.object(0).unwrap();
    assert_eq!(page.claim.status, Rejected);
    assert_eq!(site.object(0).unwrap_err(), ClaimRefusal::ObjectedBefore);
    site.take(0, &Step::Approve).unwrap();
    assert_eq!(site.statuses(), [Verified]);
    site.look_after(TimeDelta::days(30));
    assert_eq!(
        site.statuses(),
        [Verified],
        "the rejection was withdrawn, so nobody else is asked"
    );
}
