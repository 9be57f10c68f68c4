use std::fmt;

/// Which drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DrawingId(i64);

/// Which commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitmentId(i64);

impl DrawingId {
    /// The drawing with this number.
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The number, as it is stored and sent.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for DrawingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl CommitmentId {
    /// The commitment with this number.
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The number, as it is stored.
    pub const fn get(self) -> i64 {
        self.0
    }
}
