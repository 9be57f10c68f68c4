use std::fmt;

/// Which entrant. A 64-bit number that is no secret and grants nothing (D1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntrantId(i64);

impl EntrantId {
    /// The entrant with this number.
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The number, as it is stored and sent.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
