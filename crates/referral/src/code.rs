use kernel::{Entropy, ReferralCode, pick};

/// Makes a code that nobody can guess. Whether somebody has it already, only the store can say.
pub fn new_code(entropy: &dyn Entropy) -> ReferralCode {
    loop {
        let text: String = (0..ReferralCode::LENGTH)
            .filter_map(|_| pick(entropy, ReferralCode::ALPHABET).map(|b| char::from(*b)))
            .collect();
        // Always so at the first try: the characters are the alphabet's.
        if let Ok(code) = ReferralCode::parse(&text) {
            return code;
        }
    }
}
