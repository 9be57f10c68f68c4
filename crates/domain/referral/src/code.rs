use kernel::{Entropy, ReferralCode, pick};

/// Draws a random code. It may be taken: only the store knows.
pub fn new_code(entropy: &dyn Entropy) -> ReferralCode {
    loop {
        let text: String = (0..ReferralCode::LENGTH)
            .filter_map(|_| pick(entropy, ReferralCode::ALPHABET).map(|b| char::from(*b)))
            .collect();
        // Parsing never fails: the characters are from the alphabet.
        if let Ok(code) = ReferralCode::parse(&text) {
            return code;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU8, Ordering};

    /// Counts 0, 1, 2 … 255, 0 …
    struct Counting(AtomicU8);

    impl Entropy for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            for byte in bytes {
                *byte = self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn each_code_takes_its_own_random_bytes() {
        let entropy = Counting(AtomicU8::new(0));
        assert_eq!(new_code(&entropy).as_str(), "34679CDF");
        assert_eq!(new_code(&entropy).as_str(), "GHJKMNPQ");
    }
}
