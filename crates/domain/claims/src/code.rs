//! The codes that prove the drawn number (D41, D64).

use crate::CodeHash;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::BrowserHash;
use kernel::code_limits::{CODE_LIFE, TRIES};

/// How long a code counts towards the limits.
const COUNTED: TimeDelta = TimeDelta::days(1);

/// A code that was sent for a browser. Other browsers can neither use it nor end it: the link of a claim is all that they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentCode {
    /// The browser that asked for it.
    pub browser: BrowserHash,
    /// Whether this browser held the winner's visitor token.
    pub is_own: bool,
    /// Its hash.
    pub hash: CodeHash,
    /// When it was sent.
    pub sent_at: DateTime<Utc>,
    /// The wrong tries so far.
    pub wrong_tries: u32,
}

impl SentCode {
    /// From when on it is no longer valid.
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.sent_at + CODE_LIFE
    }

    /// Whether it can still be entered.
    pub fn is_valid(&self, now: DateTime<Utc>) -> bool {
        now < self.expires_at() && self.wrong_tries < TRIES
    }

    /// Whether it still counts towards the limits.
    pub(crate) fn counts(&self, now: DateTime<Utc>) -> bool {
        now < self.sent_at + COUNTED
    }
}
