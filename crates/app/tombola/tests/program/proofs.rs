//! `tombola drawing verify` and `verify-log FILE`, with the proofs of `docs/drawing-vectors.json`. An independent implementation generates them; the rounds of the beacon in them are real.

use crate::server::tombola;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use tombola::drawings::{Evidence, verify};

fn vectors() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/drawing-vectors.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The proof with this name, and everything that belongs to it.
fn vector(name: &str) -> Value {
    let vectors = vectors();
    let mut proofs = vectors["proofs"].as_array().unwrap().iter();
    proofs.find(|vector| vector["name"] == name).unwrap().clone()
}

fn json_lines(entries: &Value) -> String {
    let entries = entries.as_array().unwrap().iter();
    entries.map(|entry| format!("{entry}\n")).collect()
}

/// A folder with the files of a proof.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes the list, the chain file and, under `log`, the copy of the log of a vector.
    fn evidence(&self, vector: &Value, log: Option<&Value>) -> Evidence {
        let chain = vector.get("chainFile");
        Evidence {
            entrants: Some(self.write("entrants.csv", vector["entrants"].as_str().unwrap())),
            log: log.map(|log| self.write("log.jsonl", &json_lines(log))),
            chain: chain.map(|chain| self.write("chain.json", &chain.to_string())),
        }
    }
}

/// The findings of a report: its lines that start with a dash.
fn findings(report: &str) -> Vec<&str> {
    let lines = report.lines().filter_map(|line| line.strip_prefix('-'));
    lines.map(|line| line.trim().split(':').next().unwrap()).collect()
}

/// The names of the checks that failed.
fn failed(report: &str) -> Vec<&str> {
    let lines = report.lines().filter_map(|line| line.strip_prefix("FAILED"));
    lines.map(|line| line.trim().split(':').next().unwrap()).collect()
}

#[test]
fn every_proof_of_the_vectors_is_valid_and_says_what_they_say() {
    let vectors = vectors();
    let proofs = vectors["proofs"].as_array().unwrap();
    assert!(proofs.len() >= 6);
    for vector in proofs {
        let files = Files::new();
        let proof = files.write("proof.json", &vector["proof"].to_string());
        for (log, says) in [
            (None, "noLog"),
            (Some(&vector["logBefore"]), "logBefore"),
            (Some(&vector["logAfter"]), "logAfter"),
        ] {
            // A drawing that is still sealed has no log from after it.
            let log = log.filter(|log| !log.is_null());
            let report = verify(&proof, &files.evidence(vector, log)).unwrap();
            let mut said = findings(&report);
            let mut expected: Vec<&str> = (vector["says"][says].as_array().unwrap().iter())
                .map(|sentence| sentence.as_str().unwrap())
                .collect();
            said.sort_unstable();
            expected.sort_unstable();
            assert_eq!(said, expected, "{}: {says}:\n{report}", vector["name"]);
            let checks = report.lines().filter(|line| line.starts_with("ok ")).count();
            let of_result = match vector["proof"]["status"].as_str() {
                Some("drawn") => 4,
                Some("void") => 1, // its late round
                _ => 0,
            };
            assert_eq!(checks, 6 + of_result + usize::from(log.is_some()), "{report}");
        }
    }
}

#[test]
fn every_case_of_the_vectors_fails_the_checks_that_it_must_fail() {
    let vectors = vectors();
    let cases = vectors["cases"].as_array().unwrap();
    assert!(cases.len() >= 98);
    let mut unreadable = Vec::new();
    for case in cases {
        let vector = vector(case["proof"].as_str().unwrap());
        let (mut proof, files) = (vector["proof"].clone(), Files::new());
        for (member, value) in case["changes"].as_object().unwrap() {
            proof[member] = value.clone();
        }
        let proof = files.write("proof.json", &proof.to_string());
        let mut evidence = files.evidence(&vector, case.get("log"));
        if let Some(list) = case.get("entrants") {
            evidence.entrants = Some(files.write("entrants.csv", list.as_str().unwrap()));
        }
        let report = format!("{:#}", verify(&proof, &evidence).unwrap_err());
        if !report.starts_with("the proof is not valid\n") {
            unreadable.push(case["name"].as_str().unwrap());
            continue;
        }
        let failed = failed(&report);
        for name in case["fails"].as_array().unwrap() {
            assert!(
                failed.contains(&name.as_str().unwrap()),
                "{}: {name}\n{report}",
                case["name"]
            );
        }
    }
    // Values that no proof can have are not read at all.
    assert_eq!(unreadable, ["another scheme", "another source of the seed"]);
}

#[test]
fn attack_without_the_chain_file_another_chain_is_not_believed() {
    let (vector, files) = (vector("another chain"), Files::new());
    let proof = files.write("proof.json", &vector["proof"].to_string());
    let unknown = verify(&proof, &Evidence::default()).unwrap();
    assert!(
        unknown.contains("-      the operator could have known the winner: the program does not know"),
        "{unknown}"
    );
    let known = verify(&proof, &files.evidence(&vector, None)).unwrap();
    assert!(!known.contains("could have known"), "{known}");
    // A chain file whose key was replaced is not the file of that chain.
    let mut forged = vector["chainFile"].clone();
    forged["genesisTime"] = json!(1);
    let chain = Some(files.write("chain.json", &forged.to_string()));
    let error = verify(
        &proof,
        &Evidence {
            chain,
            ..Evidence::default()
        },
    )
    .unwrap_err();
    assert!(
        format!("{error:#}").contains("chainHash is not the hash"),
        "{error:#}"
    );
}

