use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use std::net::IpAddr;

kernel::id_type! {
    /// The id of an attempt to sign in.
    pub struct AttemptId
}

/// Whose attempts are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptSubject {
    /// An IPv4 address or a /64 network of IPv6.
    Address(IpAddr),
    /// The hash of an account's name, from browsers that never signed in to it. Names that nobody has count too, so that
    /// a refusal does not tell which accounts there are.
    Account([u8; 32]),
    /// The hash of the cookie of a browser that signed in to the account before.
    Browser([u8; 32]),
}

impl AttemptSubject {
    /// The account with this name, as somebody typed it.
    pub fn account(name: &str) -> Self {
        Self::Account(Sha256::digest(format!("account {}", name.trim().to_lowercase())).into())
    }

    /// The browser with this cookie.
    pub fn browser(cookie: &str) -> Self {
        Self::Browser(Sha256::digest(format!("browser {cookie}")).into())
    }
}

/// The limit of failed attempts of one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptLimit {
    /// The number of failures allowed.
    pub attempts: u32,
    /// The window in which they count.
    pub window: TimeDelta,
    /// After that many, one more attempt is allowed this long after the last one. `None`: none until the oldest one leaves
    /// the window.
    pub pause: Option<TimeDelta>,
}

impl AttemptLimit {
    /// The limit of an address (D10), and of a browser that signed in before: the sixth failure within 15 minutes is
    /// refused.
    pub const SIGN_IN: Self = Self {
        attempts: 5,
        window: TimeDelta::minutes(15),
        pause: None,
    };

    /// The slow-down of an account (D51): after ten failures within 15 minutes from browsers that never signed in to it,
    /// one attempt a minute. It is no lock, because anybody could keep the owner out with one.
    pub const ACCOUNT: Self = Self {
        attempts: 10,
        window: TimeDelta::minutes(15),
        pause: Some(TimeDelta::minutes(1)),
    };

    /// The start of the window that ends now.
    pub fn since(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now - self.window
    }

    /// When the next attempt is allowed, if none is now. `failures`: the moments of those in the window, oldest first.
    pub fn refused_until(self, failures: &[DateTime<Utc>], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        if failures.len() < self.attempts as usize {
            return None;
        }
        let until = match self.pause {
            None => *failures.first()? + self.window,
            Some(pause) => *failures.last()? + pause,
        };
        (until > now).then_some(until)
    }
}

/// Whether one more attempt may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reservation {
    /// The attempt may be made. It counts as failed until it is removed.
    Granted(AttemptId),
    /// The attempt may not be made.
    Refused {
        /// When the next one is allowed.
        until: DateTime<Utc>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    #[test]
    fn the_sixth_attempt_waits_until_the_oldest_is_fifteen_minutes_old() {
        let limit = AttemptLimit::SIGN_IN;
        let failures: Vec<_> = (0..5).map(at).collect();
        assert_eq!(limit.refused_until(&failures[..4], at(5)), None);
        assert_eq!(limit.refused_until(&failures, at(5)), Some(at(15)));
        assert_eq!(limit.since(at(15)), at(0));
    }

    #[test]
    fn an_account_under_attack_takes_one_attempt_a_minute() {
        let limit = AttemptLimit::ACCOUNT;
        let mut failures = vec![at(0); 10];
        assert_eq!(limit.refused_until(&failures[..9], at(0)), None);
        assert_eq!(limit.refused_until(&failures, at(0)), Some(at(1)));
        assert_eq!(limit.refused_until(&failures, at(1)), None);
        failures.push(at(1));
        assert_eq!(limit.refused_until(&failures, at(1)), Some(at(2)));
    }

    #[test]
    fn an_account_is_the_same_however_its_name_is_typed() {
        let typed = AttemptSubject::account(" Anna ");
        assert_eq!(typed, AttemptSubject::account("anna"));
        assert_ne!(typed, AttemptSubject::account("anne"));
        assert_ne!(typed, AttemptSubject::browser("anna"));
    }
}
