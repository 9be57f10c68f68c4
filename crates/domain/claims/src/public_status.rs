use crate::ClaimStatus;

/// How far the claim of a rank is, as everybody reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PublicStatus {
    /// The winner or staff have something to do.
    Awaiting,
    /// Staff approved it.
    Claimed,
    /// The prize was delivered.
    Delivered,
    /// The winner does not want the prize.
    Declined,
    /// The winner did not answer in time.
    Expired,
    /// The winner could not be reached.
    Unreachable,
    /// Staff rejected it.
    Rejected,
}

impl From<ClaimStatus> for PublicStatus {
    fn from(status: ClaimStatus) -> Self {
        match status {
            ClaimStatus::Pending | ClaimStatus::CodeVerified | ClaimStatus::Submitted => Self::Awaiting,
            ClaimStatus::Verified | ClaimStatus::Shipped => Self::Claimed,
            ClaimStatus::Delivered => Self::Delivered,
            ClaimStatus::Declined => Self::Declined,
            ClaimStatus::Expired => Self::Expired,
            ClaimStatus::Unreachable => Self::Unreachable,
            ClaimStatus::Rejected => Self::Rejected,
        }
    }
}
