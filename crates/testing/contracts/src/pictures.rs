//! Uploaded pictures of raffles.

use crate::Store;
use crate::support::{at_once, noon, staff_actor};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, PageRequest, StoreError};
use raffle::PictureHash;
use raffle::pictures::{
    AddedPicture, MOST_PICTURES, MadePicture, Medium, Pictures, Rendition, Size, UNNAMED_LIFE, Withdrawal,
};
use staff::{Action, AuditFilter, AuditLog};
use std::array;
use usecases::pictures::AddPictureError;

/// What the store does not look into.
fn picture(name: &str) -> MadePicture {
    let sizes = Size::new(1440, 900).renditions();
    MadePicture {
        renditions: array::from_fn(|n| Rendition {
            size: sizes[n],
            jpeg: format!("{name} {n}").into_bytes(),
        }),
    }
}

fn add<S: Store>(store: &S, picture: &MadePicture, now: DateTime<Utc>) -> AddedPicture {
    let added = store.transaction::<_, StoreError>(|tx| tx.add_picture(picture, now));
    added.unwrap()
}

fn withdraw<S: Store>(store: &S, hash: PictureHash) -> Withdrawal {
    let withdrawn = store.transaction::<_, StoreError>(|tx| tx.withdraw_picture(hash, noon()));
    withdrawn.unwrap()
}

fn keep<S: Store>(store: &S, hash: PictureHash, now: DateTime<Utc>) -> bool {
    store
        .transaction::<_, StoreError>(|tx| tx.keep_picture(hash, now))
        .unwrap()
}

fn is_there<S: Store>(store: &S, hash: PictureHash) -> bool {
    store.read(|tx| tx.find_picture(hash)).unwrap().is_some()
}

fn medium<S: Store>(store: &S, jpeg: &[u8]) -> Option<Medium> {
    usecases::pictures::medium(store, PictureHash::of(jpeg)).unwrap()
}

fn delete_unnamed<S: Store>(store: &S, now: DateTime<Utc>) -> usize {
    struct At(DateTime<Utc>);
    impl Clock for At {
        fn now(&self) -> DateTime<Utc> {
            self.0
        }
    }
    usecases::pictures::delete_unnamed(store, &At(now)).unwrap()
}

pub fn a_picture_reads_back<S: Store>(store: &S) {
    let bag = picture("bag");
    let hash = bag.summary().hash();
    assert_eq!(store.read(|tx| tx.find_picture(hash)).unwrap(), None);
    assert_eq!(add(store, &bag, noon()), AddedPicture::New);
    assert_eq!(
        store.read(|tx| tx.find_picture(hash)).unwrap(),
        Some(bag.summary())
    );
    for made in &bag.renditions {
        assert_eq!(medium(store, &made.jpeg), Some(Medium::Jpeg(made.jpeg.clone())));
    }
    assert_eq!(medium(store, b"another"), None);
    let other = bag.summary().link_preview.hash;
    assert!(!is_there(store, other), "only the first rendition names it");
}

pub fn the_same_picture_is_added_once<S: Store>(store: &S) {
    let added = at_once(8, |_| add(store, &picture("bag"), noon()));
    let new = added.iter().filter(|added| **added == AddedPicture::New);
    assert_eq!(new.count(), 1);
    assert!(
        added
            .iter()
            .all(|added| matches!(added, AddedPicture::New | AddedPicture::Known))
    );
}

pub fn a_withdrawn_picture_is_gone_for_good<S: Store>(store: &S) {
    let bag = picture("bag");
    let hash = bag.summary().hash();
    assert_eq!(withdraw(store, hash), Withdrawal::Unknown);
    add(store, &bag, noon());
    assert_eq!(withdraw(store, hash), Withdrawal::Done);
    assert_eq!(withdraw(store, hash), Withdrawal::Before);
    assert!(!is_there(store, hash));
    assert!(!keep(store, hash, noon()));
    for made in &bag.renditions {
        assert_eq!(medium(store, &made.jpeg), Some(Medium::Withdrawn));
    }
    assert_eq!(add(store, &bag, noon()), AddedPicture::Withdrawn);
    assert_eq!(delete_unnamed(store, noon() + UNNAMED_LIFE * 100), 0);
    assert_eq!(medium(store, &bag.renditions[0].jpeg), Some(Medium::Withdrawn));
}

