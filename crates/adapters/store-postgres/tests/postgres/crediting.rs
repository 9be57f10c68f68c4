//! Crediting purchases beside clearings, on PostgreSQL only.

use crate::support::{TestDatabase, clear_often, connect, number};
use contracts::{bought, entered, entered_through, on_sale};
use kernel::EntrantId;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A clearing truncates tables that crediting writes to.
#[test]
fn clearings_and_credits_do_not_wait_in_a_circle() {
    let database = TestDatabase::new();
    let store = database.store();
    let popular = entered(&store, 1);
    let buyers = [2, 3, 4].map(|n| entered_through(&store, n, &popular.referral_code).id);
    let package = on_sale(&store);
    let (next, is_over) = (AtomicU32::new(1), AtomicBool::new(false));
    let buy_until_over = |buyer: EntrantId| {
        let mut credited = 0;
        while !is_over.load(Ordering::Relaxed) {
            bought(&store, next.fetch_add(1, Ordering::Relaxed), buyer, package);
            credited += 1;
        }
        credited
    };
    let credited: Vec<i64> = std::thread::scope(|scope| {
        let buyers = buyers.map(|buyer| scope.spawn(move || buy_until_over(buyer)));
        let cleared = clear_often(&store);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(cleared, 10);
        buyers.map(|buyer| buyer.join().unwrap()).into()
    });
    let ledger = "SELECT count(*) AS n FROM entry_ledger WHERE kind = 'purchase' AND delta = 20";
    assert_eq!(
        number(&mut connect(&database.admin_url), ledger),
        credited.iter().sum::<i64>()
    );
}
