//! What staff ask for, and what they get.

use super::kit::{add_rules, additional, entered_with_friends, find, now, promised, request, whole_log};
use super::{Kit, RAFFLE, drawn, log_actions, performed, waiting};
use crate::Store;
use crate::support::{
    Noon, SMALL_BATCHES, SeededEntropy, at_once, command, messages_to, new_job, phone, staff_actor,
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use drawing::steps::{DrawingStatus, DrawingSteps};
use drawing::{Announcement, DrawingKind, DrawingPrize, DrawingSort, Hash, Prize};
use kernel::{IdempotencyKey, PageRequest, SortOrder};
use raffle::fixtures::GARDEN_BAG;
use raffle::{RaffleKey, Versions};
use sms::MessageKind;
use staff::{Action, AuditChain, AuditFilter, AuditLog, ClearingKind, SecondPerson};
use std::collections::BTreeSet;
use usecases::clearing;
use usecases::drawings::{PerformDrawing, PerformError, Performed, Schedule};
use usecases::raffles::{ChangeOpening, Publish, SaveDraft, When};

pub fn without_a_beacon_a_drawing_is_announced_sealed_and_drawn_at_once<S: Store>(store: &S) {
    let kit = Kit::new(1);
    entered_with_friends(store, 1, 5);
    let state = drawn(store, &kit);
    assert_eq!(find(store, state.id), state);
    assert_eq!(
        log_actions(store),
        ["drawing_announced", "drawing_sealed", "drawing_performed"]
    );
    let seal = &state.seal.as_ref().unwrap().step;
    assert_eq!((seal.participants, seal.entries), (6, 11));
    assert_eq!(seal.seed.commitment(), state.plan.commitment);
    let record = state.record().unwrap();
    let result = state.result.as_ref().unwrap();
    assert_eq!(record.verification_hash(), result.step.verification_hash);
    assert_eq!(
        result.entry.entry.verification_hash,
        Some(record.verification_hash())
    );
    assert_eq!(
        (record.facts.beacon.round_number(), result.step.signature),
        (0, None)
    );

    let messages = store
        .read(|tx| messages_to(tx, state.winner().unwrap().entrant))
        .unwrap();
    let victory: Vec<_> = messages
        .iter()
        .filter(|message| message.content.kind == MessageKind::Victory)
        .collect();
    let body = victory[0].content.body.as_ref().unwrap();
    assert_eq!(body.as_clear(), None, "the link in it is secret");
    let body = body.open(&kit.sealer).unwrap();
    assert_eq!(victory.len(), 1);
    let number = state.winner().unwrap().entry_number;
    for part in [
        format!("#{number} "),
        format!(
            "https://example.org/claim/{}",
            kit.claim_key.token(state.id, 0).to_text()
        ),
        raffle::fixtures::prize(RAFFLE).to_owned(),
    ] {
        assert!(body.contains(&part), "{body}");
    }
    let audit = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    assert_eq!(audit[0].action, Action::PerformDrawing);
    assert_eq!(audit[0].target, Some(state.id.to_string()));
}

pub fn the_log_says_everything_that_a_step_fixed<S: Store>(store: &S) {
    let kit = Kit::with_beacon(2);
    entered_with_friends(store, 1, 2);
    let state = waiting(store, &kit);
    let log = whole_log(store);
    let announcement = Announcement::from_details(&log[0].entry.details).unwrap();
    assert_eq!(announcement.commitment, state.plan.commitment);
    assert_eq!(announcement.round, state.announcement.step.round);
    assert_eq!(announcement.seal_before, state.announcement.step.seal_before);
    assert_eq!((announcement.cut_off, announcement.reason), (None, None));
    assert_eq!(log[0].entry.session, Some(staff_actor().session.get()));

    let details = drawing::SealDetails::from_details(&log[1].entry.details).unwrap();
    let seal = &state.seal.as_ref().unwrap().step;
    assert_eq!(details.opening, log[0].hash);
    assert_eq!(
        (details.root, details.weights_hash),
        (seal.root, seal.weights_hash)
    );
    assert_eq!((details.cut_off, details.entries), (seal.cut_off, 5));
    let by_kind = details.entries_by_kind;
    assert_eq!((by_kind.base, by_kind.bonus, by_kind.purchased), (3, 2, 0));
    assert_eq!(log[1].entry.random_seed, Some(seal.seed));
    assert_eq!(log[1].entry.participant_count, Some(3));
    assert!(seal.cut_off <= log[1].entry.at);
}

pub fn fifty_concurrent_requests_with_one_key_make_one_drawing<S: Store>(store: &S) {
    entered_with_friends(store, 1, 9);
    for (kit, key) in [(Kit::new(3), "off"), (Kit::with_beacon(4), "on")] {
        let states = at_once(50, |_| performed(store, &kit, &request(Some(key))));
        assert!(states.iter().all(|state| *state == states[0]), "{key}");
        assert_ne!(states[0].status, DrawingStatus::Announced);
    }
    assert_eq!(store.read(|tx| tx.count_drawings(None)).unwrap(), 2);
}

pub fn a_key_belongs_to_one_request<S: Store>(store: &S) {
    let kit = Kit::new(5);
    entered_with_friends(store, 1, 1);
    let first = PerformDrawing {
        prize: Some(Prize {
            name: "A prize".to_owned(),
            value: "$1".to_owned(),
        }),
        ..request(Some("one"))
    };
    let state = performed(store, &kit, &first);
    assert_eq!(performed(store, &kit, &first), state);
    let others = [
        PerformDrawing {
            raffle: GARDEN_BAG,
            ..first.clone()
        },
        PerformDrawing {
            reason: Some("again".to_owned()),
            ..first.clone()
        },
        PerformDrawing {
            prize: None,
            ..first.clone()
        },
    ];
    for other in others {
        let refused = kit.perform(store, &other);
        assert!(matches!(refused, Err(PerformError::KeyReused)), "{refused:?}");
    }
    let again = PerformDrawing {
        idempotency_key: IdempotencyKey::parse("two"),
        ..first
    };
    assert_ne!(performed(store, &kit, &again).id, state.id);
}

pub fn of_concurrent_requests_one_is_the_drawing_of_the_month<S: Store>(store: &S) {
    let kit = Kit {
        production: true,
        ..Kit::with_beacon(6)
    };
    entered_with_friends(store, 1, 3);
    let results = at_once(8, |_| kit.perform(store, &request(None)));
    let refused = results
        .iter()
        .filter(|result| matches!(result, Err(PerformError::AlreadyDrawn)));
    assert_eq!((refused.count(), log_actions(store).len()), (7, 2));
}

pub fn in_production_an_additional_drawing_needs_a_reason_and_a_day<S: Store>(store: &S) {
    let kit = Kit {
        production: true,
        ..Kit::with_beacon(7)
    };
    entered_with_friends(store, 1, 3);
    let regular = waiting(store, &kit);
    let refused = kit.perform(store, &request(None));
    assert!(matches!(refused, Err(PerformError::AlreadyDrawn)), "{refused:?}");
    let asked = PerformDrawing {
        prize: Some(Prize {
            name: "A watering can".to_owned(),
            value: "$20".to_owned(),
        }),
        ..additional("The winner of the anniversary")
    };
    let before = now(store);
    let Performed::Waiting(state) = kit.perform(store, &asked).unwrap() else {
        panic!("it is drawn a day later");
    };
    assert_eq!(state.status, DrawingStatus::Announced);
    let notice = state.announcement.step.seal_due_at - before;
    assert!(notice >= TimeDelta::hours(24), "{notice}");
    assert!(state.announcement.step.round_at.unwrap() >= before + TimeDelta::hours(25));
    let public = Announcement::from_details(&state.announcement.entry.entry.details).unwrap();
    assert_eq!(public.kind, DrawingKind::Additional);
    let own = DrawingPrize::own(asked.prize.clone().unwrap());
    assert_eq!((public.reason, public.prize), (asked.reason, own.announced()));
    assert_eq!((own.value_in_cents, public.version), (2_000, None));
    assert_eq!(find(store, regular.id), regular, "it replaces nothing");
    let sealed = usecases::drawings::seal(store, kit.tools(), state.id).unwrap();
    assert_eq!(sealed, state, "nobody can seal it before its time");
}

pub fn in_development_a_second_drawing_is_additional_at_once<S: Store>(store: &S) {
    let kit = Kit::new(8);
    entered_with_friends(store, 1, 3);
    let (first, second) = (drawn(store, &kit), drawn(store, &kit));
    assert_eq!(first.plan.kind, DrawingKind::Regular);
    assert_eq!(second.plan.kind, DrawingKind::Additional);
    assert_eq!(second.plan.reason.as_deref(), Some("not stated"));
    assert_ne!(first.plan.commitment, second.plan.commitment);
}

pub fn a_reason_for_the_first_drawing_of_a_month_changes_nothing<S: Store>(store: &S) {
    let kit = Kit::new(9);
    entered_with_friends(store, 1, 3);
    let state = performed(store, &kit, &additional("because"));
    assert_eq!(
        (state.plan.kind, &state.plan.reason),
        (DrawingKind::Regular, &None)
    );
}

pub fn a_drawing_without_participants_announces_nothing<S: Store>(store: &S) {
    for kit in [Kit::new(10), Kit::with_beacon(11)] {
        let refused = kit.perform(store, &request(None));
        assert!(
            matches!(refused, Err(PerformError::NoParticipants)),
            "{refused:?}"
        );
    }
    assert!(log_actions(store).is_empty());
    assert_eq!(store.read(|tx| tx.open_drawing(RAFFLE)).unwrap(), None);
}

pub fn an_empty_seal_is_void_and_keeps_its_commitment<S: Store>(store: &S) {
    let kit = Kit::with_beacon(12);
    let announced = kit.announce_by_hand(store, |_, _| ());
    let void = usecases::drawings::seal(store, kit.tools(), announced.id).unwrap();
    assert!(void.was_empty());
    assert_eq!(find(store, void.id), void);
    assert_eq!(log_actions(store), ["drawing_announced", "drawing_void"]);
    assert_eq!(
        whole_log(store)[1].entry.details,
        r#"{"reason":"no participants"}"#
    );
    assert_eq!(store.read(|tx| tx.count_drawings(None)).unwrap(), 0);
    assert_eq!(store.read(|tx| tx.count_voids(RAFFLE)).unwrap(), 0);

    entered_with_friends(store, 1, 1);
    let next = waiting(store, &kit);
    assert_eq!(next.plan.commitment, announced.plan.commitment, "no second try");
    assert_eq!(
        (next.plan.kind, next.plan.period),
        (DrawingKind::Regular, void.plan.period)
    );
    assert_eq!(store.read(|tx| tx.unused_commitment(RAFFLE)).unwrap(), None);
    let additional = waiting(store, &kit);
    assert_ne!(additional.plan.commitment, announced.plan.commitment);
}

pub fn no_drawing_happens_if_its_secrets_cannot_be_opened<S: Store>(store: &S) {
    let kit = Kit::with_beacon(13);
    entered_with_friends(store, 1, 1);
    let announced = kit.announce_by_hand(store, |_, _| ());
    let other = Kit {
        sealer: super::kit::NamedSealer("other"),
        ..Kit::with_beacon(14)
    };
    let refused = usecases::drawings::seal(store, other.tools(), announced.id);
    assert!(
        matches!(refused, Err(usecases::drawings::SealError::Secrets)),
        "{refused:?}"
    );
    assert_eq!(find(store, announced.id), announced);
    let sealed = usecases::drawings::seal(store, kit.tools(), announced.id).unwrap();
    assert_eq!(sealed.status, DrawingStatus::Sealed);
}

/// Some entrants would still have the entries for their friends, and others not.
pub fn nothing_is_announced_or_sealed_while_referrals_are_partly_cleared<S: Store>(store: &S) {
    let kit = Kit::with_beacon(15);
    for popular in [10, 20, 30] {
        entered_with_friends(store, popular, 2);
    }
    let announced = kit.announce_by_hand(store, |_, _| ());
    let id = new_job(store, ClearingKind::ClearReferrals);
    let step = || clearing::step(store, &Noon, id, SMALL_BATCHES).unwrap();
    step();
    step();
    let refused = kit.perform(store, &request(None));
    assert!(
        matches!(refused, Err(PerformError::ClearingUnfinished)),
        "{refused:?}"
    );
    let refused = usecases::drawings::seal(store, kit.tools(), announced.id);
    assert!(
        matches!(refused, Err(usecases::drawings::SealError::ClearingUnfinished)),
        "{refused:?}"
    );
    while step() == clearing::Step::Progress {}
    let sealed = usecases::drawings::seal(store, kit.tools(), announced.id).unwrap();
    assert_eq!(sealed.seal.unwrap().step.entries, 9, "one for each entrant");
}

/// A raffle with what another one says, another prize and one entrant. It opens now.
fn opened_with_another_prize<S: Store>(store: &S, key: RaffleKey) {
    usecases::raffles::copy(store, staff_actor(), RAFFLE, key).unwrap();
    publish_prize(store, Tz::UTC, key, "What it says first");
    publish_prize(store, Tz::UTC, key, "What it opens with");
    let open = ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: key,
        when: When::Now,
        reason: None,
    };
    usecases::raffles::open(store, Tz::UTC, &open).unwrap();
    let mut sign_up = command(phone(1), None);
    sign_up.raffle = Some(key);
    usecases::entering::enter(store, &Noon, &SeededEntropy::new(1), &sign_up, None).unwrap();
}

