//! The rule for new passwords of staff (D49).

use secrecy::{ExposeSecret, SecretString};

/// The least number of characters of a new password.
pub const PASSWORD_CHARS: usize = 15;
/// The longest password, in bytes: the time of a check grows with the length.
pub const PASSWORD_BYTES: usize = 1024;
/// A password with fewer different characters is common.
const DIFFERENT_CHARS: usize = 5;
/// Common passwords that are long enough, in lower case and sorted, one on each line.
const COMMON: &str = include_str!("common_passwords.txt");

/// A password that may be set.
#[derive(Debug, Clone)]
pub struct NewPassword(SecretString);

/// Why a password may not be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordProblem {
    /// It has fewer than [`PASSWORD_CHARS`] characters.
    #[error("Use at least 15 characters.")]
    Short,
    /// It has more than [`PASSWORD_BYTES`] bytes.
    #[error("Password is too long")]
    Long,
    /// Many people use it, or it is the name of the account.
    #[error("This password is too common. Choose another one.")]
    Common,
}

impl NewPassword {
    /// Checks a password for the account with this name. Spaces count, and nothing is trimmed.
    ///
    /// # Errors
    /// When it is too short, too long or too common.
    pub fn parse(typed: SecretString, account: &str) -> Result<Self, PasswordProblem> {
        let text = typed.expose_secret();
        if text.len() > PASSWORD_BYTES {
            return Err(PasswordProblem::Long);
        }
        if text.chars().count() < PASSWORD_CHARS {
            return Err(PasswordProblem::Short);
        }
        let folded = text.trim().to_lowercase();
        if folded == account.to_lowercase() || is_common(&folded) {
            return Err(PasswordProblem::Common);
        }
        Ok(Self(typed))
    }

    /// The password, to be hashed.
    pub const fn secret(&self) -> &SecretString {
        &self.0
    }
}

fn is_common(folded: &str) -> bool {
    let mut different: Vec<char> = folded.chars().collect();
    different.sort_unstable();
    different.dedup();
    different.len() < DIFFERENT_CHARS || COMMON.lines().any(|common| common == folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(typed: &str) -> Option<PasswordProblem> {
        NewPassword::parse(typed.into(), "Anna Administrator").err()
    }

    #[test]
    fn a_password_has_at_least_fifteen_characters() {
        assert_eq!(problem("14 characters!"), Some(PasswordProblem::Short));
        assert_eq!(problem("15 characters!!"), None);
        assert_eq!(problem("fünfzehn Zeichn"), None, "characters count, not bytes");
    }

    #[test]
    fn a_password_has_at_most_1024_bytes() {
        let long = |bytes: usize| "abcdefgh".repeat(bytes / 8);
        assert_eq!(problem(&long(1024)), None);
        assert_eq!(problem(&long(1032)), Some(PasswordProblem::Long));
    }

    #[test]
    fn a_common_password_is_refused_in_any_case() {
        for common in [
            "passwordpassword",
            "PasswordPassword",
            " passwordpassword ",
            "correct horse battery staple",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "abababababababababab",
            "anna administrator",
        ] {
            assert_eq!(problem(common), Some(PasswordProblem::Common), "{common}");
        }
    }

    #[test]
    fn the_list_is_sorted_and_holds_only_what_the_other_rules_allow() {
        let lines: Vec<_> = COMMON.lines().collect();
        assert!(lines.is_sorted());
        for line in lines {
            assert_eq!(line, line.to_lowercase());
            assert!(line.chars().count() >= PASSWORD_CHARS, "{line}");
        }
    }

    #[test]
    fn debug_output_does_not_show_the_password() {
        let password = NewPassword::parse("the seventh cup of tea".into(), "anna").unwrap();
        assert!(!format!("{password:?}").contains("tea"));
    }
}
