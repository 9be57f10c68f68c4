//! The console: dashboard, funnel, trends, flags and clearing.

use crate::support::{
    app_state, authorized, get, get_with_session, post, post_with_session, register, register_referred, send,
    send_all, sign_in,
};
use actix_web::test::TestRequest;
use fakes::MemStore;
use kernel::StoreError;
use serde_json::{Value, json};

const DASHBOARD: &str = "/api/admin/analytics/dashboard";
const ROUTES: [(&str, &str); 42] = [
    ("GET", DASHBOARD),
    ("GET", "/api/admin/analytics/funnel"),
    ("GET", "/api/admin/analytics/trends"),
    ("GET", "/api/admin/flagged-users"),
    ("GET", "/api/admin/flagged-users/export"),
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
    ("GET", "/api/admin/fraud/appeals"),
    ("POST", "/api/admin/fraud/appeals/1/decide"),
    ("GET", "/api/admin/fraud/networks"),
    ("POST", "/api/admin/fraud/networks"),
    ("POST", "/api/admin/unflag-user"),
    ("POST", "/api/admin/clear-analytics"),
    ("POST", "/api/admin/clear-referrals"),
    ("POST", "/api/admin/clear-campaigns"),
    ("POST", "/api/admin/clear-sms"),
    ("GET", "/api/admin/jobs"),
    ("GET", "/api/admin/jobs/1"),
    ("POST", "/api/admin/save-credentials"),
    ("GET", "/api/admin/sms/templates"),
    ("POST", "/api/admin/sms/templates"),
    ("GET", "/api/admin/sms/campaigns"),
    ("GET", "/api/admin/sms/campaigns/export"),
    ("POST", "/api/admin/sms/campaigns/schedule"),
    ("POST", "/api/admin/sms/campaigns/estimate"),
    ("GET", "/api/admin/sms/analytics"),
    ("GET", "/api/admin/sms/replies"),
    ("GET", "/api/admin/sms/replies/export"),
    ("GET", "/api/admin/sms/status"),
    ("POST", "/api/admin/sms/test-text"),
    ("GET", "/api/admin/welcome-sms"),
    ("POST", "/api/admin/welcome-sms"),
];

async fn register_entrant(store: &MemStore, n: u32) -> Value {
    let body = json!({"phoneNumber": format!("555123{n:04}"), "landingPage": "fresh-sips"});
    send(store, register(&body.to_string())).await.json()["user"].clone()
}

async fn post_view(store: &MemStore, session: &str, code: &Value) {
    let body = json!({"page": "fresh-sips", "sessionId": session, "referralCode": code});
    assert_eq!(
        send(store, post("/api/analytics/page-view", &body.to_string()))
            .await
            .status,
        200
    );
}

/// A store with an entrant who referred a friend and with two page views, the token of a session, and the entrant.
async fn store_with_a_referral() -> (MemStore, String, Value) {
    let store = MemStore::default();
    let referrer = register_entrant(&store, 1).await;
    let friend = json!({"phoneNumber": "5559876543", "referralCode": referrer["referralCode"]});
    send(&store, register_referred(&friend.to_string())).await;
    post_view(&store, "one", &Value::Null).await;
    post_view(&store, "two", &referrer["referralCode"]).await;
    let token = sign_in(&store).await;
    (store, token, referrer)
}

async fn last_audit_entry(store: &MemStore, token: &str) -> Value {
    get_with_session(store, token, "/api/admin/audit-log?limit=1")
        .await
        .json()["entries"][0]
        .clone()
}

#[actix_web::test]
async fn every_route_needs_a_session() {
    let store = MemStore::default();
    for (method, path) in ROUTES {
        let request = if method == "GET" {
            get(path)
        } else {
            post(path, "{}")
        };
        assert_eq!(send(&store, request).await.error(), "401 unauthorized", "{path}");
    }
}

#[actix_web::test]
async fn every_route_accepts_the_session_token_in_both_headers() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (method, path) in ROUTES {
        let request = || {
            if method == "GET" {
                get(path)
            } else {
                post(path, "{}")
            }
        };
        let with_bearer = send(&store, authorized(request(), &token)).await;
        let with_header = send(
            &store,
            request().insert_header(("X-Session-Token", token.as_str())),
        )
        .await;
        for response in [with_bearer, with_header] {
            assert!(
                [200, 400].contains(&response.status.as_u16()),
                "{path}: {:?}",
                response.bytes
            );
        }
    }
}

