use kernel::{Entropy, as_seen};
use std::fmt;

/// A code of six digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

/// The text is not a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Enter the 6 digits of the code")]
pub struct InvalidCode;

/// The number of digits.
const DIGITS: usize = 6;
/// The number of codes.
const CODES: u32 = 1_000_000;
/// The largest multiple of [`CODES`] that three bytes can hold. Numbers from here on are drawn again, so that every code is
/// equally likely.
const FAIR: u32 = 16_000_000;

impl Code {
    /// A random code; each of the million is equally likely.
    pub fn random(entropy: &dyn Entropy) -> Self {
        loop {
            let mut bytes = [0; 4];
            entropy.fill(&mut bytes[1..]);
            let number = u32::from_be_bytes(bytes);
            if number < FAIR {
                return Self(format!("{:06}", number % CODES));
            }
        }
    }

    /// Reads a code as people type it: six digits of any script, with spaces or a dash between them.
    ///
    /// # Errors
    /// [`InvalidCode`] for any other text.
    pub fn parse(text: &str) -> Result<Self, InvalidCode> {
        let digits: String = as_seen(text)
            .chars()
            .filter(|letter| !letter.is_whitespace() && *letter != '-')
            .take(DIGITS + 1)
            .collect();
        let valid = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        valid.then_some(Self(digits)).ok_or(InvalidCode)
    }

    /// The six digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Gives these bytes, in order.
    struct Bytes(Mutex<Vec<u8>>);

    impl Entropy for Bytes {
        fn fill(&self, bytes: &mut [u8]) {
            let mut left = self.0.lock().unwrap();
            bytes.fill_with(|| left.remove(0));
        }
    }

    fn drawn_from(bytes: &[u8]) -> String {
        Code::random(&Bytes(Mutex::new(bytes.to_vec())))
            .as_str()
            .to_owned()
    }

    #[test]
    fn a_code_has_six_digits_with_zeros_in_front() {
        assert_eq!(drawn_from(&[0, 0, 0]), "000000");
        assert_eq!(drawn_from(&[0, 0, 42]), "000042");
        assert_eq!(drawn_from(&[0x0f, 0x42, 0x40]), "000000", "1,000,000");
    }

    #[test]
    fn numbers_that_would_favor_some_codes_are_drawn_again() {
        assert_eq!(drawn_from(&[0xf4, 0x23, 0xff]), "999999", "15,999,999");
        assert_eq!(drawn_from(&[0xf4, 0x24, 0x00, 0, 0, 7]), "000007", "16,000,000");
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        for text in [
            "012345",
            " 012 345 ",
            "012-345",
            "0 1 2 3 4 5",
            "٠١٢٣٤٥",
            "０１２\u{2013}３４５\u{200e}",
        ] {
            assert_eq!(Code::parse(text).unwrap().as_str(), "012345", "{text:?}");
        }
        for text in ["", "12345", "1234567", "12345a", "12.345"] {
            assert_eq!(Code::parse(text), Err(InvalidCode), "{text:?}");
        }
    }

    #[test]
    fn a_code_is_not_printed() {
        assert_eq!(format!("{:?}", Code::parse("123456").unwrap()), "Code(…)");
    }
}
