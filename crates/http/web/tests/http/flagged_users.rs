//! The list of flagged entrants: its order, its filter and its export.

use crate::support::{
    Response, app_state, csv_text, get_with_session, post_with_session, register, register_referred,
    send_all, sign_in,
};
use chrono::TimeDelta;
use fakes::{FixedClock, MemStore};
use fraud::{Flags, NewFlag};
use kernel::{Clock, EntrantId, Origin, PersonSalt, Phone, ReferralCode, StoreError, UnitOfWork};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use raffle::{Entrants, NewEntrant, RaffleKey};
use serde_json::json;
use std::collections::HashSet;
use web::{AppState, TrustedProxies};

const LIST: &str = "/api/admin/flagged-users";
const EXPORT: &str = "/api/admin/flagged-users/export";
const HEADER: &str = "id,phoneNumber,landingPage,totalEntries,ipAddress,createdAt,reason,flaggedAt";

/// Adds the `n`th entrant, who entered and was flagged in these minutes.
fn flagged(store: &MemStore, n: u32, raffle: RaffleKey, entered_at: i64, flagged_at: i64, reason: &str) {
    let noon = FixedClock::default().now();
    let digit = |digit: u8| char::from(b"CDFGHJKMNP"[usize::from(digit - b'0')]);
    let code: String = format!("{n:08}").bytes().map(digit).collect();
    let new = NewEntrant {
        id: EntrantId::new(n.into()),
        phone: Phone::from_e164(&format!("+1555{n:07}")).unwrap(),
        person_salt: PersonSalt::new([7; 32]),
        referral_code: ReferralCode::parse(&code).unwrap(),
        raffle,
        event_id: None,
        origin: Origin {
            address: Some([192, 0, 2, 7].into()),
            user_agent: None,
        },
        fingerprint: None,
        created_at: noon + TimeDelta::minutes(entered_at),
    };
    let flag = |entrant: EntrantId| NewFlag {
        entrant,
        reason: reason.to_owned(),
        public_reason: fraud::PublicReason::Rules,
    };
    store.set_time(noon + TimeDelta::minutes(flagged_at));
    let add = |tx: &mut fakes::MemTx| {
        let id = tx.add_entrant(&new)?.unwrap();
        tx.flag(&flag(id)).map(drop)
    };
    store.transaction::<_, StoreError>(add).unwrap();
}

/// Three flagged entrants, 1 to 3.
async fn store_with_flags() -> (MemStore, String) {
    let store = MemStore::default();
    flagged(&store, 1, FRESH_SIPS, 1, 5, "first");
    flagged(&store, 2, GARDEN_BAG, 2, 3, "=1+1, \"really\"");
    flagged(&store, 3, FRESH_SIPS, 0, 4, "third");
    let token = sign_in(&store).await;
    (store, token)
}

fn ids(response: &Response) -> Vec<i64> {
    assert_eq!(response.status, 200, "{:?}", response.bytes);
    let list = response.json()["flaggedUsers"].clone();
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| row["id"].as_i64().unwrap()).collect()
}

#[actix_web::test]
async fn the_list_is_sorted_filtered_and_paged() {
    let (store, token) = store_with_flags().await;
    for (query, expected, total) in [
        ("", vec![1, 3, 2], "3"),
        ("sort=flaggedAt&order=desc", vec![1, 3, 2], "3"),
        ("order=asc", vec![2, 3, 1], "3"),
        ("sort=createdAt", vec![2, 1, 3], "3"),
        ("sort=createdAt&order=asc&limit=1&offset=1", vec![1], "3"),
        ("sort=totalEntries&order=asc", vec![1, 2, 3], "3"),
        ("landingPage=fresh-sips", vec![1, 3], "2"),
        ("landingPage=fresh-sips&sort=createdAt&order=asc", vec![3, 1], "2"),
        ("landingPage=all", vec![1, 3, 2], "3"),
        ("search=%20THIRD%20", vec![3], "1"),
        ("search=0000002", vec![2], "1"),
        ("search=192.0.2&landingPage=fresh-sips&limit=1", vec![1], "2"),
        ("search=%20", vec![1, 3, 2], "3"),
        ("landingPage=kitchen-garden", vec![], "0"),
    ] {
        let response = get_with_session(&store, &token, &format!("{LIST}?{query}")).await;
        assert_eq!(ids(&response), expected, "{query}");
        assert_eq!(response.header("x-total-count"), total, "{query}");
    }
}

