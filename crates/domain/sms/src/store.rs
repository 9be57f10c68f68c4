use crate::{
    CampaignDispatching, CampaignResults, Campaigns, Clicks, Consents, DailyCounts, Dispatching, OptOuts,
    Outbox, Replies, SendingEvidence, SmsClearing, SmsSettings, Templates, WelcomeTemplates,
};

/// All store ports of this domain. Every type that implements them implements this.
pub trait SmsStore:
    Consents
    + Outbox
    + Dispatching
    + CampaignDispatching
    + Templates
    + WelcomeTemplates
    + Campaigns
    + CampaignResults
    + Clicks
    + OptOuts
    + Replies
    + SmsSettings
    + SmsClearing
    + DailyCounts
    + SendingEvidence
{
}

impl<
    T: Consents
        + Outbox
        + Dispatching
        + CampaignDispatching
        + Templates
        + WelcomeTemplates
        + Campaigns
        + CampaignResults
        + CampaignResults
        + Clicks
        + OptOuts
        + Replies
        + SmsSettings
        + SmsClearing
        + DailyCounts
        + SendingEvidence,
> SmsStore for T
{
}
