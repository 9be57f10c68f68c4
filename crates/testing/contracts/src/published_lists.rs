//! The published lists of drawings: `usecases::published_lists` and its ports.

use crate::Store;
use crate::drawing_flow::kit::{Kit, drawn, entered_with_friends, many_entrants, waiting};
use crate::drawing_steps::sample::{announce, announcement, plan, seal, seal_it};
use drawing::steps::DrawingState;
use drawing::{
    Chunk, DrawingId, FrozenEntrants, Hash, ListForm, ListPart, ListProgress, PublishedList, PublishedLists,
    csv_header, csv_lines,
};
use kernel::StoreError;
use std::cell::Cell;
use std::ops::Range;
use usecases::drawings::FindDrawingError;
use usecases::published_lists::{FoundList, Published, bytes_at, find, frozen_leaves, publish};

const FORMS: [ListForm; 2] = [ListForm::Csv, ListForm::Gzip];

/// Publishes at most so many parts; completing a list counts as one.
fn publish_steps<S: Store>(store: &S, steps: u32) -> usize {
    let left = Cell::new(steps);
    let goes_on = || left.replace(left.get().saturating_sub(1)) > 0;
    publish(store, goes_on).unwrap().completed
}

fn published<S: Store>(store: &S, id: DrawingId) -> PublishedList {
    match find(store, id).unwrap() {
        FoundList::Published(list) => list,
        FoundList::Frozen { .. } => panic!("the list is not complete"),
    }
}

/// The parts as they must be, from the leaves of all chunks.
fn expected_parts<S: Store>(store: &S, id: DrawingId) -> Vec<ListPart> {
    let chunks = (0..).map_while(|number| frozen_leaves(store, id, number).unwrap());
    let write = |progress: &mut ListProgress, leaves: Vec<_>| {
        let part = ListPart::write(progress, &leaves).unwrap();
        *progress = part.progress();
        Some(part)
    };
    chunks.scan(ListProgress::default(), write).collect()
}

fn read_all<S: Store>(store: &S, id: DrawingId, list: &PublishedList, form: ListForm) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let more = bytes_at(store, id, list, form, all.len() as u64).unwrap();
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

fn place(range: &Range<u64>) -> Range<usize> {
    usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()
}

fn root_of(drawing: &DrawingState) -> Hash {
    drawing.seal.as_ref().unwrap().step.root
}

fn assert_published<S: Store>(store: &S, drawing: &DrawingState) {
    let id = drawing.id;
    let list = published(store, id);
    assert_eq!(list.root, root_of(drawing));
    let leaves: Vec<_> = (0..)
        .map_while(|number| frozen_leaves(store, id, number).unwrap())
        .flatten()
        .collect();
    let [csv, gzip] = FORMS.map(|form| read_all(store, id, &list, form));
    assert_eq!(
        String::from_utf8(csv).unwrap(),
        csv_header() + &csv_lines(&leaves)
    );
    for part in expected_parts(store, id) {
        // gzip begins with ten bytes of its own.
        assert_eq!(gzip[10..][place(&part.deflated)], part.bytes);
    }
}

pub fn a_list_is_published_part_by_part<S: Store>(store: &S) {
    let kit = Kit::new(21);
    many_entrants(store, 4_200);
    let drawing = drawn(store, &kit);
    let id = drawing.id;
    let frozen = FoundList::Frozen {
        root: root_of(&drawing),
    };
    assert_eq!(find(store, id).unwrap(), frozen);
    assert_eq!(publish_steps(store, 0), 0);
    for parts in 1..=2 {
        assert_eq!(publish_steps(store, 1), 0);
        let progress = store.read(|tx| tx.list_progress(id)).unwrap();
        assert_eq!(progress, expected_parts(store, id)[parts - 1].progress());
        assert_eq!(find(store, id).unwrap(), frozen, "not all of it is there");
    }
    assert_eq!(publish_steps(store, 1), 1);
    assert_published(store, &drawing);
    assert_eq!(publish_steps(store, 9), 0, "nothing is left to do");
}

pub fn any_offset_of_a_list_can_be_read<S: Store>(store: &S) {
    let kit = Kit::new(22);
    many_entrants(store, 4_200);
    let id = drawn(store, &kit).id;
    assert_eq!(publish(store, || true).unwrap().completed, 1);
    let list = published(store, id);
    for form in FORMS {
        let all = read_all(store, id, &list, form);
        let length = list.length(form);
        assert_eq!(all.len() as u64, length);
        let parts = expected_parts(store, id);
        let border = match form {
            ListForm::Csv => parts[0].csv.end,
            ListForm::Gzip => parts[0].deflated.end + 10,
        };
        let borders = [0, 1, 9, 10, 11, border - 1, border, border + 1];
        let from_end = [1, 2, 9, 10, 11].map(|back| length - back);
        let spread = (0..length).step_by(9_973);
        for offset in borders.into_iter().chain(from_end).chain(spread) {
            let bytes = bytes_at(store, id, &list, form, offset).unwrap();
            assert!(!bytes.is_empty(), "{form:?} at {offset}");
            let rest = &all[usize::try_from(offset).unwrap()..];
            assert!(rest.starts_with(&bytes), "{form:?} at {offset}");
        }
        for beyond in [length, length + 1, u64::MAX] {
            let bytes = bytes_at(store, id, &list, form, beyond).unwrap();
            assert!(bytes.is_empty(), "{form:?} at {beyond}");
        }
    }
}

