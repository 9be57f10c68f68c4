//! Gives the crate the checksum of all migrations as `MIGRATIONS_CHECKSUM`.
#![allow(
    clippy::print_stdout,
    reason = "a build script talks to cargo through its output"
)]

use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;

const FOLDER: &str = "../../../migrations";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut files = Vec::new();
    for entry in fs::read_dir(FOLDER)? {
        let file = entry?.path().join("up.sql");
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let sql = fs::read(&file)?;
        hash.update(format!("{} {}\n", file.display(), sql.len()));
        hash.update(sql);
    }
    println!(
        "cargo::rustc-env=MIGRATIONS_CHECKSUM={}",
        hex::encode(hash.finalize())
    );
    Ok(())
}
