/// Encrypts secrets of type `T` before they are stored. Each type has keys of its own, so what the sealer of one type
/// made, the sealer of another cannot open.
pub trait Sealer<T>: Send + Sync {
    /// Encrypts a secret and binds it to its context, such as the raffle it belongs to. The same secret gives other bytes
    /// each time.
    fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8>;

    /// Decrypts a secret. `None` unless it was sealed in this context, with a key that is still configured, and is
    /// unchanged.
    fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>>;
}
