//! `tombola analytics`: verifying and rebuilding roll-ups.

use crate::server::{Server, tombola};
use crate::support::{TestDatabase, connect, execute, number};
use std::process::Output;

fn analytics(database: &TestDatabase, argument: &str) -> Output {
    tombola("analytics", &[("DATABASE_URL", &database.url)])
        .arg(argument)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_wrong_roll_up_is_reported_and_can_be_rebuilt() {
    let database = TestDatabase::new();
    {
        let server = Server::start(&database.url, &[]);
        assert_eq!(server.register("5551234567").0, 201);
    }
    let mut connection = connect(&database.admin_url);
    let correct = analytics(&database, "verify");
    assert!(correct.status.success(), "{}", text(&correct.stderr));
    assert_eq!(text(&correct.stdout), "The roll-ups are correct.\n");

    execute(&mut connection, "UPDATE analytics_raffles SET users = users + 1");
    execute(
        &mut connection,
        "INSERT INTO analytics_pages (page, views) VALUES ('garden-bag', 7)",
    );
    let wrong = analytics(&database, "verify");
    assert!(!wrong.status.success());
    assert_eq!(
        text(&wrong.stderr),
        "tombola: analytics_pages: 1 rows differ\nanalytics_raffles: 2 rows differ\n"
    );

    let rebuilt = analytics(&database, "rebuild");
    assert!(rebuilt.status.success(), "{}", text(&rebuilt.stderr));
    assert!(analytics(&database, "verify").status.success());
    let users = "SELECT users AS n FROM analytics_raffles";
    assert_eq!(number(&mut connection, users), 1);
}
