use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The key of a raffle, as it stands in addresses, JSON and rows: 3 to 40 of the letters `a` to `z`, digits and single
/// hyphens, with a letter or digit at both ends. Whether there is such a raffle is for the store to say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RaffleKey {
    /// Padded with zeros, so that keys are in alphabetical order. A key is copied as freely as an id.
    padded: [u8; Self::MOST],
}

/// The text is not spelled as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the key of a raffle")]
pub struct InvalidKey;

/// Why a new raffle cannot have a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// An address of the site, or of a later version of it, begins with the word; or it means something in a query.
    #[error("This word is reserved")]
    Reserved,
    /// The names of pages are made of keys: `planter-{key}`, `{key}-success`.
    #[error("Must not begin with planter-, end with -success or hold -referral")]
    NamesAPage,
}

/// First segments of routes and files, words that mean something in queries and page names, and words kept for later.
/// Addresses of later versions begin with one of these.
const RESERVED: &[&str] = &[
    // of pages and files
    "404",
    "admin",
    "api",
    "apple-touch-icon",
    "assets",
    "claim",
    "contact",
    "dist",
    "drawings",
    "favicon",
    "feed",
    "fonts",
    "health",
    "healthz",
    "images",
    "js",
    "css",
    "media",
    "metrics",
    "openapi",
    "pages",
    "planter",
    "privacy",
    "push-worker",
    "readyz",
    "ref",
    "referral",
    "robots",
    "rules",
    "site",
    "sitemap",
    "static",
    "success",
    "terms",
    "verify",
    "welcome",
    "well-known",
    "your-entry",
    // of queries and page names
    "admin-dashboard",
    "all",
    "generic",
    "order",
    "other",
    // for later
    "about",
    "account",
    "accounts",
    "app",
    "archive",
    "auth",
    "blog",
    "cookies",
    "data",
    "docs",
    "download",
    "draft",
    "drafts",
    "embed",
    "entries",
    "events",
    "export",
    "faq",
    "help",
    "home",
    "hooks",
    "imprint",
    "index",
    "legal",
    "login",
    "logout",
    "manifest",
    "new",
    "news",
    "oauth",
    "packages",
    "pay",
    "people",
    "preview",
    "prizes",
    "proofs",
    "raffle",
    "raffles",
    "register",
    "search",
    "settings",
    "share",
    "sign-in",
    "sign-out",
    "sign-up",
    "sms",
    "staff",
    "status",
    "stop",
    "support",
    "texts",
    "token",
    "tokens",
    "unsubscribe",
    "users",
    "webhooks",
    "winner",
    "winners",
];

impl RaffleKey {
    /// The most characters of a key.
    pub const MOST: usize = 40;
    const LEAST: usize = 3;

    /// Reads a key; `None` if it is not spelled as one.
    pub const fn new(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes();
        if rest.len() < Self::LEAST || rest.len() > Self::MOST {
            return None;
        }
        let mut padded = [0; Self::MOST];
        let mut unwritten: &mut [u8] = &mut padded;
        let mut before = b'-';
        while let ([first, others @ ..], [place, places @ ..]) = (rest, unwritten) {
            match *first {
                b'a'..=b'z' | b'0'..=b'9' => {}
                b'-' if before != b'-' => {}
                _ => return None,
            }
            *place = *first;
            before = *first;
            (rest, unwritten) = (others, places);
        }
        if before == b'-' {
            return None;
        }
        Some(Self { padded })
    }

    /// The key.
    pub fn as_str(&self) -> &str {
        let written = self.padded.split(|byte| *byte == 0).next().unwrap_or_default();
        std::str::from_utf8(written).unwrap_or_default()
    }

    /// Why a new raffle cannot have the key.
    pub fn fault(&self) -> Option<KeyFault> {
        let key = self.as_str();
        if RESERVED.contains(&key) {
            return Some(KeyFault::Reserved);
        }
        let names_a_page =
            key.starts_with("planter-") || key.ends_with("-success") || key.contains("-referral");
        names_a_page.then_some(KeyFault::NamesAPage)
    }
}

impl fmt::Display for RaffleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for RaffleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RaffleKey").field(&self.as_str()).finish()
    }
}

impl FromStr for RaffleKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        Self::new(text).ok_or(InvalidKey)
    }
}

impl Serialize for RaffleKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for RaffleKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_as_it_was_written() {
        let longest = "a2".repeat(20);
        for text in ["abc", "garden-bag", "2026-box", "a-b-c", longest.as_str()] {
            let key: RaffleKey = text.parse().unwrap();
            assert_eq!((key.as_str(), key.to_string().as_str()), (text, text));
            let json = serde_json::to_string(&key).unwrap();
            assert_eq!(serde_json::from_str::<RaffleKey>(&json).unwrap(), key);
        }
    }

    #[test]
    fn anything_else_is_no_key() {
        let long = "a".repeat(41);
        for text in [
            "",
            "ab",
            "Garden-Bag",
            "garden_bag",
            "garden bag",
            "-ab",
            "ab-",
            "a--b",
            "gärten",
            "a.b",
            "abc\0",
            "---",
            long.as_str(),
        ] {
            assert_eq!(text.parse::<RaffleKey>(), Err(InvalidKey), "{text:?}");
        }
    }

    #[test]
    fn keys_are_in_alphabetical_order() {
        let mut keys =
            ["garden-bag", "garden", "fresh-sips", "abc"].map(|text| RaffleKey::new(text).unwrap());
        keys.sort();
        assert_eq!(
            keys.map(|key| key.to_string()),
            ["abc", "fresh-sips", "garden", "garden-bag"]
        );
    }

    #[test]
    fn some_keys_are_not_for_new_raffles() {
        let fault = |text: &str| RaffleKey::new(text).unwrap().fault();
        assert_eq!(fault("summer-box"), None);
        assert_eq!(fault("admins"), None);
        for reserved in ["admin", "rules", "all", "generic", "webhooks"] {
            assert_eq!(fault(reserved), Some(KeyFault::Reserved), "{reserved}");
        }
        for page in ["planter-box", "box-success", "box-referral", "a-referral-b"] {
            assert_eq!(fault(page), Some(KeyFault::NamesAPage), "{page}");
        }
    }

    #[test]
    fn every_reserved_word_is_spelled_as_a_key_would_be() {
        for word in RESERVED {
            let is_short = word.len() < RaffleKey::LEAST;
            assert!(is_short || RaffleKey::new(word).is_some(), "{word}");
        }
    }
}
