//! The steps of staff, and what the audit log has of them.

use super::fixture::{OWNER, Site, details, drawn_at, reject, text};
use ::staff::{Action, AuditFilter, AuditLog};
use chrono::TimeDelta;
use claims::ClaimStatus::{self, Delivered, Pending, Rejected, Shipped, Submitted, Verified};
use claims::{ClaimFilter, ClaimId, ClaimRefusal, PublicStatus, PublicWinner, RejectReason, TrackingNumber};
use kernel::{PageRequest, UnitOfWork};
use sms::MessageKind;
use usecases::claims::review::{self, ReviewError, Step};

/// A claim with this status, and every step that would lead to it.
fn site_with(status: ClaimStatus) -> Site {
    let site = Site::drawn();
    if status != Pending {
        site.prove(0);
        site.submit(0).unwrap();
    }
    match status {
        Verified => drop(site.take(0, &Step::Approve).unwrap()),
        Rejected => drop(site.take(0, &reject()).unwrap()),
        Shipped => {
            site.take(0, &Step::Approve).unwrap();
            site.take(0, &ship()).unwrap();
        }
        Delivered => {
            site.take(0, &Step::Approve).unwrap();
            site.take(0, &Step::Deliver).unwrap();
        }
        _ => {}
    }
    assert_eq!(site.claim(0).status, status);
    site
}

#[test]
fn each_step_is_possible_in_its_statuses_only() {
    let table: [(Step, &[ClaimStatus]); 6] = [
        (Step::Approve, &[Submitted, Rejected]),
        (reject(), &[Submitted]),
        (ship(), &[Verified, Shipped]),
        (Step::Deliver, &[Verified, Shipped]),
        (Step::Resend, &[Pending]),
        (Step::NoteCall(text("No answer.")), &[Pending]),
    ];
    for (step, allowed) in table {
        for status in [Pending, Submitted, Verified, Shipped, Rejected, Delivered] {
            let allowed = allowed.contains(&status);
            let site = site_with(status);
            let before = (site.claim(0), site.events(0), site.audited());
            let taken = site.take(0, &step);
            assert_eq!(taken.is_ok(), allowed, "{step:?} of a {status:?} claim");
            if let Err(error) = taken {
                assert!(
                    matches!(error, ReviewError::Refused(ClaimRefusal::WrongStatus)),
                    "{error}"
                );
                assert_eq!((site.claim(0), site.events(0), site.audited()), before);
            }
        }
    }
}

#[test]
fn an_approved_winner_is_named_only_with_their_consent() {
    let site = site_with(Verified);
    let named = PublicWinner {
        first_name: "Ada".to_owned(),
        state: "IL".to_owned(),
    };
    assert_eq!(site.claim(0).public_winner, Some(named.clone()));
    let drawing = usecases::drawings::find(&site.store, drawing::DrawingId::new(1)).unwrap();
    let records = usecases::claims::public_records(&site.store, &[drawing]).unwrap();
    let record = &records[&drawing::DrawingId::new(1)];
    assert_eq!((record.claims.len(), record.is_unclaimed), (1, false));
    let claim = &record.claims[0];
    assert_eq!(
        (claim.status, claim.until, claim.decided_by),
        (PublicStatus::Claimed, None, Some(1))
    );
    assert_eq!(claim.winner, Some(named));

    let quiet = Site::drawn();
    quiet.prove(0);
    let hidden = claims::ClaimDetails {
        publicity: false,
        ..details()
    };
    let visitor = quiet.visitor(0, Some(super::fixture::HOME));
    usecases::claims::winner::submit(&quiet.store, quiet.tools(), &visitor, &hidden).unwrap();
    quiet.take(0, &Step::Approve).unwrap();
    assert_eq!(quiet.claim(0).public_winner, None);
}

#[test]
fn a_rejection_is_public_with_its_reason_until_when_the_winner_may_object() {
    let site = site_with(Rejected);
    let public = || {
        let drawing = usecases::drawings::find(&site.store, drawing::DrawingId::new(1)).unwrap();
        let records = usecases::claims::public_records(&site.store, &[drawing]).unwrap();
        records[&drawing::DrawingId::new(1)].claims[0].clone()
    };
    let open = public();
    assert_eq!(
        (open.status, open.reason),
        (PublicStatus::Rejected, Some(RejectReason::Residence))
    );
    assert_eq!(open.until, Some(drawn_at() + TimeDelta::days(7)));
    site.look_after(TimeDelta::days(7));
    assert_eq!(public().until, None);
}

