//! The keys by which views count once.

use crate::PageName;
use kernel::{ReferralCode, Session};
use sha2::{Digest, Sha256};
use uuid::Uuid;

impl PageName {
    /// The key of a view: the 48 bits of the session's time, 48 bits of a hash of session and page, and 32 bits of a hash of the
    /// code.
    pub fn view_key(&self, session: &Session, code: Option<&ReferralCode>) -> Uuid {
        let code = code.map_or([0; 32], |code| Sha256::digest(code.as_str().as_bytes()).into());
        session.key_with(&self.hash_in(session), &code)
    }

    /// The first and the last key that a view of this page can have in this session, whatever its referral code.
    pub fn view_keys(&self, session: &Session) -> (Uuid, Uuid) {
        let head = self.hash_in(session);
        (
            session.key_with(&head, &[0; 4]),
            session.key_with(&head, &[0xff; 4]),
        )
    }

    fn hash_in(&self, session: &Session) -> [u8; 6] {
        let mut hash = Sha256::new();
        hash.update(session.as_str().as_bytes());
        hash.update([0]);
        hash.update(self.as_str().as_bytes());
        let [a, b, c, d, e, f, ..] = <[u8; 32]>::from(hash.finalize());
        [a, b, c, d, e, f]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageNames;
    use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};

    fn welcome() -> PageName {
        PageNames::of([]).classify("welcome").unwrap()
    }

    fn code(text: &str) -> ReferralCode {
        ReferralCode::parse(text).unwrap()
    }

    #[test]
    fn views_differ_by_session_page_and_code() {
        let page = PageName::from(GARDEN_BAG);
        let (one, other) = (Session::parse("one").unwrap(), Session::parse("other").unwrap());
        let mut keys = vec![
            page.view_key(&one, None),
            page.view_key(&one, Some(&code("CDFG3467"))),
            page.view_key(&one, Some(&code("CDFG3469"))),
            welcome().view_key(&one, None),
            page.view_key(&other, None),
        ];
        assert_eq!(
            page.view_key(&one, None),
            page.view_key(&Session::parse(" one ").unwrap(), None)
        );
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 5);
        assert_ne!(one.key(), other.key());
    }

    #[test]
    fn the_keys_of_all_views_of_a_page_are_in_its_range() {
        let page = PageName::from(FRESH_SIPS);
        let session = Session::parse("one").unwrap();
        let (first, last) = page.view_keys(&session);
        for key in [
            page.view_key(&session, None),
            page.view_key(&session, Some(&code("CDFG3467"))),
        ] {
            assert!(first <= key && key <= last);
        }
        let elsewhere = welcome().view_key(&session, None);
        assert!(elsewhere < first || last < elsewhere);
    }

    #[test]
    fn keys_are_ordered_by_the_time_in_the_id_and_ids_without_one_come_last() {
        let earlier = Session::parse("0190a000-0000-7000-8000-000000000000").unwrap();
        let later = Session::parse("0190b000-0000-7000-8000-000000000000").unwrap();
        let without = Session::parse("0190a000-0000-4000-8000-000000000000").unwrap();
        let page = PageName::from(GARDEN_BAG);
        assert!(page.view_key(&earlier, None) < page.view_key(&later, None));
        assert!(earlier.key() < later.key());
        assert!(later.key() < without.key());
    }
}
