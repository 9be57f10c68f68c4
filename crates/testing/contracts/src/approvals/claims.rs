//! What two people decide about claims.

use super::{Site, drawn, many_entrants};
use crate::Store;
use crate::support::{at_once, noon};
use ::claims::{Claim, ClaimStatus, Claims, RejectReason, VerifiedBy};
use kernel::{BrowserHash, StoredText};
use staff::Action;
use usecases::approvals::{Made, Outcome, Request, Secret};
use usecases::claims::winner;

fn note(text: &str) -> StoredText {
    StoredText::line(text, 500).unwrap()
}

/// The claim of a drawn entrant, changed by hand.
fn claim<S: Store>(site: &Site<'_, S>, change: impl Fn(&mut Claim)) -> Claim {
    many_entrants(site.store, 3);
    let drawing = drawn(site.store, &site.kit);
    let id = site.store.read(|tx| tx.claims_of(&[drawing.id])).unwrap()[0].id;
    let change = |tx: &mut S::Tx| {
        let mut claim = tx.lock_claim(id)?.unwrap();
        change(&mut claim);
        tx.save_claim(&claim)?;
        Ok::<_, kernel::StoreError>(claim)
    };
    site.store.transaction(change).unwrap()
}

fn found<S: Store>(site: &Site<'_, S>, claim: &Claim) -> Claim {
    site.store.read(|tx| tx.find_claim(claim.id)).unwrap().unwrap()
}

/// One person approves what nobody has rejected. While that goes on, two people may reject it.
pub fn what_two_people_rejected_takes_two_to_approve<S: Store>(store: &S) {
    let site = Site::new(store);
    let claim = claim(&site, |claim| {
        claim.status = ClaimStatus::Submitted;
        claim.submitted_at = Some(noon());
    });
    let rejection = site.propose(&Request::RejectClaim {
        claim: claim.id,
        reason: RejectReason::Fraud,
        note: note("Ten accounts"),
    });
    assert!(matches!(
        site.approve(rejection),
        Ok((_, Outcome::ClaimDecided(_)))
    ));
    let approve = Request::ApproveClaim(claim.id);
    let made = at_once(4, |_| site.make(&approve));
    assert!(
        made.iter().all(|made| matches!(made, Ok(Made::Proposed(_)))),
        "{made:?}"
    );
    assert_eq!(found(&site, &claim).status, ClaimStatus::Rejected);
    let id = site.propose(&approve);
    let approved = at_once(4, |_| site.approve(id));
    assert_eq!(approved.iter().filter(|approved| approved.is_ok()).count(), 1);
    let found = found(&site, &claim);
    assert_eq!(
        (found.status, found.approved_by_two),
        (ClaimStatus::Verified, true)
    );
    assert_eq!(site.count(Action::ApproveClaim), 1);
}

pub fn one_person_approves_what_nobody_rejected<S: Store>(store: &S) {
    let site = Site::new(store);
    let claim = claim(&site, |claim| {
        claim.status = ClaimStatus::Submitted;
        claim.submitted_at = Some(noon());
    });
    let made = site.make(&Request::ApproveClaim(claim.id));
    assert!(
        matches!(made, Ok(Made::Done(Outcome::ClaimDecided(_)))),
        "{made:?}"
    );
    assert!(!found(&site, &claim).approved_by_two);
}

pub fn a_number_is_confirmed_by_two_people<S: Store>(store: &S) {
    let site = Site::new(store);
    let claim = claim(&site, |claim| claim.needs_call = true);
    let confirm = Request::ConfirmNumber {
        claim: claim.id,
        note: note("The winner knew the date of entry."),
    };
    let made = at_once(4, |_| site.make(&confirm));
    assert!(
        made.iter().all(|made| matches!(made, Ok(Made::Proposed(_)))),
        "{made:?}"
    );
    assert_eq!(found(&site, &claim).verified, None);
    let id = site.propose(&confirm);
    assert!(site.show_secret(site.proposer, id).is_err());
    assert!(matches!(site.approve(id), Ok((_, Outcome::ClaimDecided(_)))));
    assert!(site.show_secret(site.approver, id).is_err());
    let shown = at_once(4, |_| site.show_secret(site.proposer, id));
    let codes: Vec<_> = shown.into_iter().filter_map(Result::ok).collect();
    let [(_, Secret::CallCode(shown))] = codes.as_slice() else {
        panic!("{codes:?}");
    };
    let browser = BrowserHash::new([1; 32]);
    let opened = winner::open_after_call(store, site.tools().claims, &shown.code, browser);
    assert!(opened.is_ok(), "{opened:?}");
    assert_eq!(site.count(Action::ShowCallCode), 1);
    let found = found(&site, &claim);
    assert!(
        matches!(found.verified, Some((VerifiedBy::Call, _))) && found.confirmed_by_two,
        "{found:?}"
    );
}
