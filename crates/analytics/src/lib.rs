//! Page views, the conversion funnel, fraud signals and their aggregates.
//!
//! Visitors' events are appended as they happen ([`Collection`]). A worker folds them into roll-ups ([`Rollups`]), which
//! the console reads ([`Figures`]). Invariant: after a fold every roll-up equals the count of its events, and
//! [`Rollups::differences`] verifies this. Visitors cannot make a roll-up grow at will: page names are a fixed list, and
//! only existing referral codes count.
//!
//! Start reading at `tests/story.rs`, then at [`Event`] and [`contributions`], the rule behind the funnel.

mod appeal;
mod browser;
mod event;
mod evidence;
mod figures;
mod fraud;
mod journey;
mod page_name;
mod place;
mod ports;
mod session;
mod share_progress;
mod shared_network;
mod step;
mod step_data;

pub use appeal::{
    Appeal, AppealCase, AppealId, AppealMessage, AppealMessageError, AppealOutcome, AppealStatus, Decision,
    DecisionOutcome, Hold, NewAppeal, Verdict,
};
pub use browser::{Browser, recognize};
pub use event::{Event, NewShare, NewStep, NewView, Platform, ViewOrigin};
pub use evidence::{Evidence, Finding, FraudRules, NetworkAccount};
pub use figures::{
    Dashboard, DateRange, Funnel, FunnelFilter, REFERRAL_DELAYS, RaffleStats, ReferralFunnelRow,
    ReferralVelocity, StepFigures, SuspiciousNetwork, TopReferrer, Trends, TrendsRow, Velocity, delay_bucket,
    hour_of,
};
pub use fraud::{
    Detected, FlagOutcome, FlagPosition, FlaggedEntrant, FlaggedFilter, FlaggedSort, NewFlag,
    REASON_OF_DETECTION, REASON_WITHOUT_ADDRESS, reason_of_detection,
};
pub use journey::{Contribution, JourneyRow, Scope, contributions};
pub use page_name::{PageName, classify};
pub use place::Place;
pub use ports::{
    AnalyticsClearing, AnalyticsCounts, AnalyticsStore, Appeals, Collection, Figures, Flags, Folded,
    ReferralClearing, ReferralCounts, ReferralCut, Rollups, Settled, Settling, SharedNetworks,
};
pub use session::{InvalidSession, Session};
pub use share_progress::{Achievement, ShareProgress, Sharing};
pub use shared_network::{NewSharedNetwork, SharedNetwork, SharedNetworkError, SharedNetworkId};
pub use step::StepName;
pub use step_data::{InvalidStepData, StepData, StepValue};
