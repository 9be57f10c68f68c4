use crate::support::{authorized, post, register, send, sign_in};
use fakes::MemStore;
use serde_json::json;

const CLOSE: &str = "/api/admin/raffles/fresh-sips/close";
const ENTER: &str = r#"{"phoneNumber": "5551234567", "landingPage": "fresh-sips"}"#;
const OPEN: &str = "/api/admin/raffles/fresh-sips/open";

#[actix_web::test]
async fn a_raffle_closes_at_once_with_a_reason_and_opens_again() {
    let store = MemStore::with_rules();
    let token = sign_in(&store).await;
    let call = async |path: &str, body: &str| send(&store, authorized(post(path, body), &token)).await;
    for body in [r#"{"now": true}"#, r#"{"now": true, "reason": "no"}"#] {
        assert_eq!(call(CLOSE, body).await.error(), "400 validation reason", "{body}");
    }
    let closed = call(CLOSE, r#"{"now": true, "reason": "The prize is gone"}"#).await;
    let expected =
        json!({"landingPage": "fresh-sips", "status": "closed", "nextStatus": null, "nextAt": null});
    assert_eq!((closed.status.as_u16(), closed.json()), (200, expected.clone()));
    let enter = async || send(&store, register(ENTER)).await;
    let refused = enter().await;
    assert_eq!(refused.error(), "409 raffle_closed");
    assert_eq!(refused.json()["error"], "This raffle has ended.");
    let again = call(CLOSE, r#"{"now": true, "reason": "The prize is gone"}"#).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, expected));

    let opened = call(OPEN, "{}").await;
    assert_eq!(
        (opened.status.as_u16(), &opened.json()["status"]),
        (200, &json!("open"))
    );
    assert_eq!(enter().await.status.as_u16(), 201);
}

#[actix_web::test]
async fn a_raffle_closes_when_the_month_ends_and_that_is_taken_back() {
    let store = MemStore::with_rules();
    let token = sign_in(&store).await;
    let call = async |path: &str, body: &str| send(&store, authorized(post(path, body), &token)).await;
    let closing = call(CLOSE, "{}").await.json();
    assert_eq!(
        (&closing["status"], &closing["nextStatus"]),
        (&json!("open"), &json!("closed"))
    );
    assert!(closing["nextAt"].is_string());
    assert_eq!(send(&store, register(ENTER)).await.status.as_u16(), 201);
    let opened = call(OPEN, "{}").await.json();
    assert_eq!(
        (&opened["status"], &opened["nextAt"]),
        (&json!("open"), &json!(null))
    );
}

#[actix_web::test]
async fn only_raffles_that_there_are_open_and_close() {
    let store = MemStore::with_rules();
    let token = sign_in(&store).await;
    for path in [
        "/api/admin/raffles/nothing/open",
        "/api/admin/raffles/no%20key/close",
    ] {
        let answer = send(&store, authorized(post(path, "{}"), &token)).await;
        assert_eq!(answer.error(), "404 not_found", "{path}");
    }
    let wrong = send(&store, authorized(post(OPEN, r#"{"at": "tomorrow"}"#), &token)).await;
    assert_eq!(wrong.error(), "400 validation at");
}
