//! The prize of a drawing (D58).

use crate::{Hash, text};
use raffle::{KitItem, Version, only_amount};
use serde::{Deserialize, Serialize};

/// A prize, in words for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prize {
    /// What it is.
    pub name: String,
    /// What it is worth, such as `$49`.
    pub value: String,
}

/// A prize as the announcement of its drawing names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnnouncedPrize {
    /// What it is.
    pub name: String,
    /// What it is worth; not negative.
    pub value_in_cents: i64,
    /// Its parts; none where an additional drawing names a prize of its own.
    pub kit: Vec<KitItem>,
}

/// The version of what a raffle says that promises a prize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionStamp {
    /// Its number, from 1.
    pub number: i64,
    /// The SHA-256 of its bytes.
    #[serde(with = "text")]
    pub hash: Hash,
}

/// The prize of a drawing. It is fixed when the drawing is announced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DrawingPrize {
    /// In words for people.
    pub words: Prize,
    /// What it is worth; not negative.
    pub value_in_cents: i64,
    /// Its parts.
    pub kit: Vec<KitItem>,
    /// The version that promises it; `None` where an additional drawing names a prize of its own.
    pub version: Option<VersionStamp>,
}

impl DrawingPrize {
    /// What a version promises.
    pub fn of_version(version: &Version) -> Self {
        let content = &version.content;
        Self {
            words: Prize {
                name: content.name.clone(),
                value: content.value_in_words(),
            },
            value_in_cents: content.total_value.dollars.saturating_mul(100),
            kit: content.kit.clone(),
            version: Some(VersionStamp {
                number: version.number,
                hash: Hash::new(content.hash()),
            }),
        }
    }

    /// The prize that staff name for an additional drawing. It is worth the amount in its words; 0 if they have none.
    pub fn own(words: Prize) -> Self {
        Self {
            value_in_cents: only_amount(&words.value).unwrap_or_default(),
            words,
            kit: Vec::new(),
            version: None,
        }
    }

    /// As the announcement names it.
    pub fn announced(&self) -> AnnouncedPrize {
        AnnouncedPrize {
            name: self.words.name.clone(),
            value_in_cents: self.value_in_cents,
            kit: self.kit.clone(),
        }
    }
}

/// What a version says of the prize. Whatever else it says is left out, so that later versions can say more.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Promise {
    name: String,
    kit: Vec<KitItem>,
    total_value: Dollars,
}

#[derive(Deserialize)]
struct Dollars {
    dollars: i64,
}

impl AnnouncedPrize {
    pub(crate) fn has_no_negative_value(&self) -> bool {
        let parts = self.kit.iter().map(|part| part.value_in_cents);
        parts.chain([self.value_in_cents]).all(|cents| cents >= 0)
    }

    /// Whether the text of a version is the one with this stamp and promises this prize. Without a stamp there is no text.
    pub fn is_promised_by(&self, stamp: Option<&VersionStamp>, version: Option<&str>) -> bool {
        let (stamp, version) = match (stamp, version) {
            (None, None) => return true,
            (Some(stamp), Some(version)) => (stamp, version),
            _ => return false,
        };
        let promise: Result<Promise, _> = serde_json::from_str(version);
        Hash::of(version) == stamp.hash
            && promise.is_ok_and(|promise| {
                promise.name == self.name
                    && promise.kit == self.kit
                    && promise.total_value.dollars.checked_mul(100) == Some(self.value_in_cents)
            })
    }
}
