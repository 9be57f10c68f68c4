use std::{fmt, str::FromStr};

/// One of the four themed raffles. A raffle's key is its landing page's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub enum Raffle {
    /// Garden Bag Essentials, the default.
    #[default]
    GardenBag,
    /// Fresh Sips Mixology Kit.
    FreshSips,
    /// Kitchen Garden Essentials.
    KitchenGarden,
    /// Sustainable Living Starter Kit.
    SustainableLiving,
}

/// The text is not the key of a raffle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown landing page")]
pub struct UnknownRaffle;

impl Raffle {
    /// All raffles, in the order in which they are shown.
    pub const ALL: [Self; 4] = [
        Self::GardenBag,
        Self::FreshSips,
        Self::KitchenGarden,
        Self::SustainableLiving,
    ];

    /// The key, as it stands in addresses, bodies and rows.
    pub const fn key(self) -> &'static str {
        match self {
            Self::GardenBag => "garden-bag",
            Self::FreshSips => "fresh-sips",
            Self::KitchenGarden => "kitchen-garden",
            Self::SustainableLiving => "sustainable-living",
        }
    }

    /// The prize's name, as people read it.
    pub const fn prize(self) -> &'static str {
        match self {
            Self::GardenBag => "Garden Bag Essentials",
            Self::FreshSips => "Fresh Sips Mixology Kit",
            Self::KitchenGarden => "Kitchen Garden Essentials",
            Self::SustainableLiving => "Sustainable Living Starter Kit",
        }
    }
}

impl fmt::Display for Raffle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

impl FromStr for Raffle {
    type Err = UnknownRaffle;

    fn from_str(key: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|page| page.key() == key)
            .ok_or(UnknownRaffle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_reads_back() {
        for page in Raffle::ALL {
            assert_eq!(page.key().parse(), Ok(page));
        }
    }

    #[test]
    fn a_key_is_exact() {
        for wrong in [
            "",
            "garden",
            "Garden-Bag",
            "garden-bag ",
            "garden-bag\0",
            "planter",
        ] {
            assert_eq!(wrong.parse::<Raffle>(), Err(UnknownRaffle), "{wrong:?}");
        }
    }
}
