//! Drawings that staff make void, the drawings that take their lists, and rounds that come after all.

use super::kit::{
    OpenVerifier, additional, chain, entered_with_friends, find, now, performed, request, sign, whole_log,
};
use super::lists::assert_holds;
use super::{Kit, RAFFLE, drawn, waiting};
use crate::Store;
use crate::support::{at_once, staff_actor};
use chrono::TimeDelta;
use drawing::beacon::{BeaconSignature, HostAnswer};
use drawing::steps::{DrawingState, DrawingStatus, DrawingSteps, Plan, VoidDetails};
use drawing::{Announcement, DrawingId, DrawingKind, LogAction, LogRules, Outcome, SealDetails};
use staff::{Action, AuditFilter, AuditLog, SecondPerson};
use usecases::drawings::{Bringer, BroughtRound, DrawError, PerformError, VoidDrawing, VoidError};

/// A week, after which a drawing may be made void.
const WEEK: i64 = 7 * 24;

/// A sealed drawing whose round was due so many hours ago, after `change`.
fn stuck_after<S: Store>(store: &S, kit: &Kit, hours: i64, change: impl Fn(&mut Plan)) -> DrawingState {
    let announced = kit.announce_by_hand(store, |plan, step| {
        step.round_at = Some(step.seal_due_at - TimeDelta::hours(hours));
        change(plan);
    });
    usecases::drawings::seal(store, kit.tools(), announced.id).unwrap()
}

pub(crate) fn stuck<S: Store>(store: &S, kit: &Kit, hours: i64) -> DrawingState {
    stuck_after(store, kit, hours, |_| ())
}

fn make_void<S: Store>(store: &S, id: DrawingId, second: SecondPerson) -> Result<DrawingState, VoidError> {
    let command = VoidDrawing {
        actor: staff_actor(),
        second,
        drawing: id,
        void: VoidDetails {
            reason: "No beacon \"came\"".to_owned(),
            hosts: vec![HostAnswer {
                host: "api.drand.sh".to_owned(),
                answer: HostAnswer::NOT_PUBLISHED.to_owned(),
            }],
        },
    };
    usecases::drawings::void(store, &command)
}

/// A drawing that was made void.
fn voided<S: Store>(store: &S, kit: &Kit) -> DrawingState {
    let stuck = stuck(store, kit, WEEK);
    make_void(store, stuck.id, SecondPerson::Agreed).unwrap()
}

/// An announced drawing that is due now and takes the list of a void one. The use case would let a day pass.
fn replacement<S: Store>(store: &S, kit: &Kit, void: &DrawingState) -> DrawingState {
    kit.announce_by_hand(store, |plan, _| {
        plan.replaces = Some(void.id);
        plan.kind = void.plan.kind;
        plan.cut_off = void.seal.as_ref().map(|seal| seal.step.cut_off);
    })
}

fn seal<S: Store>(store: &S, kit: &Kit, announced: &DrawingState) -> DrawingState {
    usecases::drawings::seal(store, kit.tools(), announced.id).unwrap()
}

fn bring<S: Store>(
    store: &S,
    kit: &Kit,
    state: &DrawingState,
    signature: BeaconSignature,
) -> Result<DrawingState, DrawError> {
    let round = state.announcement.step.round.unwrap();
    let brought = BroughtRound { round, signature };
    let by = Bringer::Visitor;
    usecases::drawings::draw(store, kit.tools(), &OpenVerifier, state.id, brought, by)
}

fn right(state: &DrawingState) -> BeaconSignature {
    sign(&chain(), state.announcement.step.round.unwrap())
}

fn rows<S: Store>(store: &S, action: Action) -> i64 {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    store.read(|tx| tx.count_audit(&filter)).unwrap()
}

/// The whole log keeps the rules that everybody can check.
fn assert_rules<S: Store>(store: &S) {
    let mut rules = LogRules::default();
    for entry in whole_log(store) {
        rules.push(&entry).unwrap();
    }
}

