use chrono::{DateTime, Utc};
use drawing::{Seed, SeedSource, Seeds};
use kernel::{Clock, Entropy};
use rand::Rng;
use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// A generator for secrets that the operating system seeds, one a thread.
pub struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the source of randomness")]
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// Seeds of drawings from the operating system.
pub struct OsSeeds;

impl Seeds for OsSeeds {
    fn source(&self) -> SeedSource {
        SeedSource::Os
    }

    fn new_seed(&self) -> Seed {
        let mut bytes = [0; 32];
        // Straight from the system; without randomness there is nothing to draw with.
        UnwrapErr(SysRng).fill_bytes(&mut bytes);
        Seed::new(bytes)
    }
}
