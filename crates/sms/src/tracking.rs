use hmac::{Hmac, KeyInit, Mac};
use kernel::{Phone, Raffle};
use sha2::Sha256;
use std::fmt;
use strum::IntoEnumIterator;

/// The name of one recipient's link: the raffle's word, a dash and 13 characters (D21).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackingId(String);

/// No vowel and no look-alike among them, so that they can spell none of the words that the tracking page looks for.
const ALPHABET: &[u8; 27] = b"23456789bcdfghjkmnpqrstvwxz";
const CHARS: usize = 13;

impl TrackingId {
    /// The one link of a number in a campaign. It is derived, so that the same recipient never gets two, and from the
    /// campaign's own secret, so that nobody can guess it: 61 bits of HMAC-SHA256 (RFC 2104).
    pub fn derive(raffle: Raffle, secret: &CampaignSecret, phone: &Phone) -> Self {
        let mut id = format!("{}-", word(raffle));
        // Bytes over the largest multiple of the alphabet's size are passed over, so that no character is likelier.
        let fair = u8::MAX - u8::MAX % 27;
        for block in 0u8.. {
            for byte in secret.hash(block, phone).into_iter().filter(|byte| *byte < fair) {
                if id.len() == word(raffle).len() + 1 + CHARS {
                    return Self(id);
                }
                let character = ALPHABET.get(usize::from(byte % 27)).copied().unwrap_or(b'2');
                id.push(char::from(character));
            }
        }
        Self(id)
    }

    /// An id as it stands in an address, if it can be one: letters, digits and dashes, at most 64.
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

    /// The raffle by its word; the default one if it begins with none.
    pub fn raffle(&self) -> Raffle {
        let first = self.0.split('-').next().unwrap_or_default();
        let of_word = Raffle::iter().find(|page| word(*page) == first);
        of_word.unwrap_or_default()
    }

    /// The address of the page that it opens.
    pub fn link(&self, base: &str) -> String {
        format!("{}/planter/{}", base.trim_end_matches('/'), self.0)
    }
}

impl fmt::Debug for TrackingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The word that the tracking page knows a raffle by.
const fn word(raffle: Raffle) -> &'static str {
    match raffle {
        Raffle::GardenBag => "garden",
        Raffle::FreshSips => "fresh",
        Raffle::KitchenGarden => "kitchen",
        Raffle::SustainableLiving => "sustainable",
    }
}

/// From what the tracking ids of one campaign are derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CampaignSecret([u8; 32]);

impl CampaignSecret {
    /// From random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, to be stored.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn hash(&self, block: u8, phone: &Phone) -> [u8; 32] {
        // A key of any length is taken.
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
    use std::collections::HashSet;

    fn phone(n: u32) -> Phone {
        Phone::from_e164(&format!("+1555{n:07}")).unwrap()
    }

    #[test]
    fn an_id_is_the_recipients_own_and_always_the_same() {
        let secret = CampaignSecret::new([7; 32]);
        let ids: HashSet<_> = (0..10_000)
            .map(|n| TrackingId::derive(Raffle::GardenBag, &secret, &phone(n)))
            .collect();
        assert_eq!(ids.len(), 10_000);
        let again = TrackingId::derive(Raffle::GardenBag, &secret, &phone(3));
        assert!(ids.contains(&again));
        let other = TrackingId::derive(Raffle::GardenBag, &CampaignSecret::new([8; 32]), &phone(3));
        assert!(!ids.contains(&other), "another campaign");
    }

    #[test]
    fn the_page_reads_the_raffle_from_it() {
        let secret = CampaignSecret::new([1; 32]);
        for (raffle, word) in Raffle::iter().zip(["garden", "fresh", "kitchen", "sustainable"]) {
            for n in 0..1_000 {
                let id = TrackingId::derive(raffle, &secret, &phone(n));
                let (first, rest) = id.as_str().split_once('-').unwrap();
                assert_eq!((first, rest.len()), (word, CHARS));
                assert_eq!(id.raffle(), raffle);
                assert!(rest.bytes().all(|byte| ALPHABET.contains(&byte)), "{rest}");
                assert_eq!(TrackingId::parse(id.as_str()), Some(id.clone()));
            }
        }
        for word in ["garden", "fresh", "sips", "kitchen", "sustainable", "eco"] {
            let spelled = word.bytes().all(|byte| ALPHABET.contains(&byte));
            assert!(!spelled, "{word}");
        }
    }

    #[test]
    fn the_link_stands_under_its_base() {
        let id = TrackingId::parse("garden-2345").unwrap();
        assert_eq!(id.link("https://x.org"), "https://x.org/planter/garden-2345");
        assert_eq!(id.link("https://x.org/"), "https://x.org/planter/garden-2345");
        for wrong in ["", "a b", "a/b", "ä", &"x".repeat(65)] {
            assert_eq!(TrackingId::parse(wrong), None, "{wrong:?}");
        }
    }
}
