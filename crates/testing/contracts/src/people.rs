//! What staff see and note about entrants.

use crate::Store;
use crate::appeals::{appeal, decide};
use crate::flags::{bonus_and_friends, flag, flagged};
use crate::support::{
    Noon, SeededEntropy, assert_balanced, at_once, entered, entered_through, ledger_of, messages_to,
    new_entrant, noon, phone, staff_actor,
};
use drawing::Drawings;
use fraud::{AppealOutcome, Decision, Flags};
use kernel::{EntrantId, Entropy, PageRequest, Phone, StoreError, StoredText};
use people::{
    DataSource, ImportFile, ImportLine, NewMark, Notes, People, PeopleFilter, PeopleQuery, Person, PersonEdit,
};
use privacy::{Erased, Erasure};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use raffle::{Entrant, Entrants, RaffleKey};
use sms::{NewReply, OptOuts, ProviderMessageId, Replies};
use staff::{Action, AuditFilter, AuditLog, MemberId, SecondPerson};
use usecases::people::{ImportError, ImportTools, Imported, MarkError, PersonError, PersonFile};

const FIRST: PageRequest = PageRequest { limit: 50, offset: 0 };

fn list<S: Store>(store: &S, filter: &PeopleFilter, page: PageRequest) -> Vec<EntrantId> {
    let found = store.snapshot(|tx| tx.list_people(filter, page)).unwrap();
    found.into_iter().map(|row| row.id).collect()
}

fn found<S: Store>(store: &S, typed: &str) -> Vec<EntrantId> {
    let filter = PeopleFilter {
        query: PeopleQuery::parse(typed).unwrap(),
        ..PeopleFilter::default()
    };
    let ids = list(store, &filter, FIRST);
    let counted = store.snapshot(|tx| tx.count_people(&filter, 1_000)).unwrap();
    assert_eq!(counted, i64::try_from(ids.len()).unwrap());
    ids
}

fn person<S: Store>(store: &S, id: EntrantId) -> Person {
    store.snapshot(|tx| tx.find_person_file(id)).unwrap().unwrap()
}

fn edit<S: Store>(
    store: &S,
    entrant: EntrantId,
    tags: Option<&[&str]>,
    notes: Option<&str>,
) -> Option<Notes> {
    let edit = PersonEdit {
        entrant,
        tags: tags.map(|tags| tags.iter().map(|tag| (*tag).to_owned()).collect()),
        notes: notes.map(str::to_owned),
        at: noon(),
    };
    match usecases::people::edit(store, staff_actor(), &edit) {
        Ok(notes) => Some(notes),
        Err(PersonError::Unknown) => None,
        Err(PersonError::Store(error)) => panic!("{error}"),
    }
}

pub(crate) fn mark<S: Store>(
    store: &S,
    duplicate: EntrantId,
    original: EntrantId,
) -> Result<PersonFile, MarkError> {
    let mark = NewMark {
        duplicate,
        original,
        reason: StoredText::line("Two phones, one person", 500).unwrap(),
        at: noon(),
    };
    usecases::people::mark_duplicate(store, staff_actor(), &mark)
}

pub(crate) fn unmark<S: Store>(store: &S, duplicate: EntrantId) -> Result<PersonFile, MarkError> {
    usecases::people::unmark_duplicate(store, &Noon, staff_actor(), duplicate)
}

fn set_flag<S: Store>(store: &S, entrant: EntrantId) {
    store.transaction(|tx| tx.flag(&flag(entrant))).unwrap();
}

fn erase<S: Store>(store: &S, entrant: &Entrant) {
    let erased = store.transaction::<_, StoreError>(|tx| tx.erase_person(entrant.id, noon()));
    assert_eq!(erased.unwrap(), Erased::Done);
}

fn actions<S: Store>(store: &S, action: Action) -> usize {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    let entries = store.read(|tx| tx.list_audit(&filter, FIRST)).unwrap();
    entries.len()
}

