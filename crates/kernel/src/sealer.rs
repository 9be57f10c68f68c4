/// Seals what is stored and must not be read there.
pub trait Sealer: Send + Sync {
    /// Seals a secret for a purpose. The same secret is never sealed the same way twice.
    fn seal(&self, purpose: &str, secret: &[u8]) -> Vec<u8>;

    /// The secret, if it was sealed for this purpose with a key that is still known, and not changed since.
    fn open(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>>;
}
