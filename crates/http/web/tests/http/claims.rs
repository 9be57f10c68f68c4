//! What winners do with the links of claims, and staff in the console.

use crate::drawing::{draw, store_with_entrants};
use crate::staff_accounts::join;
use crate::support::{
    Response, app_state, authorized, claim_key, code_services, get, get_with_session, post,
    post_with_session, send_all, sms_services, with_rate_limits,
};
use actix_web::test::TestRequest;
use chrono::{DateTime, TimeDelta, Utc};
use drawing::DrawingId;
use fakes::{MemStore, MemTx, PlainSealer};
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::Entrants;
use serde_json::{Value, json};
use sms::{Credentials, MessageKind, OptOuts, Outbox, ProviderMessage, ProviderMessageId, ProviderStatus};
use std::io::{Cursor, read_to_string};
use web::{AppState, CodeServices, SmsServices};
use zip::ZipArchive;

const LIST: &str = "/api/admin/claims";

/// The moment of the drawing.
fn drawn_at() -> DateTime<Utc> {
    "2026-12-01T15:00:00Z".parse().unwrap()
}

/// A drawn drawing, and the console.
struct Won {
    store: MemStore,
    token: String,
    winner: EntrantId,
}

/// An application that can send texts.
fn with_texts() -> AppState {
    let account = Credentials::parse(&format!("AC{}", "1".repeat(32)), &"2".repeat(32), "+15550100000");
    AppState {
        sms: SmsServices {
            environment: Some(account.unwrap()),
            ..sms_services()
        },
        codes: CodeServices {
            limits: true,
            ..code_services()
        },
        ..app_state()
    }
}

impl Won {
    async fn drawn() -> Self {
        let (store, token, _) = store_with_entrants().await;
        store.set_time(drawn_at());
        let drawn = draw(&store, &token).await;
        let winner = EntrantId::new(drawn["winnerId"].as_i64().unwrap());
        Self { store, token, winner }
    }

    fn after(&self, time: TimeDelta) {
        self.store.set_time(drawn_at() + time);
    }

    fn path(rank: u32, action: &str) -> String {
        let token = claim_key().token(DrawingId::new(1), rank).to_text();
        format!("/api/claims/{token}{action}")
    }

    async fn send(&self, request: TestRequest) -> Response {
        send_all(&self.store, with_texts(), vec![request]).await.remove(0)
    }

    /// A call of the winner without a cookie.
    async fn call(&self, action: &str, body: &Value) -> Response {
        self.send(post(&Self::path(0, action), &body.to_string())).await
    }

    /// A call of the winner's browser.
    async fn own(&self, cookie: &str, action: &str, body: &Value) -> Response {
        let request = post(&Self::path(0, action), &body.to_string());
        self.send(request.insert_header(("Cookie", cookie.to_owned())))
            .await
    }

    async fn staff(&self, action: &str, body: &Value) -> Response {
        post_with_session(&self.store, &self.token, &format!("{LIST}/1{action}"), body).await
    }

    fn code(&self) -> String {
        let texts = self.store.messages_to(self.winner);
        let codes = texts
            .into_iter()
            .filter(|text| text.content.kind == MessageKind::Code);
        let newest = codes.max_by_key(|text| text.id).unwrap();
        let body = newest
            .content
            .body
            .unwrap()
            .open(&PlainSealer::default())
            .unwrap();
        let line = body.lines().last().unwrap();
        line.strip_prefix("@example.org #").unwrap().to_owned()
    }

    /// Proves the number with a code; returns the cookie of the bound browser.
    async fn prove(&self) -> String {
        let sent = self.call("/code", &json!({})).await;
        assert_eq!(sent.status, 202);
        let code = json!({"code": self.code()});
        let verified = self.own(&cookie_of(&sent), "/verify", &code).await;
        assert_eq!(verified.status, 200, "{:?}", verified.bytes);
        cookie_of(&verified)
    }

