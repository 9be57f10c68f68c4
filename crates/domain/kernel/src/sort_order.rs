/// The sort direction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortOrder {
    /// Largest or newest first.
    #[default]
    Descending,
    /// Smallest or oldest first.
    Ascending,
}
