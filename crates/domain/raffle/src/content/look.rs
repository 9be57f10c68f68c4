//! The built-in palettes and scenes, and uploaded pictures.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The colors of a raffle's pages. They are named for how they look, because any raffle can have any of them.
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
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Palette {
    /// Terracotta, the default.
    #[default]
    Clay,
    /// Green.
    Mint,
    /// Red.
    Tomato,
    /// Teal.
    Lagoon,
    /// Purple.
    Plum,
    /// Yellow.
    Honey,
    /// Gray and blue.
    Slate,
    /// Pink.
    Rose,
}

impl Palette {
    /// The name, as in JSON and in style sheets.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A built-in picture. It is decorative.
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
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Scene {
    /// A bag with garden tools, the default.
    #[default]
    ToolBag,
    /// A shaker and glasses.
    Cocktail,
    /// Pots with herbs on a sill.
    KitchenHerbs,
    /// Jars, a bag and brushes.
    StarterKit,
    /// A wrapped box.
    GiftBox,
    /// A table that is set for guests.
    SetTable,
    /// A basket for a day outside.
    SummerBasket,
}

impl Scene {
    /// The name, as in JSON.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The picture of a raffle: an upload, or else a scene.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Picture {
    /// What is shown without an upload, and after one was withdrawn.
    pub scene: Scene,
    /// The uploaded picture.
    pub upload: Option<PictureHash>,
    /// What the upload shows, for who cannot see it.
    pub alt: String,
}

impl Picture {
    /// The maximum length of the alternative text, in characters.
    pub const ALT_CHARS: usize = 160;
}

/// The SHA-256 of an uploaded picture, which is its name: 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PictureHash([u8; 32]);

/// The text is not 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 64 lower-case hexadecimal digits")]
pub struct InvalidPictureHash;

impl PictureHash {
    /// The hash of a picture.
    pub fn of(picture: &[u8]) -> Self {
        Self(Sha256::digest(picture).into())
    }

    /// The hash with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for PictureHash {
    type Err = InvalidPictureHash;

    fn from_str(text: &str) -> Result<Self, InvalidPictureHash> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidPictureHash)?;
        // One spelling per picture, because contents are compared and hashed as text.
        (hex::encode(bytes) == text)
            .then_some(Self(bytes))
            .ok_or(InvalidPictureHash)
    }
}

impl fmt::Display for PictureHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl TryFrom<String> for PictureHash {
    type Error = InvalidPictureHash;

    fn try_from(text: String) -> Result<Self, InvalidPictureHash> {
        text.parse()
    }
}

impl From<PictureHash> for String {
    fn from(hash: PictureHash) -> Self {
        hash.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn names_are_those_of_json() {
        let palettes = "clay mint tomato lagoon plum honey slate rose";
        for (palette, name) in Palette::iter().zip(palettes.split(' ')) {
            assert_eq!((palette.as_str(), name.parse()), (name, Ok(palette)));
            assert_eq!(serde_json::to_value(palette).unwrap(), name);
        }
        let scenes = "tool-bag cocktail kitchen-herbs starter-kit gift-box set-table summer-basket";
        for (scene, name) in Scene::iter().zip(scenes.split(' ')) {
            assert_eq!((scene.as_str(), name.parse()), (name, Ok(scene)));
            assert_eq!(serde_json::to_value(scene).unwrap(), name);
        }
        assert_eq!((Palette::iter().count(), Scene::iter().count()), (8, 7));
    }

    /// `printf picture | sha256sum`
    #[test]
    fn a_picture_hash_has_one_spelling() {
        let text = "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97";
        assert_eq!(PictureHash::of(b"picture").to_string(), text);
        assert_eq!(text.parse(), Ok(PictureHash::of(b"picture")));
        for wrong in [
            "",
            "a3",
            &text.to_uppercase(),
            &"g".repeat(64),
            &format!("{text}00"),
        ] {
            assert_eq!(wrong.parse::<PictureHash>(), Err(InvalidPictureHash), "{wrong}");
        }
    }
}
