//! The names of pages (D26): those of raffles and a few others, so that visitors cannot make the roll-ups grow.

use raffle::{Raffle, RaffleKey, RaffleList};

/// The name under which views of a page are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageName(String);

/// Pages that belong to no raffle. `/ref/{code}` is `generic`: it enters the default raffle.
const GENERIC: &str = "generic";
const WELCOME: &str = "welcome";
/// Pages that nobody knows count together.
const OTHER: &str = "other";

impl PageName {
    /// The name, as it is stored and sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<RaffleKey> for PageName {
    /// The sign-up page.
    fn from(raffle: RaffleKey) -> Self {
        Self(raffle.to_string())
    }
}

/// The pages of some raffles and those that belong to none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageNames(Vec<(PageName, Option<RaffleKey>)>);

impl PageNames {
    /// The pages of these raffles, and the others.
    pub fn of<'a>(raffles: impl IntoIterator<Item = &'a Raffle>) -> Self {
        let mut default = None;
        let mut names = Vec::new();
        for raffle in raffles {
            default = default.or(raffle.is_default.then_some(raffle.key));
            names.extend(pages_of(raffle).map(|page| (page, Some(raffle.key))));
        }
        names.push((PageName(GENERIC.to_owned()), default));
        names.extend([WELCOME, OTHER].map(|page| (PageName(page.to_owned()), None)));
        Self(names)
    }

    /// The pages of all raffles, and the others.
    pub fn of_all(raffles: &RaffleList) -> Self {
        Self::of(raffles.iter())
    }

    /// All names with the raffle that each belongs to.
    pub fn iter(&self) -> impl Iterator<Item = (&PageName, Option<RaffleKey>)> {
        self.0.iter().map(|(page, raffle)| (page, *raffle))
    }

    /// The raffle that a page belongs to.
    pub fn raffle_of(&self, page: &PageName) -> Option<RaffleKey> {
        self.iter()
            .find(|(known, _)| *known == page)
            .and_then(|(_, raffle)| raffle)
    }

    /// The name under which a view of this page counts; `None` for pages that are not tracked.
    pub fn classify(&self, name: &str) -> Option<PageName> {
        if matches!(name, "/" | "admin" | "admin-dashboard") || name.contains("-referral") {
            return None;
        }
        let known = self.iter().find(|(known, _)| known.as_str() == name);
        Some(known.map_or_else(|| PageName(OTHER.to_owned()), |(known, _)| known.clone()))
    }
}

/// The sign-up page of a raffle, its success page, and the one that links in texts open.
fn pages_of(raffle: &Raffle) -> impl Iterator<Item = PageName> {
    let key = raffle.key;
    let names = [key.to_string(), format!("{key}-success"), raffle.tracking_name()];
    names.into_iter().map(PageName)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::{FOUR, FRESH_SIPS, GARDEN_BAG, four};

    fn names() -> PageNames {
        PageNames::of_all(&four())
    }

    #[test]
    fn unknown_names_count_as_other() {
        for unknown in [
            "",
            "Garden-Bag",
            "garden-bag ",
            "x",
            "planter-",
            "planter-garden-bag",
            "other",
            "<script>",
        ] {
            assert_eq!(names().classify(unknown).unwrap().as_str(), OTHER, "{unknown:?}");
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
            assert_eq!(names().classify(skipped), None, "{skipped:?}");
        }
    }

    #[test]
    fn the_names_of_the_specification_stay() {
        let names = names();
        let all: Vec<_> = names.iter().map(|(page, _)| page.as_str().to_owned()).collect();
        let pages = "garden-bag garden-bag-success planter-garden fresh-sips fresh-sips-success planter-fresh-sips \
                     kitchen-garden kitchen-garden-success planter-kitchen-garden sustainable-living \
                     sustainable-living-success planter-sustainable-living generic welcome other";
        assert_eq!(all.join(" "), pages);
        let raffle_of = |name| names.raffle_of(&names.classify(name).unwrap());
        assert_eq!(raffle_of("generic"), Some(GARDEN_BAG));
        assert_eq!(raffle_of("planter-fresh-sips"), Some(FRESH_SIPS));
        assert_eq!((raffle_of("welcome"), raffle_of("other")), (None, None));
    }

    #[test]
    fn every_name_is_known_and_each_raffle_has_its_page() {
        let names = names();
        for (page, raffle) in names.iter() {
            assert_eq!(names.classify(page.as_str()).as_ref(), Some(page));
            assert_eq!(names.raffle_of(page), raffle);
        }
        for raffle in FOUR {
            assert_eq!(names.raffle_of(&PageName::from(raffle)), Some(raffle));
        }
    }
}