    async fn submitted(&self) -> String {
        let cookie = self.prove().await;
        let submitted = self.own(&cookie, "/submit", &details()).await;
        assert_eq!(submitted.status, 200, "{:?}", submitted.bytes);
        cookie
    }

    /// The winner sends STOP, and a server has noticed.
    fn stop(&self) {
        let winner = self.winner;
        let phone = self
            .store
            .read(|tx| tx.find_entrant(winner))
            .unwrap()
            .unwrap()
            .phone;
        let stop = |tx: &mut MemTx| tx.opt_out(&phone, drawn_at());
        self.store.transaction::<_, StoreError>(stop).unwrap();
        self.look();
    }

    fn look(&self) {
        let state = app_state();
        usecases::claims::advance(&self.store, state.claim_tools()).unwrap();
    }

    /// The winner's first text has arrived, and a server has noticed.
    fn deliver_text(&self) {
        let texts = self.store.messages_to(self.winner);
        let text = texts
            .iter()
            .find(|text| text.content.kind == MessageKind::Victory)
            .unwrap();
        let report = ProviderMessage {
            id: ProviderMessageId::parse("SM1").unwrap(),
            status: ProviderStatus::Delivered,
            failure: None,
        };
        let record = |tx: &mut MemTx| tx.record_report(text.id, &report, drawn_at());
        self.store.transaction::<_, StoreError>(record).unwrap();
        self.look();
    }
}

fn cookie_of(response: &Response) -> String {
    let cookie = response.header("set-cookie");
    assert!(
        cookie.starts_with("browser=") && cookie.contains("HttpOnly"),
        "{cookie}"
    );
    cookie.split(';').next().unwrap().to_owned()
}

fn details() -> Value {
    json!({
        "name": "Ada Smith", "addressLine1": "1 Main Street", "addressLine2": null, "city": "Springfield", "state": "il",
        "postalCode": "62701", "isAdult": true, "isResident": true, "rulesAccepted": true, "publicity": true
    })
}

fn rejection() -> Value {
    json!({"reason": "residence", "note": "You live abroad."})
}

/// Support, managers and owners alike read no address through "export", and no link to the winner's own copy (S1).
#[actix_web::test]
async fn a_copy_that_staff_made_has_no_address() {
    let won = Won::drawn().await;
    won.submitted().await;
    let path = format!("/api/admin/people/{}/data-requests", won.winner);
    let (_, support) = join(&won.store, "sam", "support").await;
    for session in [&support, &won.token] {
        let made = post_with_session(&won.store, session, &path, &json!({"requestType": "export"})).await;
        let link = made.json()["fileUrl"].as_str().unwrap().to_owned();
        let zip = won.send(get(&link)).await;
        let mut zip = ZipArchive::new(Cursor::new(zip.bytes)).unwrap();
        for place in 0..zip.len() {
            let text = read_to_string(zip.by_index(place).unwrap()).unwrap();
            assert!(!text.contains("1 Main Street"), "{text}");
            assert!(!text.contains(&hex::encode("1 Main Street")), "{text}");
        }
        let listed = get_with_session(&won.store, session, &path).await.json();
        for request in listed["requests"].as_array().unwrap() {
            assert_eq!(request["fileUrl"], Value::Null);
        }
    }
    let log = get_with_session(
        &won.store,
        &won.token,
        "/api/admin/audit-log?action=download_copy",
    )
    .await;
    assert_eq!(log.header("x-total-count"), "2");
}

