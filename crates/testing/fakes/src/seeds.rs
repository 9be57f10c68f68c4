use crate::SeededEntropy;
use drawing::{Seed, SeedSource, Seeds};
use kernel::Entropy;

/// A reproducible source of seeds. Claims that they come from the operating system.
#[derive(Default)]
pub struct FakeSeeds(SeededEntropy);

impl FakeSeeds {
    /// Creates a source from this seed.
    pub fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }
}

impl Seeds for FakeSeeds {
    fn source(&self) -> SeedSource {
        SeedSource::Os
    }

    fn new_seed(&self) -> Seed {
        let mut bytes = [0; 32];
        self.0.fill(&mut bytes);
        Seed::new(bytes)
    }
}
