//! The browsers of an entrant: those that hold a token which names the entrant (D4, D75).

use chrono::{DateTime, Utc};
use kernel::EntrantId;

/// The SHA-256 of a token.
pub type BrowserTokenHash = [u8; 32];

/// A signed token of a browser that has not expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrowserToken {
    /// Whom it names.
    pub entrant: EntrantId,
    /// The second in which it was issued.
    pub issued_at: DateTime<Utc>,
    /// Tells it from others.
    pub hash: BrowserTokenHash,
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrowserStanding {
    /// It names an entrant.
    Own,
    /// It named an entrant who was erased since.
    Erased,
    /// The entrant signed this browser out, or there never was one.
    Unknown,
}

impl BrowserStanding {
    /// What a token that names an entrant is good for.
    pub fn of(token: &BrowserToken, is_erased: bool, sign_out: Option<SignOut>) -> Self {
        if is_erased {
            return Self::Erased;
        }
        match sign_out.is_none_or(|last| last.admits(token)) {
            true => Self::Own,
            false => Self::Unknown,
        }
    }
}

/// An entrant signed out all browsers but one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignOut {
    /// When.
    pub at: DateTime<Utc>,
    /// The token of the browser that stayed.
    pub kept: BrowserTokenHash,
}

impl SignOut {
    /// Whether a token is still good after it: the one of the browser that stayed, or a later one. A token of the same second
    /// could be from before, and is not.
    pub fn admits(&self, token: &BrowserToken) -> bool {
        token.hash == self.kept || token.issued_at >= self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    fn token(seconds: i64, hash: u8) -> BrowserToken {
        BrowserToken {
            entrant: EntrantId::new(1),
            issued_at: DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds),
            hash: [hash; 32],
        }
    }

    #[test]
    fn the_browser_that_stayed_and_later_ones_are_admitted() {
        let sign_out = SignOut {
            at: DateTime::UNIX_EPOCH + TimeDelta::milliseconds(5_500),
            kept: [1; 32],
        };
        assert!(sign_out.admits(&token(0, 1)));
        for (seconds, expected) in [(4, false), (5, false), (6, true)] {
            assert_eq!(sign_out.admits(&token(seconds, 2)), expected, "{seconds}");
        }
    }
}
