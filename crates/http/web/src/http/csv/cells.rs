//! Cells that a spreadsheet shows as they are: it runs no formula in them, and makes no other number or date of them.
//!
//! A cell that a spreadsheet would run or change begins with a `'`
//! (<https://owasp.org/www-community/attacks/CSV_Injection>). A spreadsheet that expects another separator cuts cells at
//! commas, semicolons, tabs and line breaks, quoted or not; a formula after one of these gets a `'` of its own.

use std::borrow::Cow;

/// Where some spreadsheet begins a new cell.
const SEPARATORS: [char; 5] = [',', ';', '\t', '\n', '\r'];
/// Characters with which a formula begins, also in their full width.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Whole numbers with more digits are shown rounded.
const MOST_DIGITS: usize = 11;
/// Besides digits, the characters of numbers, amounts, dates and times.
const OF_VALUES: &str = " .,:/-+%()$€£";
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// This text as a cell of a file that we write.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let inner = text.split_inclusive(SEPARATORS).skip(1);
    let is_changed = text.starts_with(['\'', '\t', '\r'])
        || starts_formula(text)
        || inner.clone().any(starts_formula)
        || is_read_as_another_value(text);
    match is_changed {
        true => format!("'{}", mark_formulas(text)).into(),
        false => text.into(),
    }
}

/// The text of a cell. What [`escape`] wrote becomes what it was; every other cell stays as it is, but for `="…"`, which is
/// another way to keep a spreadsheet from changing a cell.
pub(super) fn unescape(cell: &str) -> Cow<'_, str> {
    if let Some(text) = cell.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')) {
        return text.into();
    }
    let Some(marked) = cell.strip_prefix('\'') else {
        return cell.into();
    };
    let text = unmark_formulas(marked);
    match escape(&text) == cell {
        true => text.into(),
        false => cell.into(),
    }
}

fn starts_formula(text: &str) -> bool {
    text.trim_start_matches([' ', '\'']).starts_with(FORMULA)
}

/// Puts a `'` before each formula after a separator.
fn mark_formulas(text: &str) -> String {
    after_separators(text, |part| match starts_formula(part) {
        true => format!("'{part}"),
        false => part.to_owned(),
    })
}

fn unmark_formulas(text: &str) -> String {
    after_separators(text, |part| match part.strip_prefix('\'') {
        Some(rest) if starts_formula(rest) => rest.to_owned(),
        _ => part.to_owned(),
    })
}

fn after_separators(text: &str, change: impl Fn(&str) -> String) -> String {
    let mut parts = text.split_inclusive(SEPARATORS);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| before + &change(part))
}

/// Whether a spreadsheet would take the text for a number, a date or a time, and show something else.
fn is_read_as_another_value(text: &str) -> bool {
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let is_of_value = |c: char| c.is_ascii_digit() || c.is_alphabetic() || OF_VALUES.contains(c);
    let mut words = text.split(|c: char| !c.is_alphabetic());
    has_digit && !is_short_number(text) && text.chars().all(is_of_value) && words.all(is_word_of_value)
}

fn is_short_number(text: &str) -> bool {
    let has_zeros = text.len() > 1 && text.starts_with('0');
    !has_zeros && text.len() <= MOST_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Months, short or whole, halves of a day, and the `e` of an exponent.
fn is_word_of_value(word: &str) -> bool {
    let word = word.to_lowercase();
    let is_month = |month: &str| word.len() >= 3 && month.starts_with(&word);
    matches!(word.as_str(), "" | "e" | "a" | "p" | "am" | "pm") || MONTHS.iter().any(|month| is_month(month))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cell_that_would_run_begins_with_an_apostrophe() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+16465554101", "'+16465554101"),
            ("-1+2", "'-1+2"),
            ("@SUM(A1)", "'@SUM(A1)"),
            (" =1", "' =1"),
            ("＝1+1", "'＝1+1"),
            ("\t=1", "'\t'=1"),
            ("\rx", "'\rx"),
            ("Café 😀;=1+1", "'Café 😀;'=1+1"),
            ("a, =1\nb\t@c", "'a,' =1\nb\t'@c"),
            ("'tis", "''tis"),
        ] {
            assert_eq!(escape(text), cell, "{text}");
        }
    }

    #[test]
    fn a_cell_that_would_change_begins_with_an_apostrophe() {
        for text in [
            "4250107085993647",
            "2026-11",
            "2026-11-29",
            "0012",
            "1E5",
            "1/2",
            "10:30 pm",
            "MAR1",
            "Sept 5, 2026",
            "(646) 555-4101",
            "192.168.100.200",
            "$1,200",
        ] {
            assert_eq!(escape(text), format!("'{text}"));
        }
    }

    #[test]
    fn other_cells_stay_as_they_are() {
        for text in [
            "",
            "0",
            "100",
            "12345678901",
            "garden-bag",
            "Café 😀",
            "a=b",
            "no - stop",
            "May I?",
            "5 friends",
            "2026-11-29T10:00:00Z",
            "AB12CD34",
            "(•••) •••-4101",
        ] {
            assert_eq!(escape(text), text);
        }
    }

    #[test]
    fn cells_of_other_programs_are_read() {
        assert_eq!(unescape("=\"+16465554101\""), "+16465554101");
        assert_eq!(unescape("'tis"), "'tis");
        assert_eq!(unescape("'"), "'");
    }

    proptest! {
        #[test]
        fn what_is_escaped_is_read_back(text in "[-'=+@,; \t\n\ra0-9é/＝]{0,12}|\\PC{0,8}") {
            let cell = escape(&text);
            prop_assert_eq!(unescape(&cell), text.as_str());
            let parts = cell.split(SEPARATORS);
            prop_assert!(parts.into_iter().all(|part| !part.trim_start().starts_with(FORMULA)));
        }
    }
}
