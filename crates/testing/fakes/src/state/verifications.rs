//! What the store has of `verifications`.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Phone;
use std::net::IpAddr;
use verification::{NumberTag, Sender, SentCode, Unfinished, Verification, VerificationId};

/// Verifications and the codes that were sent for them.
#[derive(Clone, Default)]
pub(crate) struct VerificationState {
    pub(crate) verifications: Vec<Stored>,
    pub(crate) codes: Vec<Code>,
}

#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) verification: Verification,
    pub(crate) sender: Sender,
    pub(crate) created_at: DateTime<Utc>,
}

#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) of: VerificationId,
    pub(crate) number: NumberTag,
    pub(crate) network: Option<IpAddr>,
    pub(crate) at: DateTime<Utc>,
}

impl VerificationState {
    /// Erases unfinished sign-ups of a number.
    pub(crate) fn erase(&mut self, phone: &Phone) {
        for Stored { verification, .. } in &mut self.verifications {
            verification.sign_up = verification
                .sign_up
                .take()
                .filter(|sign_up| sign_up.phone != *phone);
        }
    }

    pub(crate) fn change(&mut self, id: VerificationId, change: impl FnOnce(&mut Verification)) {
        let mut stored = self.verifications.iter_mut();
        if let Some(stored) = stored.find(|stored| stored.verification.id == id) {
            change(&mut stored.verification);
        }
    }

    pub(crate) fn count_code(&mut self, of: VerificationId, sender: &Sender, at: DateTime<Utc>) {
        self.codes.push(Code {
            of,
            number: sender.number,
            network: sender.network,
            at,
        });
    }

    pub(crate) fn unfinished(&self, sender: &Sender, now: DateTime<Utc>) -> Vec<Unfinished> {
        let of_prefix = self.verifications.iter().filter(|stored| {
            stored.sender.prefix == sender.prefix
                && !stored.verification.is_completed
                && stored.created_at > now - TimeDelta::hours(1)
        });
        let unfinished = of_prefix.map(|stored| SentCode {
            at: stored.created_at,
            same_network: sender.network.is_some() && stored.sender.network == sender.network,
        });
        unfinished.collect()
    }
}
