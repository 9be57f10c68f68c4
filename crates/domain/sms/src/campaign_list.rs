use crate::{CampaignId, CampaignStatus, Label};

/// Which campaigns to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CampaignFilter {
    /// Only campaigns with this status.
    pub status: Option<CampaignStatus>,
    /// Only campaigns whose name contains this text. The case of the letters A to Z does not matter.
    pub name_part: Option<Label>,
    /// Only campaigns with lower ids.
    pub before: Option<CampaignId>,
}

/// The column that campaigns are sorted by. Equal ones are sorted by id.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "camelCase")]
pub enum CampaignSort {
    /// When the campaign was scheduled, which is the order of the ids.
    #[default]
    CreatedAt,
    /// When it is to start.
    #[strum(serialize = "scheduledDate")]
    ScheduledAt,
    /// The name. The case of the letters A to Z does not matter.
    #[strum(serialize = "campaignName")]
    Name,
}
