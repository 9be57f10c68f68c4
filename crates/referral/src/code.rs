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
