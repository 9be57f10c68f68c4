//! Packages.

use super::{begun_as, complete, entries, found, offer, sold};
use crate::Store;
use crate::support::{at_once, entered, noon};
use kernel::{Money, PageRequest};
use pricing::{EntryCount, NewPackage, NewPurchase, PackageText, Packages, PricingSettings};

pub fn a_package_is_added_changed_and_deleted<S: Store>(store: &S) {
    let most = NewPackage {
        name: PackageText::parse(&"é".repeat(80), 80).unwrap(),
        description: PackageText::parse(&"é".repeat(300), 300).unwrap(),
        entries: EntryCount::new(EntryCount::MAX.into()).unwrap(),
        price: Money::from_cents(Money::MAX_CENTS.into()).unwrap(),
        is_popular: true,
        is_active: false,
        sort_order: u32::MAX,
    };
    let least = offer("Starter", 0);
    let id = store.transaction(|tx| tx.add_package(&most, noon())).unwrap();
    let find = || store.read(|tx| tx.find_package(id)).unwrap();
    let package = find().unwrap();
    assert_eq!((package.id, package.created_at), (id, noon()));
    assert_eq!(package.offer, most);
    assert!(store.transaction(|tx| tx.change_package(id, &least)).unwrap());
    let package = find().unwrap();
    assert_eq!((package.offer, package.created_at), (least.clone(), noon()));

    assert!(store.transaction(|tx| tx.delete_package(id)).unwrap());
    assert_eq!(find(), None);
    assert!(!store.transaction(|tx| tx.delete_package(id)).unwrap());
    assert!(!store.transaction(|tx| tx.change_package(id, &least)).unwrap());
    let next = store.transaction(|tx| tx.add_package(&least, noon())).unwrap();
    assert!(next > id, "ids are not reused");
}

pub fn packages_are_listed_by_sort_order_and_then_id<S: Store>(store: &S) {
    let hidden = NewPackage {
        is_active: false,
        ..offer("Hidden", 1)
    };
    for offer in [
        offer("Last", 7),
        offer("Second", 1),
        hidden,
        offer("Third", 1),
        offer("First", 0),
    ] {
        store.transaction(|tx| tx.add_package(&offer, noon())).unwrap();
    }
    let page = |only_active, limit, offset| -> Vec<String> {
        let page = PageRequest { limit, offset };
        let packages = store.read(|tx| tx.list_packages(only_active, page)).unwrap();
        let names = packages
            .iter()
            .map(|package| package.offer.name.as_str().to_owned());
        names.collect()
    };
    assert_eq!(page(true, 500, 0), ["First", "Second", "Third", "Last"]);
    assert_eq!(
        page(false, 500, 0),
        ["First", "Second", "Hidden", "Third", "Last"]
    );
    assert_eq!(page(false, 2, 1), ["Second", "Hidden"]);
    assert_eq!(page(false, 2, 5), [""; 0]);
    assert_eq!(store.read(|tx| tx.count_packages()).unwrap(), 5);
}

pub fn deleting_a_package_keeps_its_purchases<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let package = store
        .transaction(|tx| tx.add_package(&offer("Starter", 0), noon()))
        .unwrap();
    let new = NewPurchase {
        package,
        ..sold(entrant, 20, 0)
    };
    let id = begun_as(store, &new);
    assert!(store.transaction(|tx| tx.delete_package(package)).unwrap());
    assert_eq!(found(store, id).sold, new);
    assert!(complete(store, id));
    assert_eq!(entries(store, entrant).paid, 20);
}

pub fn pricing_is_hidden_until_staff_show_it<S: Store>(store: &S) {
    let shown = || store.read(|tx| tx.show_pricing()).unwrap();
    assert!(!shown());
    for show in [true, true, false, true] {
        store.transaction(|tx| tx.set_show_pricing(show, noon())).unwrap();
        assert_eq!(shown(), show);
    }
    at_once(8, |n| {
        store
            .transaction(|tx| tx.set_show_pricing(n % 2 == 0, noon()))
            .unwrap();
    });
    store
        .transaction(|tx| tx.set_show_pricing(false, noon()))
        .unwrap();
    assert!(!shown());
}
