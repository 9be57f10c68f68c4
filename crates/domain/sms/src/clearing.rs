use crate::{CampaignId, MessageId};
use kernel::StoreError;

/// The number of stored, or deleted, rows about campaigns and replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SmsCounts {
    /// Campaigns.
    pub campaigns: i64,
    /// Their messages.
    pub messages: i64,
    /// Opened links.
    pub clicks: i64,
    /// Templates of campaigns.
    pub templates: i64,
    /// Replies to texts.
    pub replies: i64,
}

/// Where clearing messages has come. Campaigns that are scheduled later are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageCut {
    /// The last campaign when the campaigns were deleted.
    pub last_campaign: CampaignId,
    /// The campaign of the last deleted message. 0 before the first.
    pub campaign: CampaignId,
    /// The last deleted message. 0 before the first.
    pub message: MessageId,
}

/// Deletes what is stored about campaigns, and replies. It keeps opt-outs, consents, the counts of the month, and
/// messages of no campaign.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsClearing {
    /// The number of stored rows.
    fn count_sms(&self) -> Result<SmsCounts, StoreError>;

    /// Deletes all campaigns, their recipients, and their messages whose delivery has not ended, with the clicks on these;
    /// and the templates of campaigns and the replies, if asked to. Returns the number of deleted rows, and the cut from which
    /// [`SmsClearing::delete_messages`] begins.
    ///
    /// No message is claimed until the transaction ends, so it must end soon. `None` when other work held the rows for too
    /// long: then the transaction must end without another statement.
    fn cut_campaigns(&mut self, with_templates: bool) -> Result<Option<(SmsCounts, MessageCut)>, StoreError>;

    /// Deletes the next messages of deleted campaigns, at most `limit`, and the clicks on them. Moves the cut. Returns the
    /// number of deleted rows, or `None` after the last message.
    fn delete_messages(&mut self, cut: &mut MessageCut, limit: u32) -> Result<Option<SmsCounts>, StoreError>;
}
