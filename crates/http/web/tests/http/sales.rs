//! What staff see of purchases: the list, its export, and the sums.

use crate::support::{csv_text, get_with_session, register, send, sign_in};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use fakes::{MemStore, MemTx};
use kernel::{EntrantId, EventId, Money, StoreError, UnitOfWork};
use pricing::{
    BeginOutcome, CapDate, DisputeId, DisputeStatus, EntryCap, EntryCount, IntentId, NewPackage, NewPurchase,
    PackageId, PackageText, Packages, PurchaseId, Purchases, Reversal,
};
use serde_json::{Value, json};

const LIST: &str = "/api/admin/purchases";
const SALES: &str = "/api/admin/sales";

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// A purchase of 50 entries for $19.99, which is paid at this moment.
fn paid(store: &MemStore, entrant: i64, package: PackageId, paid_at: &str) -> PurchaseId {
    let at = moment(paid_at);
    let buy = |tx: &mut MemTx| {
        let new = NewPurchase {
            entrant: EntrantId::new(entrant),
            package,
            price: Money::from_cents(1999).unwrap(),
            entries: EntryCount::new(50).unwrap(),
            event_id: EventId::parse(&format!("event-{}", at.timestamp())).unwrap(),
            at,
        };
        let day = CapDate::at(at, Tz::UTC, EntryCap::HIGHEST);
        let BeginOutcome::Begun(id) = tx.begin_purchase(&new, 10, day)? else {
            panic!("not begun");
        };
        tx.record_intent_id(id, &intent(id))?;
        tx.complete_purchase(id, at)?;
        Ok::<_, StoreError>(id)
    };
    store.transaction(buy).unwrap()
}

fn intent(id: PurchaseId) -> IntentId {
    IntentId::parse(&format!("pi_{id}")).unwrap()
}

fn reverse(store: &MemStore, id: PurchaseId, reversal: &Reversal) {
    let at = moment("2025-08-20T12:00:00Z");
    let reverse = |tx: &mut MemTx| tx.reverse_purchase(&intent(id), reversal, at);
    store.transaction::<_, StoreError>(reverse).unwrap();
}

async fn entered(store: &MemStore, n: u32, raffle: &str) -> i64 {
    let body = json!({"phoneNumber": format!("+1415555{n:04}"), "landingPage": raffle});
    let entered = send(store, register(&body.to_string())).await.json();
    entered["user"]["id"].as_i64().unwrap()
}

fn package(store: &MemStore) -> PackageId {
    let offer = NewPackage {
        name: PackageText::parse("Starter", PackageText::NAME_CHARS).unwrap(),
        description: PackageText::parse("More", PackageText::DESCRIPTION_CHARS).unwrap(),
        entries: EntryCount::new(50).unwrap(),
        price: Money::from_cents(1999).unwrap(),
        is_popular: false,
        is_active: true,
        sort_order: 0,
    };
    let add = |tx: &mut MemTx| tx.add_package(&offer, moment("2025-07-01T12:00:00Z"));
    store.transaction::<_, StoreError>(add).unwrap()
}

/// Three purchases: in July, one of August that is disputed, and one that was refunded in part, of a package that is gone.
async fn store_with_sales() -> (MemStore, String, [i64; 2]) {
    let store = MemStore::default();
    let starter = package(&store);
    let ann = entered(&store, 101, "garden-bag").await;
    let bob = entered(&store, 102, "fresh-sips").await;
    paid(&store, ann, starter, "2025-07-31T12:00:00Z");
    let disputed = paid(&store, ann, starter, "2025-08-02T12:00:00Z");
    let open = DisputeStatus::Open;
    reverse(
        &store,
        disputed,
        &Reversal::Dispute(DisputeId::parse("du_1").unwrap(), open),
    );
    let refunded = paid(&store, bob, PackageId::new(99), "2025-08-03T12:00:00Z");
    reverse(&store, refunded, &Reversal::Refunded(999));
    let token = sign_in(&store).await;
    (store, token, [ann, bob])
}

async fn ids(store: &MemStore, token: &str, query: &str) -> Vec<i64> {
    let answer = get_with_session(store, token, &format!("{LIST}?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {:?}", answer.bytes);
    let list = answer.json()["purchases"].clone();
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| row["id"].as_i64().unwrap()).collect()
}

