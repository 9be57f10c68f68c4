use hmac::{Hmac, KeyInit, Mac};
use kernel::Phone;
use sha2::Sha256;
use std::fmt;

/// The id of one recipient's link: the prefix of the raffle, a dash and 13 characters (D21).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackingId(String);

/// No vowels and no look-alikes, so that the characters cannot spell a word by which the tracking page tells raffles.
const ALPHABET: &[u8; 27] = b"23456789bcdfghjkmnpqrstvwxz";
const CHARS: usize = 13;

impl TrackingId {
    /// The id of a recipient's link in a campaign, after the prefix of the raffle. It is derived from the number, so that a recipient never gets two, and
    /// from the campaign's secret, so that it cannot be guessed: 61 bits of HMAC-SHA256 (RFC 2104).
    pub fn derive(prefix: &str, secret: &CampaignSecret, phone: &Phone) -> Self {
        let mut id = format!("{prefix}-");
        // Bytes above the largest multiple of the alphabet's size are skipped, so that all characters are equally likely.
        let fair = u8::MAX - u8::MAX % 27;
        for block in 0u8.. {
            for byte in secret.hash(block, phone).into_iter().filter(|byte| *byte < fair) {
                if id.len() == prefix.len() + 1 + CHARS {
                    return Self(id);
                }
                let character = ALPHABET.get(usize::from(byte % 27)).copied().unwrap_or(b'2');
                id.push(char::from(character));
            }
        }
        Self(id)
    }

    /// Parses an id: 1 to 64 ASCII letters, digits and dashes.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=64).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        fits.then(|| Self(text.to_owned()))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URL of the page that the link opens.
    pub fn link(&self, base: &str) -> String {
        format!("{}/planter/{}", base.trim_end_matches('/'), self.0)
    }
}

impl fmt::Debug for TrackingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The secret from which the tracking ids of one campaign are derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CampaignSecret([u8; 32]);

impl CampaignSecret {
    /// A secret of random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, to be stored.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn hash(&self, block: u8, phone: &Phone) -> [u8; 32] {
        // HMAC accepts a key of any length, so this never fails.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            return [0; 32];
        };
        mac.update(&[block]);
        mac.update(phone.as_e164().as_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for CampaignSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CampaignSecret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use raffle::fixtures::four;
    use std::collections::HashSet;

    fn phone(n: u32) -> Phone {
        Phone::from_e164(&format!("+1555{n:07}")).unwrap()
    }

    #[test]
    fn an_id_is_unique_to_its_recipient_and_campaign() {
        let secret = CampaignSecret::new([7; 32]);
        let ids: HashSet<_> = (0..10_000)
            .map(|n| TrackingId::derive("garden", &secret, &phone(n)))
            .collect();
        assert_eq!(ids.len(), 10_000);
        let again = TrackingId::derive("garden", &secret, &phone(3));
        assert!(ids.contains(&again));
        let other = TrackingId::derive("garden", &CampaignSecret::new([8; 32]), &phone(3));
        assert!(!ids.contains(&other), "another campaign");
    }

    #[test]
    fn an_id_never_changes() {
        // Links that were sent must stay valid.
        let id = TrackingId::derive("garden", &CampaignSecret::new([7; 32]), &phone(3));
        assert_eq!(id.as_str(), "garden-x7fr8k8b7z978");
    }

    #[test]
    fn debug_shows_an_id_and_no_secret() {
        let id = TrackingId::parse("garden-2345").unwrap();
        let shown = format!("{id:?} {:?}", CampaignSecret::new([7; 32]));
        assert_eq!(shown, "garden-2345 CampaignSecret");
    }

    #[test]
    fn all_characters_are_equally_likely() {
        let secret = CampaignSecret::new([7; 32]);
        let mut counts = [0_i32; ALPHABET.len()];
        for n in 0..10_000 {
            let id = TrackingId::derive("garden", &secret, &phone(n));
            for character in id.as_str().bytes().skip("garden-".len()) {
                counts[ALPHABET.iter().position(|known| *known == character).unwrap()] += 1;
            }
        }
        // 130,000 characters: 4,815 of each, with a standard deviation of 68.
        for count in counts {
            assert!((count - 4_815).abs() < 400, "{counts:?}");
        }
    }

    #[test]
    fn an_id_begins_with_the_prefix_of_its_raffle() {
        let secret = CampaignSecret::new([1; 32]);
        for raffle in four().iter() {
            let prefix = raffle.link_prefix();
            for n in 0..1_000 {
                let id = TrackingId::derive(&prefix, &secret, &phone(n));
                let (first, rest) = id.as_str().split_once('-').unwrap();
                assert_eq!((first, rest.len()), (prefix.as_str(), CHARS));
                let shown = four()
                    .of_link(id.as_str(), DateTime::UNIX_EPOCH)
                    .map(|raffle| raffle.key);
                assert_eq!(shown, Some(raffle.key));
                assert!(rest.bytes().all(|byte| ALPHABET.contains(&byte)), "{rest}");
                assert_eq!(TrackingId::parse(id.as_str()), Some(id.clone()));
            }
        }
        for word in four().iter().flat_map(|raffle| &raffle.link_words) {
            let spelled = word.bytes().all(|byte| ALPHABET.contains(&byte));
            assert!(!spelled, "{word}");
        }
    }

    #[test]
    fn a_link_begins_with_its_base() {
        let id = TrackingId::parse("garden-2345").unwrap();
        assert_eq!(id.link("https://x.org"), "https://x.org/planter/garden-2345");
        assert_eq!(id.link("https://x.org/"), "https://x.org/planter/garden-2345");
        for wrong in ["", "a b", "a/b", "ä", &"x".repeat(65)] {
            assert_eq!(TrackingId::parse(wrong), None, "{wrong:?}");
        }
    }
}
