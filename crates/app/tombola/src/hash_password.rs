//! `tombola admin hash-password`: hashes a password for `ADMIN_PASSWORD_HASH`.

use crate::OsEntropy;
use anyhow::{Context, bail, ensure};
use secrecy::{ExposeSecret, SecretString};
use staff::NewPassword;
use std::io::{BufRead, IsTerminal};
use web::Argon2Hash;

/// Asks for a password on a terminal, or else reads a line from standard input, and returns its hash as a line.
///
/// # Errors
/// When the password is too short, too long or too common, or when the two typed passwords differ.
pub fn run() -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    let password = if stdin.is_terminal() {
        ask_twice()?
    } else {
        read_line(&mut stdin.lock())?
    };
    hash(&password)
}

/// The input is hidden, so it is asked for twice to catch typing errors.
fn ask_twice() -> anyhow::Result<SecretString> {
    let ask = |prompt: &str| {
        rpassword::prompt_password(prompt)
            .map(SecretString::from)
            .context("cannot read a password")
    };
    let password = ask("Password: ")?;
    if ask("Repeat the password: ")?.expose_secret() != password.expose_secret() {
        bail!("the passwords differ");
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
    let empty = password.expose_secret().is_empty();
    ensure!(!empty, "the password is empty: enter one line");
    let password = NewPassword::parse(password.clone(), "").context("the password cannot be used")?;
    let hash = Argon2Hash::of(password.secret(), &OsEntropy).context("cannot hash the password")?;
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
            "a stable with a correct horse",
            "a stable with a correct horse\n",
            "a stable with a correct horse\r\n",
            "a stable with a correct horse\nsecond\n",
        ] {
            let line = hash_of(input.as_bytes()).unwrap();
            let hash = Argon2Hash::parse(line.trim_end()).unwrap();
            assert!(hash.verify(&"a stable with a correct horse".into()), "{input:?}");
        }
    }

    #[test]
    fn each_hash_has_its_own_salt() {
        assert_ne!(
            hash_of(b"a stable with a correct horse").unwrap(),
            hash_of(b"a stable with a correct horse").unwrap()
        );
    }

    #[test]
    fn an_invalid_password_is_rejected() {
        for input in [
            "",
            "\n",
            "\r\n",
            &"x".repeat(2000),
            "fourteen chars",
            "passwordpassword",
        ] {
            assert!(hash_of(input.as_bytes()).is_err(), "{input:.5?}");
        }
        assert!(hash_of(b"\xff\xfe\n").is_err());
    }
}
