//! What came of a campaign.

use crate::{CampaignFigures, CampaignId, MessageTemplate, segments};
use kernel::StoreError;
use raffle::RaffleKey;

/// How long after their text what recipients do counts as the campaign's, in days.
pub const OUTCOME_DAYS: u32 = 7;

/// How many recipients did something within [`OUTCOME_DAYS`] after their text was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CampaignOutcomes {
    /// They shared their link.
    pub shared: i64,
    /// A friend entered through their link, whose entry stands.
    pub referred: i64,
    /// They bought entries, and were not refunded.
    pub bought: i64,
}

/// Texts of one campaign that have the same length, and therefore take as many segments: they differ only in their links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentTexts {
    /// One of them. `None`: their recipients were erased.
    pub body: Option<String>,
    /// How many were sent.
    pub count: i64,
}

/// The segments of all these texts together. A text that was erased counts as the most frequent ones do.
pub fn total_segments(texts: &[SentTexts]) -> i64 {
    let known = texts
        .iter()
        .filter_map(|texts| Some((segments(texts.body.as_deref()?).count as i64, texts.count)));
    let usual = known
        .clone()
        .max_by_key(|(_, count)| *count)
        .map_or(1, |(segments, _)| segments);
    let erased = texts.iter().filter(|texts| texts.body.is_none());
    known.map(|(segments, count)| segments * count).sum::<i64>()
        + erased.map(|texts| usual * texts.count).sum::<i64>()
}

/// The links that were opened for the first time in an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClicksInHour {
    /// The hour, counted from the campaign's start: 0 is the first one.
    pub hour: u32,
    /// How many.
    pub clicked: i64,
}

/// The steps of a campaign's funnel. A recipient may take one of the last three without the click.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FunnelStep {
    /// Who was to get a text.
    Recipients,
    /// Whose text the provider accepted.
    Sent,
    /// Whose text was delivered.
    Delivered,
    /// Who opened their link.
    Clicked,
    /// Who shared their link.
    Shared,
    /// Through whose link a friend entered.
    Referred,
    /// Who bought entries.
    Bought,
}

/// A step of a funnel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepCount {
    /// The step.
    pub step: FunnelStep,
    /// How many took it.
    pub count: i64,
    /// The percentage of those whose text was sent; for that step, of the recipients. `None` for the recipients, and of nobody.
    pub rate: Option<f64>,
}

/// The funnel of a campaign.
pub fn funnel(figures: &CampaignFigures, outcomes: &CampaignOutcomes) -> [StepCount; 7] {
    let count = |step, count, whole| StepCount {
        step,
        count,
        rate: (whole > 0).then(|| count as f64 * 100.0 / whole as f64),
    };
    let (recipients, sent) = (figures.recipients, figures.sent);
    [
        count(FunnelStep::Recipients, recipients, 0),
        count(FunnelStep::Sent, sent, recipients),
        count(FunnelStep::Delivered, figures.delivered, sent),
        count(FunnelStep::Clicked, figures.clicked, sent),
        count(FunnelStep::Shared, outcomes.shared, sent),
        count(FunnelStep::Referred, outcomes.referred, sent),
        count(FunnelStep::Bought, outcomes.bought, sent),
    ]
}

/// What came of campaigns.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait CampaignResults {
    /// What the recipients of a campaign did after their texts.
    fn count_outcomes(&self, id: CampaignId) -> Result<CampaignOutcomes, StoreError>;

    /// The texts of a campaign that the provider accepted, by their length.
    fn list_sent_texts(&self, id: CampaignId) -> Result<Vec<SentTexts>, StoreError>;

    /// The clicks of the first [`OUTCOME_DAYS`] of a campaign, without the hours that have none.
    fn list_clicks_by_hour(&self, id: CampaignId) -> Result<Vec<ClicksInHour>, StoreError>;

    /// The message of a campaign and the raffle for recipients who are in none: as they were when it started, or as its template
    /// has them if it has not.
    fn message_of(&self, id: CampaignId) -> Result<Option<(MessageTemplate, RaffleKey)>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_of_the_texts_that_were_sent() {
        let figures = CampaignFigures {
            recipients: 200,
            sent: 160,
            delivered: 120,
            clicked: 40,
            ..CampaignFigures::default()
        };
        let outcomes = CampaignOutcomes {
            shared: 16,
            referred: 8,
            bought: 4,
        };
        let counts = funnel(&figures, &outcomes).map(|step| (step.count, step.rate));
        let expected = [
            (200, None),
            (160, Some(80.0)),
            (120, Some(75.0)),
            (40, Some(25.0)),
            (16, Some(10.0)),
            (8, Some(5.0)),
            (4, Some(2.5)),
        ];
        assert_eq!(counts, expected);
        let empty = funnel(&CampaignFigures::default(), &CampaignOutcomes::default());
        assert!(empty.iter().all(|step| step.count == 0 && step.rate.is_none()));
    }

    #[test]
    fn texts_cost_their_segments() {
        let texts = |body: Option<String>, count| SentTexts { body, count };
        assert_eq!(total_segments(&[]), 0);
        let short = || texts(Some("Look".to_owned()), 3);
        let long = || texts(Some("a".repeat(161)), 5);
        assert_eq!(total_segments(&[short(), long()]), 13);
        assert_eq!(
            total_segments(&[short(), long(), texts(None, 2)]),
            17,
            "as most texts"
        );
        assert_eq!(total_segments(&[texts(None, 2)]), 2);
    }
}
