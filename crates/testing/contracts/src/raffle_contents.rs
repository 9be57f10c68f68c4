//! What staff write of raffles and publish (D57, D58, D59).

use crate::Store;
use crate::drawing_flow::kit::now;
use crate::support::{at_once, staff_actor};
use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use drawing::Hash;
use kernel::{DatabaseClock, StoreError};
use raffle::{Content, Draft, RaffleKey, Raffles, Version, Versions, fixtures};
use sms::{Label, MessageTemplate, NewTemplate, Templates};
use staff::{Action, AuditFilter, AuditLog, NeedsApproval, SecondPerson};
use usecases::raffles::{
    ChangeOpening, EditError, Publish, PublishError, SaveDraft, When, copy, create, delete, file, order,
    publish, save_draft,
};

const BOX: RaffleKey = match RaffleKey::new("summer-box") {
    Some(key) => key,
    None => panic!("no key"),
};

fn content_of<S: Store>(store: &S, raffle: RaffleKey) -> Content {
    file(store, raffle).unwrap().unwrap().draft.content
}

/// What the garden bag says, with another title.
fn titled<S: Store>(store: &S, title: &str) -> Content {
    Content {
        title: title.to_owned(),
        ..content_of(store, fixtures::GARDEN_BAG)
    }
}

fn save<S: Store>(store: &S, raffle: RaffleKey, revision: i64, content: Content) -> Result<Draft, EditError> {
    let actor = staff_actor();
    save_draft(
        store,
        &SaveDraft {
            actor,
            raffle,
            revision,
            content,
        },
    )
}

fn command(draft: &Draft, second: SecondPerson) -> Publish {
    Publish {
        actor: staff_actor(),
        second,
        raffle: draft.raffle,
        revision: draft.revision,
        hash: Hash::new(draft.content.hash()),
    }
}

fn published<S: Store>(store: &S, draft: &Draft) -> Version {
    publish(store, Tz::UTC, &command(draft, SecondPerson::NotNeeded)).unwrap()
}

/// A raffle that says something, published once.
fn made<S: Store>(store: &S) -> (Draft, Version) {
    create(store, staff_actor(), BOX).unwrap();
    let draft = save(store, BOX, 1, titled(store, "Summer")).unwrap();
    let version = published(store, &draft);
    (draft, version)
}

fn opened<S: Store>(store: &S) {
    let command = ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: BOX,
        when: When::Now,
        reason: None,
    };
    usecases::raffles::open(store, Tz::UTC, &command).unwrap();
}

fn in_force<S: Store>(store: &S, at: DateTime<Utc>) -> Option<i64> {
    let version = store.read(|tx| tx.version_in_force(BOX, at)).unwrap();
    version.map(|version| version.number)
}

fn actions<S: Store>(store: &S) -> Vec<Action> {
    let page = kernel::PageRequest { limit: 50, offset: 0 };
    let log = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), page))
        .unwrap();
    log.into_iter().rev().map(|entry| entry.action).collect()
}

pub fn a_raffle_is_made_written_and_published<S: Store>(store: &S) {
    let made = create(store, staff_actor(), BOX).unwrap();
    assert_eq!((made.raffle.number, made.draft.revision), (5, 1));
    assert_eq!(
        (made.draft.content, made.versions, made.in_force),
        (Content::default(), vec![], None)
    );
    let listed = store.read(|tx| tx.list_raffles()).unwrap();
    assert_eq!(listed.keys().last(), Some(BOX));
    let draft = save(store, BOX, 1, titled(store, "Summer")).unwrap();
    assert_eq!((draft.revision, draft.content.title.as_str()), (2, "Summer"));
    let version = published(store, &draft);
    assert_eq!(
        (version.number, version.takes_effect_at),
        (1, version.published_at)
    );
    let seen = file(store, BOX).unwrap().unwrap();
    assert_eq!(
        (seen.draft, &seen.versions, seen.in_force),
        (draft.clone(), &vec![version.clone()], Some(1))
    );
    let bytes = store.read(|tx| tx.version_bytes(BOX, 1)).unwrap();
    assert_eq!(bytes, Some(draft.content.bytes()));
    let at = now(store);
    let all = store.read(|tx| tx.versions_in_force(at)).unwrap();
    assert_eq!((all.len(), all.get(&BOX)), (5, Some(&version)));
    let newest = store.read(|tx| tx.newest_versions()).unwrap();
    assert_eq!(newest, all);
    assert_eq!(
        actions(store),
        [
            Action::CreateRaffle,
            Action::SaveRaffleDraft,
            Action::PublishRaffle
        ]
    );
}

