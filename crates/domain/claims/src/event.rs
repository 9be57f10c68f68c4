use crate::ClaimId;
use chrono::{DateTime, Utc};

/// What happened to a claim.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum EventKind {
    /// The link was texted again, by staff.
    Resent,
    /// A reminder was texted.
    Reminded,
    /// A code was texted.
    CodeSent,
    /// A browser proved the number.
    NumberVerified,
    /// Staff called the number; the note says what came of it.
    Called,
    /// Staff confirmed the number on the phone.
    NumberConfirmed,
    /// The winner submitted the details.
    Submitted,
    /// The winner declined.
    Declined,
    /// Staff approved the claim.
    Approved,
    /// Staff rejected the claim.
    Rejected,
    /// The winner objected to the rejection.
    Objected,
    /// Staff sent the prize.
    Shipped,
    /// The prize was delivered.
    Delivered,
    /// The deadline passed.
    Expired,
    /// Staff gave up calling.
    Unreachable,
    /// The next rank was asked.
    PassedOn,
    /// The details were erased.
    DetailsErased,
}

impl EventKind {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An event to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The claim.
    pub claim: ClaimId,
    /// What happened.
    pub kind: EventKind,
    /// What staff wrote about it.
    pub note: Option<String>,
    /// The console session that did it; `None` for the winner and for the server.
    pub session: Option<i64>,
    /// When it happened.
    pub at: DateTime<Utc>,
}

impl NewEvent {
    /// An event without a note and a session.
    pub const fn new(claim: ClaimId, kind: EventKind, at: DateTime<Utc>) -> Self {
        Self {
            claim,
            kind,
            note: None,
            session: None,
            at,
        }
    }
}

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimEvent {
    /// What happened.
    pub kind: EventKind,
    /// What staff wrote about it.
    pub note: Option<String>,
    /// The console session that did it.
    pub session: Option<i64>,
    /// When it happened.
    pub at: DateTime<Utc>,
}
