/// Which part of a long list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// How many rows at most.
    pub limit: u32,
    /// How many rows to pass over first.
    pub offset: u32,
}

impl PageRequest {
    /// The most rows one answer holds, and what a request without a limit gets (D14).
    pub const MAX_LIMIT: u32 = 500;
}

impl Default for PageRequest {
    fn default() -> Self {
        Self {
            limit: Self::MAX_LIMIT,
            offset: 0,
        }
    }
}
