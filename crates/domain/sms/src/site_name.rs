use crate::{Encoding, segments};

/// The longest name of a site, in characters, so that texts with it stay short.
pub const MAX_SITE_NAME: usize = 30;

/// Whether texts can name a site so: without signs that mean something in HTML or XML, and in the GSM alphabet, because
/// one other character doubles the price of every text.
pub fn is_site_name(name: &str) -> bool {
    let is_usual = |c: char| c.is_alphanumeric() || " .,'&!+-".contains(c);
    (1..=MAX_SITE_NAME).contains(&name.chars().count())
        && name.chars().all(is_usual)
        && name.chars().any(char::is_alphanumeric)
        && segments(name).encoding == Encoding::Gsm7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_a_short_name_in_the_alphabet_of_texts() {
        let longest = "n".repeat(MAX_SITE_NAME);
        for name in ["Tombola", "Bees & Co.", "Müller's 4-Leaf Raffle", &longest] {
            assert!(is_site_name(name), "{name}");
        }
        let too_long = "n".repeat(MAX_SITE_NAME + 1);
        for name in [
            "", " ", "-", "Tómbola", "Сад", "a\nb", "<b>", "\"a\"", "a\\", "{a}", "a%", &too_long,
        ] {
            assert!(!is_site_name(name), "{name}");
        }
    }
}
