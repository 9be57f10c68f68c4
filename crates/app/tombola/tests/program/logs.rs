//! Log lines have request ids and no phone numbers.

use crate::server::Server;
use crate::support::{TestDatabase, connect, execute};

#[test]
fn log_lines_have_request_ids_and_no_phone_numbers() {
    let database = TestDatabase::new();
    let mut server = Server::start(&database.url, &[("RUST_LOG", "debug")]);
    let (status, entered) = server.register("(555) 123-4567");
    assert_eq!(status, 201);
    let entered: serde_json::Value = serde_json::from_str(&entered).unwrap();
    let id = &entered["user"]["id"];
    assert_eq!(server.register("+1 555 123 4567").0, 200);
    assert_eq!(server.register("555.123.4567").0, 400);
    assert_eq!(server.get("/api/users/+15551234567").0, 404);
    assert_eq!(server.get("/garden-bag?phone=5551234567").0, 404);
    // This row violates a constraint: the details of PostgreSQL's error contain the row.
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "ALTER TABLE users ADD CONSTRAINT nobody CHECK (phone_number <> '+15557654321')",
    );
    assert_eq!(server.register("5557654321").0, 500);
    execute(&mut connection, "UPDATE users SET referral_code = 'AAAAAAAA'");
    assert_eq!(server.get(&format!("/api/users/{id}")).0, 500);
    server.signal("TERM");
    server.wait();

    let within_requests: Vec<_> = server
        .log
        .iter()
        .filter(|line| line.contains(r#""span""#))
        .collect();
    assert!(within_requests.len() >= 9, "{:#?}", server.log);
    for line in &within_requests {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            json["span"]["request_id"].as_str().map(str::len),
            Some(36),
            "{line}"
        );
    }
    let answered = |line: &&String| line.contains(r#""message":"answered""#);
    assert_eq!(server.log.iter().filter(answered).count(), 7);
    assert!(
        server
            .log
            .iter()
            .any(|line| line.contains("the store failed") && line.contains("nobody"))
    );
    assert!(
        server
            .log
            .iter()
            .any(|line| line.contains(&format!("corrupt users.referral_code in row {id}")))
    );
    for line in &server.log {
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        let number = ["5551234567", "5557654321"]
            .iter()
            .any(|number| digits.contains(number));
        assert!(!number, "{line}");
    }
}