/// Publishes what a raffle says, with another prize.
pub(crate) fn publish_prize<S: Store>(store: &S, zone: Tz, raffle: RaffleKey, name: &str) {
    let draft = usecases::raffles::file(store, raffle).unwrap().unwrap().draft;
    let mut content = draft.content;
    content.name = name.to_owned();
    let (actor, revision) = (staff_actor(), draft.revision);
    let save = SaveDraft {
        actor,
        raffle,
        revision,
        content,
    };
    let draft = usecases::raffles::save_draft(store, &save).unwrap();
    let publish = Publish {
        actor,
        second: SecondPerson::NotNeeded,
        raffle,
        revision: draft.revision,
        hash: Hash::new(draft.content.hash()),
    };
    usecases::raffles::publish(store, zone, &publish).unwrap();
}

/// What is published after the month has begun is no prize of it.
pub fn the_prize_of_a_month_is_announced_with_its_version<S: Store>(store: &S) {
    let kit = Kit::with_beacon(61);
    add_rules(store);
    entered_with_friends(store, 1, 3);
    publish_prize(store, Tz::UTC, RAFFLE, "Another prize");
    let expected = promised(store, &kit).unwrap();
    let state = waiting(store, &kit);
    let first = store.read(|tx| tx.list_versions(RAFFLE)).unwrap().pop().unwrap();
    assert_eq!(first.number, 1);
    assert_eq!(state.plan.prize, DrawingPrize::of_version(&first));
    assert_eq!(state.plan.prize.words.name, raffle::fixtures::prize(RAFFLE));
    let announced = Announcement::from_details(&state.announcement.entry.entry.details).unwrap();
    assert_eq!(announced.prize, state.plan.prize.announced());
    assert_eq!(announced.version, state.plan.prize.version);
    let proof = usecases::drawings::proof(store, state.id).unwrap();
    assert_eq!(proof.version, Some(first.content.bytes()));
    // So the rules say, before and after.
    assert_eq!((&expected.prize, expected.drawing), (&state.plan.prize, None));
    let said = promised(store, &kit).unwrap();
    assert_eq!((said.prize, said.drawing), (expected.prize, Some(state.clone())));
    let next = said.waiting.unwrap();
    assert_eq!(next.content.name, "Another prize");
    assert!(next.takes_effect_at > said.counts_from);
    assert_eq!(find(store, state.id), state);
}

