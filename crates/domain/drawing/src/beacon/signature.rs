use super::hex_type::hex_type;
use crate::Hash;

hex_type! {
    /// The signature of a round: a point on the curve G1, compressed. Written as 96 lower-case hexadecimal digits. Having
    /// one says nothing about whether it is valid: [`super::BeaconVerifier`] does.
    pub struct BeaconSignature([u8; 48])
}

impl BeaconSignature {
    /// The randomness of its round: the SHA-256 of the signature. It is never taken from an answer that claims it.
    pub fn randomness(&self) -> Hash {
        Hash::of(self.as_bytes())
    }
}