#[actix_web::test]
async fn a_link_shows_its_claim_and_nothing_of_the_winner() {
    let won = Won::drawn().await;
    let shown = won.send(get(&Won::path(0, ""))).await;
    assert_eq!(
        (shown.status.as_u16(), shown.header("cache-control")),
        (200, "no-store")
    );
    let claim = shown.json();
    let phone = claim["phoneNumber"].as_str().unwrap();
    assert!(phone.starts_with("***-***-000"), "{phone}");
    assert_eq!(
        claim,
        json!({
            "status": "pending", "prize": {"name": "Fresh Sips Mixology Kit", "value": claim["prize"]["value"]},
            "landingPage": "fresh-sips", "drawingId": 1, "rank": 0, "expiresAt": null, "phoneNumber": phone,
            "isThisBrowser": false, "canText": true, "hasOptedOut": false, "textsFrom": "+15550100000",
            "canProve": false, "code": null, "paused": false, "rejection": null, "shipment": null
        })
    );
    won.deliver_text();
    let claim = won.send(get(&Won::path(0, ""))).await.json();
    assert_eq!(claim["expiresAt"], "2026-12-15T15:00:00Z");
    let nonsense = "0".repeat(32);
    for token in [
        "1",
        nonsense.as_str(),
        &nonsense.replace('0', "A"),
        &format!("{nonsense}0"),
    ] {
        let unknown = won.send(get(&format!("/api/claims/{token}"))).await;
        assert_eq!(unknown.error(), "404 not_found", "{token}");
    }
    assert_eq!(
        won.send(get(&Won::path(1, ""))).await.error(),
        "404 not_found",
        "not asked yet"
    );
}

#[actix_web::test]
async fn a_code_binds_the_browser_which_submits() {
    let won = Won::drawn().await;
    let sent = won.call("/code", &json!({})).await;
    assert_eq!(sent.status, 202);
    assert_eq!(
        sent.json()["code"],
        json!({
            "expiresAt": "2026-12-01T15:10:00Z", "expiresAfter": 600, "resendAfter": 60, "undeliverable": false
        })
    );
    let again = won.call("/code", &json!({})).await;
    assert_eq!(
        (again.error(), again.header("retry-after")),
        ("429 too_many_codes".to_owned(), "60")
    );
    let cookie = cookie_of(&sent);
    let code = won.code();
    let seen = won.send(get(&Won::path(0, ""))).await;
    assert_eq!(seen.json()["code"], Value::Null, "another browser");
    for text in [code.as_str(), "000000"] {
        let foreign = won.call("/verify", &json!({"code": text})).await;
        assert_eq!(foreign.error(), "410 verification_expired");
    }
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let tried = won.own(&cookie, "/verify", &json!({"code": wrong})).await;
    assert_eq!(tried.error(), "400 validation code");
    let sentence = &tried.json()["fields"]["code"][0];
    assert_eq!(sentence, "That code isn't right. 4 tries left.");
    for malformed in [
        json!({}),
        json!({"code": ""}),
        json!({"code": "12"}),
        json!({"code": 1}),
    ] {
        assert_eq!(
            won.call("/verify", &malformed).await.error(),
            "400 validation code"
        );
    }
    for _ in ["first", "its answer was lost"] {
        let verified = won.own(&cookie, "/verify", &json!({"code": code})).await;
        assert_eq!(
            (&verified.json()["status"], &verified.json()["isThisBrowser"]),
            (&json!("code_verified"), &json!(true))
        );
        assert_eq!(cookie_of(&verified), cookie);
    }

    assert_eq!(
        won.call("/submit", &details()).await.error(),
        "403 another_browser"
    );
    assert_eq!(
        won.call("/decline", &json!({})).await.error(),
        "403 another_browser"
    );
    let submitted = won.own(&cookie, "/submit", &details()).await;
    assert_eq!(
        (submitted.status.as_u16(), &submitted.json()["status"]),
        (200, &json!("submitted"))
    );
    for (action, body) in [("/submit", details()), ("/decline", json!({}))] {
        assert_eq!(
            won.own(&cookie, action, &body).await.error(),
            "409 claim_ended",
            "{action}"
        );
    }
}