pub fn people_are_found_in_every_way_in_which_a_query_can_be_read<S: Store>(store: &S) {
    // The number of the first is +15550004567; the third one's id is its last four digits.
    let new = [
        (4_566, phone(4_567), "FFFFFFFF"),
        (76, phone(14_567), "CCCCCCCC"),
        (4_566 + 1, phone(8), "DDDDDDDD"),
    ];
    let [first, second, third] = new.map(|(n, phone, code)| {
        let new = raffle::NewEntrant {
            id: EntrantId::new(n),
            phone,
            ..new_entrant(0, code)
        };
        store.transaction(|tx| tx.add_entrant(&new)).unwrap().unwrap()
    });
    assert_eq!(found(store, ""), [third, second, first], "the newest first");
    for typed in [
        "5550004567",
        "(555) 000-4567",
        "1-555-000-4567",
        "+1 555 000 4567",
    ] {
        assert_eq!(found(store, typed), [first], "{typed}");
    }
    assert_eq!(found(store, "4567"), [third, second, first], "the id too");
    assert_eq!(found(store, "0008"), [third]);
    assert_eq!(found(store, "cccccccc"), [second]);
    assert_eq!(found(store, "76"), [second]);
    assert_eq!(found(store, "9999"), []);
    assert_eq!(found(store, "5559999999"), []);
}

pub fn people_are_filtered_and_paged_newest_first<S: Store>(store: &S) {
    let ids: Vec<_> = (1..=4).map(|n| entered(store, n).id).collect();
    set_flag(store, ids[1]);
    edit(store, ids[2], Some(&["press", "vip"]), None);
    edit(store, ids[3], Some(&["vip"]), None);
    let by = |filter: &PeopleFilter| list(store, filter, FIRST);
    let flagged = |is_flagged| PeopleFilter {
        is_flagged: Some(is_flagged),
        ..PeopleFilter::default()
    };
    assert_eq!(by(&flagged(true)), [ids[1]]);
    assert_eq!(by(&flagged(false)), [ids[3], ids[2], ids[0]]);
    let tagged = |tag: &str| PeopleFilter {
        tag: Some(tag.to_owned()),
        ..PeopleFilter::default()
    };
    assert_eq!(by(&tagged("vip")), [ids[3], ids[2]]);
    assert_eq!(by(&tagged("press")), [ids[2]]);
    assert_eq!(by(&tagged("vi")), []);
    let of = |raffle| PeopleFilter {
        raffle: Some(raffle),
        ..PeopleFilter::default()
    };
    assert_eq!(by(&of(FRESH_SIPS)).len(), 4);
    assert_eq!(by(&of(GARDEN_BAG)), []);
    let all = PeopleFilter::default();
    assert_eq!(
        list(store, &all, PageRequest { limit: 2, offset: 1 }),
        [ids[2], ids[1]]
    );
    assert_eq!(
        store.snapshot(|tx| tx.count_people(&all, 3)).unwrap(),
        3,
        "no more is counted"
    );
    assert_eq!(
        store.snapshot(|tx| tx.count_people(&flagged(true), 3)).unwrap(),
        1
    );
    assert_eq!(store.read(|tx| tx.list_tags()).unwrap(), ["press", "vip"]);
}

pub fn a_file_has_everything_about_a_person<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let friend = entered_through(store, 2, &referrer.referral_code);
    let id = ProviderMessageId::parse("SM1").unwrap();
    let reply = NewReply::new(id, referrer.phone.clone(), "Hello", None, noon());
    store.transaction(|tx| tx.add_reply(&reply)).unwrap();
    let file = person(store, referrer.id);
    assert_eq!(file.profile.row.phone, Some(referrer.phone.clone()));
    assert_eq!(file.profile.row.total_entries, 2);
    assert_eq!((file.profile.base_entries, file.profile.bonus_entries), (1, 1));
    assert_eq!(file.profile.address, Some([192, 0, 2, 7].into()));
    assert_eq!(file.profile.user_agent.as_deref(), Some("Test"));
    let ledger: Vec<_> = file
        .ledger
        .rows
        .iter()
        .map(|row| (row.kind.as_str(), row.delta, row.cause))
        .collect();
    assert_eq!(
        ledger,
        [("referral", 1, friend.id.get()), ("base", 1, referrer.id.get())]
    );
    assert_eq!(file.ledger.total, 2);
    assert_eq!(
        (file.referrals.total, file.referrals.rows[0].friend.id),
        (1, friend.id)
    );
    assert!(!file.referrals.rows[0].is_reversed);
    assert_eq!(
        (file.replies.total, file.replies.rows[0].body.as_str()),
        (1, "Hello")
    );
    assert_eq!(
        (file.purchases.total, file.claims.len(), file.profile.erased_at),
        (0, 0, None)
    );
    assert!(!file.profile.has_opted_out);
    let by = person(store, friend.id).referred_by.unwrap();
    assert_eq!((by.id, by.phone), (referrer.id, Some(referrer.phone.clone())));

    store
        .transaction(|tx| tx.opt_out(&referrer.phone, noon()))
        .unwrap();
    assert!(person(store, referrer.id).profile.has_opted_out);
    set_flag(store, friend.id);
    assert!(person(store, referrer.id).referrals.rows[0].is_reversed);
    let unknown = store
        .snapshot(|tx| tx.find_person_file(EntrantId::new(77)))
        .unwrap();
    assert_eq!(unknown, None);
}

