//! Page views, shares, the conversion funnel and their aggregates.
//!
//! Visitors' events are appended as they happen ([`Collection`]). A worker folds them into roll-ups ([`Rollups`]), which
//! the console reads ([`Figures`]). Invariant: after a fold every roll-up equals the count of its events, and
//! [`Rollups::differences`] verifies this. Visitors cannot make a roll-up grow at will: page names are a fixed list, and
//! only existing referral codes count.
//!
//! A session that views a page before ten and signs up after ten counts in the hour in which it began:
//!
//! ```
//! use analytics::{Contribution, JourneyRow, StepName, contributions};
//! use chrono::{DateTime, Utc};
//! use chrono_tz::Tz;
//!
//! let time = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
//! let row = |step, at| JourneyRow {
//!     raffle: None,
//!     step,
//!     at: time(at),
//! };
//! let session = [
//!     row(StepName::PageView, "2026-06-30T09:59:00Z"),
//!     row(StepName::SignUp, "2026-06-30T10:01:00Z"),
//! ];
//! let (nine, all_pages) = (time("2026-06-30T09:00:00Z"), None);
//! let counts = [
//!     Contribution::Session(nine, all_pages),
//!     Contribution::Took(nine, all_pages, StepName::PageView),
//!     Contribution::Took(nine, all_pages, StepName::SignUp),
//!     Contribution::Left(nine, all_pages, StepName::SignUp),
//! ];
//! assert_eq!(contributions(&session, Tz::UTC), counts.into());
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/analytics.rs`, then at [`Event`] and [`contributions`], the rule
//! behind the funnel.

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
    ReferralVelocity, Scope, StepFigures, SuspiciousNetwork, TopReferrer, Trends, TrendsRow, Velocity,
    delay_bucket, hour_of,
};
pub use journey::{Contribution, JourneyRow, contributions};
pub use page_name::{PageName, PageNames};
pub use place::Place;
pub use ports::{
    AnalyticsClearing, AnalyticsCounts, AnalyticsStore, Collection, Figures, Folded, ReferralClearing,
    ReferralCounts, ReferralCut, Rollups, Settled, Settling,
};
pub use share_progress::{Achievement, ShareProgress, Sharing};
pub use step::StepName;
pub use step_data::{InvalidStepData, StepData, StepValue};
