use serde::{Deserialize, Serialize};

/// One of the four themed raffles, in display order. Its key is its landing page's key.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    PartialOrd,
    Ord,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::Display,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
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

impl Raffle {
    /// All raffles in display order.
    pub fn all() -> impl Iterator<Item = Self> {
        <Self as strum::IntoEnumIterator>::iter()
    }

    /// The key, as it appears in addresses, JSON and rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The prize's name, for people.
    pub const fn prize(self) -> &'static str {
        match self {
            Self::GardenBag => "Garden Bag Essentials",
            Self::FreshSips => "Fresh Sips Mixology Kit",
            Self::KitchenGarden => "Kitchen Garden Essentials",
            Self::SustainableLiving => "Sustainable Living Starter Kit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn keys_are_those_of_addresses_and_rows() {
        let keys: Vec<_> = Raffle::iter().map(Raffle::as_str).collect();
        assert_eq!(
            keys,
            ["garden-bag", "fresh-sips", "kitchen-garden", "sustainable-living"]
        );
        assert_eq!("fresh-sips".parse(), Ok(Raffle::FreshSips));
    }

    #[test]
    fn each_raffle_has_its_prize() {
        let prizes: Vec<_> = Raffle::iter().map(Raffle::prize).collect();
        assert_eq!(
            prizes,
            [
                "Garden Bag Essentials",
                "Fresh Sips Mixology Kit",
                "Kitchen Garden Essentials",
                "Sustainable Living Starter Kit"
            ]
        );
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
            assert!(wrong.parse::<Raffle>().is_err(), "{wrong:?}");
        }
    }
}
