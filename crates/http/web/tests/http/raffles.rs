use crate::drawing::PERFORM;
use crate::support::{app_state, authorized, get, get_with_session, post, register, send, send_all, sign_in};
use fakes::MemStore;
use serde_json::{Value, json};
use web::{AppState, KnownRaffles};

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
async fn the_page_of_an_entrant_knows_of_the_last_drawing() {
    let store = MemStore::with_rules();
    let token = sign_in(&store).await;
    let entered = send(&store, register(ENTER)).await.json();
    let path = format!("/api/users/{}", entered["user"]["id"]);
    let last = async || {
        let state = AppState {
            raffles: KnownRaffles::default(), // what it does not know to be open, it asks the store
            ..app_state()
        };
        send_all(&store, state, vec![get(&path)]).await[0].json()["lastDrawing"].clone()
    };
    assert_eq!(last().await, json!(null), "it is open");
    let close = post(CLOSE, r#"{"now": true, "reason": "The prize is gone"}"#);
    assert_eq!(send(&store, authorized(close, &token)).await.status, 200);
    assert_eq!(
        last().await,
        json!({"dueAt": null}),
        "staff can still draw its month"
    );
    let drawn = send(
        &store,
        authorized(post(PERFORM, r#"{"landingPage": "fresh-sips"}"#), &token),
    )
    .await;
    assert_eq!(drawn.status.as_u16(), 201);
    assert_eq!(last().await, json!(null));
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

/// Without codes, only the browser that entered moves its entrant.
#[actix_web::test]
async fn a_number_moves_to_an_open_raffle_once_its_own_is_over() {
    let store = MemStore::with_rules();
    let token = sign_in(&store).await;
    let entered = send(&store, register(ENTER)).await;
    assert_eq!(entered.json()["user"]["movedFrom"], json!(null));
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let elsewhere = r#"{"phoneNumber": "5551234567", "landingPage": "kitchen-garden"}"#;
    let enter = async |own: bool| {
        let request = register(elsewhere);
        let request = match own {
            true => request.insert_header(("Cookie", cookie.clone())),
            false => request,
        };
        let answer = send(&store, request).await;
        assert_eq!(answer.status, 200, "{:?}", answer.bytes);
        answer.json()["user"].clone()
    };
    let stays = json!(["fresh-sips", false, null]);
    let told = |user: &Value| json!([user["landingPage"], user["isNew"], user["movedFrom"]]);
    assert_eq!(told(&enter(true).await), stays, "it is open");
    let call = async |path: &str, body: &str| send(&store, authorized(post(path, body), &token)).await;
    call(CLOSE, r#"{"now": true, "reason": "The prize is gone"}"#).await;
    assert_eq!(told(&enter(true).await), stays, "its month can be drawn");
    let drawn = call(PERFORM, r#"{"landingPage": "fresh-sips"}"#).await;
    assert_eq!(drawn.status, 201, "{:?}", drawn.bytes);
    assert_eq!(told(&enter(false).await), stays, "anybody may type the number");
    let moved = enter(true).await;
    assert_eq!(told(&moved), json!(["kitchen-garden", false, "fresh-sips"]));
    let before = entered.json()["user"].clone();
    assert_eq!(
        [&moved["id"], &moved["referralCode"]],
        [&before["id"], &before["referralCode"]]
    );
    let again = enter(true).await;
    assert_eq!(told(&again), json!(["kitchen-garden", false, null]));
    let file = get_with_session(&store, &token, &format!("/api/admin/people/{}", moved["id"])).await;
    let moves = file.json()["moves"].clone();
    let at = moves[0]["movedAt"].as_str().unwrap();
    let expected = json!([{"from": "fresh-sips", "to": "kitchen-garden", "movedAt": at}]);
    assert_eq!(moves, expected);
}
