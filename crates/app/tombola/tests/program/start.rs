//! Starting the server, and other commands.

use crate::server::{Server, tombola};
use crate::support::{TestDatabase, connect, execute, has_two_roles, number};
use claims::ClaimStatus;
use fraud::AppealStatus;
use std::process::Stdio;
use strum::IntoEnumIterator;

fn stderr(variables: &[(&str, &str)]) -> (bool, String) {
    let output = tombola("serve", variables).output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_invalid_configuration_fails_the_start_with_a_line_per_problem() {
    let (started, error) = stderr(&[
        ("APP_ENV", "production"),
        ("BIND_ADDR", "here"),
        ("SECRET_KEY", "hidden-0815"),
    ]);
    assert!(!started);
    for name in [
        "BIND_ADDR: ",
        "DATABASE_URL: ",
        "PUBLIC_ORIGIN: ",
        "SECRET_KEY: ",
        "CONTACT_EMAIL: ",
        "SPONSOR_NAME: ",
        "SPONSOR_ADDRESS: ",
    ] {
        assert_eq!(
            error
                .lines()
                .filter(|line| line.trim_start_matches("tombola: ").starts_with(name))
                .count(),
            1
        );
    }
    assert_eq!(error.lines().count(), 7, "{error}");
    assert!(!error.contains("hidden"), "{error}");
}

#[cfg(not(feature = "otlp"))]
#[test]
fn a_program_without_traces_says_so_when_they_are_configured() {
    let (started, error) = stderr(&[
        ("DATABASE_URL", "postgresql://localhost/x"),
        ("OTLP_ENDPOINT", "http://localhost:4318"),
    ]);
    assert!(!started);
    assert!(
        error.contains("OTLP_ENDPOINT: this program was built without traces"),
        "{error}"
    );
}

#[test]
fn a_client_of_another_version_fails_the_start() {
    let client = tempfile::tempdir().unwrap();
    let page =
        r#"{"file": "404.html", "title": "404", "description": "404", "index": false, "sources": "own"}"#;
    let manifest = format!(r#"{{"pages": [], "notFound": {page}, "csp": {{"script": [], "style": []}}}}"#);
    std::fs::write(client.path().join("pages.json"), manifest).unwrap();
    std::fs::write(client.path().join("404.html"), "<!--head-->%OTHER_NAME%").unwrap();
    let database = TestDatabase::new();
    let (started, error) = stderr(&[
        ("DATABASE_URL", &database.url),
        ("BIND_ADDR", "127.0.0.1:0"),
        ("CLIENT_DIR", client.path().to_str().unwrap()),
    ]);
    assert!(!started);
    assert!(
        error.contains("CLIENT_DIR: ") && error.contains("%OTHER_NAME%"),
        "{error}"
    );
}

#[test]
fn the_openapi_command_prints_the_served_description() {
    let output = tombola("openapi", &[]).output().unwrap();
    assert!(output.status.success());
    let server = Server::on_new_database(&[]);
    assert_eq!(
        server.get("/api/openapi.json"),
        (200, String::from_utf8(output.stdout).unwrap())
    );
}

#[test]
fn migrate_prints_the_number_of_migrations() {
    let database = TestDatabase::empty();
    let migrate = || {
        let urls = [
            ("DATABASE_URL", database.url.as_str()),
            ("MIGRATION_DATABASE_URL", database.admin_url.as_str()),
        ];
        let output = tombola("migrate", &urls).output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    if has_two_roles() {
        let (started, error) = stderr(&[("DATABASE_URL", &database.url), ("BIND_ADDR", "127.0.0.1:0")]);
        assert!(!started && error.contains("MIGRATION_DATABASE_URL"), "{error}");
    }
    assert!(!migrate().starts_with('0'));
    assert_eq!(migrate(), "0 migrations applied\n");
    // The server's role has its rights.
    let server = Server::start(&database.url, &[]);
    assert_eq!(server.register("5551234567").0, 201);
}

#[test]
fn a_database_of_an_earlier_build_is_refused_with_one_sentence() {
    let database = TestDatabase::empty();
    let mut connection = connect(&database.admin_url);
    for statement in [
        "CREATE TABLE __diesel_schema_migrations (version varchar(50) PRIMARY KEY, run_on timestamp NOT NULL DEFAULT now())",
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('20261121000001')",
        "CREATE TABLE users (id bigint PRIMARY KEY)",
    ] {
        execute(&mut connection, statement);
    }
    let url = database.admin_url.as_str();
    let as_owner = [("DATABASE_URL", url), ("MIGRATION_DATABASE_URL", url)];
    for (command, urls, variable) in [
        ("serve", &as_owner[..1], "DATABASE_URL"),
        ("serve", &as_owner[..], "MIGRATION_DATABASE_URL"),
        ("migrate", &as_owner[..], "MIGRATION_DATABASE_URL"),
    ] {
        let output = tombola(command, urls).output().unwrap();
        assert!(!output.status.success());
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!(
                "tombola: {variable}: this database was made by another build of tombola, with migrations that this one \
                 does not know, such as 20261121000001: start that build, or, in development, delete the database with \
                 `make reset`\n"
            )
        );
    }
}

#[test]
fn production_refuses_a_role_that_could_change_logs() {
    let database = TestDatabase::new();
    let key = "8c6976e5b5410415bde908bd4dee15df".repeat(2);
    let production = [
        ("APP_ENV", "production"),
        ("DATABASE_URL", database.admin_url.as_str()),
        ("BIND_ADDR", "127.0.0.1:0"),
        ("PUBLIC_ORIGIN", "https://example.org"),
        ("SECRET_KEY", key.as_str()),
        ("CONTACT_EMAIL", "hello@example.org"),
        ("SPONSOR_NAME", "Example Gardens, Inc."),
        ("SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701"),
        ("PHONE_VERIFICATION", "off"),
    ];
    let (started, error) = stderr(&production);
    assert!(!started);
    for part in [
        "admin_audit_log",
        "entry_ledger",
        "MIGRATION_DATABASE_URL",
        "ALLOW_OWNER_ROLE=yes",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let allowed = [&production[..], &[("ALLOW_OWNER_ROLE", "yes")]].concat();
    let mut server = Server::start(&database.admin_url, &allowed);
    assert!(server.has_logged("owns, or may change, what nobody should change"));
}

/// Of each list, each state that lasts, so that every page can be looked at (D77).
fn has_each_state(count: &mut impl FnMut(&str) -> i64) {
    for (table, expected) in [
        ("winner_verification", ClaimStatus::iter().count()),
        ("flag_appeals", AppealStatus::iter().count()),
        ("staff_approvals", 4), // open, approved, rejected and failed
        ("purchases", 3),       // completed, canceled and refunded; the others pass
    ] {
        let found = count(&format!("SELECT count(DISTINCT status) AS n FROM {table}"));
        assert_eq!(found, i64::try_from(expected).unwrap(), "{table}");
    }
    for some in [
        "users WHERE is_flagged",
        "user_data_management WHERE is_duplicate",
        "sms_opt_outs",
        "data_export_requests",
        "shared_networks",
        "staff_members WHERE state = 'invited'",
        "staff_members WHERE state = 'disabled'",
        "winner_verification WHERE public_name IS NOT NULL",
        "entry_ledger WHERE kind = 'free'",
    ] {
        assert!(count(&format!("SELECT count(*) AS n FROM {some}")) > 0, "{some}");
    }
}

/// One that is open, a draft, and one that has ended, made as staff make them.
fn has_raffles_of_staff(count: &mut impl FnMut(&str) -> i64) {
    let maria = "(SELECT id FROM staff_members WHERE name = 'maria')";
    for (some, expected) in [
        ("raffles", 7),
        ("raffle_openings WHERE closes_at IS NULL", 5),
        ("raffle_openings WHERE closes_at <= now()", 1),
        // What staff have published: three versions of the open raffle, the newest of which waits, and one of the other.
        ("raffle_versions WHERE published_by = 'maria'", 4),
        ("raffle_versions WHERE takes_effect_at > now()", 1),
        // Entered after it was opened, and drawn.
        (
            "raffle_openings opening WHERE opens_at > 'epoch' AND EXISTS (SELECT FROM drawings \
             WHERE drawings.landing_page = opening.landing_page) AND opens_at < ALL (SELECT created_at FROM users \
             WHERE users.landing_page = opening.landing_page AND NOT EXISTS (SELECT FROM raffle_moves \
             WHERE user_id = users.id))",
            2,
        ),
        (
            "raffle_moves WHERE from_page = 'dinner-party' AND to_page = 'summer-picnic'",
            1,
        ),
        (
            &format!("admin_audit_log WHERE action = 'publish_raffle' AND member_id = {maria}"),
            4,
        ),
        (
            &format!("admin_audit_log WHERE action = 'open_raffle' AND member_id = {maria}"),
            2,
        ),
        (
            &format!("admin_audit_log WHERE action = 'close_raffle' AND member_id = {maria}"),
            1,
        ),
        (
            "drawing_audit_logs WHERE action IN ('raffle_opens', 'raffle_closes')",
            3,
        ),
    ] {
        assert_eq!(
            count(&format!("SELECT count(*) AS n FROM {some}")),
            expected,
            "{some}"
        );
    }
}

#[test]
fn demo_data_is_consistent_and_added_only_once() {
    let database = TestDatabase::new();
    let demo = || {
        let output = tombola("demo", &[("DATABASE_URL", &database.url)])
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(demo().contains("/sustainable-living/success/"));
    assert!(demo().contains("nothing was added"));
    let mut connection = connect(&database.admin_url);
    let mut count = |sql: &str| number(&mut connection, sql);
    assert_eq!(count("SELECT count(*) AS n FROM users"), 273);
    assert_eq!(count("SELECT count(DISTINCT landing_page) AS n FROM users"), 6);
    assert!(count("SELECT count(*) AS n FROM referrals") > 50);
    assert_eq!(
        count(
            "SELECT (sum(delta) - (SELECT sum(total_entries - held_entries) FROM users))::bigint AS n FROM entry_ledger"
        ),
        0
    );
    for table in ["users", "page_views", "conversion_funnel", "social_shares"] {
        let later = format!("SELECT count(*) AS n FROM {table} WHERE created_at > now()");
        assert_eq!(count(&later), 0, "{table}");
    }
    has_each_state(&mut count);
    has_raffles_of_staff(&mut count);

    let production = [
        ("APP_ENV", "production"),
        ("DATABASE_URL", database.url.as_str()),
        ("PUBLIC_ORIGIN", "https://example.org"),
        ("SECRET_KEY", &"0".repeat(64)),
        ("CONTACT_EMAIL", "hello@example.org"),
        ("SPONSOR_NAME", "Example Gardens, Inc."),
        ("SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701"),
    ];
    assert!(!tombola("demo", &production).output().unwrap().status.success());
}

#[test]
fn metrics_are_served_only_on_their_own_address() {
    let server = Server::on_new_database(&[("METRICS_ADDR", "127.0.0.1:0")]);
    let line = server
        .log
        .iter()
        .find(|line| line.contains("serving metrics"))
        .unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let address = line["address"].as_str().unwrap();
    server.register("5551234567");
    assert_eq!(server.get("/metrics").0, 404);
    let metrics = ureq::get(format!("http://{address}/metrics"))
        .call()
        .unwrap()
        .body_mut()
        .read_to_string()
        .unwrap();
    assert!(
        metrics.contains(r#"entrants_total{raffle="garden-bag",outcome="new"} 1"#),
        "{metrics}"
    );
    assert!(
        metrics.contains(r#"http_requests_total{method="POST",route="/api/users/register",status="201"} 1"#)
    );
    assert!(
        metrics.contains("http_request_duration_seconds_bucket"),
        "{metrics}"
    );
}

/// Starts a server with these variables, and returns the token of the link that makes the first owner, if it printed one.
fn first_owner_token(database: &TestDatabase, variables: &[(&str, &str)]) -> Option<String> {
    let (server, printed) = Server::start_printing(&database.url, variables, Stdio::piped());
    drop(server);
    let printed = std::io::read_to_string(printed.unwrap()).unwrap();
    let (_, after) = printed.split_once("/admin/setup#token=")?;
    Some(after.split_whitespace().next().unwrap().to_owned())
}

#[test]
fn a_new_site_in_development_prints_a_link_that_makes_the_first_owner() {
    let database = TestDatabase::new();
    for elsewhere in [
        ("PUBLIC_ORIGIN", "http://example.org"),
        ("BIND_ADDR", "0.0.0.0:0"),
    ] {
        let variables = [elsewhere, ("APP_ENV", "development")];
        assert_eq!(first_owner_token(&database, &variables), None, "{elsewhere:?}");
    }
    let earlier = first_owner_token(&database, &[]).unwrap();
    let token = first_owner_token(&database, &[]).unwrap();
    // A server that offers no link, so that the tokens of the others keep.
    let server = Server::start(&database.url, &[("PUBLIC_ORIGIN", "http://example.org")]);
    let set_password = |token: &str| {
        let path = format!("/api/staff/invitations/{token}");
        server.post(&path, r#"{"password": "a long walk in the garden"}"#)
    };
    assert_eq!(set_password(&earlier).0, 404);
    assert_eq!(set_password(&token), (200, r#"{"name":"admin"}"#.to_owned()));
    assert_eq!(set_password(&token).0, 404);
    let signed_in = server.post(
        "/api/admin/login",
        r#"{"username": "admin", "password": "a long walk in the garden"}"#,
    );
    assert_eq!(signed_in.0, 200, "{signed_in:?}");
    assert_eq!(first_owner_token(&database, &[]), None);
    let mut connection = connect(&database.admin_url);
    let stored = "SELECT count(*) AS n FROM staff_members s WHERE s::text LIKE '%' || '";
    let stored = format!("{stored}{token}' || '%'");
    assert_eq!(number(&mut connection, &stored), 0);
}

#[test]
fn a_server_with_an_administrator_prints_no_link() {
    let admin = [("ADMIN_USERNAME", "anna"), ("ADMIN_PASSWORD", "pass-0815")];
    assert_eq!(first_owner_token(&TestDatabase::new(), &admin), None);
}
