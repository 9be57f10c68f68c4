use crate::{Claim, Claimed, Fence, Fenced, MessageBody, MessageId, Outcome, RecipientRules};
use chrono::{DateTime, Utc};
use kernel::{Phone, StoreError};

/// Why no message is sent until staff act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Halt {
    /// The provider refused the credentials.
    CredentialsRefused,
}

impl Halt {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A message that may have been sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncertainMessage {
    /// The message.
    pub id: MessageId,
    /// The attempt that may have sent it.
    pub attempt: u32,
    /// The recipient's number.
    pub phone: Phone,
    /// A part of the body that no other message to that number has: its link, or else the whole body.
    pub needle: MessageBody,
    /// When the message was queued.
    pub queued_at: DateTime<Utc>,
}

/// The store as the sender uses it. One server sends at a time, because only one sender can keep a pace; the others
/// stand by. A message that was claimed under an earlier fence may have been sent, so it is looked up before it is sent
/// again.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Dispatching {
    /// Acquires or renews the lease until `until`. Returns its fence, or `None` while another owner has it. A new lease
    /// has a higher fence and no halt, and every message that is being sent under an earlier fence becomes unknown, to
    /// be looked up at `look_up_at`. Atomic: it waits for a claim under an earlier fence.
    fn acquire_lease(
        &mut self,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        look_up_at: DateTime<Utc>,
    ) -> Result<Option<Fence>, StoreError>;

    /// Releases the lease if it still has this fence, so that another sender need not wait until it expires.
    fn release_lease(&mut self, fence: Fence, now: DateTime<Utc>) -> Result<(), StoreError>;

    /// Claims pending messages that are due, within the quotas of [`Claim::quotas`]: codes first, the newest before the
    /// others, because whoever asked last is still waiting; then welcome, winner and test messages, and last campaign messages
    /// that have waited or are sent again, each oldest first. Each becomes [`crate::MessageStatus::Sending`].
    ///
    /// [`RecipientRules::judge`] says of each whether it is sent: some are skipped instead, and some wait, due again when
    /// their recipient may get them, so that they are in nobody's way until then.
    fn claim_messages(
        &mut self,
        claim: &Claim,
        recipients: &RecipientRules<'_>,
    ) -> Result<Result<Claimed, Fenced>, StoreError>;

    /// Stores the bodies of claimed messages, before they are sent.
    fn write_bodies(&mut self, bodies: &[(MessageId, String)]) -> Result<(), StoreError>;

    /// Records what became of attempts by [`crate::Delivery::apply_attempt`], with the counts of their campaigns, under
    /// any fence. A recipient who has opted out at the provider has opted out here too.
    fn record_outcomes(&mut self, outcomes: &[Outcome], at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Releases claimed messages that were certainly not sent, by [`crate::Delivery::release`]. It may be repeated: no
    /// attempt has the number of an earlier one.
    fn release_claims(&mut self, messages: &[(MessageId, u32)]) -> Result<(), StoreError>;

    /// Messages that may have been sent and are due to be looked up, oldest first. Each is due again at `again_at`,
    /// unless a report of it arrives.
    fn claim_uncertain(
        &mut self,
        fence: Fence,
        limit: u32,
        now: DateTime<Utc>,
        again_at: DateTime<Utc>,
    ) -> Result<Result<Vec<UncertainMessage>, Fenced>, StoreError>;

    /// Records why no message is sent, unless another sender has acquired the lease since. Returns whether it was
    /// recorded.
    fn record_halt(&mut self, fence: Fence, halt: Halt) -> Result<bool, StoreError>;

    /// Lets messages be sent again.
    fn clear_halt(&mut self) -> Result<(), StoreError>;

    /// Why no message is sent, if sending is halted.
    fn halt(&self) -> Result<Option<Halt>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_keeps_its_number_and_a_halt_its_name() {
        assert_eq!(Fence::new(7).get(), 7);
        assert_eq!(Halt::CredentialsRefused.as_str(), "credentials_refused");
        assert_eq!("credentials_refused".parse(), Ok(Halt::CredentialsRefused));
    }
}
