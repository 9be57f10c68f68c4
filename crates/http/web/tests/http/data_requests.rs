//! Requests of people for their data, and the download of a copy.

use crate::phone_verification::{newest_code, wrong_code};
use crate::support::{
    Own, Response, app_state, authorized, get, get_with_session, post, post_with_session, send, send_all,
    sign_in,
};
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use fakes::{FixedClock, MemStore};
use kernel::{Clock, EntrantId, Phone, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::OptOuts;
use std::sync::Arc;
use web::AppState;

/// An application in which codes confirm requests, so many seconds after sign-ups and sessions of other tests.
fn with_codes(second: i64) -> AppState {
    let now = FixedClock::default().now() + TimeDelta::seconds(second);
    AppState {
        clock: Arc::new(FixedClock::at(now)),
        ..crate::phone_verification::with_codes(0)
    }
}

impl Own {
    async fn call(&self, store: &MemStore, state: AppState, request: TestRequest) -> Response {
        send_all(store, state, vec![self.with_cookie(request)])
            .await
            .remove(0)
    }

    async fn ask(&self, store: &MemStore, state: AppState, kind: &str) -> Response {
        let body = json!({"requestType": kind}).to_string();
        self.call(store, state, post(&self.path("data-requests"), &body))
            .await
    }

    /// Enters a code in a browser that holds this entrant's token, and the cookie that an answer set.
    async fn verify(&self, store: &MemStore, second: i64, asked: &Response, code: &str) -> Response {
        let id = &asked.json()["verification"]["id"];
        let body = json!({"verificationId": id, "code": code}).to_string();
        let request = self.with_cookie(post("/api/users/verify", &body));
        let request = request.append_header(("Cookie", browser_of(asked)));
        send_all(store, with_codes(second), vec![request]).await.remove(0)
    }

    async fn list(&self, store: &MemStore) -> Response {
        self.call(store, app_state(), get(&self.path("data-requests")))
            .await
    }
}

/// The cookie that binds the browser that asked.
fn browser_of(asked: &Response) -> String {
    asked.header("set-cookie").split(';').next().unwrap().to_owned()
}

fn is_gone(store: &MemStore, id: i64) -> bool {
    use raffle::Entrants;
    store
        .read(|tx| tx.find_entrant(EntrantId::new(id)))
        .unwrap()
        .is_none()
}

#[actix_web::test]
async fn a_copy_is_a_zip_by_a_link() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let made = own.ask(&store, app_state(), "export").await;
    assert_eq!(made.status, 201);
    let copy = made.json();
    assert_eq!(
        (&copy["status"], &copy["verification"]),
        (&json!("completed"), &Value::Null)
    );
    assert_eq!(own.list(&store).await.json(), json!({"requests": [copy]}));

    let path = copy["fileUrl"].as_str().unwrap();
    let zip = send(&store, get(path)).await;
    assert_eq!(
        (zip.status.as_u16(), zip.header("content-type")),
        (200, "application/zip")
    );
    assert_eq!(
        zip.header("content-disposition"),
        "attachment; filename=\"tombola-data.zip\""
    );
    assert_eq!(zip.header("cache-control"), "no-store");
    assert!(zip.bytes.starts_with(b"PK"));
    let late = send_all(&store, with_codes(72 * 3_600), vec![get(path)])
        .await
        .remove(0);
    assert_eq!(late.error(), "410 export_expired");
    for unknown in ["0".repeat(64), "x".to_owned()] {
        let unknown = send(&store, get(&format!("/api/data-exports/{unknown}"))).await;
        assert_eq!(unknown.error(), "404 not_found");
    }
}

#[actix_web::test]
async fn only_the_browser_that_entered_asks() {
    let store = MemStore::default();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let body = json!({"requestType": "erasure"}).to_string();
    for request in [
        post(&own.path("data-requests"), &body),
        get(&own.path("data-requests")),
    ] {
        let stranger = other.call(&store, app_state(), request).await;
        assert_eq!(stranger.error(), "403 another_browser");
    }
    assert_eq!(
        send(&store, post(&own.path("data-requests"), &body))
            .await
            .error(),
        "403 another_browser"
    );
    assert!(!is_gone(&store, own.id));
}