#[actix_web::test]
async fn every_wrong_field_of_the_details_is_named_and_nothing_is_stored() {
    let won = Won::drawn().await;
    let cookie = won.prove().await;
    let long = "x".repeat(101);
    let wrong = [
        (
            "name",
            vec![
                json!(null),
                json!(""),
                json!("A"),
                json!(long),
                json!("A\nB"),
                json!(1),
                json!("=HYPERLINK(\"http://evil.example\") Smith"),
            ],
        ),
        (
            "addressLine1",
            vec![json!(null), json!(" "), json!(long), json!("a\0b"), json!([])],
        ),
        ("addressLine2", vec![json!(long), json!("a\0b"), json!(1)]),
        (
            "city",
            vec![json!(null), json!(""), json!("x".repeat(61)), json!("a\u{7}b")],
        ),
        (
            "state",
            vec![json!(null), json!(""), json!("XX"), json!("Illinois"), json!(1)],
        ),
        (
            "postalCode",
            vec![
                json!(null),
                json!(""),
                json!("1234"),
                json!("12345-1"),
                json!("ABCDE"),
                json!(12345),
            ],
        ),
        ("isAdult", vec![json!(null), json!(false), json!("true")]),
        ("isResident", vec![json!(null), json!(false), json!(1)]),
        ("rulesAccepted", vec![json!(null), json!(false), json!([])]),
        ("publicity", vec![json!(null), json!("yes")]),
    ];
    for (field, values) in wrong {
        for value in values {
            let mut body = details();
            body[field] = value.clone();
            let answer = won.own(&cookie, "/submit", &body).await;
            assert_eq!(answer.error(), format!("400 validation {field}"), "{value:.20}");
        }
    }
    let empty = won.own(&cookie, "/submit", &json!({})).await;
    assert_eq!(
        empty.error(),
        "400 validation addressLine1,city,isAdult,isResident,name,postalCode,publicity,rulesAccepted,state"
    );
    assert_eq!(empty.json()["fields"]["isAdult"][0], "Please confirm");
    let claim = won.send(get(&Won::path(0, ""))).await.json();
    assert_eq!(claim["status"], "code_verified");
}

