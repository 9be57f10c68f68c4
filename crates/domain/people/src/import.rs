//! The import of people from a CSV file: the rules of its lines.

use kernel::{
    EntrantId, PersonSalt, PersonTag, Phone, ReferralCode, StoredText, StoredTextError, holds_phone_number,
};
use raffle::RaffleKey;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};

/// The names of the columns.
pub const IMPORT_COLUMNS: [&str; 3] = ["phoneNumber", "landingPage", "consentBasis"];
/// How many people one file may have.
pub const MOST_IMPORTED: usize = 100_000;
/// How many people of one file a single member of staff may import where two decide (`TWO_PERSON`).
pub const MOST_IMPORTED_ALONE: usize = 1_000;
/// How many characters the basis of a consent may have.
pub const MOST_BASIS_CHARS: usize = 500;

/// A line of a file that can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportLine {
    /// Its number in the file; the line with the names of the columns is the first one.
    pub line: u64,
    /// The number.
    pub phone: Phone,
    /// The raffle to enter.
    pub raffle: RaffleKey,
    /// Why we may text the number, in the words of staff.
    pub consent_basis: StoredText,
}

/// A file all of whose lines can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFile {
    /// Its lines.
    pub lines: Vec<ImportLine>,
    /// The SHA-256 of its bytes, in hexadecimal digits: two people who have the file agree to the same one.
    pub sha256: String,
}

impl ImportFile {
    /// A file with these bytes, which have these lines.
    pub fn new(bytes: &[u8], lines: Vec<ImportLine>) -> Self {
        Self {
            lines,
            sha256: hex::encode(Sha256::digest(bytes)),
        }
    }

    /// Whether one member of staff may import so many people alone.
    pub const fn is_for_one(&self) -> bool {
        self.lines.len() <= MOST_IMPORTED_ALONE
    }

    /// How many lines are for which raffle: `picnic 3, summer-box 1200`.
    pub fn raffles(&self) -> String {
        let mut counts = BTreeMap::<RaffleKey, usize>::new();
        for line in &self.lines {
            *counts.entry(line.raffle).or_default() += 1;
        }
        let named: Vec<_> = counts
            .iter()
            .map(|(raffle, count)| format!("{raffle} {count}"))
            .collect();
        named.join(", ")
    }
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number in the file, as in [`ImportLine`].
    pub line: u64,
    /// A sentence for staff.
    pub error: String,
}

/// A person to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPerson {
    /// The id.
    pub id: EntrantId,
    /// The number.
    pub phone: Phone,
    /// The referral code.
    pub referral_code: ReferralCode,
    /// The raffle.
    pub raffle: RaffleKey,
    /// Why we may text the number.
    pub consent_basis: StoredText,
    /// Binds the number to the lists of drawings.
    pub salt: PersonSalt,
}

impl NewPerson {
    /// What stands for the person in the lists of drawings.
    pub fn tag(&self) -> PersonTag {
        PersonTag::of(&self.salt, &self.phone)
    }
}

/// Reads lines, each with its number in the file and its cells in the order of [`IMPORT_COLUMNS`]. All bad lines are found.
///
/// # Errors
/// The bad lines, in their order; at least one.
pub fn read_lines(
    lines: impl IntoIterator<Item = (u64, [String; 3])>,
) -> Result<Vec<ImportLine>, Vec<BadLine>> {
    let mut seen: HashMap<Phone, u64> = HashMap::new();
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for (line, cells) in lines {
        let read = read_line(line, &cells).and_then(|read| match seen.insert(read.phone.clone(), line) {
            None => Ok(read),
            Some(first) => Err(format!("The number stands in line {first} already")),
        });
        match read {
            Ok(read) => good.push(read),
            Err(error) => bad.push(BadLine { line, error }),
        }
    }
    match bad.is_empty() {
        true => Ok(good),
        false => Err(bad),
    }
}

fn read_line(line: u64, [phone, raffle, basis]: &[String; 3]) -> Result<ImportLine, String> {
    let phone = Phone::parse(phone.trim()).map_err(|_| "The phone number is not valid")?;
    let raffle = raffle
        .trim()
        .parse()
        .map_err(|_| "There is no such landing page")?;
    if holds_phone_number(basis) {
        return Err("The basis of the consent must not hold a phone number".to_owned());
    }
    let consent_basis = StoredText::line(basis, MOST_BASIS_CHARS).map_err(|error| match error {
        StoredTextError::Blank => "The basis of the consent is missing".to_owned(),
        StoredTextError::TooLong => {
            format!("The basis of the consent must have at most {MOST_BASIS_CHARS} characters")
        }
        StoredTextError::ControlCharacter => "The basis of the consent must be one line".to_owned(),
    })?;
    Ok(ImportLine {
        line,
        phone,
        raffle,
        consent_basis,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::FRESH_SIPS;

    fn line(number: u64, cells: [&str; 3]) -> (u64, [String; 3]) {
        (number, cells.map(str::to_owned))
    }

    #[test]
    fn good_lines_are_read_in_any_spelling_of_a_number() {
        let lines = [
            line(2, ["(555) 123-4567", "garden-bag", " Signed up at our booth "]),
            line(3, ["+15559876543", " fresh-sips", "Asked by mail"]),
        ];
        let read = read_lines(lines).unwrap();
        let numbers: Vec<_> = read.iter().map(|line| line.phone.as_e164()).collect();
        assert_eq!(numbers, ["+15551234567", "+15559876543"]);
        assert_eq!(read[1].raffle, FRESH_SIPS);
        assert_eq!(read[0].consent_basis.as_str(), "Signed up at our booth");
    }

    #[test]
    fn every_bad_line_is_found_with_its_reason() {
        let long = "x".repeat(MOST_BASIS_CHARS + 1);
        let lines = [
            line(2, ["5551234567", "garden-bag", "Booth"]),
            line(3, ["555", "garden-bag", "Booth"]),
            line(4, ["5551234568", "Garden Bag", "Booth"]),
            line(5, ["5551234569", "garden-bag", " "]),
            line(6, ["5551234570", "garden-bag", &long]),
            line(7, ["+1 555 123 4567", "fresh-sips", "Booth"]),
            line(8, ["5551234571", "fresh-sips", "Friend of 555-123-4567"]),
        ];
        let bad = read_lines(lines).unwrap_err();
        let bad: Vec<_> = bad.iter().map(|bad| (bad.line, bad.error.as_str())).collect();
        assert_eq!(
            bad,
            [
                (3, "The phone number is not valid"),
                (4, "There is no such landing page"),
                (5, "The basis of the consent is missing"),
                (6, "The basis of the consent must have at most 500 characters"),
                (7, "The number stands in line 2 already"),
                (8, "The basis of the consent must not hold a phone number"),
            ]
        );
    }
}
