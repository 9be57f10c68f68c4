//! Page views, shares, the conversion funnel and their aggregates.
//!
//! Visitors' events are appended as they happen ([`Collection`]). A worker folds them into roll-ups ([`Rollups`]), which
//! the console reads ([`Figures`]). Invariant: after a fold every roll-up equals the count of its events, and
//! [`Rollups::differences`] verifies this. Visitors cannot make a roll-up grow at will: page names are a fixed list, and
//! only existing referral codes count.
//!
//! Start reading at `tests/story.rs`, then at [`Event`] and [`contributions`], the rule behind the funnel.

mod browser;
mod event;
mod figures;
mod journey;
mod page_name;
mod place;
mod ports;
mod share_progress;
mod step;
mod step_data;
mod view_key;

pub use browser::{Browser, recognize};
pub use event::{Event, NewShare, NewStep, NewView, Platform, ViewOrigin};
pub use figures::{
    Dashboard, DateRange, Funnel, FunnelFilter, REFERRAL_DELAYS, RaffleStats, ReferralFunnelRow,
    ReferralVelocity, StepFigures, SuspiciousNetwork, TopReferrer, Trends, TrendsRow, Velocity, delay_bucket,
    hour_of,
};
pub use journey::{Contribution, JourneyRow, Scope, contributions};
pub use page_name::{PageName, classify};
pub use place::Place;
pub use ports::{
    AnalyticsClearing, AnalyticsCounts, AnalyticsStore, Collection, Figures, Folded, ReferralClearing,
    ReferralCounts, ReferralCut, Rollups, Settled, Settling,
};
pub use share_progress::{Achievement, ShareProgress, Sharing};
pub use step::StepName;
pub use step_data::{InvalidStepData, StepData, StepValue};
