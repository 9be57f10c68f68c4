//! `tombola init`: asks for what only the operator knows, and writes the file of settings of a new site.

mod questions;
mod settings;

use crate::OsEntropy;
use anyhow::{Context, ensure};
use clap::ValueEnum;
use questions::Lines;
use settings::Settings;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What will run the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deployment {
    /// `deploy/compose.yaml`.
    Compose,
    /// `deploy/systemd/tombola.service`.
    Systemd,
    /// `deploy/kubernetes`.
    Kubernetes,
}

/// Asks the questions on a terminal, or else reads the answers from standard input, a line each in the same order. Writes the
/// settings to `output`, which only its owner can read, and returns what was done.
///
/// # Errors
/// When `output` exists, when an answer from standard input is not valid, or when the file cannot be written.
pub fn run(deployment: Deployment, output: &Path) -> anyhow::Result<String> {
    let name = output.display();
    ensure!(
        !output.exists(),
        "{name} exists; its keys may be in use, so it is not replaced. Remove it first, or name another file with --output"
    );
    let stdin = std::io::stdin();
    let answers = match stdin.is_terminal() {
        true => questions::ask(&mut questions::Terminal)?,
        false => questions::ask(&mut Lines(stdin.lock()))?,
    };
    let settings = Settings::new(deployment, answers, &OsEntropy)?;
    write_private(output, &settings.render()?).with_context(|| format!("cannot write {name}"))?;
    Ok(format!(
        "Wrote {name}. It holds the site's secrets: keep a copy in a safe place, and show it to nobody.\n\
         Sign-ups need a code that is sent by text: add TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_PHONE_NUMBER, save \
         an account in the console, or set PHONE_VERIFICATION=off.\n"
    ))
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_private_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".env");
        write_private(&path, "A=1\n").unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(write_private(&path, "A=2\n").is_err());
        let error = run(Deployment::Compose, &path).unwrap_err();
        assert!(error.to_string().contains("exists"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "A=1\n");
    }
}
