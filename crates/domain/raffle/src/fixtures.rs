//! The specification's four raffles, as the first migration opens them. For tests and the stores of tests.

use crate::{Opening, Openings, Raffle, RaffleKey, RaffleList};
use chrono::DateTime;

/// The default raffle.
pub const GARDEN_BAG: RaffleKey = key("garden-bag");
/// The second.
pub const FRESH_SIPS: RaffleKey = key("fresh-sips");
/// The third.
pub const KITCHEN_GARDEN: RaffleKey = key("kitchen-garden");
/// The fourth.
pub const SUSTAINABLE_LIVING: RaffleKey = key("sustainable-living");

/// All of them, in order.
pub const FOUR: [RaffleKey; 4] = [GARDEN_BAG, FRESH_SIPS, KITCHEN_GARDEN, SUSTAINABLE_LIVING];

#[expect(clippy::expect_used, reason = "it is called when this is compiled")]
const fn key(text: &str) -> RaffleKey {
    RaffleKey::new(text).expect("a key")
}

/// The name of a raffle's prize, as it is in its first version.
pub fn prize(raffle: RaffleKey) -> &'static str {
    let prizes = [
        "Garden Bag Essentials",
        "Fresh Sips Mixology Kit",
        "Kitchen Garden Essentials",
        "Sustainable Living Starter Kit",
    ];
    let found = FOUR.into_iter().zip(prizes).find(|(key, _)| *key == raffle);
    found.map_or("", |(_, prize)| prize)
}

/// The four, open since 1970.
pub fn four() -> RaffleList {
    let of = |number, key, prefix: &str, words: &[&str]| Raffle {
        number,
        key,
        openings: Openings::new(vec![Opening {
            opens_at: DateTime::UNIX_EPOCH,
            closes_at: None,
        }])
        .unwrap_or_default(),
        is_default: key == GARDEN_BAG,
        link_prefix: Some(prefix.to_owned()),
        link_words: words.iter().map(|word| (*word).to_owned()).collect(),
        tracking_name: (key == GARDEN_BAG).then(|| "planter-garden".to_owned()),
    };
    RaffleList(vec![
        of(1, GARDEN_BAG, "garden", &["garden"]),
        of(2, FRESH_SIPS, "fresh", &["fresh", "sips"]),
        of(3, KITCHEN_GARDEN, "kitchen", &["kitchen"]),
        of(4, SUSTAINABLE_LIVING, "sustainable", &["sustainable", "eco"]),
    ])
}
