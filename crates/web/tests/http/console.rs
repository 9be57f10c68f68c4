//! What staff see and do in the console (D11 to D14).

use crate::support::{
    Response, app_state, authorized, get, post, register, register_referred, send, send_all, sign_in,
};
use actix_web::test::TestRequest;
use fakes::MemStore;
use kernel::StoreError;
use serde_json::{Value, json};

const DASHBOARD: &str = "/api/admin/analytics/dashboard";
const CALLS: [(&str, &str); 32] = [
    ("GET", DASHBOARD),
    ("GET", "/api/admin/analytics/funnel"),
    ("GET", "/api/admin/analytics/trends"),
    ("GET", "/api/admin/flagged-users"),
    ("GET", "/api/admin/stored-data"),
    ("GET", "/api/admin/audit-log"),
    ("GET", "/api/admin/drawing/stats"),
    ("GET", "/api/admin/drawing/history"),
    ("GET", "/api/admin/drawing/history/export"),
    ("POST", "/api/admin/drawing/perform"),
    ("GET", "/api/admin/entry-packages"),
    ("POST", "/api/admin/entry-packages"),
    ("GET", "/api/admin/settings"),
    ("POST", "/api/admin/settings"),
    ("POST", "/api/admin/fraud-detection"),
    ("POST", "/api/admin/flag-user"),
    ("POST", "/api/admin/unflag-user"),
    ("POST", "/api/admin/clear-analytics"),
    ("POST", "/api/admin/clear-referrals"),
    ("POST", "/api/admin/clear-campaigns"),
    ("POST", "/api/admin/clear-sms"),
    ("POST", "/api/admin/save-credentials"),
    ("GET", "/api/admin/sms/templates"),
    ("POST", "/api/admin/sms/templates"),
    ("GET", "/api/admin/sms/campaigns"),
    ("POST", "/api/admin/sms/campaigns/schedule"),
    ("POST", "/api/admin/sms/campaigns/estimate"),
    ("GET", "/api/admin/sms/analytics"),
    ("GET", "/api/admin/sms/status"),
    ("POST", "/api/admin/sms/test-text"),
    ("GET", "/api/admin/welcome-sms"),
    ("POST", "/api/admin/welcome-sms"),
];

async fn entered(store: &MemStore, n: u32) -> Value {
    let body = json!({"phoneNumber": format!("555123{n:04}"), "landingPage": "fresh-sips"});
    send(store, register(&body.to_string())).await.json()["user"].clone()
}

async fn view(store: &MemStore, session: &str, code: &Value) {
    let body = json!({"page": "fresh-sips", "sessionId": session, "referralCode": code});
    assert_eq!(
        send(store, post("/api/analytics/page-view", &body.to_string()))
            .await
            .status,
        200
    );
}

/// A store with an entrant who brought a friend, both seen, and a session in the console.
async fn a_raffle() -> (MemStore, String, Value) {
    let store = MemStore::default();
    let popular = entered(&store, 1).await;
    let friend = json!({"phoneNumber": "5559876543", "referralCode": popular["referralCode"]});
    send(&store, register_referred(&friend.to_string())).await;
    view(&store, "one", &Value::Null).await;
    view(&store, "two", &popular["referralCode"]).await;
    let token = sign_in(&store).await;
    (store, token, popular)
}

async fn read(store: &MemStore, token: &str, path: &str) -> Response {
    send(store, authorized(get(path), token)).await
}

async fn write(store: &MemStore, token: &str, path: &str, body: &Value) -> Response {
    send(store, authorized(post(path, &body.to_string()), token)).await
}

async fn last_action(store: &MemStore, token: &str) -> Value {
    read(store, token, "/api/admin/audit-log?limit=1").await.json()["entries"][0].clone()
}

#[actix_web::test]
async fn nobody_gets_anything_without_a_session() {
    let store = MemStore::default();
    for (method, path) in CALLS {
        let request = if method == "GET" {
            get(path)
        } else {
            post(path, "{}")
        };
        assert_eq!(send(&store, request).await.error(), "401 unauthorized", "{path}");
    }
}

#[actix_web::test]
async fn both_headers_carry_a_session_everywhere() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (method, path) in CALLS {
        let request = || {
            if method == "GET" {
                get(path)
            } else {
                post(path, "{}")
            }
        };
        let by_bearer = send(&store, authorized(request(), &token)).await;
        let by_header = send(
            &store,
            request().insert_header(("X-Session-Token", token.as_str())),
        )
        .await;
        for response in [by_bearer, by_header] {
            assert!(
                [200, 400].contains(&response.status.as_u16()),
                "{path}: {:?}",
                response.bytes
            );
        }
    }
}