pub fn a_drawing_is_void_only_a_week_after_its_round<S: Store>(store: &S) {
    let kit = Kit::with_beacon(29);
    entered_with_friends(store, 1, 3);
    let void = |id| make_void(store, id, SecondPerson::NotNeeded);
    let early = stuck(store, &kit, WEEK - 1);
    let announced = kit.announce_by_hand(store, |plan, _| plan.kind = DrawingKind::Additional);
    let off = drawn(store, &Kit::new(30));
    for state in [&early, &announced, &off] {
        let refused = void(state.id);
        assert!(matches!(refused, Err(VoidError::NotVoidable)), "{refused:?}");
        assert_eq!(find(store, state.id), *state);
        assert!(usecases::drawings::missing_round(store, state.id).is_err());
    }
    let unknown = void(DrawingId::new(i64::MAX));
    assert!(matches!(unknown, Err(VoidError::UnknownDrawing)), "{unknown:?}");
    kit.draw(store, &early).unwrap();
    let drawn = void(early.id);
    assert!(matches!(drawn, Err(VoidError::NotVoidable)), "a result stands");
}

pub fn voiding_a_drawing_needs_a_second_person<S: Store>(store: &S) {
    let kit = Kit::with_beacon(31);
    entered_with_friends(store, 1, 3);
    let stuck = stuck(store, &kit, WEEK);
    let alone = at_once(4, |_| make_void(store, stuck.id, SecondPerson::Missing));
    for refused in alone {
        assert!(matches!(refused, Err(VoidError::NeedsApproval(_))), "{refused:?}");
    }
    assert_eq!(find(store, stuck.id), stuck);
    let agreed = at_once(4, |_| make_void(store, stuck.id, SecondPerson::Agreed).is_ok());
    assert_eq!(agreed.iter().filter(|done| **done).count(), 1);
    assert_eq!(rows(store, Action::VoidDrawing), 1);
}

pub fn a_void_drawing_is_public_with_what_the_hosts_answered<S: Store>(store: &S) {
    let kit = Kit::with_beacon(33);
    entered_with_friends(store, 1, 3);
    let void = voided(store, &kit);
    assert_eq!(find(store, void.id), void);
    let last = whole_log(store).pop().unwrap();
    assert_eq!(last.entry.action, LogAction::DrawingVoid);
    let details = concat!(
        r#"{"reason":"No beacon \"came\"","#,
        r#""hosts":[{"host":"api.drand.sh","answer":"the round is not published"}]}"#
    );
    assert_eq!(last.entry.details, details);
    assert_eq!(void.host_answers().len(), 1);
    assert_eq!(last.entry.session, Some(staff_actor().session.get()));
    assert_eq!(store.read(|tx| tx.count_voids(RAFFLE)).unwrap(), 1);
}

pub fn the_next_drawing_takes_the_list_of_the_void_one<S: Store>(store: &S) {
    let kit = Kit::with_beacon(34);
    entered_with_friends(store, 1, 3);
    let void = voided(store, &kit);
    entered_with_friends(store, 10, 3);
    let before = now(store);
    let asked = performed(store, &kit, &request(None));
    let (plan, step) = (&asked.plan, &asked.announcement.step);
    assert_eq!(asked.status, DrawingStatus::Announced);
    assert_eq!((plan.replaces, plan.period), (Some(void.id), void.plan.period));
    let details = Announcement::from_details(&asked.announcement.entry.entry.details).unwrap();
    assert_eq!(details.replaces, void.list());
    let day = TimeDelta::hours(24);
    assert!(step.seal_due_at >= before + day, "it is public for a day");
    assert_eq!(store.read(|tx| tx.unreplaced_void(RAFFLE)).unwrap(), None);
    assert_eq!(store.read(|tx| tx.replacement_of(void.id)).unwrap(), Some(asked));
    let more = performed(store, &kit, &additional("another one"));
    assert_eq!(more.plan.replaces, None);
}