pub fn a_list_of_a_file_has_the_newest_hundred<S: Store>(store: &S) {
    let referrer = entered(store, 1);
    let friends: Vec<_> = (2..=102)
        .map(|n| entered_through(store, n, &referrer.referral_code).id)
        .collect();
    let file = person(store, referrer.id);
    assert_eq!((file.referrals.total, file.referrals.rows.len()), (101, 100));
    assert_eq!(file.referrals.rows[0].friend.id, friends[100]);
    assert_eq!((file.ledger.total, file.ledger.rows.len()), (102, 100));
}

pub fn tags_and_notes_are_changed_apart<S: Store>(store: &S) {
    let id = entered(store, 1).id;
    let notes = |tags: &[&str], notes: &str| {
        Some(Notes {
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            notes: notes.to_owned(),
        })
    };
    assert_eq!(
        edit(store, id, Some(&["vip", "press"]), None),
        notes(&["vip", "press"], "")
    );
    assert_eq!(
        edit(store, id, None, Some("Called\nin May")),
        notes(&["vip", "press"], "Called\nin May")
    );
    assert_eq!(edit(store, id, Some(&[]), None), notes(&[], "Called\nin May"));
    assert_eq!(Some(person(store, id).notes), notes(&[], "Called\nin May"));
    assert_eq!(edit(store, EntrantId::new(77), Some(&["vip"]), None), None);
    assert_eq!(actions(store, Action::EditPerson), 3);
}

pub fn a_mark_flags_the_duplicate_and_its_end_unflags_it<S: Store>(store: &S) {
    let referrer = entered(store, 9);
    let duplicate = entered_through(store, 1, &referrer.referral_code).id;
    let original = entered(store, 2).id;
    let ledger = store.read(|tx| ledger_of(tx, duplicate)).unwrap();
    let file = mark(store, duplicate, original).unwrap();
    let named = file.person.duplicate_of.unwrap();
    assert_eq!(
        (named.person.id, named.reason.as_str()),
        (original, "Two phones, one person")
    );
    assert_eq!(named.merged_at, noon());
    assert!(file.person.profile.row.is_duplicate && file.person.profile.row.is_flagged);
    assert_eq!(
        file.flag.unwrap().reason,
        format!("The same person as entry {original}")
    );
    assert_eq!(flagged(store), [duplicate.get()]);
    assert_eq!(
        bonus_and_friends(store, referrer.id).0,
        0,
        "as of every flagged friend"
    );
    let duplicates = person(store, original).duplicates;
    assert_eq!(
        duplicates.iter().map(|other| other.person.id).collect::<Vec<_>>(),
        [duplicate]
    );
    assert_eq!(
        store.read(|tx| ledger_of(tx, duplicate)).unwrap(),
        ledger,
        "it keeps its ledger"
    );
    let participants = store.snapshot(|tx| tx.raffle_statistics()).unwrap();
    let of_raffle = participants.iter().find(|row| row.raffle == FRESH_SIPS);
    assert_eq!(
        of_raffle.map(|row| row.participants),
        Some(2),
        "drawings leave it out"
    );

    assert!(matches!(
        mark(store, duplicate, original),
        Err(MarkError::AlreadyMarked)
    ));
    let file = unmark(store, duplicate).unwrap();
    assert_eq!((file.person.duplicate_of, file.flag), (None, None));
    assert_eq!(flagged(store), [0; 0]);
    assert_eq!(bonus_and_friends(store, referrer.id).0, 1);
    assert!(matches!(unmark(store, duplicate), Err(MarkError::NotMarked)));
    assert_eq!(
        (
            actions(store, Action::MarkDuplicate),
            actions(store, Action::UnmarkDuplicate)
        ),
        (1, 1)
    );
    assert_balanced(store);
}

pub fn a_mark_of_a_flagged_entry_leaves_its_flag<S: Store>(store: &S) {
    let [duplicate, original] = [1, 2].map(|n| entered(store, n).id);
    set_flag(store, duplicate);
    let before = store.read(|tx| tx.find_flagged(duplicate)).unwrap();
    assert_eq!(mark(store, duplicate, original).unwrap().flag, before);
    assert_eq!(unmark(store, duplicate).unwrap().flag, before);
}

