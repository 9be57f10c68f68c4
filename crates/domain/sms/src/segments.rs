//! The segments of a message, each of which costs the price of one message. Sources: 3GPP TS 23.038 (the GSM alphabet)
//! and TS 23.040 (segments).

/// The encoding of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::IntoStaticStr)]
pub enum Encoding {
    /// Seven bits per character, for messages in the GSM alphabet.
    #[strum(serialize = "GSM-7")]
    Gsm7,
    /// Sixteen bits per character, for all others.
    #[strum(serialize = "UCS-2")]
    Ucs2,
}

impl Encoding {
    /// The name, such as `GSM-7`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The size of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments {
    /// The encoding.
    pub encoding: Encoding,
    /// The length in septets or UTF-16 code units.
    pub units: usize,
    /// The number of segments.
    pub count: usize,
}

/// The maximum number of characters that the provider accepts in one message.
pub const MAX_CHARS: usize = 1_600;

const BASIC: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?\
                     ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/// Each of these characters takes two septets: an escape and the character.
const EXTENSION: &str = "\u{c}^{}\\[~]|€";

/// Counts the segments of a message. A message that does not fit into one is split, and each segment then has a header.
pub fn segments(text: &str) -> Segments {
    match text.chars().map(septets).collect::<Option<Vec<_>>>() {
        Some(sizes) => Segments {
            encoding: Encoding::Gsm7,
            units: sizes.iter().sum(),
            count: count_segments(&sizes, 160, 153),
        },
        None => {
            let sizes: Vec<_> = text.chars().map(char::len_utf16).collect();
            Segments {
                encoding: Encoding::Ucs2,
                units: sizes.iter().sum(),
                count: count_segments(&sizes, 70, 67),
            }
        }
    }
}

fn septets(character: char) -> Option<usize> {
    if BASIC.contains(character) {
        return Some(1);
    }
    EXTENSION.contains(character).then_some(2)
}

/// Counts the segments for characters of these sizes: one if all fit into `single`, or else as many of size `part` as
/// are needed. A character is never split, so a segment may stay a unit short.
fn count_segments(sizes: &[usize], single: usize, part: usize) -> usize {
    if sizes.iter().sum::<usize>() <= single {
        return 1;
    }
    let mut count = 1;
    let mut used = 0;
    for size in sizes {
        used += size;
        if used > part {
            count += 1;
            used = *size;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_split_by_encoding_and_length() {
        for (text, encoding, units, count) in [
            ("".to_owned(), Encoding::Gsm7, 0, 1),
            ("a".repeat(160), Encoding::Gsm7, 160, 1),
            ("a".repeat(161), Encoding::Gsm7, 161, 2),
            ("a".repeat(306), Encoding::Gsm7, 306, 2),
            ("a".repeat(307), Encoding::Gsm7, 307, 3),
            ("€".repeat(80), Encoding::Gsm7, 160, 1),
            ("€".repeat(81), Encoding::Gsm7, 162, 2),
            ("ж".repeat(70), Encoding::Ucs2, 70, 1),
            ("ж".repeat(71), Encoding::Ucs2, 71, 2),
            ("ж".repeat(134), Encoding::Ucs2, 134, 2),
            ("ж".repeat(135), Encoding::Ucs2, 135, 3),
            ("a".repeat(70) + "’", Encoding::Ucs2, 71, 2),
            ("😀".repeat(35), Encoding::Ucs2, 70, 1),
        ] {
            let expected = Segments {
                encoding,
                units,
                count,
            };
            assert_eq!(segments(&text), expected, "{text}");
        }
    }

    #[test]
    fn encodings_have_the_names_of_the_standard() {
        assert_eq!(
            [Encoding::Gsm7, Encoding::Ucs2].map(Encoding::as_str),
            ["GSM-7", "UCS-2"]
        );
    }

    #[test]
    fn no_character_is_split() {
        // The euro sign does not fit after 152 units: the second segment begins with it.
        let text = "a".repeat(152) + "€" + &"a".repeat(151);
        assert_eq!(segments(&text).units, 305);
        assert_eq!(segments(&text).count, 2);
        assert_eq!(segments(&(text + "a")).count, 3);
        let pairs = "ж".repeat(66) + "😀" + &"ж".repeat(66);
        assert_eq!(segments(&pairs).count, 3);
    }

    #[test]
    fn the_alphabet_has_127_characters_and_its_extension_ten() {
        assert_eq!(BASIC.chars().count(), 127, "without the escape");
        assert_eq!(EXTENSION.chars().count(), 10);
    }
}
