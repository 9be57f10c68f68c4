//! Somebody enters their number, gets a code, mistypes it once, and is in; a second browser gets the page back. Start here
//! to learn what this crate is for.
//!
//! The flows are in `usecases::phone_verification`; here the rules stand alone.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use chrono::{DateTime, TimeDelta};
use kernel::{Entropy, Origin, Phone};
use raffle::{Raffle, SignUp};
use std::sync::atomic::{AtomicU8, Ordering};
use verification::{
    Attempt, BrowserSecret, CODE_LIFE, Code, RESEND_AFTER, SentCode, Usage, Verification, VerificationId,
    VerificationKey,
};

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
    let key = VerificationKey::new(&[7; 32]).unwrap();
    let phone = Phone::parse("(555) 123-4567").unwrap();

    // The browser gets a secret in a cookie, and the phone a code. Stored are only their hashes.
    let browser = BrowserSecret::random(&entropy);
    let (id, code) = (VerificationId::random(&entropy), Code::random(&entropy));
    let sign_up = SignUp {
        phone: phone.clone(),
        raffle: Raffle::GardenBag,
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    };
    let mut waiting = Verification {
        id,
        browser: browser.hash(),
        code: key.hash_code(id, &code),
        tries: 0,
        expires_at: now + CODE_LIFE,
        resend_at: now + RESEND_AFTER,
        is_completed: false,
        sign_up: Some(sign_up.clone()),
    };

    // Another code is wrong, and another browser learns nothing.
    let wrong = Code::parse(if code.as_str() == "000000" {
        "000001"
    } else {
        "000000"
    })
    .unwrap();
    let later = now + TimeDelta::seconds(30);
    assert_eq!(
        waiting.attempt(&key, &browser.hash(), &wrong, later),
        Attempt::Wrong { left: 4 }
    );
    waiting.tries += 1;
    let stranger = BrowserSecret::random(&entropy);
    assert_eq!(
        waiting.attempt(&key, &stranger.hash(), &code, later),
        Attempt::Expired
    );

    // The code completes the sign-up, once.
    assert_eq!(
        waiting.attempt(&key, &browser.hash(), &code, later),
        Attempt::Right(sign_up)
    );
    waiting.is_completed = true;
    assert_eq!(
        waiting.attempt(&key, &browser.hash(), &code, later),
        Attempt::Used
    );

    // The next code to this number is sent after a minute.
    let sent = SentCode {
        at: now,
        same_network: true,
    };
    let usage = Usage {
        number: vec![sent],
        ..Usage::default()
    };
    assert_eq!(usage.wait(later), Some(TimeDelta::seconds(30)));
    assert_eq!(usage.wait(now + RESEND_AFTER), None);
    assert_ne!(
        key.tag_number(&phone).as_bytes(),
        key.tag_prefix(&phone).as_bytes(),
        "numbers are counted without being stored"
    );
}
