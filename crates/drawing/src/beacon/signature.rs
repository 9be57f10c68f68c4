use super::hex_type::hex_type;
use crate::Hash;
use std::fmt;

hex_type! {
    /// The signature of a round: a point on the curve G1, compressed. Written as 96 lower-case hexadecimal digits. Having
    /// one says nothing about whether it is valid: [`super::BeaconVerifier`] does.
    pub struct BeaconSignature([u8; 48])
}

impl BeaconSignature {
    /// The randomness of its round.
    pub fn randomness(&self) -> Randomness {
        Randomness(Hash::of(self.as_bytes()))
    }
}

/// The randomness of a round: the SHA-256 of its signature. It cannot be parsed, so that nobody uses the value that some
/// answer claims.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Randomness(Hash);

impl Randomness {
    /// What stands in its place in a drawing without a beacon: 32 zero bytes.
    pub const ZERO: Self = Self(Hash::ZERO);

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl fmt::Display for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Randomness({self})")
    }
}