#[actix_web::test]
async fn purchases_are_listed_with_what_became_of_them() {
    let (store, token, [ann, bob]) = store_with_sales().await;
    let answer = get_with_session(&store, &token, LIST).await;
    assert_eq!(answer.header("x-total-count"), "3");
    let list = answer.json();
    assert_eq!((&list["total"], &list["isTotalExact"]), (&json!(3), &json!(true)));
    assert_eq!(
        list["purchases"][0],
        json!({"id": 3, "userId": bob, "phoneNumber": "***-***-0102", "landingPage": "fresh-sips", "package": null,
               "entries": 50, "amount": 1999, "returned": 999, "state": "partly_refunded", "payment": "pi_3",
               "createdAt": "2025-08-03T12:00:00Z", "paidAt": "2025-08-03T12:00:00Z"})
    );
    let second = &list["purchases"][1];
    assert_eq!(
        (&second["state"], &second["package"]),
        (&json!("disputed"), &json!("Starter"))
    );
    for (query, expected) in [
        ("state=paid", vec![1]),
        ("state=disputed", vec![2]),
        ("state=waiting", vec![]),
        ("landingPage=fresh-sips", vec![3]),
        ("landingPage=all", vec![3, 2, 1]),
        ("search=0101", vec![2, 1]),
        ("search=%2B14155550102", vec![3]),
        (&format!("search={ann}"), vec![2, 1]),
        ("search=pi_2", vec![2]),
        ("search=pi_77", vec![]),
        ("search=", vec![3, 2, 1]),
        ("startDate=2025-08-01", vec![3, 2]),
        ("endDate=2025-07-31", vec![1]),
        ("limit=1&offset=1", vec![2]),
    ] {
        assert_eq!(ids(&store, &token, query).await, expected, "{query}");
    }
    for query in ["state=lost", "search=hello+there", "startDate=soon"] {
        let refused = get_with_session(&store, &token, &format!("{LIST}?{query}")).await;
        assert_eq!(refused.status, 400, "{query}");
    }
}

#[actix_web::test]
async fn what_was_sold_adds_up() {
    let (store, token, _) = store_with_sales().await;
    let sold = |purchases: i64, returned: i64| {
        let gross = purchases * 1999;
        json!({"purchases": purchases, "gross": gross, "returned": returned, "net": gross - returned})
    };
    let sales = get_with_session(&store, &token, SALES).await.json();
    assert_eq!(
        sales,
        json!({
            "total": sold(3, 999),
            "byMonth": [{"month": "2025-08", "sold": sold(2, 999)}, {"month": "2025-07", "sold": sold(1, 0)}],
            "byRaffle": [{"landingPage": "garden-bag", "sold": sold(2, 0)}, {"landingPage": "fresh-sips", "sold": sold(1, 999)}],
            "byPackage": [{"packageId": 1, "package": "Starter", "sold": sold(2, 0)},
                          {"packageId": 99, "package": null, "sold": sold(1, 999)}],
        })
    );
    let august = get_with_session(&store, &token, &format!("{SALES}?startDate=2025-08-01")).await;
    assert_eq!(august.json()["total"], sold(2, 999));
    let nothing = get_with_session(&store, &token, &format!("{SALES}?endDate=2024-08-01")).await;
    assert_eq!(nothing.json()["byMonth"], Value::Array(Vec::new()));
}

#[actix_web::test]
async fn the_export_has_all_that_match_and_is_recorded() {
    let (store, token, [ann, _]) = store_with_sales().await;
    let export = get_with_session(
        &store,
        &token,
        &format!("{LIST}/export?search=0101&state=disputed"),
    )
    .await;
    assert_eq!(
        csv_text(&export),
        format!(
            "id,createdAt,paidAt,userId,phoneNumber,landingPage,package,entries,amountInCents,returnedInCents,state,payment\n\
             2,2025-08-02T12:00:00Z,2025-08-02T12:00:00Z,'{ann},***-***-0101,garden-bag,Starter,50,1999,0,disputed,pi_2\n"
        )
    );
    let log = get_with_session(&store, &token, "/api/admin/audit-log?limit=1")
        .await
        .json();
    let newest = &log["entries"][0];
    assert_eq!(newest["action"], "export_numbers");
    assert!(newest.to_string().contains("purchases"), "{newest}");
    assert!(!newest.to_string().contains("0101"), "{newest}");
}
