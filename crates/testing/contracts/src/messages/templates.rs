//! Templates of messages.

use super::at;
use crate::Store;
use crate::support::at_once;
use kernel::{PageRequest, StaffName, StoreError};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG, KITCHEN_GARDEN};
use sms::{
    Label, MessageTemplate, NewTemplate, TemplateFilter, TemplateId, Templates, WelcomeMessage,
    WelcomeTemplates,
};

fn anna() -> Option<StaffName> {
    StaffName::parse("anna")
}

fn welcome(message: &str) -> WelcomeMessage {
    WelcomeMessage::parse(message).unwrap()
}

pub fn a_raffle_has_at_most_one_welcome_message<S: Store>(store: &S) {
    let (garden, fresh) = (GARDEN_BAG, FRESH_SIPS);
    let add = |raffle, message| {
        let message = welcome(message);
        store
            .transaction(|tx| tx.add_welcome(raffle, &message, anna().as_ref(), at(1)))
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
    assert_eq!((&listed[1].created_by, listed[1].is_active), (&anna(), true));
    assert!(delete(fresh) && !delete(fresh));
    assert_eq!(list(), listed[..1]);
}

pub(crate) fn new_template(name: &str, message: &str) -> NewTemplate {
    NewTemplate {
        name: Label::parse(name).unwrap(),
        raffle: KITCHEN_GARDEN,
        message: MessageTemplate::parse(message, "[there]").unwrap(),
        is_active: true,
    }
}

pub fn templates_read_back_and_change_and_are_listed_newest_first<S: Store>(store: &S) {
    let add = |new: &NewTemplate| {
        let anna = anna();
        let add = |tx: &mut S::Tx| tx.add_template(new, anna.as_ref(), at(1));
        store.transaction::<_, StoreError>(add).unwrap()
    };
    let mut content = new_template("June", "Look: [there]");
    let first = add(&content);
    let second = add(&content);
    content.is_active = false;
    content.raffle = FRESH_SIPS;
    content.message = MessageTemplate::parse("Over {LINK} there", "{LINK}").unwrap();
    let change = |id, at| {
        store
            .transaction(|tx| tx.change_template(id, &content, at))
            .unwrap()
    };
    assert!(change(first, at(2)) && !change(TemplateId::new(i64::MAX), at(2)));
    let listed = list(store, &TemplateFilter::default(), 500, 0);
    assert_eq!(
        listed.iter().map(|template| template.id).collect::<Vec<_>>(),
        [second, first]
    );
    assert_eq!(listed[0].content, new_template("June", "Look: [there]"));
    assert_eq!(listed[1].content, content);
    assert_eq!((listed[1].created_at, listed[1].updated_at), (at(1), at(2)));
    assert_eq!(listed[1].created_by, anna(), "changing it keeps who added it");
    let find = |id| store.read(|tx| tx.find_template(id)).unwrap();
    assert_eq!(find(first), Some(listed[1].clone()));
    assert_eq!(find(TemplateId::new(i64::MAX)), None);
}

fn list<S: Store>(store: &S, filter: &TemplateFilter, limit: u32, offset: u32) -> Vec<sms::Template> {
    let page = PageRequest { limit, offset };
    store.read(|tx| tx.list_templates(filter, page)).unwrap()
}

pub fn templates_are_searched_and_listed_in_pages<S: Store>(store: &S) {
    for (name, message) in [
        ("June 5%", "Look: [there]"),
        ("July", "Wow: [there]"),
        ("June_2", "[there] look"),
    ] {
        let new = new_template(name, message);
        store
            .transaction(|tx| tx.add_template(&new, None, at(1)))
            .unwrap();
    }
    let names = |part: &str, limit, offset| {
        let filter = TemplateFilter {
            part: Label::parse(part),
        };
        let templates = list(store, &filter, limit, offset);
        let names: Vec<_> = templates
            .iter()
            .map(|template| template.content.name.as_str().to_owned())
            .collect();
        let count = store.read(|tx| tx.count_templates(&filter)).unwrap();
        (names, count)
    };
    let found = |names: &[&str], count| {
        (
            names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(),
            count,
        )
    };
    assert_eq!(names("", 2, 0), found(&["June_2", "July"], 3));
    assert_eq!(names("", 2, 2), found(&["June 5%"], 3));
    assert_eq!(names("june", 500, 0), found(&["June_2", "June 5%"], 2));
    assert_eq!(names("LOOK", 1, 0), found(&["June_2"], 2), "in the message too");
    assert_eq!(names("%", 500, 0), found(&["June 5%"], 1), "no pattern");
    assert_eq!(names("nothing", 500, 0), found(&[], 0));
}

pub fn switching_a_template_changes_nothing_else<S: Store>(store: &S) {
    let new = new_template("June", "Look: [there]");
    let id = store
        .transaction(|tx| tx.add_template(&new, None, at(1)))
        .unwrap();
    let switch = |id, is_active| {
        store
            .transaction(|tx| tx.switch_template(id, is_active, at(2)))
            .unwrap()
    };
    assert!(switch(id, false) && !switch(TemplateId::new(i64::MAX), false));
    let found = store.read(|tx| tx.find_template(id)).unwrap().unwrap();
    let switched_off = NewTemplate {
        is_active: false,
        ..new
    };
    assert_eq!((found.content, found.updated_at), (switched_off, at(2)));
}

pub fn switching_a_welcome_message_keeps_its_text<S: Store>(store: &S) {
    let garden = GARDEN_BAG;
    let switch = |is_active, second| {
        store
            .transaction(|tx| tx.switch_welcome(garden, is_active, at(second)))
            .unwrap()
    };
    assert!(!switch(false, 1));
    let message = welcome("garden");
    store
        .transaction(|tx| tx.add_welcome(garden, &message, None, at(1)))
        .unwrap();
    assert!(switch(false, 2));
    let list = || store.read(|tx| tx.list_welcomes()).unwrap().remove(0);
    let off = list();
    assert_eq!(
        (off.is_active, &off.message, off.updated_at),
        (false, &message, at(2))
    );
    let change = |tx: &mut S::Tx| tx.change_welcome(garden, &welcome("new"), at(3));
    store.transaction::<_, StoreError>(change).unwrap();
    assert!(!list().is_active, "a new text does not switch it on");
    assert!(switch(true, 4) && list().is_active);
}
