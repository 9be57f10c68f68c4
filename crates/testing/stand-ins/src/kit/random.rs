use rand::Rng;

/// Random bytes for new ids: random, because databases outlive the stand-in.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the stand-ins' source of randomness"
)]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}