pub fn a_key_is_given_once<S: Store>(store: &S) {
    let made = at_once(4, |_| create(store, staff_actor(), BOX));
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
    assert!(
        made.iter()
            .all(|made| matches!(made, Ok(_) | Err(EditError::KeyTaken))),
        "{made:?}"
    );
    let again = copy(store, staff_actor(), fixtures::GARDEN_BAG, BOX);
    assert!(matches!(again, Err(EditError::KeyTaken)), "{again:?}");
}

pub fn a_copy_says_what_the_draft_of_the_other_says<S: Store>(store: &S) {
    let copied = copy(store, staff_actor(), fixtures::FRESH_SIPS, BOX).unwrap();
    assert_eq!(copied.draft.content, content_of(store, fixtures::FRESH_SIPS));
    assert_eq!((copied.draft.revision, copied.versions.len()), (1, 0));
}

/// Nobody overwrites what somebody else has changed meanwhile.
pub fn of_those_who_save_a_draft_at_once_one_is_first<S: Store>(store: &S) {
    create(store, staff_actor(), BOX).unwrap();
    let contents: Vec<_> = (0..6).map(|n| titled(store, &format!("Title {n}"))).collect();
    let saved = at_once(6, |n| save(store, BOX, 1, contents[n as usize].clone()));
    let first: Vec<_> = saved.iter().flatten().collect();
    assert_eq!(first.len(), 1, "{saved:?}");
    let refused = saved
        .iter()
        .filter(|saved| matches!(saved, Err(EditError::ChangedMeanwhile)));
    assert_eq!(refused.count(), 5, "{saved:?}");
    assert_eq!(&file(store, BOX).unwrap().unwrap().draft, first[0]);
    let again = save(store, BOX, 1, first[0].content.clone()).unwrap();
    assert_eq!(&again, first[0], "its answer was lost");
}

pub fn what_was_looked_at_is_published_or_nothing<S: Store>(store: &S) {
    create(store, staff_actor(), BOX).unwrap();
    let draft = file(store, BOX).unwrap().unwrap().draft;
    let incomplete = publish(store, Tz::UTC, &command(&draft, SecondPerson::NotNeeded));
    assert!(
        matches!(incomplete, Err(PublishError::Incomplete)),
        "{incomplete:?}"
    );
    let seen = save(store, BOX, 1, titled(store, "Seen")).unwrap();
    save(store, BOX, 2, titled(store, "Another")).unwrap();
    let outdated = publish(store, Tz::UTC, &command(&seen, SecondPerson::NotNeeded));
    assert!(
        matches!(outdated, Err(PublishError::ChangedMeanwhile)),
        "{outdated:?}"
    );
    let other = Publish {
        revision: 3,
        ..command(&seen, SecondPerson::NotNeeded)
    };
    let other = publish(store, Tz::UTC, &other);
    assert!(matches!(other, Err(PublishError::ChangedMeanwhile)), "{other:?}");
    assert_eq!(file(store, BOX).unwrap().unwrap().versions, []);
}

pub fn a_draft_is_published_once<S: Store>(store: &S) {
    create(store, staff_actor(), BOX).unwrap();
    let draft = save(store, BOX, 1, titled(store, "Summer")).unwrap();
    let versions = at_once(6, |_| published(store, &draft));
    assert!(
        versions.iter().all(|version| *version == versions[0]),
        "{versions:?}"
    );
    assert_eq!(file(store, BOX).unwrap().unwrap().versions, versions[..1]);
}

pub fn another_prize_waits_and_a_newer_version_replaces_it<S: Store>(store: &S) {
    let (draft, _) = made(store);
    opened(store);
    let mut prize = draft.content.clone();
    prize.name = "Another prize".to_owned();
    let draft = save(store, BOX, draft.revision, prize.clone()).unwrap();
    let waiting = published(store, &draft);
    let effect = waiting.takes_effect_at;
    assert!(effect - waiting.published_at >= TimeDelta::hours(24));
    assert_eq!((effect.day(), effect.num_seconds_from_midnight()), (1, 0));
    assert_eq!(
        (in_force(store, now(store)), in_force(store, effect)),
        (Some(1), Some(2))
    );

    prize.title = "Other words".to_owned();
    let draft = save(store, BOX, draft.revision, prize).unwrap();
    assert_eq!(
        published(store, &draft).takes_effect_at,
        effect,
        "it has the prize that waited"
    );
    let words = titled(store, "Other words about the prize in force");
    let draft = save(store, BOX, draft.revision, words).unwrap();
    let now_in_force = published(store, &draft);
    assert_eq!(
        (now_in_force.number, now_in_force.takes_effect_at),
        (4, now_in_force.published_at)
    );
    assert_eq!(
        (in_force(store, now(store)), in_force(store, effect)),
        (Some(4), Some(4))
    );
}

