//! `tombola admin hash-password`: from a password to what `ADMIN_PASSWORD_HASH` wants.

use crate::OsEntropy;
use anyhow::{Context, bail, ensure};
use secrecy::{ExposeSecret, SecretString};
use std::io::{BufRead, IsTerminal};
use web::{Argon2Hash, PASSWORD_BYTES};

/// Asks for a password, or reads a line where nobody can be asked, and gives its hash as a line.
///
/// # Errors
/// When there is none, when it is too long, or when it was not typed twice alike.
pub fn run() -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    let password = if stdin.is_terminal() {
        ask_twice()?
    } else {
        read_line(&mut stdin.lock())?
    };
    hash(&password)
}

/// What is typed is not shown, so a slip would be noticed only when nobody can sign in.
fn ask_twice() -> anyhow::Result<SecretString> {
    let ask = |prompt: &str| {
        rpassword::prompt_password(prompt)
            .map(SecretString::from)
            .context("cannot read a password")
    };
    let password = ask("Password: ")?;
    if ask("The same again: ")?.expose_secret() != password.expose_secret() {
        bail!("the two were not the same");
    }
    Ok(password)
}

fn read_line(input: &mut impl BufRead) -> anyhow::Result<SecretString> {
    let mut line = String::new();
    input.read_line(&mut line).context("cannot read a password")?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    let password = password.strip_suffix('\r').unwrap_or(password);
    Ok(password.into())
}

fn hash(password: &SecretString) -> anyhow::Result<String> {
    let length = password.expose_secret().len();
    ensure!(length > 0, "there was no password: give one, on one line");
    ensure!(
        length <= PASSWORD_BYTES,
        "the password must not be longer than {PASSWORD_BYTES} bytes"
    );
    let hash = Argon2Hash::of(password, &OsEntropy).context("cannot hash the password")?;
    Ok(format!("{}\n", hash.as_phc()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use web::PasswordCheck;

    fn hash_of(input: &[u8]) -> anyhow::Result<String> {
        hash(&read_line(&mut &*input)?)
    }

    #[test]
    fn the_first_line_is_the_password() {
        for input in [
            "correct horse",
            "correct horse\n",
            "correct horse\r\n",
            "correct horse\nsecond\n",
        ] {
            let line = hash_of(input.as_bytes()).unwrap();
            let hash = Argon2Hash::parse(line.trim_end()).unwrap();
            assert!(hash.verify(&"correct horse".into()), "{input:?}");
        }
    }

    #[test]
    fn no_two_hashes_are_alike() {
        assert_ne!(
            hash_of(b"correct horse").unwrap(),
            hash_of(b"correct horse").unwrap()
        );
    }

    #[test]
    fn what_is_no_password_is_refused() {
        for input in ["", "\n", "\r\n", &"x".repeat(PASSWORD_BYTES + 1)] {
            assert!(hash_of(input.as_bytes()).is_err(), "{input:.5?}");
        }
        assert!(hash_of(b"\xff\xfe\n").is_err());
    }
}