pub fn the_end_of_a_flag_ends_the_mark<S: Store>(store: &S) {
    let [duplicate, original] = [1, 2].map(|n| entered(store, n).id);
    mark(store, duplicate, original).unwrap();
    store.transaction(|tx| tx.unflag(duplicate, noon())).unwrap();
    assert_eq!(person(store, duplicate).duplicate_of, None);
    assert!(matches!(unmark(store, duplicate), Err(MarkError::NotMarked)));

    mark(store, duplicate, original).unwrap();
    let AppealOutcome::Added(id) = appeal(store, duplicate, 0) else {
        panic!("a duplicate may appeal");
    };
    decide(store, id, Decision::Accept).unwrap();
    assert_eq!(person(store, duplicate).duplicate_of, None);
    let file = usecases::people::get(store, duplicate).unwrap();
    assert_eq!((file.flag, file.appeals.len()), (None, 1));
}

pub fn marks_make_no_circle<S: Store>(store: &S) {
    let [a, b, c] = [1, 2, 3].map(|n| entered(store, n).id);
    let unknown = EntrantId::new(77);
    assert!(matches!(mark(store, a, a), Err(MarkError::Oneself)));
    assert!(matches!(mark(store, a, unknown), Err(MarkError::UnknownOriginal)));
    assert!(matches!(mark(store, unknown, a), Err(MarkError::Unknown)));
    mark(store, a, b).unwrap();
    assert!(matches!(mark(store, b, a), Err(MarkError::OriginalIsDuplicate)));
    assert!(matches!(mark(store, c, a), Err(MarkError::OriginalIsDuplicate)));
    mark(store, b, c).unwrap();
    assert!(matches!(mark(store, c, a), Err(MarkError::OriginalIsDuplicate)));
    assert_eq!(person(store, c).duplicate_of, None);
    assert!(!flagged(store).contains(&c.get()), "a refused mark flags nobody");
}

pub fn of_two_marks_that_make_a_circle_at_once_one_is_stored<S: Store>(store: &S) {
    for round in 0..5 {
        let pair = [1, 2].map(|n| entered(store, 10 * round + n).id);
        let marked = at_once(2, |n| {
            let (duplicate, original) = match n {
                0 => (pair[0], pair[1]),
                _ => (pair[1], pair[0]),
            };
            mark(store, duplicate, original).is_ok()
        });
        assert_eq!(marked.iter().filter(|is_marked| **is_marked).count(), 1);
        let duplicates = pair.map(|id| person(store, id).duplicate_of.is_some());
        assert_eq!(duplicates, [marked[0], marked[1]]);
    }
    assert_balanced(store);
}

pub fn an_erased_person_is_not_listed_and_leaves_a_file_without_a_number<S: Store>(store: &S) {
    let [entrant, original] = [1, 2].map(|n| entered(store, n));
    edit(store, entrant.id, Some(&["vip"]), Some("Called in May"));
    mark(store, entrant.id, original.id).unwrap();
    erase(store, &entrant);
    let number = entrant.phone.as_e164();
    assert_eq!(
        (found(store, ""), found(store, number)),
        (vec![original.id], vec![])
    );
    let file = person(store, entrant.id);
    let none: Option<Phone> = None;
    assert_eq!(
        (file.profile.row.phone, file.profile.erased_at),
        (none, Some(noon()))
    );
    assert_eq!((file.notes, file.duplicate_of), (Notes::default(), None));
    assert_eq!(file.ledger.total, 1);
    assert_eq!(person(store, original.id).duplicates, []);
    assert_eq!(edit(store, entrant.id, Some(&["vip"]), None), None);
    assert!(matches!(
        mark(store, original.id, entrant.id),
        Err(MarkError::UnknownOriginal)
    ));
    assert_eq!(store.read(|tx| tx.list_tags()).unwrap(), [""; 0]);
}

pub(crate) fn import_line(n: u32) -> ImportLine {
    ImportLine {
        line: u64::from(n),
        phone: phone(n),
        raffle: GARDEN_BAG,
        consent_basis: StoredText::line("Signed up at our booth", 500).unwrap(),
    }
}

