//! What came of a campaign: its funnel, its clicks over time, its text and what it cost.

use crate::campaigns::{CampaignError, link_prefix};
use kernel::{Phone, StoreError, UnitOfWork};
use raffle::{RaffleKey, RaffleList, Raffles};
use sms::{
    CampaignId, CampaignResults, CampaignSecret, Campaigns, ClicksInHour, LinkBase, MessageTemplate,
    Segments, StepCount, TrackingId, funnel, segments, total_segments,
};

/// What came of a campaign.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// From the recipients to those who bought.
    pub funnel: [StepCount; 7],
    /// The links that were opened, by the hour from the campaign's start.
    pub clicks: Vec<ClicksInHour>,
    /// The text to one recipient: as it was sent, or as it would be now.
    pub text: String,
    /// The number of segments of that text.
    pub segments: Segments,
    /// The segments of all texts that were sent.
    pub total_segments: i64,
}

/// What came of a campaign so far.
///
/// # Errors
/// [`CampaignError::UnknownCampaign`].
pub fn results<S>(store: &S, id: CampaignId) -> Result<Results, CampaignError>
where
    S: UnitOfWork<Tx: Raffles + Campaigns + CampaignResults>,
{
    // Reading what many recipients did takes longer than the time limit of `read`.
    store.snapshot(|tx| {
        let campaign = tx.find_campaign(id)?.ok_or(CampaignError::UnknownCampaign)?;
        let (message, raffle) = tx.message_of(id)?.ok_or(CampaignError::UnknownCampaign)?;
        let text = example_text(&tx.list_raffles()?, &message, raffle, &campaign.plan.link_base)?;
        Ok(Results {
            clicks: tx.list_clicks_by_hour(id)?,
            segments: segments(&text),
            text,
            total_segments: total_segments(&tx.list_sent_texts(id)?),
            funnel: funnel(&campaign.figures, &tx.count_outcomes(id)?),
        })
    })
}

/// A campaign's text with a link that is nobody's, and as long as theirs.
pub(crate) fn example_text(
    raffles: &RaffleList,
    message: &MessageTemplate,
    raffle: RaffleKey,
    link_base: &LinkBase,
) -> Result<String, StoreError> {
    let example = Phone::from_e164("+15550100").ok_or(StoreError::Conflict)?;
    let secret = CampaignSecret::new([0; 32]);
    text_to(&example, raffles, message, raffle, link_base, &secret)
}

/// The text to a number, with the link that this secret gives it.
pub(crate) fn text_to(
    phone: &Phone,
    raffles: &RaffleList,
    message: &MessageTemplate,
    raffle: RaffleKey,
    link_base: &LinkBase,
    secret: &CampaignSecret,
) -> Result<String, StoreError> {
    let prefix = link_prefix(raffles, raffle)?;
    let link = TrackingId::derive(&prefix, secret, phone);
    Ok(message.with_link(&link.link(link_base.as_str())))
}
