//! Templates of campaign messages.

use crate::sms_console::{SmsConsole, TEMPLATES};
use crate::support::{authorized, post};
use serde_json::{Value, json};

fn template_body() -> Value {
    json!({"name": "June", "landingPage": "fresh-sips", "messageTemplate": "Look: {LINK}"})
}

fn with(name: &str, value: Value) -> Value {
    let mut template = template_body();
    template[name] = value;
    template
}

#[actix_web::test]
async fn a_new_template_has_defaults_and_is_listed_first() {
    let console = SmsConsole::new().await;
    assert_eq!(console.get(TEMPLATES).await.json(), json!({"templates": []}));
    let created = console.post(TEMPLATES, &template_body()).await;
    assert_eq!(created.status, 201);
    let first = json!({"id": 1, "name": "June", "landingPage": "fresh-sips", "messageTemplate": "Look: {LINK}",
                       "linkPlaceholder": "{LINK}", "isActive": true, "createdBy": "anna",
                       "createdAt": "2025-08-01T12:00:00Z", "updatedAt": "2025-08-01T12:00:00Z"});
    assert_eq!(created.json(), first);
    let (action, target, details) = console.last_audit_entry().await;
    assert_eq!(
        (action, target, details),
        (json!("create_sms_template"), json!("1"), json!({"name": "June"}))
    );
    let with_placeholder = json!({"name": " July ", "messageTemplate": " [there] you go ", "linkPlaceholder": " [there] ",
                     "isActive": false});
    let second = console.post(TEMPLATES, &with_placeholder).await.json();
    assert_eq!(
        second,
        json!({"id": 2, "name": "July", "landingPage": "garden-bag", "messageTemplate": "[there] you go",
               "linkPlaceholder": "[there]", "isActive": false, "createdBy": "anna",
               "createdAt": "2025-08-01T12:00:00Z", "updatedAt": "2025-08-01T12:00:00Z"})
    );
    let all = console.get(TEMPLATES).await.json();
    assert_eq!(all, json!({"templates": [second, first]}));
}

#[actix_web::test]
async fn every_invalid_field_has_its_message() {
    let console = SmsConsole::new().await;
    let missing = "Please fill in all required fields";
    let line = "Must be one line of at most 80 characters";
    let placeholder = "Must be one line of at most 40 characters";
    let no_link = "The message must contain {LINK}";
    let too_long = "A text has at most 1,600 characters";
    let empty = console.post(TEMPLATES, &json!({})).await;
    assert_eq!(
        empty.json()["fields"],
        json!({"name": [missing], "messageTemplate": [missing]})
    );
    for (name, value, sentence) in [
        ("name", json!("  "), missing),
        ("name", json!(null), missing),
        ("name", json!("x".repeat(81)), line),
        ("name", json!("a\nb"), line),
        ("landingPage", json!(""), "There is no such raffle"),
        ("landingPage", json!("garden"), "There is no such raffle"),
        ("messageTemplate", json!(" \n "), missing),
        ("messageTemplate", json!("Look"), no_link),
        ("messageTemplate", json!("Look: {link}"), no_link),
        (
            "messageTemplate",
            json!(format!("{}{{LINK}}", "x".repeat(1_600))),
            too_long,
        ),
        ("linkPlaceholder", json!(""), placeholder),
        ("linkPlaceholder", json!("x".repeat(41)), placeholder),
        ("linkPlaceholder", json!("{\n}"), placeholder),
    ] {
        let response = console.post(TEMPLATES, &with(name, value.clone())).await;
        assert_eq!(response.error(), format!("400 validation {name}"), "{value:.40}");
        assert_eq!(
            response.json()["fields"],
            json!({ name: [sentence] }),
            "{value:.40}"
        );
    }
    let own = with("linkPlaceholder", json!("[there]"));
    assert_eq!(
        console.post(TEMPLATES, &own).await.json()["fields"],
        json!({"messageTemplate": ["The message must contain [there]"]})
    );
    for (name, value) in [
        ("name", json!(7)),
        ("messageTemplate", json!(["Look: {LINK}"])),
        ("linkPlaceholder", json!(1)),
        ("isActive", json!("yes")),
    ] {
        let response = console.post(TEMPLATES, &with(name, value)).await;
        assert_eq!(response.error(), format!("400 validation {name}"));
    }
    assert_eq!(console.get(TEMPLATES).await.json(), json!({"templates": []}));
}