#[actix_web::test]
async fn an_unknown_type_is_named() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    for kind in ["", "delete", "EXPORT"] {
        let refused = own.ask(&store, app_state(), kind).await;
        assert_eq!(refused.error(), "400 validation requestType", "{kind:?}");
    }
}

#[actix_web::test]
async fn an_erasure_ends_the_page_of_an_entrant() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let done = own.ask(&store, app_state(), "erasure").await;
    assert_eq!(
        (done.status.as_u16(), done.json()["status"].clone()),
        (201, json!("completed"))
    );
    assert!(is_gone(&store, own.id));
    let page = own
        .call(&store, app_state(), get(&format!("/api/users/{}", own.id)))
        .await;
    assert_eq!(page.error(), "404 not_found");
    assert_eq!(
        own.ask(&store, app_state(), "erasure").await.error(),
        "403 another_browser"
    );
    assert_eq!(own.list(&store).await.error(), "403 another_browser");
}

#[actix_web::test]
async fn the_sixth_copy_of_a_day_is_refused() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    for _ in 0..5 {
        assert_eq!(own.ask(&store, app_state(), "export").await.status, 201);
    }
    let sixth = own.ask(&store, app_state(), "export").await;
    assert_eq!(sixth.error(), "429 too_many_exports");
    assert_eq!(sixth.header("retry-after"), "86400");
}

#[actix_web::test]
async fn a_code_confirms_a_request_in_the_browser_that_asked() {
    let store = MemStore::default();
    let (own, other) = (Own::entered(&store, 1).await, Own::entered(&store, 2).await);
    let asked = own.ask(&store, with_codes(0), "erasure").await;
    let waiting = asked.json();
    let verification = &waiting["verification"];
    assert_eq!(
        (&waiting["status"], &waiting["fileUrl"]),
        (&json!("pending"), &Value::Null)
    );
    let expected = json!({
        "id": format!("data-request-{}", waiting["id"]), "expiresAt": waiting["expiresAt"], "expiresAfter": 600,
        "resendAfter": 60, "undeliverable": false
    });
    assert_eq!(*verification, expected);
    let code = newest_code(&store);
    let stranger = other.verify(&store, 1, &asked, &code).await;
    assert_eq!(stranger.error(), "410 verification_expired", "another entrant");
    let wrong = own.verify(&store, 1, &asked, &wrong_code(&store)).await;
    assert_eq!(wrong.error(), "400 validation code");
    let erasing = own.ask(&store, with_codes(2), "export").await;
    assert_eq!(erasing.error(), "429 too_many_codes");
    assert!(!is_gone(&store, own.id));
    let done = own.verify(&store, 2, &asked, &code).await;
    assert_eq!(
        (done.status.as_u16(), done.json()["status"].clone()),
        (200, json!("completed"))
    );
    assert!(is_gone(&store, own.id));
    let again = own.verify(&store, 3, &asked, &code).await;
    assert_eq!(again.json(), done.json(), "the answer was lost");
    let late = own.verify(&store, 600, &asked, &code).await;
    assert_eq!(late.error(), "410 verification_expired");
}

