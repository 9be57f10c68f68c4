use kernel::StoreError;

/// How much of texts is stored, or was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SmsCounts {
    /// Campaigns.
    pub campaigns: i64,
    /// Their texts.
    pub messages: i64,
    /// Links opened.
    pub clicks: i64,
    /// Templates of campaigns.
    pub templates: i64,
}

/// Deleting what was stored about campaigns (D13). Opt-outs, consents, the month's counts, and texts that no campaign
/// sent stay.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SmsClearing {
    /// What there is.
    fn count_sms(&self) -> Result<SmsCounts, StoreError>;

    /// Deletes campaigns, their recipients, texts and clicks. How many; no template.
    fn clear_campaigns(&mut self) -> Result<SmsCounts, StoreError>;

    /// Deletes those and the templates of campaigns. How many.
    fn clear_sms(&mut self) -> Result<SmsCounts, StoreError>;
}