pub fn the_newest_list_is_published_first<S: Store>(store: &S) {
    let kit = Kit::new(23);
    entered_with_friends(store, 1, 2);
    // A list is public from the seal on.
    let sealed = waiting(store, &Kit::with_beacon(27));
    let drawings = [sealed, drawn(store, &kit), drawn(store, &kit)];
    let ids = drawings.each_ref().map(|drawing| drawing.id);
    let unpublished = || store.read(|tx| tx.unpublished_lists()).unwrap();
    assert_eq!(unpublished(), [ids[2], ids[1], ids[0]]);
    assert_eq!(publish_steps(store, 2), 1);
    assert_eq!(unpublished(), [ids[1], ids[0]]);
    assert_published(store, &drawings[2]);
    assert_eq!(publish(store, || true).unwrap().completed, 2);
    assert_eq!(unpublished(), []);
    drawings
        .iter()
        .for_each(|drawing| assert_published(store, drawing));
}

pub fn an_unknown_list_is_not_found<S: Store>(store: &S) {
    assert_eq!(publish(store, || true).unwrap(), Published::default());
    let id = DrawingId::new(7);
    assert!(matches!(find(store, id), Err(FindDrawingError::UnknownDrawing)));
    assert_eq!(store.read(|tx| tx.find_list(id)).unwrap(), None);
    assert_eq!(
        store.read(|tx| tx.list_progress(id)).unwrap(),
        ListProgress::default()
    );
    for form in FORMS {
        assert_eq!(store.read(|tx| tx.find_list_part(id, form, 0)).unwrap(), None);
    }
}

pub fn a_part_and_a_list_are_added_once<S: Store>(store: &S) {
    let kit = Kit::new(24);
    entered_with_friends(store, 1, 2);
    let id = drawn(store, &kit).id;
    let part = expected_parts(store, id).remove(0);
    let other = ListPart {
        bytes: part.bytes.iter().map(|byte| !byte).collect(),
        ..part.clone()
    };
    let add = |part: &ListPart| store.transaction::<_, StoreError>(|tx| tx.add_list_part(id, part));
    assert_eq!((add(&part).unwrap(), add(&other).unwrap()), (true, false));
    let first = store.read(|tx| tx.find_list_part(id, ListForm::Csv, 0)).unwrap();
    assert_eq!(first.as_ref(), Some(&part));
    let last = part.deflated.end - 1;
    let found = |offset| {
        store
            .read(|tx| tx.find_list_part(id, ListForm::Gzip, offset))
            .unwrap()
    };
    assert_eq!((found(last), found(last + 1)), (first, None));

    let list = |byte| PublishedList {
        root: Hash::new([byte; 32]),
        end: part.progress(),
    };
    let complete = |byte| store.transaction::<_, StoreError>(|tx| tx.add_list(id, &list(byte)));
    assert_eq!((complete(1).unwrap(), complete(2).unwrap()), (true, false));
    assert_eq!(store.read(|tx| tx.find_list(id)).unwrap(), Some(list(1)));
}

pub fn servers_that_publish_at_the_same_time_write_one_list<S: Store>(store: &S) {
    let kit = Kit::new(25);
    many_entrants(store, 4_200);
    let drawing = drawn(store, &kit);
    let completed = crate::support::at_once(4, |_| {
        let mut completed = 0;
        while !store.read(|tx| tx.unpublished_lists()).unwrap().is_empty() {
            completed += publish(store, || true).unwrap().completed;
        }
        completed
    });
    assert_eq!(completed.iter().sum::<usize>(), 1);
    assert_published(store, &drawing);
}

pub fn a_corrupt_list_does_not_stop_the_others<S: Store>(store: &S) {
    let kit = Kit::new(26);
    entered_with_friends(store, 1, 2);
    let drawing = drawn(store, &kit);
    // Its root does not follow from its leaves.
    let chunk = store.read(|tx| tx.find_chunk(drawing.id, 0)).unwrap();
    let wrong = Chunk {
        root: Hash::new([9; 32]),
        ..chunk.unwrap()
    };
    let mut state = announce(store, &plan(9, 9), announcement(1)).unwrap();
    let corrupt = state.id;
    store
        .transaction::<_, StoreError>(|tx| tx.add_chunks(corrupt, std::slice::from_ref(&wrong)))
        .unwrap();
    seal_it(store, &mut state, &seal(9)).unwrap();
    for completed in [1, 0] {
        let expected = Published {
            completed,
            corrupt: 1,
        };
        assert_eq!(publish(store, || true).unwrap(), expected);
        assert_published(store, &drawing);
        let unpublished = store.read(|tx| tx.unpublished_lists()).unwrap();
        assert_eq!(unpublished, [corrupt]);
    }
    assert!(matches!(
        frozen_leaves(store, corrupt, 0),
        Err(StoreError::Corrupt { .. })
    ));
}
