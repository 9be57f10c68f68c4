//! What the store has of raffles.

use chrono::DateTime;
use raffle::{Content, PageDifferences, RaffleKey, RaffleList, TrackingPage, Version, fixtures};
use std::collections::BTreeMap;

/// The contents of the first four raffles stand in it, each between `$json$`, and what the pages behind links show, each
/// between `$page$`.
const FIRST_MIGRATION: &str = include_str!("../../../../../migrations/0002_raffles/up.sql");

#[derive(Clone)]
pub(crate) struct RaffleState {
    pub(crate) list: RaffleList,
    pub(crate) versions: Vec<Version>,
    pub(crate) differences: BTreeMap<RaffleKey, PageDifferences>,
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
            takes_effect_at: DateTime::UNIX_EPOCH,
        });
        Self {
            list: fixtures::four(),
            versions: versions.collect(),
            differences: differences(),
        }
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
