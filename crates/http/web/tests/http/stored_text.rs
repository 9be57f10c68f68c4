//! Text that PostgreSQL cannot store: no field, query, path or header leads to a failure of the store.

use crate::provider_callbacks_inbound::{INBOUND, inbound_message};
use crate::sms_console::{SmsConsole, TEMPLATES, phone};
use crate::support::{Response, get, post_with_session, send};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};

/// A body of each described call that is valid, by the name of the operation.
const VALID_BODIES: &str = include_str!("valid_bodies.json");

struct Operation {
    id: String,
    method: Method,
    path: String,
    description: Value,
}

/// Every described call, with its path filled in.
async fn operations(console: &SmsConsole) -> (Vec<Operation>, Value) {
    let document = send(&console.store, get("/api/openapi.json")).await.json();
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, description) in methods.as_object().unwrap() {
            operations.push(Operation {
                id: description["operationId"].as_str().unwrap().to_owned(),
                method: method.to_uppercase().parse().unwrap(),
                path: path
                    .replace("{id}", "1")
                    .replace("{landingPage}", "garden-bag")
                    .replace("{token}", &"0".repeat(32)),
                description: description.clone(),
            });
        }
    }
    (operations, document)
}

impl Operation {
    fn request(&self, path: &str, body: Option<&Value>) -> TestRequest {
        let request = TestRequest::with_uri(path).method(self.method.clone());
        match body {
            Some(body) => request
                .insert_header(("Content-Type", "application/json"))
                .set_payload(body.to_string()),
            None => request,
        }
    }

    /// The schema of its JSON body.
    fn schema<'a>(&self, document: &'a Value) -> Option<&'a Value> {
        let schema = &self.description["requestBody"]["content"]["application/json"]["schema"];
        let name = schema["$ref"].as_str()?.rsplit('/').next()?;
        Some(&document["components"]["schemas"][name])
    }
}

/// Copies of a body with more at the end of one text, with the name of its field.
fn bodies_with(body: &Value, more: &str) -> Vec<(String, Value)> {
    let longer = |text: &Value| json!(format!("{}{more}", text.as_str().unwrap()));
    let mut bodies = Vec::new();
    for (name, value) in body.as_object().unwrap() {
        let changed: Vec<_> = match value {
            Value::String(_) => vec![longer(value)],
            Value::Array(items) if items[0].is_object() => bodies_with(&items[0], more)
                .into_iter()
                .map(|(_, inner)| json!([inner]))
                .collect(),
            Value::Array(items) => vec![json!([longer(&items[0])])],
            Value::Object(_) => bodies_with(value, more)
                .into_iter()
                .map(|(_, inner)| inner)
                .collect(),
            _ => Vec::new(),
        };
        for value in changed {
            let mut copy = body.clone();
            copy[name] = value;
            bodies.push((name.clone(), copy));
        }
    }
    bodies
}

fn is_text(schema: &Value) -> bool {
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        Value::Null if schema["oneOf"].is_array() => {
            return schema["oneOf"].as_array().unwrap().iter().any(is_text);
        }
        one => vec![one.clone()],
    };
    schema["$ref"].is_string() || types.contains(&json!("string")) || types.contains(&json!("array"))
}

/// A console with an entrant, a package, a template and a welcome message, each with the id 1.
async fn filled_console() -> SmsConsole {
    let console = SmsConsole::new().await;
    console.register_entrant(1, "garden-bag").await;
    console.create_template().await;
    let package = json!({"name": "A", "description": "B", "entries": 10, "price": 500});
    console.post("/api/admin/entry-packages", &package).await;
    let welcome = json!({"landingPage": "garden-bag", "messageTemplate": "Hello!"});
    console.post("/api/admin/welcome-sms", &welcome).await;
    console
}

async fn send_as_staff(console: &SmsConsole, request: TestRequest) -> Response {
    console
        .send(request.insert_header(("X-Session-Token", console.token.as_str())))
        .await
}

#[actix_web::test]
async fn a_nul_in_any_field_of_any_body_is_no_failure() {
    let console = filled_console().await;
    let valid: Value = serde_json::from_str(VALID_BODIES).unwrap();
    let (operations, document) = operations(&console).await;
    let mut tried = 0;
    for operation in operations {
        let Some(schema) = operation.schema(&document) else {
            continue;
        };
        let body = &valid[&operation.id];
        assert!(body.is_object(), "{} has no valid body", operation.id);
        for (name, property) in schema["properties"].as_object().unwrap() {
            let missing = is_text(property) && body[name].is_null();
            assert!(!missing, "the valid body of {} has no {name}", operation.id);
        }
        for (name, body) in bodies_with(body, "\0x") {
            let response = send_as_staff(&console, operation.request(&operation.path, Some(&body))).await;
            assert!(
                response.status.as_u16() < 500 || is_not_configured(&response),
                "{} {name}: {:?}",
                operation.id,
                response.bytes
            );
            tried += 1;
        }
        let response = send_as_staff(&console, operation.request(&operation.path, Some(body))).await;
        // Nobody knows a valid code of a second factor.
        let is_valid = response.status != 400 || response.json()["code"] == "totp_invalid";
        assert!(is_valid, "{}: {:?}", operation.id, response.bytes);
    }
    assert!(tried > 40, "{tried}");
}

