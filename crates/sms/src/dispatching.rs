use crate::{Claim, ClaimedMessage, MessageId, Outcome};
use chrono::{DateTime, Utc};
use kernel::{Phone, StoreError};

/// What says who sends texts now. A later one is higher; an earlier one may change nothing any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fence(i64);

impl Fence {
    /// The fence with this number.
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// Whoever asked is not the one who sends any more. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another process sends texts now")]
pub struct Fenced;

/// Why nothing is sent until staff do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Halt {
    /// The provider refused the credentials.
    CredentialsRefused,
}

impl Halt {
    /// Its name in rows and answers.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A text that may have been sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncertainMessage {
    /// Which.
    pub id: MessageId,
    /// By which attempt.
    pub attempt: u32,
    /// To whom.
    pub phone: Phone,
    /// What no other text to that number says: its link, or else its whole body.
    pub needle: String,
    /// Since when there has been such a text.
    pub queued_at: DateTime<Utc>,
}

/// What the one process that sends texts does with them. One sends at a time, because only one can keep to a pace; the
/// others stand by. What was claimed under an earlier fence may have been sent, and is looked up before it is sent
/// again.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Dispatching {
    /// Takes the lease, or renews it: the fence if it is this owner's until `until`, `None` while it is another's. Taken
    /// anew, the fence is a higher one, a halt is over, and every text that is being sent under an earlier fence becomes
    /// unknown, to be looked up at `look_up_at`. Atomic, and never while a claim under an earlier fence is going on.
    fn acquire_lease(
        &mut self,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        look_up_at: DateTime<Utc>,
    ) -> Result<Option<Fence>, StoreError>;

    /// Gives the lease back, if it is still this one's, so that another need not wait for its end.
    fn release_lease(&mut self, fence: Fence, now: DateTime<Utc>) -> Result<(), StoreError>;

    /// Claims waiting texts whose time has come, oldest first: welcome, victory and test texts, and campaign texts that
    /// are tried again. Each becomes [`MessageStatus::Sending`]. Numbers that have opted out are skipped instead, and so are
    /// campaign texts to entrants who were flagged or took their consent back, where that matters
    /// ([`Audience::is_of_entrants`]).
    fn claim_messages(&mut self, claim: &Claim) -> Result<Result<Vec<ClaimedMessage>, Fenced>, StoreError>;

    /// Keeps what claimed texts say, before they are sent.
    fn write_bodies(&mut self, bodies: &[(MessageId, String)]) -> Result<(), StoreError>;

    /// Notes what became of attempts: status, the provider's name and time, and the figures of campaigns together, by
    /// [`crate::Delivery::apply_attempt`]. An outcome of an attempt that is not the text's last one changes nothing, unless the
    /// provider has the text. Also under an earlier fence: what happened, happened. A number that turns out to want no
    /// texts has opted out.
    fn record_outcomes(&mut self, outcomes: &[Outcome], at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Gives claimed texts back that were certainly not sent: they are pending again. No attempt's number is given twice,
    /// so that doing this again does no harm to a later one.
    fn release_claims(&mut self, texts: &[(MessageId, u32)]) -> Result<(), StoreError>;

    /// Texts that may have been sent and whose time to be looked up has come, oldest first. They come again at
    /// `again_at`, unless something is heard of them.
    fn claim_uncertain(
        &mut self,
        fence: Fence,
        limit: u32,
        now: DateTime<Utc>,
        again_at: DateTime<Utc>,
    ) -> Result<Result<Vec<UncertainMessage>, Fenced>, StoreError>;

    /// Records why nothing is sent, unless the lease has been taken since by another sender. Whether it was recorded.
    fn record_halt(&mut self, fence: Fence, halt: Halt) -> Result<bool, StoreError>;

    /// Lets messages be sent again.
    fn clear_halt(&mut self) -> Result<(), StoreError>;

    /// Why nothing is sent.
    fn halt(&self) -> Result<Option<Halt>, StoreError>;
}
