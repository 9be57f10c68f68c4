//! The published list of a drawing on a real database: kills while it is stored, and downloads over real connections.

use crate::drawings::{ADMIN, add_entrants, login, perform, save, text};
use crate::server::{Connection, PATIENCE, Server, tombola, wait_for, wait_until};
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::json;

/// Kills the server at every part of a list: a lock stops the publisher there.
#[test]
fn a_kill_while_a_list_is_published_loses_nothing() {
    const PARTS: i64 = 5;
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let server = Server::start(&database.url, &ADMIN);
    add_entrants(&mut connection, 20_000);
    stop_publishing_at(&mut connection, 0);
    let (status, drawn) = perform(&server, &login(&server), "one").unwrap();
    assert_eq!((status, &drawn["totalParticipants"]), (201, &json!(20_000)));
    let path = format!("/api/drawings/{}/entrants", drawn["id"]);
    let before = get_list(&server, &path);
    drop(server);

    let stored = "SELECT count(*) AS n FROM drawing_list_parts";
    // The last number is no part: there the list is marked as complete.
    for part in 0..=PARTS {
        stop_publishing_at(&mut connection, part);
        let mut server = Server::start(&database.url, &ADMIN);
        wait_until(|| number(&mut connection, stored) == part);
        wait_until(|| number(&mut connection, WAITING_PUBLISHERS) > 0);
        assert!(get_list(&server, &path) == before, "part {part}");
        server.signal("KILL");
        server.wait();
        // The killed server's transaction ends when PostgreSQL notices that it is gone.
        release_publisher(&mut connection);
        wait_until(|| number(&mut connection, WAITING_PUBLISHERS) == 0);
    }
    let published = "SELECT count(*) AS n FROM drawing_lists";
    let server = Server::start(&database.url, &ADMIN);
    wait_until(|| number(&mut connection, published) == 1);
    assert_eq!(number(&mut connection, stored), PARTS);
    let (status, after) = server.get(&path);
    assert_eq!((status, after == before), (200, true));
    assert_downloads_are_whole(&server, &path, &before);
    let (folder, id) = (tempfile::tempdir().unwrap(), &drawn["id"]);
    let proof = save(
        &server,
        &format!("/api/drawings/{id}/proof"),
        "proof.json",
        &folder,
    );
    let list = save(&server, &path, "entrants.csv", &folder);
    let valid = tombola("drawing", &[])
        .args([
            "verify",
            proof.to_str().unwrap(),
            "--entrants",
            list.to_str().unwrap(),
        ])
        .output()
        .unwrap();
    assert!(valid.status.success(), "{}", text(&valid.stderr));
}

/// A list that is not stored yet. Making it takes a while, and on a busy machine more than a request may take.
fn get_list(server: &Server, path: &str) -> String {
    wait_for(|| match server.get(path) {
        (503, _) => None,
        (status, list) => {
            assert_eq!(status, 200);
            Some(list)
        }
    })
}

/// Inserts into the tables of published lists that wait for the lock of [`stop_publishing_at`].
const WAITING_PUBLISHERS: &str = "
    SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%drawing_list%'";

/// Makes the publisher wait before it stores this part, or before it marks the list as complete.
fn stop_publishing_at(connection: &mut diesel::PgConnection, part: i64) {
    for statement in [
        "SELECT pg_advisory_unlock_all()",
        "SELECT pg_advisory_lock(4711)",
        "DROP TRIGGER IF EXISTS stop_here ON drawing_list_parts",
        "DROP TRIGGER IF EXISTS stop_here ON drawing_lists",
        "CREATE OR REPLACE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql
         AS 'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END'",
    ] {
        execute(connection, statement);
    }
    let trigger = |table: &str, condition: &str| {
        format!(
            "CREATE TRIGGER stop_here BEFORE INSERT ON {table} FOR EACH ROW WHEN ({condition})
             EXECUTE FUNCTION stop_here()"
        )
    };
    let of_part = trigger("drawing_list_parts", &format!("NEW.number = {part}"));
    let of_list = trigger("drawing_lists", &format!("NEW.last_part + 1 = {part}"));
    execute(connection, &of_part);
    execute(connection, &of_list);
}

/// The lock goes first: the statement that waits for it holds the tables.
fn release_publisher(connection: &mut diesel::PgConnection) {
    execute(connection, "SELECT pg_advisory_unlock_all()");
    for table in ["drawing_list_parts", "drawing_lists"] {
        execute(connection, &format!("DROP TRIGGER stop_here ON {table}"));
    }
}

/// Over a real connection: gzip, a continued download, and the length that HEAD tells.
fn assert_downloads_are_whole(server: &Server, path: &str, csv: &str) {
    assert!(gunzip(&get_gzip(server, path)) == csv);
    let half = csv.len() / 2;
    let part = |range: String| server.get_with(path, &[("Range", &range)]);
    let (first, second) = (
        part(format!("bytes=0-{}", half - 1)),
        part(format!("bytes={half}-")),
    );
    assert_eq!((first.0, second.0), (206, 206));
    assert!(first.1 + &second.1 == csv, "two halves");

    let mut connection = Connection::open(server);
    connection.send(&format!("HEAD {path} HTTP/1.1\r\nHost: x\r\n\r\n"));
    let head = connection.read_until("\r\n\r\n").to_lowercase();
    let length = format!("content-length: {}\r\n", csv.len());
    assert!(
        head.starts_with("http/1.1 200") && head.contains(&length),
        "{head}"
    );
    // The next answer follows the head at once.
    connection.send(&format!(
        "GET {path} HTTP/1.1\r\nHost: x\r\nRange: bytes=0-4\r\n\r\n"
    ));
    let range = connection.read_until("\r\n\r\nindex");
    assert!(range.starts_with("HTTP/1.1 206"), "{range}");
}

fn get_gzip(server: &Server, path: &str) -> Vec<u8> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .build()
        .into();
    let request = agent.get(server.url(path)).header("Accept-Encoding", "gzip");
    let mut answer = request.call().unwrap();
    assert_eq!(answer.headers()["content-encoding"], "gzip");
    answer
        .body_mut()
        .with_config()
        .limit(u64::MAX)
        .read_to_vec()
        .unwrap()
}

fn gunzip(bytes: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, bytes).unwrap();
    let script = "import gzip, sys; sys.stdout.buffer.write(gzip.open(sys.argv[1]).read())";
    let python = std::process::Command::new("python3")
        .args(["-c", script])
        .arg(file.path())
        .output()
        .expect("python3 is needed: `make setup` installs it");
    assert!(python.status.success(), "{}", text(&python.stderr));
    text(&python.stdout)
}