pub fn two_people_publish_what_is_open<S: Store>(store: &S) {
    let (draft, _) = made(store);
    let draft = save(store, BOX, draft.revision, titled(store, "One")).unwrap();
    let alone = |draft: &Draft| publish(store, Tz::UTC, &command(draft, SecondPerson::Missing));
    assert_eq!(alone(&draft).unwrap().number, 2, "nobody sees it");
    opened(store);
    let draft = save(store, BOX, draft.revision, titled(store, "Two")).unwrap();
    let refused = alone(&draft);
    assert!(
        matches!(refused, Err(PublishError::NeedsApproval(NeedsApproval))),
        "{refused:?}"
    );
    let agreed = publish(store, Tz::UTC, &command(&draft, SecondPerson::Agreed)).unwrap();
    assert_eq!(agreed.number, 3);
}

/// What two people have opened for later is not changed by one.
pub fn two_people_publish_what_opens_later<S: Store>(store: &S) {
    let (draft, _) = made(store);
    let command_to_open = ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::Agreed,
        raffle: BOX,
        when: When::Month,
        reason: None,
    };
    usecases::raffles::open(store, Tz::UTC, &command_to_open).unwrap();
    let draft = save(store, BOX, draft.revision, titled(store, "Two")).unwrap();
    let alone = publish(store, Tz::UTC, &command(&draft, SecondPerson::Missing));
    assert!(
        matches!(alone, Err(PublishError::NeedsApproval(NeedsApproval))),
        "{alone:?}"
    );
}

pub fn raffles_are_ordered<S: Store>(store: &S) {
    create(store, staff_actor(), BOX).unwrap();
    let keys = |store: &S| -> Vec<_> { store.read(|tx| tx.list_raffles()).unwrap().keys().collect() };
    let mut reversed = keys(store);
    reversed.reverse();
    order(store, staff_actor(), &reversed).unwrap();
    assert_eq!(keys(store), reversed);
    for wrong in [&reversed[1..], &[&reversed[..], &[BOX]].concat(), &[BOX; 5]] {
        let refused = order(store, staff_actor(), wrong);
        assert!(matches!(refused, Err(EditError::ChangedMeanwhile)), "{refused:?}");
    }
    order(store, staff_actor(), &reversed).unwrap();
    assert_eq!(actions(store), [Action::CreateRaffle, Action::OrderRaffles]);
}

pub fn a_raffle_that_was_never_open_is_deleted<S: Store>(store: &S) {
    made(store);
    delete(store, staff_actor(), BOX).unwrap();
    assert_eq!(file(store, BOX).unwrap(), None);
    let gone = delete(store, staff_actor(), BOX);
    assert!(matches!(gone, Err(EditError::UnknownRaffle)), "{gone:?}");
    let again = create(store, staff_actor(), BOX).unwrap();
    assert_eq!(again.raffle.number, 6, "a number is used once");
}

pub fn a_raffle_that_something_names_is_not_deleted<S: Store>(store: &S) {
    made(store);
    let template = NewTemplate {
        name: Label::parse("Summer").unwrap(),
        raffle: BOX,
        message: MessageTemplate::parse("Enter: {LINK}", "{LINK}").unwrap(),
        is_active: true,
    };
    let at = now(store);
    store
        .transaction(|tx| tx.add_template(&template, None, at))
        .unwrap();
    let refused = delete(store, staff_actor(), BOX);
    assert!(matches!(refused, Err(EditError::InUse)), "{refused:?}");
    assert_eq!(file(store, BOX).unwrap().unwrap().versions.len(), 1);
}

pub fn a_raffle_that_was_open_is_not_deleted<S: Store>(store: &S) {
    made(store);
    opened(store);
    for raffle in [BOX, fixtures::GARDEN_BAG] {
        let refused = delete(store, staff_actor(), raffle);
        assert!(matches!(refused, Err(EditError::InUse)), "{refused:?}");
    }
}

/// Whoever opens a raffle finds it, or whoever deletes it does.
pub fn a_raffle_is_opened_or_deleted<S: Store>(store: &S) {
    made(store);
    let command = ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: BOX,
        when: When::Now,
        reason: None,
    };
    let done = at_once(2, |n| match n {
        0 => delete(store, staff_actor(), BOX).is_ok(),
        _ => usecases::raffles::open(store, Tz::UTC, &command).is_ok(),
    });
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    let is_there = file(store, BOX).unwrap().is_some();
    assert_eq!(is_there, done[1]);
    let at = store
        .transaction::<_, StoreError>(|tx| tx.database_time())
        .unwrap();
    assert_eq!(in_force(store, at).is_some(), done[1]);
}
