//! The welcome message of each raffle.

use crate::sms_console::SmsConsole;
use serde_json::{Value, json};

const WELCOME: &str = "/api/admin/welcome-sms";
const MISSING: &str = "Please select a landing page and enter a message template";

fn welcome_body(landing_page: &str) -> Value {
    json!({"landingPage": landing_page, "messageTemplate": " Hello! [your-link] "})
}

fn expected(landing_page: &str, message: &str) -> Value {
    json!({"landingPage": landing_page, "messageTemplate": message, "isActive": true, "createdBy": "anna",
           "createdAt": "2025-08-01T12:00:00Z", "updatedAt": "2025-08-01T12:00:00Z"})
}

#[actix_web::test]
async fn a_raffle_has_its_own_welcome_text_or_the_default() {
    let console = SmsConsole::new().await;
    let none = console.get(WELCOME).await.json();
    assert_eq!(
        none,
        json!({"templates": [], "defaultTemplate": sms::default_welcome("Tombola")})
    );
    for page in ["kitchen-garden", "garden-bag"] {
        let created = console.post(WELCOME, &welcome_body(page)).await;
        assert_eq!(created.status, 201);
        assert_eq!(created.json(), expected(page, "Hello! [your-link]"));
        let entry = console.last_audit_entry().await;
        assert_eq!(entry, (json!("create_welcome_sms"), json!(page), json!({})));
    }
    let second = console.post(WELCOME, &welcome_body("garden-bag")).await;
    assert_eq!(second.error(), "409 template_exists");
    let in_order = [
        expected("garden-bag", "Hello! [your-link]"),
        expected("kitchen-garden", "Hello! [your-link]"),
    ];
    assert_eq!(console.get(WELCOME).await.json()["templates"], json!(in_order));
}

#[actix_web::test]
async fn missing_and_too_long_fields_have_their_messages() {
    let console = SmsConsole::new().await;
    let too_long = "A text has at most 1,600 characters";
    for (body, field, sentence) in [
        (json!({}), "landingPage", MISSING),
        (json!({"landingPage": ""}), "landingPage", MISSING),
        (json!({"landingPage": "garden-bag"}), "messageTemplate", MISSING),
        (
            json!({"landingPage": "garden-bag", "messageTemplate": " \n"}),
            "messageTemplate",
            MISSING,
        ),
        (
            json!({"landingPage": "garden", "messageTemplate": "Hello"}),
            "landingPage",
            "There is no such raffle",
        ),
        (
            json!({"landingPage": "garden-bag", "messageTemplate": "x".repeat(1_601)}),
            "messageTemplate",
            too_long,
        ),
        (
            json!({"landingPage": "garden-bag", "messageTemplate": format!("{}[your-link]", "x".repeat(1_550))}),
            "messageTemplate",
            too_long,
        ),
    ] {
        let response = console.post(WELCOME, &body).await;
        assert_eq!(response.error(), format!("400 validation {field}"), "{body:.80}");
        assert_eq!(
            response.json()["fields"],
            json!({ field: [sentence] }),
            "{body:.80}"
        );
    }
    assert_eq!(console.get(WELCOME).await.json()["templates"], json!([]));
}

#[actix_web::test]
async fn updating_and_deleting_a_welcome_text_is_in_the_audit_log() {
    let console = SmsConsole::new().await;
    let path = format!("{WELCOME}/fresh-sips");
    let hi = json!({"messageTemplate": "Hi {LINK}"});
    assert_eq!(console.put(&path, &hi).await.error(), "404 not_found");
    assert_eq!(console.delete(&path).await.error(), "404 not_found");
    console.post(WELCOME, &welcome_body("fresh-sips")).await;
    let changed = console.put(&path, &hi).await;
    assert_eq!(
        (changed.status.as_u16(), changed.json()),
        (200, expected("fresh-sips", "Hi {LINK}"))
    );
    assert_eq!(
        console.last_audit_entry().await,
        (json!("update_welcome_sms"), json!("fresh-sips"), json!({}))
    );
    for blank in [json!({}), json!({"messageTemplate": "  "})] {
        let rejected = console.put(&path, &blank).await;
        assert_eq!(rejected.json()["fields"], json!({"messageTemplate": [MISSING]}));
    }
    let unknown = format!("{WELCOME}/garden");
    assert_eq!(console.put(&unknown, &hi).await.error(), "404 not_found");
    assert_eq!(console.delete(&unknown).await.error(), "404 not_found");
    let deleted = console.delete(&path).await;
    assert_eq!(
        (deleted.status.as_u16(), deleted.json()),
        (200, json!({"success": true}))
    );
    assert_eq!(
        console.last_audit_entry().await,
        (json!("delete_welcome_sms"), json!("fresh-sips"), json!({}))
    );
    assert_eq!(console.get(WELCOME).await.json()["templates"], json!([]));
    assert_eq!(
        console.post(WELCOME, &welcome_body("fresh-sips")).await.status,
        201
    );
}

#[actix_web::test]
async fn an_inactive_welcome_text_is_not_sent() {
    let console = SmsConsole::new().await;
    let path = format!("{WELCOME}/garden-bag");
    let off = json!({"isActive": false});
    assert_eq!(console.patch(&path, &off).await.error(), "404 not_found");
    console.post(WELCOME, &welcome_body("garden-bag")).await;
    let switched = console.patch(&path, &off).await;
    assert_eq!(
        (switched.status.as_u16(), &switched.json()["isActive"]),
        (200, &json!(false))
    );
    assert_eq!(
        console.last_audit_entry().await,
        (
            json!("update_welcome_sms"),
            json!("garden-bag"),
            json!({"active": "off"})
        )
    );
    console.register_entrant(1, "garden-bag").await;
    console.register_entrant(2, "fresh-sips").await;
    console.deliver_messages().await;
    let to: Vec<_> = console
        .sms
        .sent()
        .iter()
        .map(|sent| sent.outgoing.to.as_e164().to_owned())
        .collect();
    assert_eq!(
        to,
        [crate::sms_console::phone(2)],
        "only the page that is off sends none"
    );
    let changed = console
        .put(&path, &json!({"messageTemplate": "New"}))
        .await
        .json();
    assert_eq!(changed["isActive"], false, "a new text does not switch it on");
    console.patch(&path, &json!({"isActive": true})).await;
    console.register_entrant(3, "garden-bag").await;
    console.deliver_messages().await;
    assert_eq!(console.sms.sent().len(), 2);
    for wrong in [json!({}), json!({"isActive": "yes"})] {
        assert_eq!(
            console.patch(&path, &wrong).await.error(),
            "400 validation isActive"
        );
    }
}

#[actix_web::test]
async fn welcome_texts_are_listed_in_pages() {
    let console = SmsConsole::new().await;
    for page in ["kitchen-garden", "garden-bag", "fresh-sips"] {
        console.post(WELCOME, &welcome_body(page)).await;
    }
    let part = console.get(&format!("{WELCOME}?limit=1&offset=1")).await;
    assert_eq!(part.header("x-total-count"), "3");
    assert_eq!(
        part.json()["templates"],
        json!([expected("fresh-sips", "Hello! [your-link]")])
    );
    let wrong = console.get(&format!("{WELCOME}?limit=501")).await;
    assert_eq!(wrong.error(), "400 validation limit");
}
