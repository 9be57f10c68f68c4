//! What the pages of a raffle say and show (D57). A draft may be incomplete: [`Content::faults`] are what makes it
//! refused all the same, and [`Content::missing`] is what it needs before it is published.

mod amounts;
mod faults;
mod look;
mod share;
mod words;

#[cfg(test)]
mod tests;

pub use amounts::only_amount;
pub use faults::{ContentFault, ContentGap, Fault, Gap};
pub use look::{InvalidPictureHash, Palette, Picture, PictureHash, Scene};
pub use share::{ShareTexts, ShareValues, share_text};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// The content of a raffle. Its default is the draft of somebody who begins from nothing.
///
/// The order of the fields is that of [`Content::bytes`], over which approvals and published contents are hashed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Content {
    /// The prize's name, as shown in drawings, texts and the rules.
    pub name: String,
    /// The page's heading.
    pub title: String,
    /// The line below the heading.
    pub tagline: String,
    /// What the prize is. It may have line breaks.
    pub description: String,
    /// The parts of the prize.
    pub kit: Vec<KitItem>,
    /// What the prize is worth, as the pages say it.
    pub total_value: TotalValue,
    /// The page's title in browsers and search results, without the name of the site, which follows it.
    pub meta_title: String,
    /// The page's description in search results.
    pub meta_description: String,
    /// The heading for who has entered.
    pub success_title: String,
    /// Whether the sign-up page says when the next drawing is.
    pub shows_next_drawing: bool,
    /// What a share button puts into the mail or the messages of who has entered.
    pub share: ShareTexts,
    /// The colors.
    pub palette: Palette,
    /// The picture.
    pub picture: Picture,
}

/// A part of the prize.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KitItem {
    /// What it is.
    pub item: String,
    /// A line about it.
    pub detail: String,
    /// What it is worth at retail; 0 while a draft does not say it.
    pub value_in_cents: i64,
}

/// What a prize is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TotalValue {
    /// Whole dollars; 0 while a draft does not say it.
    pub dollars: i64,
    /// Whether a plus sign follows them.
    pub or_more: bool,
}

impl KitItem {
    /// What it is worth, for people: `$1,250`, or `$12.50`.
    pub fn value_in_words(&self) -> String {
        let cents = self.value_in_cents.max(0);
        match cents % 100 {
            0 => format!("${}", with_commas(cents / 100)),
            rest => format!("${}.{rest:02}", with_commas(cents / 100)),
        }
    }
}

impl TotalValue {
    pub(crate) const fn cents(self) -> i64 {
        self.dollars.saturating_mul(100)
    }
}

impl Content {
    /// The maximum length of the name. All of these are in characters: the scalar values of Unicode, which JavaScript
    /// counts by `[...text].length`.
    pub const NAME_CHARS: usize = 60;
    /// That of the heading.
    pub const TITLE_CHARS: usize = 80;
    /// That of the line below it.
    pub const TAGLINE_CHARS: usize = 120;
    /// That of the description.
    pub const DESCRIPTION_CHARS: usize = 600;
    /// That of what a part is.
    pub const ITEM_CHARS: usize = 60;
    /// That of the line about a part.
    pub const DETAIL_CHARS: usize = 120;
    /// That of the page's title.
    pub const META_TITLE_CHARS: usize = 70;
    /// That of the page's description.
    pub const META_DESCRIPTION_CHARS: usize = 170;
    /// That of the heading for who has entered.
    pub const SUCCESS_TITLE_CHARS: usize = 60;
    /// The maximum number of parts.
    pub const MAX_PARTS: usize = 20;
    /// The most that the parts may be worth together, in dollars: above it, some states want a raffle registered.
    pub const MAX_DOLLARS: i64 = 5_000;

    /// Reads a content as it is; [`Content::normalized`] and [`Content::faults`] come after.
    ///
    /// # Errors
    /// It is not JSON, a field is missing, unknown or of another type, or there is no such palette or scene.
    pub fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// The same with each text in NFC, without spaces around it, and with `\n` for each line break.
    pub fn normalized(mut self) -> Self {
        for text in self.texts_mut() {
            *text = normalized(text);
        }
        self
    }

    fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let share = &mut self.share;
        let kit = self.kit.iter_mut();
        let texts = [
            &mut self.name,
            &mut self.title,
            &mut self.tagline,
            &mut self.description,
            &mut self.meta_title,
            &mut self.meta_description,
            &mut self.success_title,
            &mut share.email_subject,
            &mut share.email_body,
            &mut share.text_body,
            &mut self.picture.alt,
        ];
        kit.flat_map(|part| [&mut part.item, &mut part.detail])
            .chain(texts)
    }

    /// Its one spelling in JSON, over which it is hashed.
    pub fn bytes(&self) -> String {
        // Texts, whole numbers and lists of them can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The SHA-256 of [`Content::bytes`].
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.bytes()).into()
    }

    /// The same in lower-case hexadecimal digits.
    pub fn hash_in_hex(&self) -> String {
        hex::encode(self.hash())
    }

    /// What the prize is worth, for people: `$1,250`, or `$150+` where it is that or more.
    pub fn value_in_words(&self) -> String {
        let TotalValue { dollars, or_more } = self.total_value;
        let plus = if or_more { "+" } else { "" };
        format!("${}{plus}", with_commas(dollars.max(0)))
    }

    /// Whether both promise the same: the name, the parts and the value are equal.
    pub fn has_same_prize(&self, other: &Self) -> bool {
        self.name == other.name && self.kit == other.kit && self.total_value == other.total_value
    }

    /// The paths of the fields that differ from those of an earlier content, such as `kit` and `share.textBody`.
    pub fn changes_since(&self, before: &Self) -> Vec<String> {
        let (is, was) = (by_path(self), by_path(before));
        let changed = is.iter().zip(&was).filter(|(is, was)| is != was);
        changed.map(|((path, _), _)| path.clone()).collect()
    }

    /// What all parts are worth together.
    pub fn kit_value_in_cents(&self) -> i64 {
        let values = self.kit.iter().map(|part| part.value_in_cents);
        values.fold(0, i64::saturating_add)
    }
}

/// The fields in the order of [`Content::bytes`], each with its path. Those of `share` and `picture` stand alone.
fn by_path(content: &Content) -> Vec<(String, Value)> {
    let mut fields = Vec::new();
    for (name, value) in members(content) {
        match (name.as_str(), value) {
            ("share" | "picture", Value::Object(inner)) => {
                fields.extend(
                    inner
                        .into_iter()
                        .map(|(inner, value)| (format!("{name}.{inner}"), value)),
                );
            }
            (_, value) => fields.push((name, value)),
        }
    }
    fields
}

fn members(content: &Content) -> Map<String, Value> {
    match serde_json::to_value(content) {
        Ok(Value::Object(members)) => members,
        // A content is an object that can always be written.
        _ => Map::new(),
    }
}

fn normalized(text: &str) -> String {
    let text: String = text.nfc().collect();
    text.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned()
}

/// A number that is not negative, with commas between thousands.
fn with_commas(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut words = String::new();
    for (place, digit) in (1..=digits.len()).rev().zip(digits.chars()) {
        words.push(digit);
        if place > 1 && place % 3 == 1 {
            words.push(',');
        }
    }
    words
}
