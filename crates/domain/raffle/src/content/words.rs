//! What no text of a content may hold, or what only some may.

use kernel::holds_phone_number;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

const JOINER: char = '\u{200d}';
/// It makes a digit before it a key of a phone.
const KEYCAP: char = '\u{20e3}';

/// Whether a text holds a phone number, be it in keycaps or circles.
pub(super) fn holds_number(text: &str) -> bool {
    let plain: String = text.nfkc().filter(|c| *c != KEYCAP).collect();
    holds_phone_number(&plain)
}

/// Common top-level domains, and those of short links.
const TOP_LEVEL_DOMAINS: [&str; 35] = [
    "ai", "app", "biz", "ca", "cc", "club", "co", "com", "dev", "edu", "eu", "gg", "gov", "info", "io",
    "link", "live", "ly", "me", "net", "news", "online", "org", "page", "shop", "site", "store", "tech",
    "top", "tv", "uk", "us", "vip", "website", "xyz",
];

/// Whether a text holds a web address: `://`, a word that begins with `www.`, or a word, a dot and a common top-level
/// domain.
pub(super) fn holds_web_address(text: &str) -> bool {
    // Full-width and ornamental letters are letters to browsers too.
    let plain: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let mut words = plain.split(|c: char| !c.is_alphanumeric() && c != '.');
    plain.contains("://") || words.any(|word| word.starts_with("www.") || is_domain(word))
}

fn is_domain(word: &str) -> bool {
    let labels = word.split('.');
    labels
        .clone()
        .zip(labels.skip(1))
        .any(|(before, label)| !before.is_empty() && TOP_LEVEL_DOMAINS.contains(&label))
}

/// The flags of England, Scotland and Wales: a black flag with letters that nobody sees, which could otherwise hold any
/// text.
const FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Whether a text holds a character that nobody sees, or that sets the direction of others. Line breaks are not meant.
///
/// An emoji may have them: a joiner between two symbols, the choice of glyph after a symbol or the digit of a keycap,
/// and the letters of three flags.
pub(super) fn holds_invisible(text: &str) -> bool {
    let text = FLAGS
        .iter()
        .fold(text.to_owned(), |text, flag| text.replace(flag, "\u{1f3f4}"));
    let mut before = '\0';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let after = letters.peek().copied().unwrap_or('\0');
        let is_of_emoji = match letter {
            JOINER => ends_symbol(before) && is_symbol(after),
            '\u{fe0e}' | '\u{fe0f}' => is_symbol(before) || is_of_keycap(before),
            _ => false,
        };
        if !is_of_emoji && letter != '\n' && is_invisible(letter) {
            return true;
        }
        before = letter;
    }
    false
}

/// Whether it is of the general categories of all emoji, or one of the five others. Keycaps and skin tones are not meant.
/// Source: Unicode's `Emoji` property.
fn is_symbol(letter: char) -> bool {
    use GeneralCategory::{MathSymbol, OtherSymbol};
    let is_of_category = || matches!(get_general_category(letter), OtherSymbol | MathSymbol);
    matches!(letter, '‼' | '⁉' | '〰' | '〽' | 'ℹ') || (!letter.is_ascii() && is_of_category())
}

/// A symbol may have a skin tone or a choice of glyph.
fn ends_symbol(letter: char) -> bool {
    is_symbol(letter) || matches!(letter, '\u{1f3fb}'..='\u{1f3ff}' | '\u{fe0f}')
}

fn is_of_keycap(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, '#' | '*')
}

fn is_invisible(letter: char) -> bool {
    use GeneralCategory as Category;
    match get_general_category(letter) {
        Category::Control
        | Category::Format
        | Category::PrivateUse
        | Category::Surrogate
        | Category::Unassigned
        | Category::LineSeparator
        | Category::ParagraphSeparator => true,
        Category::SpaceSeparator => !matches!(letter, ' ' | '\u{a0}'),
        _ => is_blank(letter),
    }
}