pub fn a_raffle_that_opens_in_a_month_is_drawn_for_the_prize_that_it_opened_with<S: Store>(store: &S) {
    let kit = Kit::with_beacon(62);
    add_rules(store);
    let key: RaffleKey = "summer-box".parse().unwrap();
    opened_with_another_prize(store, key);
    publish_prize(store, Tz::UTC, key, "What it says later");
    let asked = PerformDrawing {
        raffle: key,
        ..request(None)
    };
    let state = performed(store, &kit, &asked);
    assert_eq!(state.plan.prize.words.name, "What it opens with");
    assert_eq!(state.plan.prize.version.unwrap().number, 2);
}

pub fn three_servers_announce_each_month_once<S: Store>(store: &S) {
    let kit = Kit {
        schedule: Schedule::Monthly,
        ..Kit::with_beacon(17)
    };
    at_once(3, |_| kit.advance(store));
    assert_eq!(log_actions(store), ["drawing_announced"; 4]);
    let overview = usecases::drawings::overview(store, kit.tools()).unwrap().0;
    let raffles: BTreeSet<_> = overview.iter().map(|state| state.raffle.key).collect();
    assert_eq!(raffles.len(), 4);
    for state in overview {
        let regular = state.regular.unwrap();
        assert!(regular.is_scheduled());
        assert_eq!(state.open, Some(regular));
    }
}

