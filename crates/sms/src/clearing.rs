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

/// Deletes what is stored about campaigns, and replies (D13). It keeps opt-outs, consents, the counts of the month, and messages of
/// no campaign.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsClearing {
    /// The number of stored rows.
    fn count_sms(&self) -> Result<SmsCounts, StoreError>;

    /// Deletes campaigns, their recipients, messages and clicks, but no template and no reply. Returns the number of deleted rows.
    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError>;

    /// Deletes the same, the templates of campaigns, and the replies. Returns the number of deleted rows.
    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError>;
}
