//! The program.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running program, which is killed at the end.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the program. Returns it and the URL that it prints.
fn start(arguments: &[&str], chain_file: &Path) -> (Program, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_drand-stand-in"))
        .args(arguments)
        .arg("--chain-file")
        .arg(chain_file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let mut url = String::new();
    BufReader::new(stdout).read_line(&mut url).unwrap();
    (Program(child), url.trim_end().to_owned())
}

fn chain(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn the_program_writes_its_chain_before_it_prints_its_url() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.json");
    let arguments = ["--period", "5", "--genesis-time", "1767225600"];
    let (program, url) = start(&arguments, &file);
    let first = chain(&file);
    assert_eq!(first["hosts"], serde_json::json!([url]));
    assert_eq!(
        (&first["period"], &first["genesisTime"]),
        (&5.into(), &1_767_225_600.into())
    );
    drop(program);

    let (_again, _) = start(&arguments, &file);
    assert_eq!(
        chain(&file)["chainHash"],
        first["chainHash"],
        "the chain outlives the program"
    );
    let (_other, _) = start(&["--new-key"], &file);
    assert_ne!(chain(&file)["publicKey"], first["publicKey"]);
}