/// What a number is for, and texts for recipients. The rest of what staff write holds none (D75).
const MAY_HOLD_NUMBERS: [&str; 4] = [
    "phoneNumber",
    "customPhoneNumbers",
    "messageTemplate",
    "TWILIO_PHONE_NUMBER",
];
/// What is not stored as it was sent.
const NOT_STORED: [&str; 7] = [
    "username",
    "password",
    "current",
    "next",
    "code",
    "TWILIO_AUTH_TOKEN",
    "landingPageFilter",
];

#[actix_web::test]
async fn no_free_text_of_staff_holds_a_phone_number() {
    let console = filled_console().await;
    let valid: Value = serde_json::from_str(VALID_BODIES).unwrap();
    let (operations, _) = operations(&console).await;
    let mut refused = 0;
    for operation in operations {
        let body = &valid[&operation.id];
        // An estimate stores nothing.
        let is_estimate = operation.id == "estimate_campaign";
        if !operation.path.starts_with("/api/admin/") || !body.is_object() || is_estimate {
            continue;
        }
        for (name, body) in bodies_with(body, " (555) 123-4567") {
            if MAY_HOLD_NUMBERS.contains(&name.as_str()) || NOT_STORED.contains(&name.as_str()) {
                continue;
            }
            let response = send_as_staff(&console, operation.request(&operation.path, Some(&body))).await;
            assert_eq!(
                response.status, 400,
                "{} {name}: {:?}",
                operation.id, response.bytes
            );
            refused += 1;
        }
    }
    assert!(refused > 25, "{refused}");
}

fn is_not_configured(response: &Response) -> bool {
    response.json()["code"] == "payments_not_configured"
}

#[actix_web::test]
async fn a_nul_in_any_path_query_or_header_is_no_failure() {
    let console = filled_console().await;
    let (operations, _) = operations(&console).await;
    for operation in operations {
        if operation.id == "receive_stripe_event" {
            continue;
        }
        for parameter in operation.description["parameters"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let name = parameter["name"].as_str().unwrap();
            let (path, header) = match parameter["in"].as_str().unwrap() {
                "query" => (format!("{}?{name}=a%00b", operation.path), None),
                "path" => (
                    operation
                        .path
                        .replacen("/1", "/1%00", 1)
                        .replacen("garden-bag", "garden-bag%00", 1),
                    None,
                ),
                // HTTP has no header with a NUL; other bytes that are no text are refused or ignored.
                _ => (operation.path.clone(), Some((name, b"a\xff\x80b".as_slice()))),
            };
            let mut request = operation.request(&path, None);
            if let Some(header) = header {
                request = request.insert_header(header);
            }
            let response = send_as_staff(&console, request).await;
            assert!(
                response.status.as_u16() < 500 || is_not_configured(&response),
                "{path} {name}: {:?}",
                response.bytes
            );
        }
    }
}

#[actix_web::test]
async fn a_nul_in_a_message_is_a_400_that_names_the_field() {
    let console = filled_console().await;
    let nul = "Hello\0 {LINK}";
    let sentence = "Must not contain control characters";
    let welcome = json!({"landingPage": "fresh-sips", "messageTemplate": nul});
    let template = json!({"name": "June", "messageTemplate": nul});
    let rejected = [
        console.post("/api/admin/welcome-sms", &welcome).await,
        console
            .put(
                "/api/admin/welcome-sms/garden-bag",
                &json!({"messageTemplate": nul}),
            )
            .await,
        console.post(TEMPLATES, &template).await,
        console.put(&format!("{TEMPLATES}/1"), &template).await,
    ];
    for response in rejected {
        assert_eq!(response.error(), "400 validation messageTemplate");
        assert_eq!(response.json()["fields"]["messageTemplate"], json!([sentence]));
    }
    let lines = json!({"landingPage": "fresh-sips", "messageTemplate": "Hello\r\n\tyou"});
    assert_eq!(console.post("/api/admin/welcome-sms", &lines).await.status, 201);
}

#[actix_web::test]
async fn a_nul_in_a_callback_is_no_failure() {
    let console = filled_console().await;
    for (sid, from, body) in [
        ("SM\x001", phone(1), "Hi"),
        ("SM2", format!("{}\0", phone(1)), "Hi"),
        ("SM3", phone(1), "H\0i"),
    ] {
        let response = console
            .post_callback(INBOUND, &inbound_message(sid, &from, body))
            .await;
        assert!(response.status.as_u16() < 500, "{:?}", response.bytes);
    }
    let reason = json!({"userId": 1, "reason": "a\0b"});
    let response = post_with_session(&console.store, &console.token, "/api/admin/flag-user", &reason).await;
    assert_eq!(response.error(), "400 validation reason");
}
