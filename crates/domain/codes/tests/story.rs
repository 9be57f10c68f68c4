//! Somebody enters their number, gets a code, mistypes it once, and is in; the answer is lost, and the same code gives it
//! again. Start here to learn what this crate is for.
//!
//! The flows are in `usecases::codes`; here the rules stand alone.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use chrono::{DateTime, TimeDelta};
use codes::{
    Attempt, BrowserSecret, CODE_LIFE, Code, CodeId, CodeKey, Counted, Holder, Purpose, RESEND_AFTER,
    Request, SentCode, Share, Subject, Usage,
};
use kernel::{Entropy, MessageId, Phone};
use raffle::SignUpId;
use std::sync::atomic::{AtomicU8, Ordering};

/// Counts 0, 1, 2 … 255, 0 …, so that no two secrets of a test are the same.
#[derive(Default)]
struct Counting(AtomicU8);

impl Entropy for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_number_is_proved_with_a_code() {
    let (entropy, now) = (Counting::default(), DateTime::UNIX_EPOCH);
    let key = CodeKey::new(&[7; 32]).unwrap();
    let phone = Phone::parse("(555) 123-4567").unwrap();

    // The browser gets a secret in a cookie, and the phone a code. Stored are only their hashes.
    let browser = BrowserSecret::random(&entropy);
    let (subject, code) = (
        Subject::SignUp(SignUpId::random(&entropy)),
        Code::random(&entropy),
    );
    let request = Request {
        subject,
        holder: Holder::Browser(browser.hash()),
        number: key.tag_number(&phone),
        network: Some([192, 0, 2, 1].into()),
    };
    let before = Usage::default();
    assert_eq!(before.share(subject.purpose(), false, now), Ok(Share::Everybody));
    assert_eq!(request.block().unwrap().to_string(), "192.0.2.0/24");
    let mut sent = SentCode {
        id: CodeId(1),
        hash: key.hash_code(subject, &code),
        sent_at: now,
        message: MessageId::new(1),
        wrong_tries: 0,
        is_completed: false,
    };

    // Another code is wrong, and costs a try.
    let wrong = Code::parse(if code.as_str() == "000000" {
        "000001"
    } else {
        "000000"
    })
    .unwrap();
    let soon = now + TimeDelta::seconds(20);
    assert_eq!(
        sent.attempt(&key, subject, &wrong, soon),
        Attempt::Wrong { left: 4 }
    );
    sent.wrong_tries += 1;

    // Within a minute, the same network gets no second code for this number.
    let usage = Usage {
        codes: vec![Counted {
            at: now,
            same_network: true,
            share: Share::Everybody,
        }],
        ..Usage::default()
    };
    let wait = usage.share(Purpose::SignUp, false, soon);
    assert_eq!(wait, Err(RESEND_AFTER - TimeDelta::seconds(20)));

    // The right one counts, and counts again until its time is over.
    assert_eq!(sent.attempt(&key, subject, &code, soon), Attempt::Right);
    sent.is_completed = true;
    assert_eq!(sent.attempt(&key, subject, &code, soon), Attempt::Right);
    assert_eq!(sent.attempt(&key, subject, &wrong, soon), Attempt::Used);
    assert_eq!(
        sent.attempt(&key, subject, &code, now + CODE_LIFE),
        Attempt::Expired
    );
}