#[actix_web::test]
async fn whoever_declines_sees_it_and_everybody_reads_it() {
    let won = Won::drawn().await;
    let cookie = won.prove().await;
    let declined = won.own(&cookie, "/decline", &json!({})).await;
    assert_eq!(
        (declined.status.as_u16(), &declined.json()["status"]),
        (200, &json!("declined"))
    );
    assert_eq!(won.call("/code", &json!({})).await.error(), "409 claim_ended");
    let next = won.send(get(&Won::path(1, ""))).await.json();
    assert_eq!((&next["status"], &next["rank"]), (&json!("pending"), &json!(1)));
    let record = won.send(get("/api/drawings/1")).await.json();
    let statuses: Vec<_> = record["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| claim["status"].as_str().unwrap())
        .collect();
    assert_eq!(
        (statuses, &record["isUnclaimed"]),
        (vec!["declined", "awaiting"], &json!(false))
    );
}

#[actix_web::test]
async fn after_the_deadline_every_step_is_gone() {
    let won = Won::drawn().await;
    won.deliver_text();
    let cookie = won.prove().await;
    won.after(TimeDelta::days(14));
    for (action, body) in [
        ("/code", json!({})),
        ("/verify", json!({"code": "123456"})),
        ("/prove", json!({})),
        ("/submit", details()),
        ("/decline", json!({})),
    ] {
        let answer = won.own(&cookie, action, &body).await;
        assert_eq!(answer.error(), "410 claim_expired", "{action}");
    }
}

#[actix_web::test]
async fn texts_that_cannot_be_sent_say_why() {
    let won = Won::drawn().await;
    let request = || vec![post(&Won::path(0, "/code"), "{}")];
    let none = send_all(&won.store, app_state(), request()).await.remove(0);
    assert_eq!(none.error(), "503 texts_not_configured");
    let rules = usecases::campaigns::SmsRules {
        daily_budget: sms::DailyBudget::new(0),
        ..(*with_texts().sms.rules).clone()
    };
    let mut state = with_texts();
    state.sms.rules = std::sync::Arc::new(rules);
    let used_up = send_all(&won.store, state, request()).await.remove(0);
    assert_eq!(used_up.error(), "503 texts_used_up");
    won.stop();
    assert_eq!(won.call("/code", &json!({})).await.error(), "409 cannot_text");
    let claim = won.send(get(&Won::path(0, ""))).await.json();
    assert_eq!(
        (&claim["canText"], &claim["hasOptedOut"]),
        (&json!(false), &json!(true))
    );
}

#[actix_web::test]
async fn the_browser_that_entered_proves_the_number_where_no_text_arrives() {
    let won = Won::drawn().await;
    won.stop();
    assert_eq!(
        won.call("/prove", &json!({})).await.error(),
        "403 another_browser"
    );
    let state = app_state();
    let visitor = web::VisitorTokens::cookie_name(&state.visitors);
    let keys = crate::support::token_keys::<web::VisitorToken>(7, &[]);
    let now = state.clock.now();
    let token = keys
        .sign(won.winner.to_string(), now, TimeDelta::days(400), None)
        .unwrap();
    let cookie = format!("{visitor}={token}");
    let shown = won
        .send(get(&Won::path(0, "")).insert_header(("Cookie", cookie.clone())))
        .await;
    assert_eq!(shown.json()["canProve"], true);
    let proved = won.own(&cookie, "/prove", &json!({})).await;
    assert_eq!(
        (proved.status.as_u16(), &proved.json()["isThisBrowser"]),
        (200, &json!(true))
    );
    let submitted = won.own(&cookie_of(&proved), "/submit", &details()).await;
    assert_eq!(submitted.status, 200);
}

#[actix_web::test]
async fn the_winners_own_page_leads_to_the_claim() {
    let won = Won::drawn().await;
    let own = async |id: EntrantId| {
        let keys = crate::support::token_keys::<web::VisitorToken>(7, &[]);
        let token = keys.sign(
            id.to_string(),
            app_state().clock.now(),
            TimeDelta::days(400),
            None,
        );
        let cookie = format!("visitor={}", token.unwrap());
        let path = format!("/api/users/{id}/appeal");
        let answer = won.send(get(&path).insert_header(("Cookie", cookie))).await;
        answer.json()["drawing"].clone()
    };
    let page = Won::path(0, "").replace("/api/claims/", "/claim/");
    let claim = own(won.winner).await["claim"].clone();
    assert_eq!(claim["url"], format!("https://example.org{page}"));
    assert_eq!(claim["status"], "pending");
    let stranger = won.send(get(&format!("/api/users/{}/appeal", won.winner))).await;
    assert_eq!(stranger.error(), "403 another_browser");
}

#[actix_web::test]
async fn a_rejected_winner_reads_why_and_objects_once() {
    let won = Won::drawn().await;
    let cookie = won.submitted().await;
    let message = json!({"message": "I moved back to Illinois in May."});
    assert_eq!(
        won.own(&cookie, "/object", &message).await.error(),
        "409 claim_ended"
    );
    assert_eq!(won.staff("/reject", &rejection()).await.status, 200);
    assert_eq!(won.call("/object", &message).await.error(), "403 another_browser");
    for wrong in [
        json!({}),
        json!({"message": "No."}),
        json!({"message": "x".repeat(501)}),
        json!({"message": 1}),
    ] {
        assert_eq!(
            won.own(&cookie, "/object", &wrong).await.error(),
            "400 validation message"
        );
    }
    let objected = won.own(&cookie, "/object", &message).await;
    assert_eq!(
        objected.json()["rejection"],
        json!({
            "reason": "residence", "note": "You live abroad.", "rejectedAt": "2026-12-01T15:00:00Z",
            "objectUntil": "2026-12-08T15:00:00Z",
            "objection": {"message": "I moved back to Illinois in May.", "at": "2026-12-01T15:00:00Z"}
        })
    );
    assert_eq!(
        won.own(&cookie, "/object", &message).await.error(),
        "409 objected_before"
    );
    let record = won.send(get("/api/drawings/1")).await.json();
    assert_eq!(
        record["claims"],
        json!([{
            "rank": 0, "status": "rejected", "until": "2026-12-08T15:00:00Z", "reason": "residence", "decidedBy": 1,
            "verifiedBy": "code", "confirmedBy": null, "firstName": null, "state": null
        }])
    );
    let listed = get_with_session(&won.store, &won.token, LIST).await.json();
    assert_eq!(listed["waiting"], 1);
}

#[actix_web::test]
async fn staff_approve_send_and_deliver_and_each_look_is_audited() {
    let won = Won::drawn().await;
    let cookie = won.submitted().await;
    let path = format!("{LIST}?status=submitted");
    let listed = get_with_session(&won.store, &won.token, &path).await;
    assert_eq!(
        (listed.header("x-total-count"), &listed.json()["total"]),
        ("1", &json!(1))
    );
    let row = &listed.json()["claims"][0];
    assert_eq!(row.get("claimUrl"), None, "the link is the winner's alone");
    assert_eq!(
        (&row["needsCall"], &row["calls"], &row["notificationsSent"]),
        (&json!(false), &json!(0), &json!(1))
    );
    assert_eq!(row.get("details"), None, "a list has no details");

    let file = get_with_session(&won.store, &won.token, &format!("{LIST}/1"))
        .await
        .json();
    assert_eq!(
        file["details"],
        json!({
            "name": "Ada Smith", "addressLine1": "1 Main Street", "addressLine2": null, "city": "Springfield",
            "state": "IL", "postalCode": "62701", "publicity": true
        })
    );
    assert_eq!(file["publicName"], "Ada, IL");
    for (name, role, shown) in [
        ("maria", "manager", json!("Ada, IL")),
        ("sam", "support", Value::Null),
    ] {
        let (_, token) = join(&won.store, name, role).await;
        let seen = get_with_session(&won.store, &token, &format!("{LIST}/1")).await;
        assert_eq!(
            (&seen.json()["publicName"], &seen.json()["details"]),
            (&shown, &Value::Null),
            "{role}"
        );
    }
    assert_eq!(
        (&file["numberMatches"], &file["verificationMethod"]),
        (&json!(true), &json!("code"))
    );
    let approved = won.staff("/approve", &json!({})).await.json();
    assert_eq!(
        (&approved["status"], &approved["decidedAt"]),
        (&json!("verified"), &json!("2026-12-01T15:00:00Z"))
    );
    assert_eq!(
        won.staff("/approve", &json!({})).await.error(),
        "409 wrong_status"
    );
    assert_eq!(
        won.staff("/reject", &rejection()).await.error(),
        "409 wrong_status"
    );
    let shipping = "/api/admin/shipping-list";
    let list = get_with_session(&won.store, &won.token, shipping).await.json();
    assert_eq!(
        (
            &list["parcels"][0]["claimId"],
            &list["parcels"][0]["details"]["name"]
        ),
        (&json!(1), &json!("Ada Smith"))
    );
    let parcel = json!({"carrier": "UPS", "trackingNumber": " 1Z 999 AA1"});
    let shipped = won.staff("/shipped", &parcel).await.json();
    let url = "https://www.ups.com/track?tracknum=1Z999AA1";
    let shipment = json!({
        "carrier": "UPS", "trackingNumber": "1Z999AA1", "trackingUrl": url, "shippedAt": "2026-12-01T15:00:00Z"
    });
    assert_eq!(
        (&shipped["status"], &shipped["shipment"]),
        (&json!("shipped"), &shipment)
    );
    let own = get(&Won::path(0, "")).insert_header(("Cookie", cookie));
    let seen = won.send(own).await.json();
    assert_eq!(
        (&seen["status"], &seen["shipment"]),
        (&json!("shipped"), &shipment)
    );
    let link_alone = won.send(get(&Won::path(0, ""))).await.json();
    assert_eq!(
        (&link_alone["status"], &link_alone["shipment"]),
        (&json!("shipped"), &Value::Null),
        "another browser"
    );
    let empty = get_with_session(&won.store, &won.token, shipping).await;
    assert_eq!(empty.json(), json!({"parcels": []}), "it is sent");
    let delivered = won.staff("/delivered", &json!({})).await.json();
    assert_eq!(delivered["status"], "delivered");
    let empty = get_with_session(&won.store, &won.token, shipping).await;
    assert_eq!(empty.json(), json!({"parcels": []}));
    assert_eq!(
        won.staff("/delivered", &json!({})).await.error(),
        "409 wrong_status"
    );
    let record = won.send(get("/api/drawings/1")).await.json();
    let claim = &record["claims"][0];
    assert_eq!(
        (&claim["firstName"], &claim["state"]),
        (&json!("Ada"), &json!("IL"))
    );
    let log = get_with_session(
        &won.store,
        &won.token,
        "/api/admin/audit-log?action=view_claim_details",
    )
    .await;
    assert_eq!(
        log.header("x-total-count"),
        "5",
        "the look, the approval, the shipping list, the parcel and the delivery"
    );
}

#[actix_web::test]
async fn staff_call_whoever_cannot_be_texted() {
    let won = Won::drawn().await;
    let note = json!({"note": "No answer."});
    assert_eq!(
        won.staff("/confirm-number", &note).await.error(),
        "409 needs_no_call"
    );
    assert_eq!(
        won.staff("/unreachable", &json!({})).await.error(),
        "409 needs_no_call"
    );
    assert_eq!(
        won.staff("/resend", &json!({})).await.json()["notificationsSent"],
        2
    );
    won.stop();
    assert_eq!(won.staff("/resend", &json!({})).await.error(), "409 cannot_text");
    let listed = get_with_session(&won.store, &won.token, &format!("{LIST}?status=needs_call"))
        .await
        .json();
    assert_eq!(
        (&listed["total"], &listed["claims"][0]["needsCall"]),
        (&json!(1), &json!(true))
    );
    for wrong in [
        json!({}),
        json!({"note": "No"}),
        json!({"note": "x".repeat(501)}),
        json!({"note": 1}),
    ] {
        assert_eq!(won.staff("/called", &wrong).await.error(), "400 validation note");
        assert_eq!(
            won.staff("/confirm-number", &wrong).await.error(),
            "400 validation note"
        );
    }
    for day in 0..3 {
        assert_eq!(
            won.staff("/unreachable", &json!({})).await.error(),
            "409 called_too_seldom"
        );
        won.after(TimeDelta::days(day));
        let called = won.staff("/called", &note).await.json();
        assert_eq!(
            called["noteCalls"][0],
            json!({"at": "2026-12-01T15:00:00Z", "note": "No answer."})
        );
        assert_eq!(called["mayBeUnreachable"], day == 2);
    }
    assert_eq!(
        won.staff("/unreachable", &json!({})).await.json()["status"],
        "unreachable"
    );
    assert_eq!(won.staff("/called", &note).await.error(), "409 wrong_status");

    let other = Won::drawn().await;
    other.stop();
    let confirmed = other
        .staff("/confirm-number", &json!({"note": "We spoke."}))
        .await
        .json();
    assert_eq!(
        (&confirmed["status"], &confirmed["verificationMethod"]),
        (&json!("code_verified"), &json!("call"))
    );
    assert_eq!(
        other.call("/prove", &json!({})).await.error(),
        "403 another_browser"
    );
    let shown = &confirmed["callCode"];
    assert_eq!(
        (&shown["page"], &shown["expiresAt"]),
        (
            &json!("https://example.org/claim"),
            &json!("2026-12-02T15:00:00Z")
        )
    );
    let file = get_with_session(&other.store, &other.token, &format!("{LIST}/1")).await;
    assert_eq!(file.json()["callCode"], Value::Null, "it is shown once");
    let open = async |code: &Value| {
        let body = json!({ "code": code });
        other.send(post("/api/claims", &body.to_string())).await
    };
    for wrong in [json!(""), json!("ABCDE"), json!(1)] {
        assert_eq!(open(&wrong).await.error(), "400 validation code", "{wrong}");
    }
    assert_eq!(open(&json!("ABCDE-ABCDE")).await.error(), "410 code_expired");
    let opened = open(&shown["code"]).await;
    assert_eq!(opened.status, 200, "{:?}", opened.bytes);
    let token = claim_key().token(DrawingId::new(1), 0).to_text();
    assert_eq!(opened.json(), json!({ "token": token }));
    let submitted = other.own(&cookie_of(&opened), "/submit", &details()).await;
    assert_eq!(submitted.json()["status"], "submitted");
    assert_eq!(
        open(&shown["code"]).await.error(),
        "410 code_expired",
        "it works once"
    );
}

#[actix_web::test]
async fn wrong_rejections_and_unknown_claims_are_refused() {
    let won = Won::drawn().await;
    won.submitted().await;
    for (field, body) in [
        ("note,reason", json!({})),
        ("reason", json!({"reason": "ugly", "note": "You live abroad."})),
        ("note", json!({"reason": "fraud", "note": "no"})),
    ] {
        assert_eq!(
            won.staff("/reject", &body).await.error(),
            format!("400 validation {field}")
        );
    }
    for (field, body) in [
        ("carrier,trackingNumber", json!({})),
        (
            "carrier",
            json!({"carrier": "555 123 4567", "trackingNumber": "123456"}),
        ),
        (
            "trackingNumber",
            json!({"carrier": "UPS", "trackingNumber": "<1234>"}),
        ),
    ] {
        assert_eq!(
            won.staff("/shipped", &body).await.error(),
            format!("400 validation {field}")
        );
    }
    let wrong = get_with_session(&won.store, &won.token, &format!("{LIST}?status=lost&limit=0")).await;
    assert_eq!(wrong.error(), "400 validation limit,status");
    for id in ["9", "x"] {
        let path = format!("{LIST}/{id}");
        assert_eq!(
            get_with_session(&won.store, &won.token, &path).await.error(),
            "404 not_found"
        );
        for action in ["approve", "delivered", "resend", "unreachable"] {
            let path = format!("{path}/{action}");
            let answer = post_with_session(&won.store, &won.token, &path, &json!({})).await;
            assert_eq!(answer.error(), "404 not_found", "{path}");
        }
    }
}

#[actix_web::test]
async fn guesses_of_the_codes_of_calls_are_limited_by_address() {
    let won = Won::drawn().await;
    let guess = || post("/api/claims", r#"{"code": "ABCDE-ABCDE"}"#);
    let state = with_rate_limits(with_texts());
    let answers = send_all(&won.store, state, (0..31).map(|_| guess()).collect()).await;
    assert_eq!(answers[29].error(), "410 code_expired");
    assert_eq!(answers[30].error(), "429 rate_limited");
}

#[actix_web::test]
async fn the_console_needs_a_session() {
    let won = Won::drawn().await;
    let answers = [
        get(LIST),
        get(&format!("{LIST}/1")),
        post(&format!("{LIST}/1/approve"), "{}"),
    ];
    for request in answers {
        assert_eq!(
            won.send(authorized(request, "x")).await.error(),
            "401 unauthorized"
        );
    }
}

#[actix_web::test]
async fn a_submitted_claim_waits_for_staff_until_it_is_approved() {
    let won = Won::drawn().await;
    let waiting = async || {
        let response = get_with_session(&won.store, &won.token, "/api/admin/waiting").await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
        response.json()
    };
    assert_eq!(
        waiting().await,
        json!({"appeals": 0, "claims": 0, "approvals": 0})
    );
    won.submitted().await;
    assert_eq!(
        waiting().await,
        json!({"appeals": 0, "claims": 1, "approvals": 0})
    );
    let approved = won.staff("/approve", &json!({})).await;
    assert_eq!(approved.status, 200, "{:?}", approved.bytes);
    assert_eq!(
        waiting().await,
        json!({"appeals": 0, "claims": 0, "approvals": 0})
    );
}