/// Letters, marks and symbols that show nothing: Unicode's `Default_Ignorable_Code_Point`, such as the fillers of Hangul and
/// the choices of glyph, the blank of Braille and the note without a head.
fn is_blank(letter: char) -> bool {
    matches!(
        letter,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' | '\u{34f}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{1d159}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_each(holds: fn(&str) -> bool, refused: &[&str], passing: &[&str]) {
        assert!(refused.len() >= 15 && passing.len() >= 15);
        for text in refused {
            assert!(holds(text), "{text:?} passes");
        }
        for text in passing {
            assert!(!holds(text), "{text:?} is refused");
        }
    }

    #[test]
    #[rustfmt::skip]
    fn phone_numbers_are_refused() {
        assert_each(
            holds_number,
            &[
                "5551234567", "Call (555) 123-4567", "+1 555.123.4567", "555/123/4567", "[555] 123 4567",
                "44 20 7946 0958", "tel:15551234567;", "５５５-１２３-４５６７", "555\u{2011}123\u{2011}4567",
                "555\u{a0}123\u{a0}4567", "5-5-5-1-2-3-4-5-6-7", "123456789012345",
                "5️⃣5️⃣5️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣", "⑤⑤⑤①②③④⑤⑥⑦", "٥٥٥١٢٣٤٥٦٧", "Text us: 1 (800) 555 0100!",
            ],
            &[
                "", "Ten packets", "16 quarts", "555-1234", "24 ounces, 20 ounces", "$1,250 in 12 parts", "62701-1234",
                "Sizes 6/7/8/9", "1st to 31st", "On 2026-11-29", "Drawn 2026-11-29, 10:30", "4250107085993647",
                "100% cotton, 4 x 12 inches", "12345 and 67890", "1:50:250:500", "1️⃣ 2️⃣ 3️⃣",
            ],
        );
    }

    #[test]
    #[rustfmt::skip]
    fn web_addresses_are_refused() {
        assert_each(
            holds_web_address,
            &[
                "example.com", "Example.COM", "See http://localhost", "ftp://x", "WWW.example", "www.example.museum",
                "Go to shop.example.co.uk!", "bit.ly/abc", "(my-garden.org)", "me@example.net", "example.com.",
                "example.com-great", "ｅｘａｍｐｌｅ．ｃｏｍ", "größe.info", "discord.gg", "7.tv", "_a.xyz_",
            ],
            &[
                "", "Sizes S to XL. Cotton", "1.5 l", "shop.Now", "Pots. Plants. Soil.", "Made in the U.S. by hand",
                "a.m. to p.m.", "Com net org", "Well ... me", "wait…me", "wait...me", "No. 5", "Awww. So cute", "3.5.2",
                "example.community", ".com", "Tea/Coffee: both", "e.g. a trowel", "St. Ives",
            ],
        );
    }

    #[test]
    #[rustfmt::skip]
    fn invisible_characters_are_refused() {
        assert_each(
            holds_invisible,
            &[
                "a\0b", "a\tb", "a\rb", "a\u{85}b", "a\u{ad}b", "a\u{200b}b", "a\u{200d}b", "1\u{200d}2", "❤\u{200d}",
                "\u{200d}❤", "a\u{fe0f}", "❤\u{fe0f}\u{fe0f}", "a\u{202e}b", "a\u{2066}b\u{2069}", "\u{200e}a", "\u{feff}a",
                "\u{e000}", "\u{378}", "\u{10ffff}", "a\u{2028}b", "a\u{2029}b", "a\u{2003}b", "a\u{3000}b", "\u{3164}",
                "\u{115f}", "\u{1160}", "\u{ffa0}", "\u{2800}", "a\u{34f}b", "❤\u{fe00}", "字\u{e0100}", "a\u{e0041}",
                "\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}",
            ],
            &[
                "", "Plain text, 100%!", "two\nlines", "no\u{a0}break", "É e\u{301} ß ñ 漢字 עברית عربي", "“Quotes” – and — dashes…",
                "👨‍👩‍👧", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣ #️⃣ *️⃣", "❤️", "❤\u{fe0e}", "👩🏽‍🌾", "🏳️‍🌈", "👁️‍🗨️", "❤️‍🔥", "🙂‍↔️", "🇺🇸", "©️ ™️ ‼️ ℹ️ 〰️ ↔️", "🌱🍅🎁",
            ],
        );
    }
}