/// A real signature of another round, with its own randomness, and a point that nobody signed.
#[test]
fn attack_a_real_signature_of_another_round_and_a_forged_one_fail() {
    let (vector, files) = (vector("drawn"), Files::new());
    let other_round =
        "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41";
    let other_randomness = "b0a591ad1b9002cfc372ac6e30abd3da8d3088d4caae026961743474fb94235f";
    for (signature, randomness) in [
        (other_round, other_randomness),
        (
            &"00".repeat(48),
            "17b0761f87b081d5cf10757ccc89f12be355c70e2e29df288b65b30710dcbcd1",
        ),
    ] {
        let mut proof = vector["proof"].clone();
        proof["beacon"]["signature"] = json!(signature);
        proof["beacon"]["randomness"] = json!(randomness);
        let path = files.write("proof.json", &proof.to_string());
        let report = format!("{:#}", verify(&path, &Evidence::default()).unwrap_err());
        assert!(failed(&report).contains(&"beacon"), "{report}");
    }
}

/// A proof that claims to be sealed is not checked for its winner, so it must not name one.
#[test]
fn attack_a_result_in_a_proof_that_is_not_drawn_is_not_read() {
    let files = Files::new();
    for status in ["sealed", "void"] {
        let mut proof = vector("drawn")["proof"].clone();
        proof["status"] = json!(status);
        let path = files.write("proof.json", &proof.to_string());
        let error = format!("{:#}", verify(&path, &Evidence::default()).unwrap_err());
        assert!(error.contains("status cannot be read"), "{error}");
    }
}

#[test]
fn a_proof_without_a_part_of_its_result_is_not_read() {
    let files = Files::new();
    for member in [
        "winningEntryNumber",
        "winner",
        "ranks",
        "drawnAt",
        "verificationHash",
        "auditLogHash",
        "beacon",
        "announcement",
        "seal",
        "last",
        "cutOff",
        "status",
    ] {
        let mut proof = vector("drawn")["proof"].clone();
        proof.as_object_mut().unwrap().remove(member);
        let path = files.write("proof.json", &proof.to_string());
        let error = format!("{:#}", verify(&path, &Evidence::default()).unwrap_err());
        assert!(
            error.contains("is not a proof that can be checked"),
            "{member}: {error}"
        );
    }
}

fn verify_log(arguments: &[&Path]) -> Output {
    let mut command = tombola("drawing", &[]);
    command.arg("verify-log").arg(arguments[0]);
    for proof in &arguments[1..] {
        command.arg("--proof").arg(proof);
    }
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_copy_of_the_log_is_compared_with_proofs() {
    let vectors = vectors();
    let files = Files::new();
    let log: Value = vectors["log"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["entry"].clone())
        .collect();
    let copy = files.write("log.jsonl", &json_lines(&log));
    let proofs: Vec<PathBuf> = (vectors["proofs"].as_array().unwrap().iter().enumerate())
        .map(|(n, vector)| files.write(&format!("{n}.json"), &vector["proof"].to_string()))
        .collect();
    let arguments: Vec<&Path> = std::iter::once(&copy)
        .chain(&proofs)
        .map(PathBuf::as_path)
        .collect();
    let valid = verify_log(&arguments);
    let report = text(&valid.stdout);
    assert!(valid.status.success(), "{report}{}", text(&valid.stderr));
    assert!(
        report.starts_with("The copy of the log is valid: entries 1 to 29, last hash "),
        "{report}"
    );
    assert_eq!(report.matches("its proof fits the copy").count(), proofs.len());
    assert!(report.contains("was not compared with a server"), "{report}");

    // A proof whose seal is another than the copy's, with a hash that fits.
    let mut forged = vector("drawn")["proof"].clone();
    forged["seal"]["at"] = json!("2023-08-23T15:49:59.000000Z");
    let forged = files.write("forged.json", &forged.to_string());
    let invalid = verify_log(&[&copy, &forged]);
    assert!(!invalid.status.success());
    assert!(
        text(&invalid.stderr).contains("entry 3, the seal, is another in the proof"),
        "{invalid:?}"
    );

    // A copy that ends before the seal does not show it.
    let short = files.write(
        "short.jsonl",
        &json_lines(&log).lines().take(2).collect::<Vec<_>>().join("\n"),
    );
    assert!(
        verify_log(&[&short]).status.success(),
        "the last line end may be missing"
    );
    let missing = verify_log(&[&short, &proofs[0]]);
    assert!(
        text(&missing.stderr).contains("the copy does not have entry 3, the seal"),
        "{missing:?}"
    );
}

#[test]
fn attack_a_second_seal_in_a_copy_of_the_log_is_reported() {
    let (vectors, files) = (vectors(), Files::new());
    let case = vectors["cases"].as_array().unwrap().iter();
    let case = case
        .clone()
        .find(|case| case["name"] == "a log with two seals of this drawing")
        .unwrap();
    let copy = files.write("log.jsonl", &json_lines(&case["log"]));
    let reported = verify_log(&[&copy]);
    assert!(!reported.status.success());
    assert!(
        text(&reported.stderr).contains("is a second seal of drawing 41"),
        "{reported:?}"
    );
}

#[test]
fn a_file_that_is_no_copy_of_the_log_is_refused() {
    let files = Files::new();
    for (content, error) in [
        ("{}\n", "line 1"),
        ("\n", "line 1"),
        ("[]", "line 1"),
        (&" ".repeat(70_000), "line 1 is too long"),
    ] {
        let refused = verify_log(&[&files.write("log.jsonl", content)]);
        assert!(!refused.status.success());
        assert!(text(&refused.stderr).contains(error), "{refused:?}");
    }
    let changed = json_lines(&vector("drawn")["logAfter"]).replacen("garden-bag", "fresh-sips", 1);
    let refused = verify_log(&[&files.write("log.jsonl", &changed)]);
    assert!(
        text(&refused.stderr).contains("entry 1 was changed"),
        "{refused:?}"
    );
}
