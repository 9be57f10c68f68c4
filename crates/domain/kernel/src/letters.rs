//! Secrets that people read out or copy from a sheet: letters and digits that cannot be taken for others.

use crate::Entropy;

/// Without the letters I and O and the digits 0 and 1.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// `N` random letters, of five bits each.
pub fn random<const N: usize>(entropy: &dyn Entropy) -> String {
    let bytes = entropy.bytes::<N>();
    let letters = bytes
        .iter()
        .filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
    letters.map(|letter| char::from(*letter)).collect()
}

/// Reads `count` letters in either case, with or without dashes and spaces.
pub fn read(typed: &str, count: usize) -> Option<String> {
    let letters: String = typed
        .chars()
        .filter(|typed| !typed.is_whitespace() && *typed != '-')
        .map(|typed| typed.to_ascii_uppercase())
        .collect();
    let are_letters = letters.bytes().all(|letter| ALPHABET.contains(&letter));
    (letters.len() == count && are_letters).then_some(letters)
}

/// The letters in groups with dashes between, as people read them.
pub fn grouped(letters: &str, group: usize) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let groups: Vec<String> = letters
        .chunks(group)
        .map(|group| group.iter().collect())
        .collect();
    groups.join("-")
}
