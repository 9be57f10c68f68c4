/// A source of random bytes. In production it must be fit for secrets.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

impl dyn Entropy + '_ {
    /// Random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// So many random bytes in hexadecimal digits.
    pub fn hex<const N: usize>(&self) -> String {
        hex::encode(self.bytes::<N>())
    }
}

/// Picks one of `choices` uniformly, by rejecting single bytes.
///
/// A byte is used only when it is below the largest multiple of the number of choices, so that
/// every choice is equally likely. Takes 1 to 256 choices; `None` otherwise.
pub fn pick<'a, T>(entropy: &dyn Entropy, choices: &'a [T]) -> Option<&'a T> {
    let count = u16::try_from(choices.len())
        .ok()
        .filter(|n| (1..=256).contains(n))?;
    let fair = 256 - 256 % count;
    loop {
        let mut byte = [0u8];
        entropy.fill(&mut byte);
        let [value] = byte.map(u16::from);
        if value < fair {
            return choices.get(usize::from(value % count));
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
    fn every_choice_is_equally_likely_over_all_bytes() {
        let choices: Vec<u8> = (0..28).collect();
        let entropy = Counting(AtomicU8::new(0));
        let mut picked = vec![0; choices.len()];
        for _ in 0..(256 / 28 * 28) {
            picked[usize::from(*pick(&entropy, &choices).unwrap())] += 1;
        }
        assert_eq!(picked, vec![256 / 28; 28]);
        assert_eq!(
            entropy.0.load(Ordering::Relaxed),
            252,
            "four bytes are left, and all are rejected"
        );
        pick(&entropy, &choices);
        assert_eq!(
            entropy.0.load(Ordering::Relaxed),
            1,
            "252 to 255 are rejected, 0 is used"
        );
    }

    #[test]
    fn nothing_is_picked_from_no_choices_or_from_too_many() {
        let entropy = Counting(AtomicU8::new(0));
        assert_eq!(pick::<u8>(&entropy, &[]), None);
        assert_eq!(pick(&entropy, &[0u8; 257]), None);
    }
}