#[actix_web::test]
async fn the_dashboard_has_all_figures() {
    let (store, token, referrer) = store_with_a_referral().await;
    let response = get_with_session(&store, &token, DASHBOARD).await;
    assert_eq!(response.header("content-type"), "application/json");
    let empty = |page: &str| json!({"landingPage": page, "users": 0, "referrals": 0, "pageViews": 0});
    let expected = json!({
        "totalUsers": 2,
        "totalReferrals": 1,
        "totalPageViews": 2,
        "conversionRate": 100.0,
        "referralFunnel": [{
            "referralCode": referrer["referralCode"],
            "views": 1, "signups": 1, "referrals": 1, "shares": 0, "conversions": 0
        }],
        "referralVelocity": {"avgTimeToFirstReferral": 0.0, "avgReferralsPerUser": 0.5},
        "topReferrers": [{"referralCode": referrer["referralCode"], "phoneNumber": "***-***-0001", "count": 1}],
        "suspiciousActivity": [],
        "landingPageStats": [
            {"landingPage": "garden-bag", "users": 1, "referrals": 0, "pageViews": 0},
            {"landingPage": "fresh-sips", "users": 1, "referrals": 1, "pageViews": 2},
            empty("kitchen-garden"),
            empty("sustainable-living"),
        ],
    });
    assert_eq!(response.json(), expected);
}

#[actix_web::test]
async fn the_figures_of_an_empty_store_are_zero() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let json = get_with_session(&store, &token, DASHBOARD).await.json();
    assert_eq!(
        (&json["totalUsers"], &json["conversionRate"]),
        (&json!(0), &json!(0.0))
    );
    assert_eq!(json["landingPageStats"].as_array().unwrap().len(), 4);
    let funnel = get_with_session(&store, &token, "/api/admin/analytics/funnel")
        .await
        .json();
    assert_eq!(
        funnel,
        json!({"funnel": {"totalSessions": 0, "avgTimeSpent": 0.0, "stepBreakdown": {}}})
    );
}

#[actix_web::test]
async fn dates_are_inclusive_days_in_the_sites_time_zone() {
    let (store, token, _) = store_with_a_referral().await;
    // The clock shows August 1, 2025, 8:00 in New York.
    let sessions = async |query: &str| {
        let path = format!("/api/admin/analytics/funnel?{query}");
        get_with_session(&store, &token, &path).await.json()["funnel"]["totalSessions"].clone()
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
        assert_eq!(
            get_with_session(&store, &token, &path).await.error(),
            error,
            "{query}"
        );
    }
}

