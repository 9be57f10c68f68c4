//! Networks that many people share.

use crate::Store;
use crate::detection::{all_flagged, suspicious};
use crate::flags::detect;
use crate::support::{at_once, entered, entered_from, entered_from_through, noon};
use fraud::{NewSharedNetwork, SharedNetwork, SharedNetworkId, SharedNetworks};
use kernel::PageRequest;

fn new(network: &str, label: &str) -> NewSharedNetwork {
    NewSharedNetwork::new(
        NewSharedNetwork::read_network(network).unwrap(),
        NewSharedNetwork::read_label(label).unwrap(),
    )
}

fn add<S: Store>(store: &S, network: &str) -> Option<SharedNetworkId> {
    let new = new(network, "a school");
    store
        .transaction(|tx| tx.add_shared_network(&new, noon()))
        .unwrap()
}

fn list<S: Store>(store: &S, page: PageRequest) -> Vec<SharedNetwork> {
    store.read(|tx| tx.list_shared_networks(page)).unwrap()
}

pub fn a_shared_network_reads_back_and_is_removed<S: Store>(store: &S) {
    let new = new("2001:db8:1::/48", "Springfield University");
    let id = store
        .transaction(|tx| tx.add_shared_network(&new, noon()))
        .unwrap()
        .unwrap();
    let stored = SharedNetwork {
        id,
        network: new.network(),
        label: "Springfield University".to_owned(),
        created_at: noon(),
    };
    assert_eq!(list(store, PageRequest::default()), std::slice::from_ref(&stored));
    let remove = || store.transaction(|tx| tx.remove_shared_network(id)).unwrap();
    assert_eq!((remove(), remove()), (Some(stored), None));
    assert_eq!(list(store, PageRequest::default()), []);
}

pub fn a_network_is_listed_once_whatever_its_spelling<S: Store>(store: &S) {
    assert!(add(store, "198.51.100.0/24").is_some());
    assert_eq!(add(store, "198.51.100.77/24"), None);
    assert!(add(store, "198.51.100.0/25").is_some(), "a part of it");
    assert!(add(store, "198.51.100.0").is_some(), "an address of it");
    assert!(add(store, "2001:db8:1:2::/64").is_some());
    assert_eq!(add(store, "2001:db8:1:2::9"), None);
    let added = at_once(8, |_| add(store, "203.0.113.0/24"));
    assert_eq!(added.iter().flatten().count(), 1);
    assert_eq!(store.read(|tx| tx.count_shared_networks()).unwrap(), 5);
}

pub fn shared_networks_are_listed_newest_first_in_pages<S: Store>(store: &S) {
    let ids =
        ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].map(|network| add(store, network).unwrap());
    let page = |limit, offset| {
        let rows = list(store, PageRequest { limit, offset });
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(page(9, 0), [ids[2], ids[1], ids[0]]);
    assert_eq!(page(1, 1), [ids[1]]);
    store.transaction(|tx| tx.remove_shared_network(ids[2])).unwrap();
    let next = add(store, "203.0.113.0/24").unwrap();
    assert!(!ids.contains(&next), "an id is used once");
    assert_eq!(page(1, 0), [next]);
}

pub fn accounts_on_a_shared_network_are_not_flagged_for_that_alone<S: Store>(store: &S) {
    let school = add(store, "198.51.100.0/24").unwrap();
    add(store, "2001:db8:1::/48");
    for n in 0..4 {
        entered_from(store, n, [198, 51, 100, 200].into());
        entered_from(store, 10 + n, format!("2001:db8:1:ffff::{n}").parse().unwrap());
        entered_from(store, 20 + n, [198, 51, 101, 1].into());
    }
    assert_eq!(detect(store), 4);
    assert!(
        all_flagged(store)
            .iter()
            .all(|row| row.address == Some([198, 51, 101, 1].into()))
    );
    let rows = suspicious(store);
    assert_eq!(rows.iter().filter(|row| row.is_flagged()).count(), 1);
    assert_eq!(rows.len(), 3, "they are still shown");

    store.transaction(|tx| tx.remove_shared_network(school)).unwrap();
    assert_eq!(detect(store), 4, "those of the school are checked again");
    assert_eq!(detect(store), 0);
}

pub fn other_evidence_flags_on_a_shared_network<S: Store>(store: &S) {
    let popular = entered(store, 1);
    add(store, "198.51.100.7");
    for n in 0..12 {
        entered_from_through(store, 100 + n, [198, 51, 100, 7].into(), &popular.referral_code);
    }
    for n in 0..4 {
        entered_from(store, 200 + n, [198, 51, 100, 7].into());
    }
    assert_eq!(detect(store), 12, "the friends, who are most of the network");
}

pub fn listing_a_network_leaves_its_flags<S: Store>(store: &S) {
    for n in 0..3 {
        entered_from(store, n, [198, 51, 100, 7].into());
    }
    assert_eq!(detect(store), 3);
    add(store, "198.51.100.7");
    assert_eq!(detect(store), 0);
    assert_eq!(all_flagged(store).len(), 3);
}
