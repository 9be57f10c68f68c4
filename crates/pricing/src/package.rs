use crate::PackageId;
use chrono::{DateTime, Utc};
use kernel::Money;

/// How many entries a package or a purchase has: 1 to 1,000,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryCount(u32);

impl EntryCount {
    /// The most there can be.
    pub const MAX: u32 = 1_000_000;

    /// So many entries. `None` outside of 1 to [`EntryCount::MAX`].
    pub fn new(count: i64) -> Option<Self> {
        let count = u32::try_from(count).ok()?;
        (1..=Self::MAX).contains(&count).then_some(Self(count))
    }

    /// How many.
    pub const fn get(self) -> i64 {
        self.0 as i64
    }
}

/// A line about a package: not blank, one line, of a bounded length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageText(String);

impl PackageText {
    /// The longest name, in characters.
    pub const NAME_CHARS: usize = 80;
    /// The longest description, in characters.
    pub const DESCRIPTION_CHARS: usize = 300;

    /// The text without spaces around it, if it is a line of so many characters at most.
    pub fn parse(text: &str, most: usize) -> Option<Self> {
        let text = text.trim();
        let fits = (1..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        fits.then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What staff say of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPackage {
    /// What it is called.
    pub name: PackageText,
    /// What is said about it.
    pub description: PackageText,
    /// How many entries it gives.
    pub entries: EntryCount,
    /// What it costs.
    pub price: Money,
    /// Whether it is marked as popular.
    pub is_popular: bool,
    /// Whether it is shown and sold.
    pub is_active: bool,
    /// Where it stands: lower first, then by id.
    pub sort_order: u32,
}

/// A package that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Which.
    pub id: PackageId,
    /// What staff said of it last.
    pub offer: NewPackage,
    /// Since when.
    pub created_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_texts_keep_to_their_bounds() {
        assert_eq!(EntryCount::new(1).map(EntryCount::get), Some(1));
        assert_eq!(EntryCount::new(1_000_000).map(EntryCount::get), Some(1_000_000));
        for wrong in [0, -1, 1_000_001, i64::MAX] {
            assert_eq!(EntryCount::new(wrong), None, "{wrong}");
        }
        assert_eq!(
            PackageText::parse(" Mega Pack ", 80).unwrap().as_str(),
            "Mega Pack"
        );
        for wrong in ["", "  ", "a\nb", &"x".repeat(81)] {
            assert_eq!(PackageText::parse(wrong, 80), None, "{wrong:?}");
        }
    }
}
