//! The names of pages (D26): a fixed list, so that visitors cannot make the roll-ups grow.

use raffle::Raffle;

/// The name under which views of a page are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageName(&'static str);

use Raffle::{FreshSips, GardenBag, KitchenGarden, SustainableLiving};

/// Every name, and the raffle that the page belongs to. Pages that are not listed count as the last one.
const NAMES: [(&str, Option<Raffle>); 15] = [
    ("garden-bag", Some(GardenBag)),
    ("fresh-sips", Some(FreshSips)),
    ("kitchen-garden", Some(KitchenGarden)),
    ("sustainable-living", Some(SustainableLiving)),
    // `/ref/{code}` enters garden-bag (D30).
    ("generic", Some(GardenBag)),
    ("welcome", None),
    ("garden-bag-success", Some(GardenBag)),
    ("fresh-sips-success", Some(FreshSips)),
    ("kitchen-garden-success", Some(KitchenGarden)),
    ("sustainable-living-success", Some(SustainableLiving)),
    ("planter-garden", Some(GardenBag)),
    ("planter-fresh-sips", Some(FreshSips)),
    ("planter-kitchen-garden", Some(KitchenGarden)),
    ("planter-sustainable-living", Some(SustainableLiving)),
    ("other", None),
];

const OTHER: PageName = PageName("other");

impl PageName {
    /// All names with the raffle that each belongs to.
    pub fn all() -> impl Iterator<Item = (Self, Option<Raffle>)> {
        NAMES.iter().map(|(name, raffle)| (Self(name), *raffle))
    }

    /// The name, as it is stored and sent.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The raffle that the page belongs to.
    pub fn raffle(self) -> Option<Raffle> {
        NAMES
            .iter()
            .find(|(name, _)| *name == self.0)
            .and_then(|(_, raffle)| *raffle)
    }
}

impl From<Raffle> for PageName {
    fn from(page: Raffle) -> Self {
        Self(page.as_str())
    }
}

/// The name under which a view of this page counts; `None` for pages that are not tracked.
pub fn classify(name: &str) -> Option<PageName> {
    if matches!(name, "/" | "admin" | "admin-dashboard") || name.contains("-referral") {
        return None;
    }
    let known = NAMES.iter().find(|(known, _)| *known == name);
    Some(known.map_or(OTHER, |(known, _)| PageName(known)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn unknown_names_count_as_other() {
        for unknown in [
            "",
            "Garden-Bag",
            "garden-bag ",
            "x",
            "planter-",
            "other",
            "<script>",
        ] {
            assert_eq!(classify(unknown), Some(OTHER), "{unknown:?}");
        }
    }

    #[test]
    fn some_pages_are_not_tracked() {
        for skipped in [
            "/",
            "admin",
            "admin-dashboard",
            "garden-bag-referral",
            "-referral-x",
        ] {
            assert_eq!(classify(skipped), None, "{skipped:?}");
        }
    }

    #[test]
    fn every_name_is_known_and_each_raffle_has_its_page() {
        for (page, raffle) in PageName::all() {
            assert_eq!(classify(page.as_str()), Some(page));
            assert_eq!(page.raffle(), raffle);
        }
        for raffle in Raffle::iter() {
            assert_eq!(PageName::from(raffle).raffle(), Some(raffle));
        }
    }
}
