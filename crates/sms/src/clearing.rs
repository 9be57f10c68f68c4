use kernel::StoreError;

/// How much is stored about campaigns, or was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SmsCounts {
    /// Campaigns.
    pub campaigns: i64,
    /// Their messages.
    pub messages: i64,
    /// Links opened.
    pub clicks: i64,
    /// Templates of campaigns.
    pub templates: i64,
}

/// Deletes what is stored about campaigns (D13). It keeps opt-outs, consents, the counts of the month, and messages of
/// no campaign.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsClearing {
    /// How much is stored.
    fn count_sms(&self) -> Result<SmsCounts, StoreError>;

    /// Deletes campaigns, their recipients, messages and clicks, but no template. Returns how many.
    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError>;

    /// Deletes the same and the templates of campaigns. Returns how many.
    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError>;
}
