use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoredText, StoredTextError};

/// What staff noted about an entrant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// Tags, in the order in which staff gave them.
    pub tags: Vec<String>,
    /// Notes; empty when there are none.
    pub notes: String,
}

/// A change of what staff noted. A part that is `None` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonEdit {
    /// The entrant.
    pub entrant: EntrantId,
    /// The tags from now on, as [`read_tags`] gives them.
    pub tags: Option<Vec<String>>,
    /// The notes from now on, as [`read_notes`] gives them.
    pub notes: Option<String>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// Why tags or notes are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotesError {
    /// More than [`Notes::MOST_TAGS`].
    #[error("Must have at most 20 tags")]
    TooManyTags,
    /// A tag that is blank, too long or has control characters.
    #[error("A tag must be one line of 1 to 40 characters")]
    BadTag,
    /// Notes that are too long.
    #[error("Must have at most 5,000 characters")]
    TooLong,
    /// Notes with control characters.
    #[error("Must not contain control characters")]
    ControlCharacter,
}

impl Notes {
    /// The most tags of one entrant.
    pub const MOST_TAGS: usize = 20;
    /// The most characters of a tag.
    pub const TAG_CHARS: usize = 40;
    /// The most characters of notes.
    pub const NOTES_CHARS: usize = 5_000;
}

/// Reads tags: trimmed, in lower case, each one once.
///
/// # Errors
/// [`NotesError::TooManyTags`] and [`NotesError::BadTag`].
pub fn read_tags(typed: &[String]) -> Result<Vec<String>, NotesError> {
    let mut tags: Vec<String> = Vec::new();
    for text in typed {
        let lower = text.to_lowercase();
        let tag = StoredText::line(&lower, Notes::TAG_CHARS).map_err(|_| NotesError::BadTag)?;
        if !tags.iter().any(|known| known == tag.as_str()) {
            tags.push(tag.into());
        }
        // Checked at each tag, so that a list of any length costs little.
        if tags.len() > Notes::MOST_TAGS {
            return Err(NotesError::TooManyTags);
        }
    }
    Ok(tags)
}

/// Reads notes, which may have several lines or be blank.
///
/// # Errors
/// [`NotesError::TooLong`] and [`NotesError::ControlCharacter`].
pub fn read_notes(typed: &str) -> Result<String, NotesError> {
    match StoredText::lines(typed, Notes::NOTES_CHARS) {
        Ok(notes) => Ok(notes.into()),
        Err(StoredTextError::Blank) => Ok(String::new()),
        Err(StoredTextError::TooLong) => Err(NotesError::TooLong),
        Err(StoredTextError::ControlCharacter) => Err(NotesError::ControlCharacter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(typed: &[&str]) -> Result<Vec<String>, NotesError> {
        read_tags(&typed.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn tags_are_trimmed_in_lower_case_and_unique() {
        assert_eq!(tags(&[" VIP ", "press", "vip"]).unwrap(), ["vip", "press"]);
        assert_eq!(tags(&["é".repeat(40).as_str()]).unwrap().len(), 1);
        for bad in ["", "  ", "a\nb", "a\0b", &"é".repeat(41)] {
            assert_eq!(tags(&[bad]), Err(NotesError::BadTag), "{bad:?}");
        }
    }

    #[test]
    fn twenty_tags_are_the_most() {
        let many: Vec<_> = (0..21).map(|n| n.to_string()).collect();
        assert_eq!(read_tags(&many), Err(NotesError::TooManyTags));
        assert_eq!(read_tags(&many[..20]).unwrap().len(), 20);
    }

    #[test]
    fn notes_may_be_blank_and_have_lines() {
        assert_eq!(read_notes(" a\nb \n").unwrap(), "a\nb");
        assert_eq!(read_notes(" ").unwrap(), "");
        assert_eq!(read_notes(&"x".repeat(5_001)), Err(NotesError::TooLong));
        assert_eq!(read_notes("a\0"), Err(NotesError::ControlCharacter));
    }
}
