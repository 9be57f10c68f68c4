//! What pages are called (D26). A fixed list, so that nobody can make the roll-ups grow.

use kernel::Raffle;

/// A page by the name that views of it are counted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageName(&'static str);

use Raffle::{FreshSips, GardenBag, KitchenGarden, SustainableLiving};

/// Every name, and the raffle that the page belongs to. The last one takes in all that is not listed.
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

    /// The page's own raffle.
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

/// The page that a view of this name counts for; `None` for those that are not tracked (spec section 5).
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
    fn strange_names_are_one_name() {
        for strange in [
            "",
            "Garden-Bag",
            "garden-bag ",
            "x",
            "planter-",
            "other",
            "<script>",
        ] {
            assert_eq!(classify(strange), Some(OTHER), "{strange:?}");
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
    fn every_name_reads_back_and_raffles_have_pages_of_their_own() {
        assert_eq!(PageName::all().count(), NAMES.len());
        for (page, raffle) in PageName::all() {
            assert_eq!(classify(page.as_str()), Some(page));
            assert_eq!(page.raffle(), raffle);
        }
        for raffle in Raffle::iter() {
            assert_eq!(PageName::from(raffle).raffle(), Some(raffle));
        }
    }
}
