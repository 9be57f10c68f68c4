//! Templates of messages.

use super::at;
use crate::Store;
use crate::support::at_once;
use kernel::{Raffle, StoreError};
use sms::{Label, MessageTemplate, NewTemplate, TemplateId, Templates, WelcomeMessage, WelcomeTemplates};

fn welcome(message: &str) -> WelcomeMessage {
    WelcomeMessage::parse(message).unwrap()
}

pub fn a_raffle_has_at_most_one_welcome_message<S: Store>(store: &S) {
    let (garden, fresh) = (Raffle::GardenBag, Raffle::FreshSips);
    let add = |raffle, message| {
        let message = welcome(message);
        store
            .transaction(|tx| tx.add_welcome(raffle, &message, at(1)))
            .unwrap()
    };
    let change = |raffle, message| {
        let message = welcome(message);
        let change = |tx: &mut S::Tx| tx.change_welcome(raffle, &message, at(2));
        store.transaction::<_, StoreError>(change).unwrap()
    };
    let delete = |raffle| store.transaction(|tx| tx.delete_welcome(raffle)).unwrap();
    let list = || store.read(|tx| tx.list_welcomes()).unwrap();
    assert!(!change(garden, "a") && !delete(garden) && list().is_empty());
    let added = at_once(20, |_| add(fresh, "fresh"));
    assert_eq!(added.iter().filter(|added| **added).count(), 1);
    assert!(add(garden, "garden"));
    assert!(change(fresh, "fresher"));
    let listed = list();
    assert_eq!(
        (listed[0].raffle, listed[1].raffle, listed.len()),
        (garden, fresh, 2)
    );
    assert_eq!(listed[1].message, welcome("fresher"));
    assert_eq!((listed[1].created_at, listed[1].updated_at), (at(1), at(2)));
    assert_eq!(listed[0].updated_at, at(1));
    assert!(delete(fresh) && !delete(fresh));
    assert_eq!(list(), listed[..1]);
}

pub(crate) fn new_template(name: &str, message: &str) -> NewTemplate {
    NewTemplate {
        name: Label::parse(name).unwrap(),
        raffle: Raffle::KitchenGarden,
        message: MessageTemplate::parse(message, "[there]").unwrap(),
        is_active: true,
    }
}

pub fn templates_read_back_and_change_and_are_listed_newest_first<S: Store>(store: &S) {
    let add = |new: &NewTemplate| store.transaction(|tx| tx.add_template(new, at(1))).unwrap();
    let mut content = new_template("June", "Look: [there]");
    let first = add(&content);
    let second = add(&content);
    content.is_active = false;
    content.raffle = Raffle::FreshSips;
    content.message = MessageTemplate::parse("Over {LINK} there", "{LINK}").unwrap();
    let change = |id, at| {
        store
            .transaction(|tx| tx.change_template(id, &content, at))
            .unwrap()
    };
    assert!(change(first, at(2)) && !change(TemplateId::new(i64::MAX), at(2)));
    let listed = store.read(|tx| tx.list_templates()).unwrap();
    assert_eq!(
        listed.iter().map(|template| template.id).collect::<Vec<_>>(),
        [second, first]
    );
    assert_eq!(listed[0].content, new_template("June", "Look: [there]"));
    assert_eq!(listed[1].content, content);
    assert_eq!((listed[1].created_at, listed[1].updated_at), (at(1), at(2)));
    let find = |id| store.read(|tx| tx.find_template(id)).unwrap();
    assert_eq!(find(first), Some(listed[1].clone()));
    assert_eq!(find(TemplateId::new(i64::MAX)), None);
}
