//! Erasing people in a real database: the replay of a journal, and old proofs after it.

use crate::drawings::{ADMIN, login, perform, save, text};
use crate::server::{Server, tombola};
use crate::support::{TestDatabase, connect, execute, number};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Writes a journal in which every entrant is erased.
fn write_journal(database: &TestDatabase, path: &Path) {
    let rows: Vec<IdRow> = sql_query("SELECT id FROM users")
        .load(&mut connect(&database.admin_url))
        .unwrap();
    let lines: String = rows
        .iter()
        .map(|row| format!("2026-11-23T12:00:00.000000Z {}\n", row.id))
        .collect();
    std::fs::write(path, lines).unwrap();
}

fn replay(database: &TestDatabase, journal: &Path) -> Output {
    let journal = journal.to_str().unwrap();
    tombola(
        "privacy",
        &[("DATABASE_URL", &database.url), ("ERASURE_JOURNAL", journal)],
    )
    .arg("replay")
    .output()
    .unwrap()
}

fn verify_with_python(proof: &Path, list: &Path) -> Output {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../scripts/drawing/verify_drawing.py"
    );
    Command::new("python3")
        .arg(script)
        .arg(proof)
        .arg("--entrants")
        .arg(list)
        .output()
        .expect("python3 is needed: `make setup` installs it")
}

fn assert_success(output: &Output) {
    let streams = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{streams}");
}

#[test]
fn old_proofs_are_valid_after_the_winner_and_everybody_else_was_erased() {
    erase_everybody(101);
}

mod slow {
    #[test]
    fn old_proofs_are_valid_after_the_winner_and_a_thousand_entrants_were_erased() {
        super::erase_everybody(1_001);
    }
}

fn erase_everybody(entrants: usize) {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &ADMIN);
    for n in 0..entrants {
        assert_eq!(server.register(&format!("555123{n:04}")).0, 201);
    }
    let (status, answer) = perform(&server, &login(&server), "one").unwrap();
    assert_eq!(status, 201, "{answer}");
    let (folder, id) = (tempfile::tempdir().unwrap(), &answer["id"]);
    let download = |server: &Server, name: &str| {
        let proof = save(
            server,
            &format!("/api/drawings/{id}/proof"),
            &format!("{name}.json"),
            &folder,
        );
        let list = save(
            server,
            &format!("/api/drawings/{id}/entrants"),
            &format!("{name}.csv"),
            &folder,
        );
        (proof, list)
    };
    let before = download(&server, "before");
    drop(server);

    let journal = folder.path().join("erasures");
    write_journal(&database, &journal);
    let mut connection = connect(&database.admin_url);
    let with_open_claim = replay(&database, &journal);
    assert!(!with_open_claim.status.success());
    assert!(text(&with_open_claim.stderr).contains("run it again when it has ended"));
    execute(
        &mut connection,
        "UPDATE winner_verification SET status = 'declined', ended_at = now()",
    );
    let replayed = replay(&database, &journal);
    assert_success(&replayed);
    let report = text(&replayed.stdout);
    assert!(
        report.contains(&format!(
            "1 people were erased again; {} were erased already",
            entrants - 1
        )),
        "{report}"
    );
    let left = "SELECT count(*) AS n FROM users WHERE phone_number IS NOT NULL";
    assert_eq!(number(&mut connection, left), 0);

    let server = Server::start(&database.url, &ADMIN);
    let after = download(&server, "after");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&after.1), read(&before.1));
    let json = |path: &Path| serde_json::from_str::<Value>(&read(path)).unwrap();
    let mut expected = json(&before.0);
    expected.as_object_mut().unwrap().remove("winnerLast4").unwrap();
    assert_eq!(json(&after.0), expected);
    for (proof, list) in [&before, &after] {
        let arguments = [
            "verify",
            proof.to_str().unwrap(),
            "--entrants",
            list.to_str().unwrap(),
        ];
        assert_success(&tombola("drawing", &[]).args(arguments).output().unwrap());
        assert_success(&verify_with_python(proof, list));
    }
    let verified = tombola("verify", &[("DATABASE_URL", &database.url)])
        .output()
        .unwrap();
    assert_success(&verified);
}

#[test]
fn the_command_erases_a_person_once_and_writes_the_journal() {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &ADMIN);
    assert_eq!(server.register("5551230001").0, 201);
    let id = number(&mut connect(&database.admin_url), "SELECT id AS n FROM users");
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("erasures");
    let erase = |id: i64| {
        let settings = [
            ("DATABASE_URL", database.url.as_str()),
            ("ERASURE_JOURNAL", journal.to_str().unwrap()),
        ];
        let mut command = tombola("privacy", &settings);
        command.args(["erase", &id.to_string()]).output().unwrap()
    };
    let output = erase(id);
    assert_success(&output);
    assert_eq!(
        text(&output.stdout),
        format!("The person with the id {id} is erased.\n")
    );
    let known = "SELECT count(*) AS n FROM users WHERE phone_number IS NOT NULL";
    assert_eq!(number(&mut connect(&database.admin_url), known), 0);
    assert!(!erase(id).status.success(), "nobody is erased twice");
    let lines = std::fs::read_to_string(&journal).unwrap();
    assert!(
        lines.ends_with(&format!(" {id}\n")) && lines.lines().count() == 1,
        "{lines}"
    );
}