#[actix_web::test]
async fn the_dashboard_has_its_exact_shape() {
    let (store, token, popular) = a_raffle().await;
    let response = read(&store, &token, DASHBOARD).await;
    assert_eq!(response.header("content-type"), "application/json");
    let none = |page: &str| json!({"landingPage": page, "users": 0, "referrals": 0, "pageViews": 0});
    let expected = json!({
        "totalUsers": 2,
        "totalReferrals": 1,
        "totalPageViews": 2,
        "conversionRate": 100.0,
        "referralFunnel": [{
            "referralCode": popular["referralCode"],
            "views": 1, "signups": 1, "referrals": 1, "shares": 0, "conversions": 0
        }],
        "referralVelocity": {"avgTimeToFirstReferral": 0.0, "avgReferralsPerUser": 0.5},
        "topReferrers": [{"referralCode": popular["referralCode"], "phoneNumber": "+15551230001", "count": 1}],
        "suspiciousActivity": [],
        "landingPageStats": [
            {"landingPage": "garden-bag", "users": 1, "referrals": 0, "pageViews": 0},
            {"landingPage": "fresh-sips", "users": 1, "referrals": 1, "pageViews": 2},
            none("kitchen-garden"),
            none("sustainable-living"),
        ],
    });
    assert_eq!(response.json(), expected);
}

#[actix_web::test]
async fn an_empty_raffle_is_all_zero() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let json = read(&store, &token, DASHBOARD).await.json();
    assert_eq!(
        (&json["totalUsers"], &json["conversionRate"]),
        (&json!(0), &json!(0.0))
    );
    assert_eq!(json["landingPageStats"].as_array().unwrap().len(), 4);
    let funnel = read(&store, &token, "/api/admin/analytics/funnel").await.json();
    assert_eq!(
        funnel,
        json!({"funnel": {"totalSessions": 0, "avgTimeSpent": 0.0, "stepBreakdown": {}}})
    );
}

#[actix_web::test]
async fn dates_are_the_sites_days_and_inclusive() {
    let (store, token, _) = a_raffle().await;
    // The clock stands at 1 August 2025, 8 in the morning in New York.
    let sessions = async |query: &str| {
        let path = format!("/api/admin/analytics/funnel?{query}");
        read(&store, &token, &path).await.json()["funnel"]["totalSessions"].clone()
    };
    assert_eq!(sessions("startDate=2025-08-01&endDate=2025-08-01").await, 2);
    assert_eq!(sessions("startDate=2025-08-02").await, 0);
    assert_eq!(sessions("endDate=2025-07-31").await, 0);
    assert_eq!(sessions("landingPage=fresh-sips").await, 2);
    assert_eq!(sessions("landingPage=garden-bag").await, 0);
    assert_eq!(sessions("landingPage=all").await, 2);
    for (query, error) in [
        ("startDate=yesterday", "400 validation startDate"),
        ("endDate=2025-02-30", "400 validation endDate"),
        (
            "startDate=2025-08-02&endDate=2025-08-01",
            "400 validation startDate",
        ),
        ("landingPage=x&endDate=1", "400 validation endDate,landingPage"),
    ] {
        let path = format!("/api/admin/analytics/funnel?{query}");
        assert_eq!(read(&store, &token, &path).await.error(), error, "{query}");
    }
}

#[actix_web::test]
async fn trends_are_cut_into_hours_or_days() {
    let (store, token, _) = a_raffle().await;
    let trends = async |query: &str| {
        read(&store, &token, &format!("/api/admin/analytics/trends{query}"))
            .await
            .json()
    };
    let usual = trends("").await;
    assert_eq!(
        (&usual["unit"], &usual["timeZone"]),
        (&json!("day"), &json!("America/New_York"))
    );
    let buckets = usual["buckets"].as_array().unwrap();
    assert_eq!(buckets.len(), 30);
    assert_eq!(buckets[29], "2025-08-01T04:00:00Z");
    let fresh_sips = &usual["raffles"][1];
    assert_eq!(
        (&fresh_sips["views"][29], &fresh_sips["signUps"][29]),
        (&json!(2), &json!(1))
    );
    assert_eq!(usual["velocity"][0], json!({"underSeconds": 60, "referrers": 1}));
    assert_eq!(
        usual["velocity"][6],
        json!({"underSeconds": null, "referrers": 0})
    );
    let today = trends("?startDate=2025-08-01&endDate=2025-08-01").await;
    assert_eq!(
        (&today["unit"], today["buckets"].as_array().unwrap().len()),
        (&json!("hour"), 24)
    );
    assert_eq!(today["raffles"][1]["views"][8], 2);
    let path = "/api/admin/analytics/trends?startDate=2020-01-01&endDate=2025-01-01";
    assert_eq!(
        read(&store, &token, path).await.error(),
        "400 validation startDate"
    );
}