/// Also before there is a drawing: whoever adds entries to the ledger later is found.
pub fn checkpoints_begin_with_the_first_entrant<S: Store>(store: &S) {
    entered_with_friends(store, 1, 0);
    assert!(usecases::drawings::checkpoint(store).unwrap());
    assert!(!usecases::drawings::checkpoint(store).unwrap());
    let log = whole_log(store);
    let details = drawing::steps::CheckpointDetails::from_details(&log[0].entry.details).unwrap();
    assert_eq!((log.len(), details.ledger_rows), (1, 1));
    drawn(store, &Kit::new(18));
    assert!(usecases::drawings::verify_log(store).is_ok());
}

pub fn there_is_one_checkpoint_a_day<S: Store>(store: &S) {
    assert!(
        !usecases::drawings::checkpoint(store).unwrap(),
        "nobody has entered"
    );
    entered_with_friends(store, 1, 3);
    drawn(store, &Kit::new(18));
    let written = at_once(3, |_| usecases::drawings::checkpoint(store).unwrap());
    assert_eq!(written.iter().filter(|written| **written).count(), 1);
    let log = whole_log(store);
    let details = drawing::steps::CheckpointDetails::from_details(&log[3].entry.details).unwrap();
    assert_eq!((details.ledger_rows, details.ledger_sum), (7, 7));
    let audit = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), PageRequest::default()))
        .unwrap();
    assert_eq!(details.audit_log_last_id, audit[0].id);
    let head = store.read(|tx| tx.chain_head()).unwrap().unwrap();
    assert_eq!(details.audit_log_hash.unwrap().as_bytes(), head.hash.as_bytes());
    assert!(usecases::drawings::verify_log(store).is_ok());
}

pub fn drawings_are_listed_from_the_seal_on<S: Store>(store: &S) {
    let kit = Kit::with_beacon(19);
    entered_with_friends(store, 1, 3);
    let announced = kit.announce_by_hand(store, |plan, _| plan.kind = DrawingKind::Additional);
    let (sealed, drawn) = (waiting(store, &kit), drawn(store, &Kit::new(20)));
    let list = |sort, order| -> Vec<_> {
        let page = usecases::drawings::list(store, None, sort, order, PageRequest::default()).unwrap();
        assert_eq!(page.total, 2);
        page.drawings.iter().map(|drawing| drawing.id).collect()
    };
    assert_eq!(
        list(DrawingSort::CreatedAt, SortOrder::Descending),
        [drawn.id, sealed.id]
    );
    for order in [SortOrder::Ascending, SortOrder::Descending] {
        let by_number = list(DrawingSort::WinningEntryNumber, order);
        assert_eq!(by_number, [drawn.id, sealed.id], "without a number: last");
    }
    let found = usecases::drawings::find(store, announced.id).unwrap();
    assert_eq!(found.status, DrawingStatus::Announced);
}
