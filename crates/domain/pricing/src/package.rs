use crate::PackageId;
use chrono::{DateTime, Utc};
use kernel::{Money, StoredText};

/// The number of entries of a package or a purchase: 1 to 1,000,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryCount(u32);

impl EntryCount {
    /// The maximum.
    pub const MAX: u32 = 1_000_000;

    /// This number of entries. `None` outside of 1 to [`EntryCount::MAX`].
    pub fn new(count: i64) -> Option<Self> {
        let count = u32::try_from(count).ok()?;
        (1..=Self::MAX).contains(&count).then_some(Self(count))
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0 as i64
    }
}

/// The name or the description of a package: one line, not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageText(String);

impl PackageText {
    /// The maximum length of a name, in characters.
    pub const NAME_CHARS: usize = 80;
    /// The maximum length of a description, in characters.
    pub const DESCRIPTION_CHARS: usize = 300;

    /// Parses one line of 1 to `most` characters, without spaces around it.
    pub fn parse(text: &str, most: usize) -> Option<Self> {
        let text = StoredText::line(text, most).ok()?;
        Some(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A package to be added, or the new values of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPackage {
    /// The name.
    pub name: PackageText,
    /// The description.
    pub description: PackageText,
    /// The number of entries.
    pub entries: EntryCount,
    /// The price.
    pub price: Money,
    /// Whether it is marked as popular.
    pub is_popular: bool,
    /// Whether it is shown and sold.
    pub is_active: bool,
    /// The position in lists: lower first, then by id.
    pub sort_order: u32,
}

/// A stored package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The id.
    pub id: PackageId,
    /// The present values.
    pub offer: NewPackage,
    /// When it was added.
    pub created_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_texts_have_bounds() {
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