#[actix_web::test]
async fn a_flagged_entrant_is_listed_and_goes_on_using_the_site() {
    let (store, token, popular) = a_raffle().await;
    let flag = json!({"userId": popular["id"], "reason": " Too many \u{e9}ntries "});
    assert_eq!(
        write(&store, &token, "/api/admin/flag-user", &flag).await.json(),
        json!({"success": true})
    );
    let response = read(&store, &token, "/api/admin/flagged-users").await;
    assert_eq!(response.header("x-total-count"), "1");
    let row = response.json()["flaggedUsers"][0].clone();
    assert_eq!(
        (&row["id"], &row["reason"]),
        (&popular["id"], &json!("Too many \u{e9}ntries"))
    );
    assert_eq!(
        (&row["phoneNumber"], &row["totalEntries"]),
        (&json!("+15551230001"), &json!(2))
    );
    assert_eq!(
        (&row["ipAddress"], &row["landingPage"]),
        (&json!("192.0.2.7"), &json!("fresh-sips"))
    );
    let action = last_action(&store, &token).await;
    assert_eq!(
        (&action["action"], &action["target"]),
        (&json!("flag_user"), &json!(popular["id"].to_string()))
    );
    let stats = format!("/api/users/{}/stats", popular["id"]);
    assert_eq!(send(&store, get(&stats)).await.json()["totalEntries"], 2);
    write(&store, &token, "/api/admin/unflag-user", &flag).await;
    assert_eq!(
        read(&store, &token, "/api/admin/flagged-users").await.json(),
        json!({"flaggedUsers": []})
    );
    assert_eq!(last_action(&store, &token).await["action"], "unflag_user");
}

#[actix_web::test]
async fn flagging_nobody_flags_nobody() {
    let (store, token, popular) = a_raffle().await;
    for path in ["/api/admin/flag-user", "/api/admin/unflag-user"] {
        for (body, error) in [
            (json!({"reason": "any"}), "400 validation userId"),
            (json!({"userId": null, "reason": "any"}), "400 validation userId"),
            (json!({"userId": "1", "reason": "any"}), "400 validation userId"),
            (json!({"userId": popular["id"]}), "400 validation reason"),
            (
                json!({"userId": popular["id"], "reason": "x".repeat(201)}),
                "400 validation reason",
            ),
            (json!({"userId": 0, "reason": "any"}), "404 not_found"),
            (json!({"userId": i64::MAX, "reason": "any"}), "404 not_found"),
        ] {
            assert_eq!(write(&store, &token, path, &body).await.error(), error, "{body}");
        }
    }
    assert_eq!(last_action(&store, &token).await["action"], "login");
}

#[actix_web::test]
async fn detection_says_how_many_it_flagged_and_the_dashboard_shows_it_at_once() {
    let store = MemStore::default();
    for n in 0..3 {
        entered(&store, n).await;
    }
    let token = sign_in(&store).await;
    let detect = || authorized(post("/api/admin/fraud-detection", ""), &token);
    let dashboard = || authorized(get(DASHBOARD), &token);
    let requests: Vec<TestRequest> = vec![dashboard(), detect(), dashboard(), detect()];
    let responses = send_all(&store, app_state(), requests).await;
    let row =
        |flagged: bool| json!([{"ipAddress": "192.0.2.7", "count": 3, "flagged": flagged, "userId": 3}]);
    assert_eq!(responses[0].json()["suspiciousActivity"], row(false));
    assert_eq!(responses[1].json(), json!({"flagged": 3}));
    assert_eq!(responses[2].json()["suspiciousActivity"], row(true));
    assert_eq!(responses[3].json(), json!({"flagged": 0}));
    assert_eq!(
        last_action(&store, &token).await["details"],
        json!({"flagged": 0})
    );
}

#[actix_web::test]
async fn clearing_says_how_much_it_deleted_and_is_written_down() {
    let (store, token, popular) = a_raffle().await;
    let stored = read(&store, &token, "/api/admin/stored-data").await.json();
    let analytics = json!({"pageViews": 2, "socialShares": 0, "funnelSteps": 2});
    let referrals = json!({"referrals": 1, "bonusEntries": 1});
    let sms = json!({"campaigns": 0, "messages": 0, "clicks": 0, "templates": 0});
    assert_eq!(
        stored,
        json!({"analytics": analytics, "referrals": referrals, "sms": sms})
    );
    let cleared = write(&store, &token, "/api/admin/clear-analytics", &json!({}))
        .await
        .json();
    assert_eq!(cleared, json!({"success": true, "deleted": analytics}));
    let action = last_action(&store, &token).await;
    assert_eq!(
        (&action["action"], &action["details"]),
        (&json!("clear_analytics"), &analytics)
    );
    let cleared = send(&store, authorized(post("/api/admin/clear-referrals", ""), &token))
        .await
        .json();
    assert_eq!(cleared, json!({"success": true, "deleted": referrals}));
    let action = last_action(&store, &token).await;
    assert_eq!(
        (&action["action"], &action["details"]),
        (&json!("clear_referrals"), &referrals)
    );
    let stats = send(&store, get(&format!("/api/users/{}/stats", popular["id"])))
        .await
        .json();
    assert_eq!(
        (&stats["totalEntries"], &stats["referralCount"]),
        (&json!(1), &json!(0))
    );
}

#[actix_web::test]
async fn a_store_that_is_away_is_a_503() {
    let (store, token, _) = a_raffle().await;
    store.fail_next(StoreError::Unavailable("gone".into()));
    assert_eq!(read(&store, &token, DASHBOARD).await.error(), "503 unavailable");
    assert_eq!(read(&store, &token, DASHBOARD).await.status, 200);
}
