use chrono::{DateTime, Utc};
use drawing::{Seed, SeedSource, Seeds};
use kernel::{Clock, Entropy};
use rand::Rng;
use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;

/// The system clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// A cryptographic random generator per thread, seeded by the operating system.
pub struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the source of randomness")]
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// The operating system as the source of drawing seeds.
pub struct OsSeeds;

impl Seeds for OsSeeds {
    fn source(&self) -> SeedSource {
        SeedSource::Os
    }

    fn new_seed(&self) -> Seed {
        let mut bytes = [0; 32];
        // Directly from the operating system. A drawing cannot go on without it, so an error panics.
        UnwrapErr(SysRng).fill_bytes(&mut bytes);
        Seed::new(bytes)
    }
}
