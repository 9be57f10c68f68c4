/// The part of a long list that a client asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// The most rows to return.
    pub limit: u32,
    /// How many rows to skip.
    pub offset: u32,
}

impl PageRequest {
    /// The most rows that one response holds, and the default.
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
