//! Flags: who is kept out of drawings, and why (D12).

use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, Raffle};
use std::net::IpAddr;

/// How a reason for flagging all accounts of one address begins; the address follows.
pub const MULTIPLE_ACCOUNTS: &str = "Multiple accounts from IP ";

/// A flag about to be set by staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFlag {
    /// Who is flagged.
    pub entrant: EntrantId,
    /// Why.
    pub reason: String,
    /// Now.
    pub at: DateTime<Utc>,
}

/// What became of setting or taking a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagOutcome {
    /// It was done.
    Changed,
    /// It was so already.
    Unchanged,
    /// There is no such entrant.
    UnknownEntrant,
}

/// Somebody who is kept out of drawings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlaggedEntrant {
    /// Who.
    pub id: EntrantId,
    /// Their phone number.
    pub phone: Phone,
    /// Their raffle.
    pub raffle: Raffle,
    /// Their chances, if they could win.
    pub total_entries: i64,
    /// Where they entered from.
    pub address: Option<IpAddr>,
    /// When they entered.
    pub created_at: DateTime<Utc>,
    /// Why they are flagged.
    pub reason: String,
    /// Since when.
    pub flagged_at: DateTime<Utc>,
}
