use crate::{BrowserHash, Code, CodeHash, VerificationId, VerificationKey};
use chrono::{DateTime, TimeDelta, Utc};
use raffle::SignUp;

/// How long a code is valid, and how long a sign-up waits for it.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long to wait before another code is sent.
pub const RESEND_AFTER: TimeDelta = TimeDelta::minutes(1);
/// How many tries a verification has. It ends with the next one, right or wrong.
pub const TRIES: u32 = 5;

/// A verification as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The id.
    pub id: VerificationId,
    /// The browser that began it.
    pub browser: BrowserHash,
    /// The hash of the code that was sent last.
    pub code: CodeHash,
    /// The tries so far.
    pub tries: u32,
    /// From when on the code is no longer valid.
    pub expires_at: DateTime<Utc>,
    /// From when on another code may be sent.
    pub resend_at: DateTime<Utc>,
    /// Whether the sign-up was completed.
    pub is_completed: bool,
    /// The sign-up; `None` once it was completed or forgotten.
    pub sign_up: Option<SignUp>,
}

/// What a try of a code comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// It is the code: the sign-up is completed now.
    Right(SignUp),
    /// It is another code, and so many tries are left.
    Wrong {
        /// The tries that are left.
        left: u32,
    },
    /// The code is too old, was tried too often, or belongs to another browser.
    Expired,
    /// The sign-up was completed before.
    Used,
}

impl Verification {
    /// What a try of `code` by `browser` comes to. Takes the same time for every code.
    pub fn attempt(
        &self,
        key: &VerificationKey,
        browser: &BrowserHash,
        code: &Code,
        now: DateTime<Utc>,
    ) -> Attempt {
        if self.browser != *browser {
            return Attempt::Expired;
        }
        if self.is_completed {
            return Attempt::Used;
        }
        let Some(sign_up) = self.sign_up.as_ref().filter(|_| self.is_open(now)) else {
            return Attempt::Expired;
        };
        if key.is_code(self.id, code, &self.code) {
            return Attempt::Right(sign_up.clone());
        }
        Attempt::Wrong {
            left: TRIES.saturating_sub(self.tries + 1),
        }
    }

    /// Whether its code can still be entered.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        !self.is_completed && self.tries < TRIES && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BrowserSecret;
    use kernel::{Entropy, Origin, Phone};
    use raffle::Raffle;

    struct Zeros;

    impl Entropy for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    fn code(text: &str) -> Code {
        Code::parse(text).unwrap()
    }

    fn key() -> VerificationKey {
        VerificationKey::new(&[1; 32]).unwrap()
    }

    fn verification() -> Verification {
        let id = VerificationId::new([7; 16]);
        Verification {
            id,
            browser: BrowserSecret::random(&Zeros).hash(),
            code: key().hash_code(id, &code("123456")),
            tries: 0,
            expires_at: DateTime::UNIX_EPOCH + CODE_LIFE,
            resend_at: DateTime::UNIX_EPOCH + RESEND_AFTER,
            is_completed: false,
            sign_up: Some(SignUp {
                phone: Phone::parse("5551234567").unwrap(),
                raffle: Raffle::FreshSips,
                referral_code: None,
                event_id: None,
                consent: None,
                origin: Origin::default(),
                fingerprint: None,
                session: None,
            }),
        }
    }

    fn attempt(verification: &Verification, text: &str, second: i64) -> Attempt {
        let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(second);
        verification.attempt(&key(), &verification.browser, &code(text), now)
    }

    #[test]
    fn the_right_code_gives_the_sign_up_for_ten_minutes() {
        let one = verification();
        let right = Attempt::Right(one.sign_up.clone().unwrap());
        assert_eq!(attempt(&one, "123456", 599), right);
        assert_eq!(attempt(&one, "123456", 600), Attempt::Expired);
    }

    #[test]
    fn the_sixth_try_is_too_many_even_if_it_is_right() {
        let mut one = verification();
        for left in (0..5).rev() {
            assert_eq!(attempt(&one, "000000", 0), Attempt::Wrong { left });
            one.tries += 1;
        }
        assert_eq!(attempt(&one, "123456", 0), Attempt::Expired);
    }

    #[test]
    fn another_browser_learns_nothing_and_uses_no_try() {
        let one = verification();
        let other = BrowserHash::new([9; 32]);
        for text in ["123456", "000000"] {
            let now = DateTime::UNIX_EPOCH;
            assert_eq!(one.attempt(&key(), &other, &code(text), now), Attempt::Expired);
        }
    }

    #[test]
    fn a_completed_verification_is_used() {
        let one = Verification {
            is_completed: true,
            sign_up: None,
            ..verification()
        };
        assert_eq!(attempt(&one, "123456", 0), Attempt::Used);
        let forgotten = Verification {
            sign_up: None,
            ..verification()
        };
        assert_eq!(attempt(&forgotten, "123456", 0), Attempt::Expired);
    }
}
