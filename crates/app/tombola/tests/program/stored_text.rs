//! Text that PostgreSQL cannot store never reaches it.

use crate::server::Server;
use serde_json::{Value, json};

/// A body of each described call that is valid, by the name of the operation.
const VALID_BODIES: &str = include_str!("../../../../http/web/tests/http/valid_bodies.json");

/// Creates the package, the template and the welcome message that the bodies name.
fn fill(server: &Server, session: &[(&str, &str)], bodies: &Value) {
    for (path, operation) in [
        ("/api/users/register", "register"),
        ("/api/admin/entry-packages", "create_package"),
        ("/api/admin/sms/templates", "create_sms_template"),
    ] {
        let (status, body) = server.send("POST", path, session, &bodies[operation].to_string());
        assert_eq!(status, 201, "{body}");
    }
    let welcome = json!({"landingPage": "garden-bag", "messageTemplate": "Hello!"});
    let path = "/api/admin/welcome-sms";
    assert_eq!(server.send("POST", path, session, &welcome.to_string()).0, 201);
}

#[test]
fn a_nul_in_any_field_of_any_body_is_no_failure() {
    let anna = [
        ("ADMIN_USERNAME", "anna"),
        ("ADMIN_PASSWORD", "correct horse"),
        ("RATE_LIMITS", "off"),
    ];
    let server = Server::on_new_database(&anna);
    let login = r#"{"username": "anna", "password": "correct horse"}"#;
    let login: Value = serde_json::from_str(&server.post("/api/admin/login", login).1).unwrap();
    let session = [("X-Session-Token", login["sessionToken"].as_str().unwrap())];
    let bodies: Value = serde_json::from_str(VALID_BODIES).unwrap();
    fill(&server, &session, &bodies);
    let document: Value = serde_json::from_str(&server.get("/api/openapi.json").1).unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            let path = path.replace("{id}", "1").replace("{landingPage}", "garden-bag");
            for (field, value) in bodies[name].as_object().into_iter().flatten() {
                let Some(text) = value.as_str() else { continue };
                let mut body = bodies[name].clone();
                body[field] = json!(format!("{text}\0x"));
                let (status, answer) =
                    server.send(&method.to_uppercase(), &path, &session, &body.to_string());
                let is_off = answer.contains("payments_not_configured");
                assert!(status < 500 || is_off, "{name} {field}: {answer}");
            }
        }
    }
}