pub fn a_list_that_is_taken_is_the_same_list<S: Store>(store: &S) {
    let kit = Kit::with_beacon(35);
    entered_with_friends(store, 1, 9);
    let void = voided(store, &kit);
    entered_with_friends(store, 20, 3);
    let again = seal(store, &kit, &replacement(store, &kit, &void));
    let (old, new) = (void.seal.unwrap(), again.seal.clone().unwrap());
    let list =
        |seal: &drawing::steps::Sealed| (seal.root, seal.weights_hash, seal.participants, seal.entries);
    assert_eq!(list(&new.step), list(&old.step));
    assert_eq!(
        (new.step.cut_off, &again.plan.prize),
        (old.step.cut_off, &void.plan.prize)
    );
    assert_ne!(new.step.seed, old.step.seed, "and another seed decides");
    let details = |entry: &drawing::LogEntry| SealDetails::from_details(&entry.entry.details).unwrap();
    let (old, new) = (details(&old.entry), details(&new.entry));
    assert_eq!(
        (new.left_out, new.entries_by_kind),
        (old.left_out, old.entries_by_kind)
    );
    assert_holds(store, &kit.draw(store, &again).unwrap());
    let report = usecases::drawings::verify_log(store).unwrap();
    assert_eq!(report.drawings, 1);
}

pub fn only_a_void_drawing_of_the_same_month_is_replaced_and_once<S: Store>(store: &S) {
    let kit = Kit::with_beacon(36);
    entered_with_friends(store, 1, 3);
    let waits = waiting(store, &kit);
    let refused = |replaces: DrawingId, change: fn(&mut Plan)| {
        let secrets = |plan: &Plan| Plan {
            replaces: Some(replaces),
            commitment: drawing::Hash::new([88; 32]),
            ..plan.clone()
        };
        let mut plan = secrets(&waits.plan);
        plan.kind = DrawingKind::Additional;
        plan.reason = Some("a reason".to_owned());
        change(&mut plan);
        let added: Result<(), kernel::StoreError> = store.transaction(|tx| {
            drawing::Drawings::begin_drawing(tx)?;
            let id = drawing::Drawings::reserve_drawing_id(tx)?;
            tx.add_plan(id, &plan)
        });
        added.is_err()
    };
    assert!(refused(waits.id, |_| ()), "it is not void");
    let void = stuck_after(store, &kit, WEEK, |plan| plan.kind = DrawingKind::Additional);
    make_void(store, void.id, SecondPerson::Agreed).unwrap();
    assert!(
        refused(void.id, |plan| plan.period = "2020-01".parse().unwrap()),
        "another month"
    );
    assert!(
        refused(void.id, |plan| plan.raffle = raffle::fixtures::GARDEN_BAG),
        "another raffle"
    );
    seal(store, &kit, &replacement(store, &kit, &void));
    assert!(refused(void.id, |_| ()), "it is replaced");
}

pub fn a_visitor_draws_a_drawing_that_is_due<S: Store>(store: &S) {
    let kit = Kit::with_beacon(37);
    entered_with_friends(store, 1, 3);
    let early = waiting(store, &kit);
    let refused = bring(store, &kit, &early, right(&early));
    assert!(matches!(refused, Err(DrawError::TooEarly)), "{refused:?}");
    let due = stuck_after(store, &kit, 0, |plan| plan.kind = DrawingKind::Additional);
    let wrong = bring(store, &kit, &due, sign(&chain(), drawing::beacon::Round::FIRST));
    assert!(matches!(wrong, Err(DrawError::InvalidSignature)), "{wrong:?}");
    assert_eq!(rows(store, Action::BringBeacon), 0);
    let drawn = at_once(6, |_| bring(store, &kit, &due, right(&due)).unwrap());
    assert!(
        drawn
            .iter()
            .all(|state| *state == drawn[0] && state.winner().is_some())
    );
    let again = bring(store, &kit, &due, BeaconSignature::new([0; 48])).unwrap();
    assert_eq!(again, drawn[0], "whoever comes later gets the record");
    assert_eq!(rows(store, Action::BringBeacon), 1);
}

