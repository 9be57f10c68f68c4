//! Browser sessions, and the keys by which their views count once.

use crate::PageName;
use kernel::{ReferralCode, StoredText};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A browser session, identified by the id that the browser chose.
///
/// Our pages generate UUIDs of version 7 (RFC 9562), which begin with the time. The keys begin with the same 48 bits, so
/// that rows of the same time are next to each other in indexes. Any other id works as well; its keys begin with 48 one
/// bits, which no time has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Session {
    id: String,
    began: [u8; 6],
}

/// The text is not a session id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Must be 1 to 64 characters")]
pub struct InvalidSession;

impl Session {
    /// Reads a session id: 1 to 64 characters, none of them a control character.
    ///
    /// # Errors
    /// [`InvalidSession`] for any other text.
    pub fn parse(text: &str) -> Result<Self, InvalidSession> {
        let text = StoredText::line(text, 64).map_err(|_| InvalidSession)?;
        let version_7 = Uuid::try_parse(text.as_str())
            .ok()
            .filter(|uuid| uuid.get_version_num() == 7);
        let began = match version_7.map(Uuid::into_bytes) {
            Some([a, b, c, d, e, f, ..]) => [a, b, c, d, e, f],
            None => [0xff; 6],
        };
        Ok(Self {
            id: text.into(),
            began,
        })
    }

    /// The id as the browser sent it.
    pub fn as_str(&self) -> &str {
        &self.id
    }

    /// The key of this session: 48 bits of time and 80 bits of a SHA-256.
    pub fn key(&self) -> Uuid {
        self.with_tail(&Sha256::digest(self.id.as_bytes()).into(), &[0; 32], 10)
    }

    /// The key of a view: 48 bits of time, 48 bits of a hash of session and page, and 32 bits of a hash of the code.
    pub fn view_key(&self, page: PageName, code: Option<&ReferralCode>) -> Uuid {
        let code = code.map_or([0; 32], |code| Sha256::digest(code.as_str().as_bytes()).into());
        self.with_tail(&self.page_hash(page), &code, 6)
    }

    /// The first and the last key that a view of this page can have, whatever its referral code.
    pub fn view_keys(&self, page: PageName) -> (Uuid, Uuid) {
        let hash = self.page_hash(page);
        (
            self.with_tail(&hash, &[0; 32], 6),
            self.with_tail(&hash, &[0xff; 32], 6),
        )
    }

    fn page_hash(&self, page: PageName) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.id.as_bytes());
        hash.update([0]);
        hash.update(page.as_str().as_bytes());
        hash.finalize().into()
    }

    /// A key of the time, `length` bytes of the first hash, and the rest from the second hash.
    fn with_tail(&self, first: &[u8; 32], second: &[u8; 32], length: usize) -> Uuid {
        let mut bytes = [0; 16];
        let tail = self.began.iter().chain(first.iter().take(length)).chain(second);
        for (byte, value) in bytes.iter_mut().zip(tail) {
            *byte = *value;
        }
        Uuid::from_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify;
    use kernel::Raffle;

    fn code(text: &str) -> ReferralCode {
        ReferralCode::parse(text).unwrap()
    }

    #[test]
    fn a_session_id_is_short_and_plain() {
        for right in ["sess-1", &"ü".repeat(64)] {
            assert_eq!(Session::parse(right).unwrap().as_str(), right);
        }
        assert_eq!(Session::parse(" sess-1 ").unwrap().as_str(), "sess-1");
        for wrong in ["", "  ", "a\0b", &"a".repeat(65)] {
            assert_eq!(Session::parse(wrong), Err(InvalidSession), "{wrong:?}");
        }
    }

    #[test]
    fn views_differ_by_session_page_and_code() {
        let page = PageName::from(Raffle::GardenBag);
        let (one, other) = (Session::parse("one").unwrap(), Session::parse("other").unwrap());
        let mut keys = vec![
            one.view_key(page, None),
            one.view_key(page, Some(&code("CDFG3467"))),
            one.view_key(page, Some(&code("CDFG3469"))),
            one.view_key(classify("welcome").unwrap(), None),
            other.view_key(page, None),
        ];
        assert_eq!(
            one.view_key(page, None),
            Session::parse(" one ").unwrap().view_key(page, None)
        );
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 5);
        assert_ne!(one.key(), other.key());
    }

    #[test]
    fn the_keys_of_all_views_of_a_page_are_in_its_range() {
        let page = PageName::from(Raffle::FreshSips);
        let session = Session::parse("one").unwrap();
        let (first, last) = session.view_keys(page);
        for key in [
            session.view_key(page, None),
            session.view_key(page, Some(&code("CDFG3467"))),
        ] {
            assert!(first <= key && key <= last);
        }
        let elsewhere = session.view_key(classify("welcome").unwrap(), None);
        assert!(elsewhere < first || last < elsewhere);
    }

    #[test]
    fn keys_are_ordered_by_the_time_in_the_id_and_ids_without_one_come_last() {
        let earlier = Session::parse("0190a000-0000-7000-8000-000000000000").unwrap();
        let later = Session::parse("0190b000-0000-7000-8000-000000000000").unwrap();
        let without = Session::parse("0190a000-0000-4000-8000-000000000000").unwrap();
        let page = PageName::from(Raffle::GardenBag);
        assert!(earlier.view_key(page, None) < later.view_key(page, None));
        assert!(earlier.key() < later.key());
        assert!(later.key() < without.key());
    }
}