#[actix_web::test]
async fn trends_are_grouped_by_hour_or_day() {
    let (store, token, _) = store_with_a_referral().await;
    let trends = async |query: &str| {
        get_with_session(&store, &token, &format!("/api/admin/analytics/trends{query}"))
            .await
            .json()
    };
    let default = trends("").await;
    assert_eq!(
        (&default["unit"], &default["timeZone"]),
        (&json!("day"), &json!("America/New_York"))
    );
    let buckets = default["buckets"].as_array().unwrap();
    assert_eq!(buckets.len(), 30);
    assert_eq!(buckets[29], "2025-08-01T04:00:00Z");
    let fresh_sips = &default["raffles"][1];
    assert_eq!(
        (&fresh_sips["views"][29], &fresh_sips["signUps"][29]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        default["velocity"][0],
        json!({"underSeconds": 60, "referrers": 1})
    );
    assert_eq!(
        default["velocity"][6],
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
        get_with_session(&store, &token, path).await.error(),
        "400 validation startDate"
    );
}

#[actix_web::test]
async fn a_flagged_entrant_is_listed_and_can_still_use_the_site() {
    let (store, token, referrer) = store_with_a_referral().await;
    let flag = json!({"userId": referrer["id"], "reason": " Too many \u{e9}ntries ", "publicReason": "several_accounts"});
    assert_eq!(
        post_with_session(&store, &token, "/api/admin/flag-user", &flag)
            .await
            .json(),
        json!({"success": true})
    );
    let response = get_with_session(&store, &token, "/api/admin/flagged-users").await;
    assert_eq!(response.header("x-total-count"), "1");
    let row = response.json()["flaggedUsers"][0].clone();
    assert_eq!(
        (&row["id"], &row["reason"]),
        (&referrer["id"], &json!("Too many \u{e9}ntries"))
    );
    assert_eq!(
        (&row["phoneNumber"], &row["totalEntries"]),
        (&json!("+15551230001"), &json!(2))
    );
    assert_eq!(
        (&row["ipAddress"], &row["landingPage"]),
        (&json!("192.0.2.7"), &json!("fresh-sips"))
    );
    let action = last_audit_entry(&store, &token).await;
    assert_eq!(
        (&action["action"], &action["target"]),
        (&json!("flag_user"), &json!(referrer["id"].to_string()))
    );
    let stats = format!("/api/users/{}/stats", referrer["id"]);
    assert_eq!(send(&store, get(&stats)).await.json()["totalEntries"], 2);
    post_with_session(&store, &token, "/api/admin/unflag-user", &flag).await;
    assert_eq!(
        get_with_session(&store, &token, "/api/admin/flagged-users")
            .await
            .json(),
        json!({"flaggedUsers": []})
    );
    assert_eq!(last_audit_entry(&store, &token).await["action"], "unflag_user");
}

#[actix_web::test]
async fn invalid_flag_requests_are_rejected() {
    let (store, token, referrer) = store_with_a_referral().await;
    for path in ["/api/admin/flag-user", "/api/admin/unflag-user"] {
        for (body, error) in [
            (json!({"reason": "any"}), "400 validation userId"),
            (json!({"userId": null, "reason": "any"}), "400 validation userId"),
            (json!({"userId": "1", "reason": "any"}), "400 validation userId"),
            (json!({"userId": referrer["id"]}), "400 validation reason"),
            (
                json!({"userId": referrer["id"], "reason": "x".repeat(201)}),
                "400 validation reason",
            ),
            (json!({"userId": 0, "reason": "any"}), "404 not_found"),
            (json!({"userId": i64::MAX, "reason": "any"}), "404 not_found"),
        ] {
            let mut body = body;
            body["publicReason"] = json!("rules");
            assert_eq!(
                post_with_session(&store, &token, path, &body).await.error(),
                error,
                "{body}"
            );
        }
    }
    assert_eq!(last_audit_entry(&store, &token).await["action"], "login");
}

#[actix_web::test]
async fn fraud_detection_returns_the_count_and_updates_the_dashboard() {
    let store = MemStore::default();
    let mut newest = Value::Null;
    for n in 0..3 {
        newest = register_entrant(&store, n).await["id"].clone();
    }
    let token = sign_in(&store).await;
    let detect = || authorized(post("/api/admin/fraud-detection", ""), &token);
    let dashboard = || authorized(get(DASHBOARD), &token);
    let requests: Vec<TestRequest> = vec![dashboard(), detect(), dashboard(), detect()];
    let responses = send_all(&store, app_state(), requests).await;
    assert_eq!(
        responses[0].json()["suspiciousActivity"],
        json!([{"ipAddress": "192.0.2.7", "count": 3, "flagged": false, "userId": newest}])
    );
    assert_eq!(responses[1].json(), json!({"flagged": 3}));
    assert_eq!(
        responses[2].json()["suspiciousActivity"],
        json!([{"ipAddress": "192.0.2.7", "count": 3, "flagged": true}])
    );
    assert_eq!(responses[3].json(), json!({"flagged": 0}));
    assert_eq!(
        last_audit_entry(&store, &token).await["details"],
        json!({"flagged": 0})
    );
}

#[actix_web::test]
async fn clearing_returns_the_counts_and_is_in_the_audit_log() {
    let (store, token, referrer) = store_with_a_referral().await;
    let stored = get_with_session(&store, &token, "/api/admin/stored-data")
        .await
        .json();
    let analytics = json!({"pageViews": 2, "socialShares": 0, "funnelSteps": 2});
    let referrals = json!({"referrals": 1, "bonusEntries": 1});
    let sms = json!({"campaigns": 0, "messages": 0, "clicks": 0, "templates": 0, "replies": 0});
    assert_eq!(
        stored,
        json!({"analytics": analytics, "referrals": referrals, "sms": sms})
    );
    let cleared = post_with_session(&store, &token, "/api/admin/clear-analytics", &json!({}))
        .await
        .json();
    assert_eq!(cleared, json!({"success": true, "deleted": analytics}));
    let action = last_audit_entry(&store, &token).await;
    assert_eq!(
        (&action["action"], &action["details"]),
        (&json!("clear_analytics"), &analytics)
    );
    let cleared = send(&store, authorized(post("/api/admin/clear-referrals", ""), &token))
        .await
        .json();
    assert_eq!(cleared, json!({"success": true, "deleted": referrals}));
    let action = last_audit_entry(&store, &token).await;
    assert_eq!(
        (&action["action"], &action["details"]),
        (&json!("clear_referrals"), &referrals)
    );
    let stats = send(&store, get(&format!("/api/users/{}/stats", referrer["id"])))
        .await
        .json();
    assert_eq!(
        (&stats["totalEntries"], &stats["referralCount"]),
        (&json!(1), &json!(0))
    );
}

#[actix_web::test]
async fn an_unavailable_store_is_503() {
    let (store, token, _) = store_with_a_referral().await;
    store.fail_next(StoreError::Unavailable("gone".into()));
    assert_eq!(
        get_with_session(&store, &token, DASHBOARD).await.error(),
        "503 unavailable"
    );
    assert_eq!(get_with_session(&store, &token, DASHBOARD).await.status, 200);
}
