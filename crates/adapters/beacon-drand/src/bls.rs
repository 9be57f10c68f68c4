//! Verifies the signatures of a randomness beacon: BLS signatures over the curve BLS12-381, on G1.

use blst::BLST_ERROR;
use blst::min_sig;
use drawing::beacon::{BeaconSignature, BeaconVerifier, Chain, PublicKey, Round, Scheme};

/// Verifies BLS signatures.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlsVerifier;

impl BlsVerifier {
    /// Whether a key can verify anything: it is a point of the right subgroup, and not the point at infinity.
    pub fn accepts(&self, key: &PublicKey) -> bool {
        read_key(key).is_some()
    }
}

impl BeaconVerifier for BlsVerifier {
    fn verifies(&self, chain: &Chain, round: Round, signature: &BeaconSignature) -> bool {
        let Some(key) = read_key(&chain.public_key) else {
            return false;
        };
        // A point outside the subgroup could pass the equation of pairings, so it is refused first.
        let Ok(signature) = min_sig::Signature::sig_validate(signature.as_bytes(), true) else {
            return false;
        };
        let tag = domain_separation_tag(chain.scheme);
        let result = signature.verify(true, &round.message(), tag, &[], &key, false);
        result == BLST_ERROR::BLST_SUCCESS
    }
}

fn read_key(key: &PublicKey) -> Option<min_sig::PublicKey> {
    min_sig::PublicKey::key_validate(key.as_bytes()).ok()
}

/// What separates these signatures from those of other protocols with the same key.
const fn domain_separation_tag(scheme: Scheme) -> &'static [u8] {
    match scheme {
        Scheme::UnchainedG1 => b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
    }
}
