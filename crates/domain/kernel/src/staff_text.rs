//! Numbers and addresses of people in the free text of staff. They would outlive the people's data (D75).

use crate::as_seen::as_seen;
use chrono::NaiveDate;
use std::net::IpAddr;

/// How many digits a phone number has.
const DIGITS: std::ops::RangeInclusive<usize> = 10..=15;
/// What may stand between the digits of a phone number.
const BETWEEN: [char; 8] = [' ', '.', '-', '/', '(', ')', '[', ']'];
/// What stands for a network address that is left out.
const ADDRESS: &str = "[address]";

/// Whether a text holds a phone number: 10 to 15 digits with only spaces, dots, dashes, slashes and brackets between them.
/// Network addresses and dates hold none. Neither do 16 digits in a row: most ids have as many.
pub fn holds_phone_number(text: &str) -> bool {
    let text = replace_words(&as_seen(text), |word| {
        (is_address(word) || is_date(word)).then_some("x")
    });
    text.split(|c: char| !c.is_ascii_digit() && !BETWEEN.contains(&c))
        .any(holds_number)
}

/// Whether some digits that follow each other make up a number.
fn holds_number(run: &str) -> bool {
    let groups: Vec<_> = run
        .split(BETWEEN)
        .map(str::len)
        .filter(|digits| *digits > 0)
        .collect();
    (0..groups.len()).any(|first| {
        let mut digits = 0;
        groups.iter().skip(first).any(|group| {
            digits += group;
            DIGITS.contains(&digits)
        })
    })
}

/// The text without network addresses: `[address]` stands for each.
pub fn without_addresses(text: &str) -> String {
    replace_words(text, |word| is_address(word).then_some(ADDRESS))
}

fn replace_words(text: &str, replacement: impl Fn(&str) -> Option<&'static str>) -> String {
    let replaced = text.split_inclusive(char::is_whitespace).map(|part| {
        let word = part.trim_matches(|c: char| c.is_whitespace() || "()[]{}<>,;.!?'\"".contains(c));
        match replacement(word) {
            Some(other) => part.replacen(word, other, 1),
            None => part.to_owned(),
        }
    });
    replaced.collect()
}

/// An IP address, or a network in CIDR form.
fn is_address(word: &str) -> bool {
    let (address, prefix) = word.split_once('/').unwrap_or((word, "0"));
    address.parse::<IpAddr>().is_ok() && prefix.parse::<u8>().is_ok()
}

fn is_date(word: &str) -> bool {
    NaiveDate::parse_from_str(word, "%Y-%m-%d").is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_are_found_in_any_spelling() {
        for text in [
            "5551234567",
            "Call (555) 123-4567 again",
            "+1 555.123.4567",
            "tel:15551234567;",
            "555/123/4567",
            "44 20 7946 0958",
            "5551234567 5559876543",
            "５５５-１２３-４５６７",
            "555\u{2011}123\u{2011}4567",
            "4250107085993647 or 5551234567",
            "on 2026-11-29 555-123-4567",
        ] {
            assert!(holds_phone_number(text), "{text}");
        }
    }

    #[test]
    fn other_digits_are_no_phone_number() {
        for text in [
            "",
            "Signed up at our booth on 2026-11-29, 10:30",
            "Multiple accounts from IP 198.51.100.200",
            "Network 198.51.100.128/25 (the library's).",
            "ID 4250107085993647",
            "ends in 4567",
            "62701-1234",
            "$1,250 in 12 parts",
        ] {
            assert!(!holds_phone_number(text), "{text}");
        }
    }

    #[test]
    fn network_addresses_are_left_out() {
        for (text, left) in [
            (
                "Multiple accounts from IP 198.51.100.2",
                "Multiple accounts from IP [address]",
            ),
            (
                "Both (2001:db8::1, 192.0.2.0/24).\nVersion 2.0",
                "Both ([address], [address]).\nVersion 2.0",
            ),
            ("No address", "No address"),
        ] {
            assert_eq!(without_addresses(text), left);
        }
    }
}