#[actix_web::test]
async fn flags_of_detection_come_with_their_evidence() {
    let store = MemStore::default();
    let enter = |n: u32, code: Option<&str>| {
        let body = json!({
            "phoneNumber": format!("555-000-{n:04}"), "referralCode": code,
        });
        let request = code.map_or_else(
            || register(&body.to_string()),
            |_| register_referred(&body.to_string()),
        );
        request
            .insert_header(("X-Forwarded-For", "2001:db8:1:2::7"))
            .insert_header(("X-Analytics-Fingerprint", "a".repeat(64)))
    };
    let state = || AppState {
        trusted_proxies: TrustedProxies::parse("192.0.2.7").unwrap(),
        ..app_state()
    };
    let first = send_all(&store, state(), vec![enter(0, None)])
        .await
        .remove(0)
        .json()["user"]
        .clone();
    let friends = (1..4).map(|n| enter(n, first["referralCode"].as_str())).collect();
    send_all(&store, state(), friends).await;
    let token = sign_in(&store).await;
    let detected = post_with_session(&store, &token, "/api/admin/fraud-detection", &json!({})).await;
    assert_eq!(detected.json(), json!({"flagged": 4}));
    let flagged = get_with_session(&store, &token, LIST).await.json()["flaggedUsers"].clone();
    assert_eq!(
        flagged[0]["reason"],
        "Multiple accounts from IP 2001:db8:1:2::/64"
    );
    assert_eq!(
        flagged[0]["evidence"],
        json!([
            {"kind": "shared_network", "value": 4},
            {"kind": "same_fingerprint", "value": 4},
            {"kind": "burst", "value": 4},
            {"kind": "one_referrer", "value": 0.75, "referrerId": first["id"]},
        ])
    );
    let id = flagged[0]["id"].clone();
    for path in ["/api/admin/unflag-user", "/api/admin/flag-user"] {
        let body = json!({"userId": id, "reason": "by hand", "publicReason": "rules"});
        post_with_session(&store, &token, path, &body).await;
    }
    let by_hand = get_with_session(&store, &token, LIST).await.json()["flaggedUsers"][0].clone();
    assert_eq!((&by_hand["id"], &by_hand["evidence"]), (&id, &json!([])));
}

#[actix_web::test]
async fn invalid_parameters_are_named() {
    let (store, token) = store_with_flags().await;
    for (query, fields) in [
        ("sort=phoneNumber", "sort"),
        ("sort=", "sort"),
        ("order=up", "order"),
        ("landingPage=Garden", "landingPage"),
        ("limit=0", "limit"),
        ("search=a%0Ab", "search"),
        (
            "sort=x&order=x&landingPage=x&limit=x&offset=x",
            "landingPage,limit,offset,order,sort",
        ),
    ] {
        let response = get_with_session(&store, &token, &format!("{LIST}?{query}")).await;
        assert_eq!(response.error(), format!("400 validation {fields}"), "{query}");
    }
    let response = get_with_session(&store, &token, &format!("{EXPORT}?landingPage=Garden")).await;
    assert_eq!(response.error(), "400 validation landingPage");
}

#[actix_web::test]
async fn an_export_is_a_csv_file_with_masked_numbers_and_escaped_formulas() {
    let (store, token) = store_with_flags().await;
    let response = get_with_session(&store, &token, EXPORT).await;
    assert_eq!(
        response.header("content-disposition"),
        "attachment; filename=\"flagged-users.csv\""
    );
    let rows = [
        "1,***-***-0001,fresh-sips,1,'192.0.2.7,2025-08-01T12:01:00Z,first,2025-08-01T12:05:00Z",
        "3,***-***-0003,fresh-sips,1,'192.0.2.7,2025-08-01T12:00:00Z,third,2025-08-01T12:04:00Z",
        "2,***-***-0002,garden-bag,1,'192.0.2.7,2025-08-01T12:02:00Z,\"'=1+1, \"\"really\"\"\",2025-08-01T12:03:00Z",
    ];
    assert_eq!(csv_text(&response), format!("{HEADER}\n{}\n", rows.join("\n")));
    let path = format!("{EXPORT}?landingPage=garden-bag");
    let filtered = get_with_session(&store, &token, &path).await;
    assert_eq!(csv_text(&filtered), format!("{HEADER}\n{}\n", rows[2]));
    let path = format!("{EXPORT}?search=really");
    let found = get_with_session(&store, &token, &path).await;
    assert_eq!(csv_text(&found), format!("{HEADER}\n{}\n", rows[2]));
    let path = format!("{EXPORT}?landingPage=kitchen-garden");
    let none = get_with_session(&store, &token, &path).await;
    assert_eq!(csv_text(&none), format!("{HEADER}\n"));
}

#[actix_web::test]
async fn a_large_export_has_every_entrant_once() {
    let store = MemStore::default();
    for n in 0..5_100 {
        flagged(&store, n, FRESH_SIPS, 0, i64::from(n / 40), "many");
    }
    let token = sign_in(&store).await;
    let csv = csv_text(&get_with_session(&store, &token, EXPORT).await);
    let rows = csv.lines().skip(1);
    let ids: HashSet<_> = rows.map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((csv.lines().count(), ids.len()), (5_101, 5_100));
}