/// Imports numbers into a raffle.
pub(crate) fn import_into<S: Store>(store: &S, raffle: RaffleKey, numbers: impl IntoIterator<Item = u32>) {
    let line = |n| ImportLine {
        raffle,
        ..import_line(n)
    };
    let numbers: Vec<u32> = numbers.into_iter().collect();
    let entropy = SeededEntropy::new(numbers.iter().map(|n| u64::from(*n)).sum());
    let lines: Vec<_> = numbers.into_iter().map(line).collect();
    let count = lines.len();
    assert_eq!(import_alone(store, &entropy, lines).imported, count);
}

fn import_lines<S: Store>(store: &S, seed: u64, numbers: impl IntoIterator<Item = u32>) -> Imported {
    let lines = numbers.into_iter().map(import_line).collect();
    import_alone(store, &SeededEntropy::new(seed), lines)
}

fn import_alone<S: Store>(store: &S, entropy: &dyn Entropy, lines: Vec<ImportLine>) -> Imported {
    try_alone(store, entropy, lines).unwrap()
}

/// As on a site that does not ask for a second person.
fn try_alone<S: Store>(
    store: &S,
    entropy: &dyn Entropy,
    lines: Vec<ImportLine>,
) -> Result<Imported, ImportError> {
    let tools = ImportTools {
        clock: &Noon,
        entropy,
        alone: SecondPerson::NotNeeded,
    };
    let file = ImportFile::new(b"", lines);
    usecases::people::import(store, tools, (MemberId::new(1), staff_actor()), &file)
}

pub fn imported_people_have_one_entry_and_get_no_welcome_text<S: Store>(store: &S) {
    let before = entered(store, 2);
    let dry = usecases::people::try_import(store, &[import_line(1), import_line(2)]).unwrap();
    assert_eq!((dry.batch, dry.imported, dry.known), (None, 1, 1));
    let done = import_lines(store, 1, [1, 2]);
    assert_eq!((done.imported, done.known), (1, 1));
    let batch = done.batch.unwrap();
    assert_eq!(batch.len(), 32);
    let found = store
        .read(|tx| tx.find_entrant_by_phone(&phone(1)))
        .unwrap()
        .unwrap();
    assert_eq!((found.entries.total(), found.raffle), (1, GARDEN_BAG));
    let profile = person(store, found.id).profile;
    assert_eq!(
        (profile.data_source, profile.import_batch, profile.consent_basis),
        (
            DataSource::Import,
            Some(batch),
            Some("Signed up at our booth".to_owned())
        )
    );
    assert!(!profile.sms_campaigns);
    assert_eq!(store.read(|tx| messages_to(tx, found.id)).unwrap(), []);
    let known = person(store, before.id).profile;
    assert_eq!((known.data_source, known.consent_basis), (DataSource::Site, None));
    assert_eq!(actions(store, Action::ImportPeople), 1);
    assert_balanced(store);
}

pub fn a_file_imported_twice_at_once_adds_each_number_once<S: Store>(store: &S) {
    let done = at_once(4, |n| import_lines(store, u64::from(n) + 1, 1..=50));
    let imported: usize = done.iter().map(|done| done.imported).sum();
    assert_eq!(imported, 50);
    assert!(done.iter().all(|done| done.imported + done.known == 50));
    assert!(
        done.iter()
            .all(|done| done.batch.is_some() == (done.imported > 0))
    );
    assert_balanced(store);
}

pub fn a_referral_code_that_is_taken_is_drawn_again<S: Store>(store: &S) {
    assert_eq!(import_lines(store, 1, [1]).imported, 1);
    // The same seed draws the same id and code.
    assert_eq!(import_lines(store, 1, [2]).imported, 1);
    assert_balanced(store);
}

pub fn the_numbers_of_erased_people_are_not_imported<S: Store>(store: &S) {
    let erase = |n| {
        let entrant = entered(store, n);
        let erase = |tx: &mut S::Tx| tx.erase_person(entrant.id, noon());
        store.transaction::<_, StoreError>(erase).unwrap();
    };
    erase(1);
    erase(2);
    let lines: Vec<_> = (1..=3).map(import_line).collect();
    let tried = usecases::people::try_import(store, &lines);
    let done = try_alone(store, &SeededEntropy::new(9), lines);
    for refused in [tried, done] {
        assert!(matches!(refused, Err(ImportError::Erased(lines)) if lines == [1, 2]));
    }
    let known = |n| store.read(|tx| tx.known_numbers(&[phone(n)])).unwrap();
    assert_eq!([known(1), known(3)], [[], []]);
    // Their owner entered them again.
    entered(store, 1);
    entered(store, 2);
    assert_eq!(import_lines(store, 9, 1..=3).known, 2);
}
