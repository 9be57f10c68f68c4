use std::fmt;

/// Which entry package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(i64);

/// Which purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PurchaseId(i64);

impl PackageId {
    /// The package with this number.
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The number, as it is stored and sent.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl PurchaseId {
    /// The purchase with this number.
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The number, as it is stored and sent.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for PackageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for PurchaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