#[test]
fn every_step_and_every_look_at_details_is_audited() {
    let site = Site::drawn();
    site.take(0, &Step::Resend).unwrap();
    site.take(0, &Step::NoteCall(text("No answer."))).unwrap();
    let id = site.claim(0).id;
    review::open(&site.store, site.tools(), OWNER, id).unwrap();
    assert_eq!(
        site.audited(),
        [Action::ResendClaim, Action::NoteCall],
        "there are no details yet"
    );
    site.prove(0);
    site.submit(0).unwrap();
    let file = review::open(&site.store, site.tools(), OWNER, id).unwrap();
    assert_eq!(file.details, Some(details()));
    site.take(0, &reject()).unwrap();
    site.take(0, &Step::Approve).unwrap();
    site.take(0, &ship()).unwrap();
    site.take(0, &Step::Deliver).unwrap();
    let view = Action::ViewClaimDetails;
    let steps = [
        view,
        Action::RejectClaim,
        view,
        Action::ApproveClaim,
        view,
        Action::ShipPrize,
        view,
        Action::DeliverPrize,
        view,
    ];
    assert_eq!(site.audited()[2..], steps);
}

#[test]
fn the_shipping_list_has_what_is_approved_and_neither_sent_nor_delivered() {
    let site = site_with(Submitted);
    let listed = || usecases::claims::shipping_list(&site.store, site.tools(), OWNER.actor).unwrap();
    assert_eq!(listed(), []);
    site.take(0, &Step::Approve).unwrap();
    let before = site.audited().len();
    let [parcel] = &listed()[..] else {
        panic!("one prize");
    };
    assert_eq!(
        (parcel.claim, &parcel.details, parcel.approved_at),
        (site.claim(0).id, &details(), site.claim(0).approved_at)
    );
    assert_eq!(site.audited()[before..], [Action::ViewClaimDetails]);
    site.take(0, &ship()).unwrap();
    assert_eq!(listed(), [], "it is sent");

    let handed_over = site_with(Submitted);
    handed_over.take(0, &Step::Approve).unwrap();
    handed_over.take(0, &Step::Deliver).unwrap();
    let listed = usecases::claims::shipping_list(&handed_over.store, handed_over.tools(), OWNER.actor);
    assert_eq!(listed.unwrap(), []);
}

fn ship() -> Step {
    Step::Ship {
        carrier: text("UPS"),
        tracking_number: TrackingNumber::parse("1Z 999 AA1").unwrap(),
    }
}

#[test]
fn a_parcel_is_noted_without_its_number_in_the_audit_log() {
    let site = site_with(Submitted);
    assert!(site.take(0, &ship()).is_err(), "not approved");
    site.take(0, &Step::Approve).unwrap();
    site.take(0, &ship()).unwrap();
    let claim = site.claim(0);
    let shipment = claim.shipment.unwrap();
    assert_eq!(claim.status, Shipped);
    assert_eq!(
        (
            shipment.carrier.as_str(),
            shipment.tracking_number.as_str(),
            shipment.at
        ),
        ("UPS", "1Z999AA1", drawn_at())
    );
    let log = site
        .store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    assert!(!format!("{log:?}").contains("1Z999AA1"));
}

#[test]
fn the_list_counts_what_waits_for_staff() {
    let list = |site: &Site, filter| {
        let list = review::list(&site.store, filter, PageRequest::default()).unwrap();
        (list.cases.len(), list.total, list.waiting)
    };
    let site = site_with(Submitted);
    assert_eq!(list(&site, ClaimFilter::All), (1, 1, 1));
    assert_eq!(list(&site, ClaimFilter::Status(Pending)), (0, 0, 1));
    site.take(0, &reject()).unwrap();
    assert_eq!(list(&site, ClaimFilter::All), (1, 1, 0));
    site.object(0).unwrap();
    assert_eq!(list(&site, ClaimFilter::Status(Rejected)), (1, 1, 1));
}

#[test]
fn the_link_is_texted_again_and_counted() {
    let site = Site::drawn();
    site.set(drawn_at() + TimeDelta::hours(20));
    let file = site.take(0, &Step::Resend).unwrap();
    assert_eq!(file.case.claim.notifications, 2);
    assert_eq!(
        file.case.claim.last_notification_at,
        Some(drawn_at() + TimeDelta::hours(20))
    );
    let texts = site.texts(0, MessageKind::Victory);
    assert_eq!(site.body(&texts[0]), site.body(&texts[1]));
    assert!(
        site.body(&texts[1])
            .contains(&site.visitor(0, None).token.to_text())
    );
    for _ in 0..4 {
        site.take(0, &Step::Resend).unwrap();
    }
    let sixth = site.take(0, &Step::Resend);
    assert!(matches!(sixth, Err(ReviewError::ResentTooOften)), "{sixth:?}");
    site.set(drawn_at() + TimeDelta::hours(44));
    site.take(0, &Step::Resend).unwrap();
}

#[test]
fn an_unknown_claim_is_an_error() {
    let site = Site::drawn();
    let opened = review::open(&site.store, site.tools(), OWNER, ClaimId::new(99));
    assert!(matches!(opened, Err(ReviewError::UnknownClaim)));
    let taken = review::take(&site.store, site.tools(), OWNER, ClaimId::new(99), &Step::Approve);
    assert!(matches!(taken, Err(ReviewError::UnknownClaim)));
}