#[actix_web::test]
async fn updating_a_template_has_the_same_rules() {
    let console = SmsConsole::new().await;
    let id = console.create_template().await;
    let path = format!("{TEMPLATES}/{id}");
    let changed = console.put(&path, &with("name", json!("July"))).await;
    assert_eq!(
        (changed.status.as_u16(), &changed.json()["name"]),
        (200, &json!("July"))
    );
    let (action, target, details) = console.last_audit_entry().await;
    assert_eq!(
        (action, target, details),
        (
            json!("update_sms_template"),
            json!(id.to_string()),
            json!({"name": "July"})
        )
    );
    let wrong = console.put(&path, &with("messageTemplate", json!("Look"))).await;
    assert_eq!(wrong.error(), "400 validation messageTemplate");
    for unknown in ["99", "0", "-1", "x", "9223372036854775808"] {
        let response = console
            .put(&format!("{TEMPLATES}/{unknown}"), &template_body())
            .await;
        assert_eq!(response.error(), "404 not_found", "{unknown}");
    }
    assert_eq!(
        console.get(TEMPLATES).await.json(),
        json!({"templates": [changed.json()]})
    );
}

#[actix_web::test]
async fn a_template_must_be_a_small_json_object() {
    let console = SmsConsole::new().await;
    let as_text = post(TEMPLATES, &template_body().to_string()).insert_header(("Content-Type", "text/plain"));
    let response = console.send(authorized(as_text, &console.token)).await;
    assert_eq!(response.error(), "415 wrong_content_type");
    let huge = with("messageTemplate", json!("x".repeat(16 * 1024)));
    assert_eq!(console.post(TEMPLATES, &huge).await.error(), "413 too_large");
    assert_eq!(console.post(TEMPLATES, &json!([])).await.error(), "400 malformed");
}

#[actix_web::test]
async fn templates_are_searched_and_listed_in_pages() {
    let console = SmsConsole::new().await;
    for name in ["June", "July", "August"] {
        console.post(TEMPLATES, &with("name", json!(name))).await;
    }
    for (query, names, total) in [
        ("limit=2", vec!["August", "July"], "3"),
        ("limit=2&offset=2", vec!["June"], "3"),
        ("search=ju", vec!["July", "June"], "2"),
        ("search=look", vec!["August", "July", "June"], "3"),
        ("search=nothing", vec![], "0"),
    ] {
        let list = console.get(&format!("{TEMPLATES}?{query}")).await;
        assert_eq!(list.header("x-total-count"), total, "{query}");
        let listed = list.json()["templates"].clone();
        let listed: Vec<_> = listed
            .as_array()
            .unwrap()
            .iter()
            .map(|each| each["name"].clone())
            .collect();
        assert_eq!(listed, names, "{query}");
    }
    for (query, field) in [("limit=0", "limit"), ("search=a%00", "search")] {
        let list = console.get(&format!("{TEMPLATES}?{query}")).await;
        assert_eq!(list.error(), format!("400 validation {field}"));
    }
}

#[actix_web::test]
async fn switching_a_template_keeps_what_another_tab_changed() {
    let console = SmsConsole::new().await;
    let path = format!("{TEMPLATES}/1");
    let off = json!({"isActive": false});
    assert_eq!(console.patch(&path, &off).await.error(), "404 not_found");
    console.post(TEMPLATES, &template_body()).await;
    console.put(&path, &with("name", json!("Renamed"))).await;
    let switched = console.patch(&path, &off).await;
    assert_eq!(switched.status, 200);
    let template = switched.json();
    assert_eq!(
        (&template["name"], &template["isActive"]),
        (&json!("Renamed"), &json!(false))
    );
    assert_eq!(
        console.last_audit_entry().await,
        (
            json!("update_sms_template"),
            json!("1"),
            json!({"name": "Renamed", "active": "off"})
        )
    );
    for wrong in [json!({}), json!({"isActive": 1})] {
        assert_eq!(
            console.patch(&path, &wrong).await.error(),
            "400 validation isActive"
        );
    }
}
