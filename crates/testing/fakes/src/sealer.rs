use kernel::Sealer;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// Seals without encryption: writes a number, a checksum, and the plain secret.
#[derive(Default)]
pub struct PlainSealer(AtomicU64);

fn checksum(number: [u8; 8], context: &str, secret: &[u8]) -> [u8; 8] {
    let mut hasher = DefaultHasher::new();
    (number, context, secret).hash(&mut hasher);
    hasher.finish().to_be_bytes()
}

impl<T> Sealer<T> for PlainSealer {
    fn seal(&self, context: &str, secret: &[u8]) -> Vec<u8> {
        let number = self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let checksum = checksum(number, context, secret);
        [&number, &checksum, secret].concat()
    }

    fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (number, rest) = sealed.split_first_chunk()?;
        let (sum, secret) = rest.split_first_chunk()?;
        (*sum == checksum(*number, context, secret)).then(|| secret.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unchanged_secret_in_its_context_can_be_opened() {
        let (sealer, other): (&dyn Sealer<()>, &dyn Sealer<()>) =
            (&PlainSealer::default(), &PlainSealer::default());
        let sealed = sealer.seal("seeds", b"secret");
        assert_ne!(sealer.seal("seeds", b"secret"), sealed);
        assert_eq!(sealer.open("seeds", &sealed).unwrap(), b"secret");
        assert_eq!(other.open("seeds", &sealed).unwrap(), b"secret");
        assert_eq!(sealer.open("passwords", &sealed), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(sealer.open("seeds", &changed), None, "byte {at}");
            assert_eq!(sealer.open("seeds", &sealed[..at]), None, "cut at {at}");
        }
    }
}