#[actix_web::test]
async fn another_browser_of_the_entrant_neither_sees_nor_uses_nor_ends_a_code() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let asked = own.ask(&store, with_codes(0), "export").await;
    let code = newest_code(&store);
    let list = async |browser: Option<String>| {
        let request = own.with_cookie(get(&own.path("data-requests")));
        let request = match browser {
            Some(browser) => request.append_header(("Cookie", browser)),
            None => request,
        };
        send_all(&store, with_codes(1), vec![request]).await[0].json()["requests"][0]["verification"].clone()
    };
    assert_eq!(list(Some(browser_of(&asked))).await["resendAfter"], 59);
    assert_eq!(list(None).await, Value::Null);
    let body = json!({"verificationId": asked.json()["verification"]["id"], "code": code}).to_string();
    let elsewhere = own
        .call(&store, with_codes(1), post("/api/users/verify", &body))
        .await;
    assert_eq!(elsewhere.error(), "410 verification_expired");
    let second = own.ask(&store, with_codes(60), "export").await;
    assert_eq!(
        second.json()["id"],
        asked.json()["id"],
        "the same request, with a code of its own"
    );
    let first = own.verify(&store, 61, &asked, &code).await;
    assert_eq!(first.json()["status"], "completed");
}

#[actix_web::test]
async fn no_code_is_texted_to_a_number_that_said_stop() {
    let store = MemStore::default();
    let own = Own::entered(&store, 1).await;
    let phone = Phone::parse("5551230001").unwrap();
    let at = chrono::DateTime::UNIX_EPOCH;
    store
        .transaction::<_, StoreError>(|tx| tx.opt_out(&phone, at))
        .unwrap();
    let refused = own.ask(&store, with_codes(0), "export").await;
    assert_eq!(refused.error(), "409 cannot_text");
}

#[actix_web::test]
async fn staff_copy_and_erase_for_people_who_ask_them() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let own = Own::entered(&store, 1).await;
    let path = format!("/api/admin/people/{}/data-requests", own.id);
    let copy = post_with_session(&store, &token, &path, &json!({"requestType": "export"})).await;
    assert_eq!(
        (copy.status.as_u16(), copy.json()["status"].clone()),
        (201, json!("completed"))
    );

    let request = post(&path, &json!({"requestType": "erasure"}).to_string());
    let with_session = authorized(request, &token);
    let waiting = send_all(&store, with_codes(0), vec![with_session])
        .await
        .remove(0)
        .json();
    assert_eq!(waiting["status"], "pending");
    let listed = get_with_session(&store, &token, &path).await.json();
    assert_eq!(listed["requests"].as_array().unwrap().len(), 2);
    let visitor = own.list(&store).await.json();
    assert_eq!(
        visitor["requests"][0]["requestType"], "export",
        "not the one that waits for staff"
    );

    let path = format!("{path}/{}/confirm", waiting["id"]);
    let confirm = async |code: String| {
        let request = authorized(post(&path, &json!({"code": code}).to_string()), &token);
        send_all(&store, with_codes(1), vec![request]).await.remove(0)
    };
    assert_eq!(confirm(wrong_code(&store)).await.error(), "400 validation code");
    let right = confirm(newest_code(&store)).await;
    assert_eq!(
        (right.status.as_u16(), right.json()["status"].clone()),
        (200, json!("completed"))
    );
    assert!(is_gone(&store, own.id));
    let log = get_with_session(&store, &token, "/api/admin/audit-log")
        .await
        .json();
    let actions = log["entries"].to_string();
    assert!(
        actions.contains("export_person") && actions.contains("erase_person"),
        "{actions}"
    );
    let file = get_with_session(&store, &token, &format!("/api/admin/people/{}", own.id))
        .await
        .json();
    assert_eq!(file["profile"]["phoneNumber"], Value::Null);
}

#[actix_web::test]
async fn staff_need_a_session() {
    let store = MemStore::default();
    let path = "/api/admin/people/1/data-requests";
    let body = json!({"requestType": "export"}).to_string();
    for request in [
        post(path, &body),
        get(path),
        post(&format!("{path}/1/confirm"), r#"{"code": "123456"}"#),
    ] {
        assert_eq!(send(&store, request).await.error(), "401 unauthorized");
    }
    let token = sign_in(&store).await;
    let unknown = post_with_session(&store, &token, path, &json!({"requestType": "export"})).await;
    assert_eq!(unknown.error(), "404 not_found");
}