/// The smallest renditions of two pictures of one color are the same.
pub fn a_rendition_of_two_pictures_is_withdrawn_with_the_last<S: Store>(store: &S) {
    let (one, mut two) = (picture("one"), picture("two"));
    let shared = one.renditions[2].clone();
    two.renditions[2] = shared.clone();
    add(store, &one, noon());
    add(store, &two, noon());
    withdraw(store, one.summary().hash());
    assert_eq!(
        medium(store, &shared.jpeg),
        Some(Medium::Jpeg(shared.jpeg.clone()))
    );
    withdraw(store, two.summary().hash());
    assert_eq!(medium(store, &shared.jpeg), Some(Medium::Withdrawn));
}

pub fn what_nothing_names_for_seven_days_is_deleted<S: Store>(store: &S) {
    let (bag, box_) = (picture("bag"), picture("box"));
    let [of_bag, of_box] = [&bag, &box_].map(|picture| picture.summary().hash());
    add(store, &bag, noon());
    add(store, &box_, noon());
    assert_eq!(delete_unnamed(store, noon() + UNNAMED_LIFE), 0);
    assert!(keep(store, of_box, noon() + TimeDelta::days(1)));
    assert_eq!(
        delete_unnamed(store, noon() + UNNAMED_LIFE + TimeDelta::seconds(1)),
        1
    );
    assert!(!is_there(store, of_bag) && is_there(store, of_box));
    assert_eq!(medium(store, &bag.renditions[3].jpeg), None);
    assert!(!keep(store, of_bag, noon()), "nothing can name it any more");
    assert_eq!(add(store, &bag, noon()), AddedPicture::New);
}

pub fn no_more_pictures_are_added_than_there_can_be<S: Store>(store: &S) {
    for n in 2..MOST_PICTURES {
        assert_eq!(add(store, &picture(&n.to_string()), noon()), AddedPicture::New);
    }
    let added = at_once(6, |n| add(store, &picture(&format!("race {n}")), noon()));
    let new = added.iter().filter(|added| **added == AddedPicture::New).count();
    let refused = added
        .iter()
        .filter(|added| **added == AddedPicture::TooMany)
        .count();
    assert_eq!((new, refused), (2, 4));
    assert_eq!(add(store, &picture("2"), noon()), AddedPicture::Known);
    withdraw(store, picture("2").summary().hash());
    assert_eq!(add(store, &picture("last"), noon()), AddedPicture::New);
}

/// A draft that names a picture while it is deleted keeps it, or learns that it is gone.
pub fn a_picture_that_is_named_meanwhile_is_not_deleted<S: Store>(store: &S) {
    let late = noon() + UNNAMED_LIFE + TimeDelta::seconds(1);
    for n in 0..10 {
        let bag = picture(&n.to_string());
        let hash = bag.summary().hash();
        add(store, &bag, noon());
        let done = at_once(2, |n| match n {
            0 => keep(store, hash, late),
            _ => delete_unnamed(store, late) == 0,
        });
        assert_eq!((done[0], done[1]), (is_there(store, hash), is_there(store, hash)));
    }
}

pub fn uploads_and_withdrawals_are_recorded_once<S: Store>(store: &S) {
    let bag = picture("bag");
    let hash = bag.summary().hash();
    let add = || usecases::pictures::add(store, staff_actor(), &bag, noon());
    let withdraw = || usecases::pictures::withdraw(store, staff_actor(), hash, noon()).unwrap();
    assert!(!withdraw());
    assert_eq!(add().unwrap(), bag.summary());
    assert_eq!(add().unwrap(), bag.summary());
    assert!(withdraw());
    assert!(withdraw());
    assert!(matches!(add(), Err(AddPictureError::Withdrawn)));
    let list = |tx: &S::Tx| tx.list_audit(&AuditFilter::default(), PageRequest::default());
    let audit = store.read(list).unwrap();
    let entries: Vec<_> = audit.into_iter().map(|row| (row.action, row.target)).collect();
    let name = Some(hash.to_string());
    assert_eq!(
        entries,
        [
            (Action::WithdrawPicture, name.clone()),
            (Action::UploadPicture, name)
        ]
    );
}
