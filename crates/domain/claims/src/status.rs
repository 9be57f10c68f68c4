/// How far a claim has come.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum ClaimStatus {
    /// Waits for the winner to prove the number.
    Pending,
    /// A browser proved the number; the winner's details are missing.
    CodeVerified,
    /// Staff must look at the details.
    Submitted,
    /// Staff rejected it, for a [`RejectReason`].
    Rejected,
    /// Staff approved it: the prize is the winner's.
    Verified,
    /// The prize is on its way.
    Shipped,
    /// The prize was delivered.
    Delivered,
    /// The winner does not want the prize.
    Declined,
    /// The winner did not answer in time.
    Expired,
    /// The winner could not be reached by text or by phone.
    Unreachable,
}

impl ClaimStatus {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the winner has something to do before the deadline.
    pub const fn waits_for_winner(self) -> bool {
        matches!(self, Self::Pending | Self::CodeVerified)
    }

    /// Whether the claim ended without a prize. A rejected one may still be approved while its objection window is open.
    pub const fn is_lost(self) -> bool {
        matches!(
            self,
            Self::Declined | Self::Expired | Self::Unreachable | Self::Rejected
        )
    }
}

/// Why staff rejected a claim. The public record names it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum RejectReason {
    /// The winner is not an adult.
    Underage,
    /// The winner does not live where the raffle is open.
    Residence,
    /// The winner works for the sponsor, or lives with somebody who does.
    Affiliated,
    /// The winner broke the rules.
    Fraud,
    /// The payment for counted entries was reversed.
    PaymentReversed,
    /// The details are false.
    FalseDetails,
}

impl RejectReason {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// How the winner proved to be the one who was drawn.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum VerifiedBy {
    /// With a code that was texted to the drawn number.
    Code,
    /// On the phone: staff called the drawn number.
    Call,
    /// With the browser that entered, whose visitor token is older than the seal.
    VisitorToken,
}

impl VerifiedBy {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
