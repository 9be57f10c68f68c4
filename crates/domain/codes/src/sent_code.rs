use crate::{Code, CodeHash, CodeKey, Subject};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::MessageId;

/// How long a code is valid. A new one ends the one before.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Wrong tries that end a code. They end that code only.
pub const TRIES: u32 = 5;

/// The id of a code in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeId(pub i64);

/// The code that was sent last for a subject and a holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentCode {
    /// The id.
    pub id: CodeId,
    /// Its hash.
    pub hash: CodeHash,
    /// When it was sent.
    pub sent_at: DateTime<Utc>,
    /// The text that it stands in.
    pub message: MessageId,
    /// The wrong tries so far.
    pub wrong_tries: u32,
    /// Whether what it is for was done.
    pub is_completed: bool,
}

/// What a try of a code comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// It is the code. So it is when it comes once more: the first answer may have been lost.
    Right,
    /// It is another code, and so many tries are left. The try is to be counted.
    Wrong {
        /// The tries that are left.
        left: u32,
    },
    /// The code is too old, or was tried too often.
    Expired,
    /// It is another code, and what the code was for was done.
    Used,
}

impl SentCode {
    /// From when on it is no longer valid.
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.sent_at + CODE_LIFE
    }

    /// Whether it waits to be entered.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        !self.is_completed && self.wrong_tries < TRIES && now < self.expires_at()
    }

    /// What a try of `code` comes to. Takes the same time for every code.
    pub fn attempt(&self, key: &CodeKey, subject: Subject, code: &Code, now: DateTime<Utc>) -> Attempt {
        if now >= self.expires_at() || (self.wrong_tries >= TRIES && !self.is_completed) {
            return Attempt::Expired;
        }
        if key.is_code(subject, code, &self.hash) {
            return Attempt::Right;
        }
        if self.is_completed {
            return Attempt::Used;
        }
        Attempt::Wrong {
            left: TRIES - self.wrong_tries - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: Subject = Subject::Claim(7);

    fn code(text: &str) -> Code {
        Code::parse(text).unwrap()
    }

    fn key() -> CodeKey {
        CodeKey::new(&[1; 32]).unwrap()
    }

    fn sent() -> SentCode {
        SentCode {
            id: CodeId(1),
            hash: key().hash_code(SUBJECT, &code("123456")),
            sent_at: DateTime::UNIX_EPOCH,
            message: MessageId::new(1),
            wrong_tries: 0,
            is_completed: false,
        }
    }

    fn attempt(sent: &SentCode, text: &str, second: i64) -> Attempt {
        let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(second);
        sent.attempt(&key(), SUBJECT, &code(text), now)
    }

    #[test]
    fn the_right_code_counts_for_ten_minutes() {
        assert_eq!(attempt(&sent(), "123456", 599), Attempt::Right);
        assert_eq!(attempt(&sent(), "123456", 600), Attempt::Expired);
    }

    #[test]
    fn the_sixth_try_is_too_many_even_if_it_is_right() {
        let mut one = sent();
        for left in (0..TRIES).rev() {
            assert_eq!(attempt(&one, "000000", 0), Attempt::Wrong { left });
            one.wrong_tries += 1;
        }
        assert_eq!(attempt(&one, "123456", 0), Attempt::Expired);
        assert!(!one.is_open(DateTime::UNIX_EPOCH));
    }

    #[test]
    fn a_used_code_gives_the_same_answer_again_and_no_other_one_does() {
        let done = SentCode {
            is_completed: true,
            wrong_tries: 2,
            ..sent()
        };
        assert_eq!(attempt(&done, "123456", 599), Attempt::Right);
        assert_eq!(attempt(&done, "000000", 0), Attempt::Used);
        assert_eq!(attempt(&done, "123456", 600), Attempt::Expired);
        assert!(!done.is_open(DateTime::UNIX_EPOCH));
    }
}
