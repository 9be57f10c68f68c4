//! Amounts of dollars in texts: `$500`, `500 dollars`, `USD 500`.

use kernel::as_seen;

/// An amount in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Amount {
    /// As it is written.
    pub(super) words: String,
    /// The cents; `None` where it is too large or has parts of cents, so that it is no value of any prize.
    pub(super) cents: Option<i64>,
}

/// The amounts of a text, in order.
pub(super) fn amounts(text: &str) -> Vec<Amount> {
    let text = as_seen(text).replace(['＄', '﹩', '💲'], "$");
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let amount = after_sign(rest).or_else(|| before_unit(rest));
        found.extend(amount.as_ref().map(|(cents, after)| Amount {
            words: rest.strip_suffix(after).unwrap_or(rest).trim_end().to_owned(),
            cents: *cents,
        }));
        rest = match amount {
            Some((_, after)) => after,
            None => without_start(rest),
        };
    }
    found
}

/// The cents of the only amount in a text, such as `$49`; `None` if it has none, or several.
pub fn only_amount(text: &str) -> Option<i64> {
    match amounts(text).as_slice() {
        [amount] => amount.cents,
        _ => None,
    }
}

/// The text without its first number or, where it begins with none, its first character.
fn without_start(text: &str) -> &str {
    match number(text) {
        Some((_, after)) => after,
        None => {
            let mut letters = text.chars();
            letters.next();
            letters.as_str()
        }
    }
}

/// The cents of `$500` or `USD 500`, and what follows.
fn after_sign(text: &str) -> Option<(Option<i64>, &str)> {
    let after = ["us$", "usd $", "usd$", "usd", "$"]
        .iter()
        .find_map(|sign| without(text, sign))?;
    let (cents, after) = number(after.strip_prefix(' ').unwrap_or(after))?;
    Some((cents, after.strip_prefix('+').unwrap_or(after)))
}

/// The cents of `500 dollars`, `500 USD` or `500$`, and what follows.
fn before_unit(text: &str) -> Option<(Option<i64>, &str)> {
    let (cents, after) = number(text)?;
    let after = after.strip_prefix('+').unwrap_or(after);
    let unit = after.strip_prefix([' ', '-']).unwrap_or(after);
    let words = ["us dollars", "us dollar", "dollars", "dollar", "usd"]
        .iter()
        .filter_map(|word| without(unit, word));
    // `10 $24` is a number and an amount.
    let sign = after.strip_prefix('$');
    let ends = |after: &&str| !after.starts_with(char::is_alphanumeric);
    words.chain(sign).find(ends).map(|after| (cents, after))
}

/// The cents of a number of dollars: digits, which may have commas between them, and perhaps a dot and the cents.
fn number(text: &str) -> Option<(Option<i64>, &str)> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (run, _) = span(text, |c| c.is_ascii_digit() || c == ',');
    let run = run.trim_end_matches(',');
    let after = text.strip_prefix(run)?;
    let dollars = run.replace(',', "").parse::<i64>().ok();
    let (digits, end) = span(after.strip_prefix('.').unwrap_or_default(), |c| {
        c.is_ascii_digit()
    });
    let (cents, after) = match (digits.len(), digits.parse::<i64>()) {
        (0, _) => (Some(0), after), // the dot, if any, ends the sentence
        (1, Ok(tens)) => (Some(tens * 10), end),
        (2, Ok(cents)) => (Some(cents), end),
        _ => (None, end),
    };
    let sum = dollars.and_then(|dollars| dollars.checked_mul(100)?.checked_add(cents?));
    Some((sum, after))
}

/// The longest start that consists of such characters, and the rest.
fn span(text: &str, is_of_start: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is_of_start(c)).unwrap_or(text.len()))
}

/// What follows a word, in any case, with which the text begins.
fn without<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (start, after) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_found_in_any_spelling() {
        for (text, words, cents) in [
            ("Worth $500.", "$500", 50_000),
            ("$ 500", "$ 500", 50_000),
            ("$\u{a0}500", "$ 500", 50_000),
            ("worth $150+: tools", "$150+", 15_000),
            ("$1,250", "$1,250", 125_000),
            ("($24.99)", "$24.99", 2_499),
            ("$24.5 each", "$24.5", 2_450),
            ("$0", "$0", 0),
            ("A $500-prize", "$500", 50_000),
            ("US$500", "US$500", 50_000),
            ("USD 500", "USD 500", 50_000),
            ("usd500", "usd500", 50_000),
            ("USD $500", "USD $500", 50_000),
            ("500 USD", "500 USD", 50_000),
            ("500 dollars", "500 dollars", 50_000),
            ("1,250 Dollars!", "1,250 Dollars", 125_000),
            ("a 500-dollar kit", "500-dollar", 50_000),
            ("150+ dollars", "150+ dollars", 15_000),
            ("500 US dollars", "500 US dollars", 50_000),
            ("500$", "500$", 50_000),
            ("in 2026, 24.99 dollars", "24.99 dollars", 2_499),
            ("＄５００", "$500", 50_000),
        ] {
            let cents = Some(cents);
            let words = words.to_owned();
            assert_eq!(amounts(text), [Amount { words, cents }], "{text}");
        }
    }

    #[test]
    fn each_amount_is_found() {
        let words = |text| {
            amounts(text)
                .into_iter()
                .map(|found| found.words)
                .collect::<Vec<_>>()
        };
        assert_eq!(words("$38, $24 or 22 dollars"), ["$38", "$24", "22 dollars"]);
        assert_eq!(words("10 $24.99 $5"), ["$24.99", "$5"]);
        assert_eq!(words("$100-$200"), ["$100", "$200"]);
    }

    #[test]
    fn no_prize_is_worth_parts_of_cents_or_more_than_there_is() {
        for text in [
            "$1.500",
            "1.250 dollars",
            "$99999999999999999999",
            "$999999999999999999",
        ] {
            assert_eq!(
                amounts(text).first().map(|found| found.cents),
                Some(None),
                "{text}"
            );
        }
    }

    #[test]
    #[rustfmt::skip]
    fn other_numbers_are_no_amounts() {
        for text in [
            "", "{VALUE}", "worth {VALUE}+", "500", "500 seeds", "In 2026", "$", "$ and 5", "dollars", "USD", "$five",
            "Ten dollars", "5 dollarbirds", "A$AP", "50% of 10", "1.5 l", "24 ounces, 20 ounces", "$\u{a0}\u{a0}5", "5 usdx",
            "sand dollars 5",
        ] {
            assert_eq!(amounts(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            amounts(&text);
        }

        #[test]
        fn every_amount_is_read(dollars in 0..1_000_000i64, cents in 0..100i64) {
            for text in [format!("a ${dollars}.{cents:02}."), format!("{dollars}.{cents:02} dollars")] {
                let found: Vec<_> = amounts(&text).iter().map(|found| found.cents).collect();
                prop_assert_eq!(found, [Some(dollars * 100 + cents)]);
            }
        }
    }
}
