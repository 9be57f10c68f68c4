/// The name that a member of staff signs in with: lowercase letters a–z, digits, `.`, `-` and `_`, so that no two names look
/// alike (D75).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffName(String);

impl StaffName {
    /// The maximum length, in characters.
    pub const MAX_CHARS: usize = 256;

    /// Parses a name of 1 to [`StaffName::MAX_CHARS`] characters. Spaces around it are left out, and capitals count as small
    /// letters.
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.trim().to_ascii_lowercase();
        let is_allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-_".contains(&byte);
        let is_name = (1..=Self::MAX_CHARS).contains(&name.len()) && name.bytes().all(is_allowed);
        is_name.then_some(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_letters_digits_and_three_signs_so_that_none_looks_like_another() {
        for (typed, name) in [
            (" anna ", "anna"),
            ("Root", "root"),
            ("ben_o-neill.2", "ben_o-neill.2"),
        ] {
            assert_eq!(StaffName::parse(typed).unwrap().as_str(), name);
        }
        let lookalikes = [
            "r\u{43e}ot",
            "root\u{200b}",
            "ro\u{f6}t",
            "ro\u{131}t",
            "\u{212a}im",
        ];
        let broken = ["", " ", "a b", "a\0b", "a\nb", "a@b", &"x".repeat(257)];
        for wrong in lookalikes.iter().chain(&broken) {
            assert_eq!(StaffName::parse(wrong), None, "{wrong:?}");
        }
    }
}
