use std::cmp::Ordering;

/// The sort direction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortOrder {
    /// Largest or newest first.
    #[default]
    Descending,
    /// Smallest or oldest first.
    Ascending,
}

impl SortOrder {
    /// Which of two rows comes first, if this is how their columns compare.
    pub const fn apply(self, columns: Ordering) -> Ordering {
        match self {
            Self::Ascending => columns,
            Self::Descending => columns.reverse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descending_puts_the_larger_first() {
        assert_eq!(SortOrder::Ascending.apply(1.cmp(&2)), Ordering::Less);
        assert_eq!(SortOrder::Descending.apply(1.cmp(&2)), Ordering::Greater);
        assert_eq!(SortOrder::Descending.apply(1.cmp(&1)), Ordering::Equal);
    }
}
