//! What the store has of raffles.

use chrono::{DateTime, Utc};
use raffle::pictures::MadePicture;
use raffle::{Content, Draft, PageDifferences, RaffleKey, RaffleList, TrackingPage, Version, fixtures};
use std::collections::BTreeMap;

/// The contents of the first four raffles stand in it, each between `$json$`, and what the pages behind links show, each
/// between `$page$`.
const FIRST_MIGRATION: &str = include_str!("../../../../../migrations/0002_raffles/up.sql");

#[derive(Clone)]
pub(crate) struct RaffleState {
    pub(crate) list: RaffleList,
    pub(crate) versions: Vec<Version>,
    pub(crate) drafts: BTreeMap<RaffleKey, Draft>,
    /// The number of the newest raffle, be it deleted or not.
    pub(crate) last_number: i64,
    pub(crate) differences: BTreeMap<RaffleKey, PageDifferences>,
    pub(crate) pictures: Vec<StoredPicture>,
}

#[derive(Clone)]
pub(crate) struct StoredPicture {
    pub(crate) picture: MadePicture,
    pub(crate) last_named_at: DateTime<Utc>,
    pub(crate) is_withdrawn: bool,
}

impl Default for RaffleState {
    fn default() -> Self {
        let contents = FIRST_MIGRATION.split("$json$").skip(1).step_by(2);
        let contents = contents.filter_map(|json| Content::read(json).ok());
        let versions = fixtures::FOUR.into_iter().zip(contents);
        let versions = versions.map(|(raffle, content)| Version {
            raffle,
            number: 1,
            content,
            published_at: DateTime::UNIX_EPOCH,
            published_by: None,
            takes_effect_at: DateTime::UNIX_EPOCH,
        });
        let versions: Vec<_> = versions.collect();
        Self {
            list: fixtures::four(),
            drafts: versions
                .iter()
                .map(|version| (version.raffle, draft(version)))
                .collect(),
            last_number: 4,
            versions,
            differences: differences(),
            pictures: Vec::new(),
        }
    }
}

fn draft(version: &Version) -> Draft {
    Draft {
        raffle: version.raffle,
        revision: 1,
        content: version.content.clone(),
        saved_at: version.published_at,
        saved_by: None,
    }
}

fn differences() -> BTreeMap<RaffleKey, PageDifferences> {
    let pages = FIRST_MIGRATION.split("$page$").skip(1).step_by(2);
    let of = |(raffle, page): (RaffleKey, &str)| PageDifferences {
        share_heading: (raffle == fixtures::GARDEN_BAG).then(|| "Double Your Chances!".to_owned()),
        masks_numbers: raffle == fixtures::GARDEN_BAG,
        waits_for_user: raffle == fixtures::SUSTAINABLE_LIVING,
        tracking_page: TrackingPage::read(page).ok(),
    };
    let pages = fixtures::FOUR.into_iter().zip(pages);
    pages.map(|page| (page.0, of(page))).collect()
}
