/// Encrypts secrets before they are stored.
pub trait Sealer: Send + Sync {
    /// Encrypts a secret for a purpose. The same secret gives other bytes each time.
    fn seal(&self, purpose: &str, secret: &[u8]) -> Vec<u8>;

    /// Decrypts a secret. `None` unless it was sealed for this purpose, with a key that is still configured, and is
    /// unchanged.
    fn open(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>>;
}