pub fn the_round_overturns_a_void_and_withdraws_what_was_announced<S: Store>(store: &S) {
    let kit = Kit::with_beacon(38);
    entered_with_friends(store, 1, 5);
    let void = voided(store, &kit);
    let wrong = bring(store, &kit, &void, BeaconSignature::new([0; 48]));
    assert!(matches!(wrong, Err(DrawError::InvalidSignature)), "{wrong:?}");
    let announced = performed(store, &kit, &request(Some("again")));
    let drawn = bring(store, &kit, &void, right(&void)).unwrap();
    assert_eq!(drawn.status, DrawingStatus::Drawn);
    assert_eq!(drawn.void, void.void, "it stays public that it was void");
    assert_eq!(find(store, void.id), drawn);
    assert_holds(store, &drawn);
    let withdrawn = find(store, announced.id);
    let reason = format!("withdrawn: drawing {} was drawn after all", void.id);
    assert_eq!(withdrawn.status, DrawingStatus::Void);
    assert_eq!(withdrawn.void.as_ref().unwrap().step.reason, reason);
    assert_eq!(performed(store, &kit, &request(Some("again"))), withdrawn);
    let unused = store.read(|tx| tx.unused_commitment(RAFFLE)).unwrap();
    assert_eq!(
        unused.map(|state| state.id),
        Some(withdrawn.id),
        "its seed is still secret"
    );
    assert_eq!(store.read(|tx| tx.unreplaced_void(RAFFLE)).unwrap(), None);
    assert_eq!(seal(store, &kit, &withdrawn), withdrawn, "and never sealed");
    assert_rules(store);
    let report = usecases::drawings::verify_log(store).unwrap();
    assert_eq!(report.drawings, 1);
    let refused = kit.perform(store, &request(None));
    assert!(
        !matches!(refused, Err(PerformError::NoParticipants)),
        "{refused:?}"
    );
}

pub fn a_round_that_comes_after_the_next_seal_is_kept_with_the_entry_that_would_have_won<S: Store>(
    store: &S,
) {
    let kit = Kit::with_beacon(39);
    entered_with_friends(store, 1, 5);
    let void = voided(store, &kit);
    let sealed = seal(store, &kit, &replacement(store, &kit, &void));
    let late = at_once(4, |_| bring(store, &kit, &void, right(&void)).unwrap());
    assert!(late.iter().all(|state| *state == late[0]));
    let late = late[0].clone();
    assert_eq!(find(store, void.id), late);
    assert_eq!((late.status, late.winner()), (DrawingStatus::Void, None));
    let value = void.beacon_value(Some(right(&void))).unwrap();
    let would_have_won = void.facts(value).unwrap().first_entry();
    let step = &late.late.as_ref().unwrap().step;
    assert_eq!(Some(step.entry_number), would_have_won);
    assert_eq!(rows(store, Action::BringBeacon), 1);
    let proof = usecases::drawings::proof(store, void.id).unwrap();
    let expected = Outcome::Void {
        late: Some(step.clone()),
    };
    assert_eq!(proof.outcome, expected);
    assert_eq!(find(store, sealed.id), sealed, "the later drawing stands");
    kit.draw(store, &sealed).unwrap();
    usecases::drawings::verify_log(store).unwrap();
}

/// Whichever comes first, the round of the void drawing or the seal of the next one, there is one winner.
pub fn of_the_round_and_the_next_seal_one_comes_first<S: Store>(store: &S) {
    let kit = Kit::with_beacon(40);
    entered_with_friends(store, 1, 5);
    for n in 0..6 {
        let kind = |plan: &mut Plan| plan.kind = DrawingKind::Additional;
        let void = stuck_after(store, &kit, WEEK, kind);
        let void = make_void(store, void.id, SecondPerson::Agreed).unwrap();
        let next = replacement(store, &kit, &void);
        at_once(2, |each| match (each + n) % 2 {
            0 => drop(bring(store, &kit, &void, right(&void)).unwrap()),
            _ => drop(seal(store, &kit, &next)),
        });
        let (void, next) = (find(store, void.id), find(store, next.id));
        match void.status {
            DrawingStatus::Drawn => assert_eq!((next.status, next.seal), (DrawingStatus::Void, None)),
            _ => assert!(void.late.is_some() && next.status == DrawingStatus::Sealed),
        }
    }
    usecases::drawings::verify_log(store).unwrap();
}
