use crate::MAX_CHARS;
use chrono::{DateTime, Utc};
use kernel::{PageRequest, StaffName, StoreError, StoredText, StoredTextError};
use raffle::RaffleKey;

kernel::id_type! {
    /// The id of a template.
    pub struct TemplateId
}

/// A name that staff choose: one line of 1 to 80 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label(StoredText);

impl Label {
    /// The maximum length, in characters.
    pub const MAX_CHARS: usize = 80;

    /// Parses a name, without spaces around it.
    pub fn parse(text: &str) -> Option<Self> {
        StoredText::line(text, Self::MAX_CHARS).ok().map(Self)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl From<Label> for StoredText {
    fn from(label: Label) -> Self {
        label.0
    }
}

/// The placeholder for the link, unless staff choose another.
pub const DEFAULT_PLACEHOLDER: &str = "{LINK}";
/// The maximum length of a placeholder, in characters.
const PLACEHOLDER_CHARS: usize = 40;
/// The room that is left for a link, in characters: an origin, `/planter/` and a tracking id.
const LINK_CHARS: usize = 100;

/// The end of a campaign's text that does not say how to stop (D68).
const OPT_OUT: &str = " Reply STOP to opt out.";

/// A campaign's message, with a placeholder for each recipient's link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate {
    text: String,
    placeholder: String,
}

/// Why a text is not a message template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageTemplateError {
    /// It is blank.
    Blank,
    /// It has a control character other than a line break or a tab.
    ControlCharacter,
    /// The placeholder is blank, longer than 40 characters, or more than one line.
    Placeholder,
    /// It does not contain the placeholder.
    NoLink,
    /// With its links it would be longer than [`MAX_CHARS`].
    TooLong,
}

impl MessageTemplate {
    /// Parses a message template.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn parse(text: &str, placeholder: &str) -> Result<Self, MessageTemplateError> {
        let text = StoredText::lines(text, usize::MAX).map_err(|error| match error {
            StoredTextError::Blank => MessageTemplateError::Blank,
            StoredTextError::TooLong => MessageTemplateError::TooLong,
            StoredTextError::ControlCharacter => MessageTemplateError::ControlCharacter,
        })?;
        let placeholder = StoredText::line(placeholder, PLACEHOLDER_CHARS)
            .map_err(|_| MessageTemplateError::Placeholder)?;
        let (text, placeholder) = (text.as_str(), placeholder.as_str());
        let links = text.matches(placeholder).count();
        if links == 0 {
            return Err(MessageTemplateError::NoLink);
        }
        let rest = text.replace(placeholder, "").chars().count() + end_of(text).len();
        if rest + links * LINK_CHARS > MAX_CHARS {
            return Err(MessageTemplateError::TooLong);
        }
        Ok(Self {
            text: text.to_owned(),
            placeholder: placeholder.to_owned(),
        })
    }

    /// The message as staff wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The placeholder for the link.
    pub fn placeholder(&self) -> &str {
        &self.placeholder
    }

    /// What a recipient reads: the message with their link in place of every placeholder. It says how to stop, whether or not
    /// the message does.
    pub fn with_link(&self, link: &str) -> String {
        self.text.replace(&self.placeholder, link) + end_of(&self.text)
    }
}

/// Nothing where the message has the word STOP; `NON-STOP` is not it.
fn end_of(message: &str) -> &'static str {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’' | '_');
    match message.split(|c| !is_of_word(c)).any(|word| word == "STOP") {
        true => "",
        false => OPT_OUT,
    }
}

/// A template to be added, or the new content of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTemplate {
    /// The name.
    pub name: Label,
    /// The raffle whose page the link shows to recipients who are in no raffle.
    pub raffle: RaffleKey,
    /// The message.
    pub message: MessageTemplate,
    /// Whether campaigns may be scheduled with it.
    pub is_active: bool,
}

/// A stored template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The id.
    pub id: TemplateId,
    /// The present content.
    pub content: NewTemplate,
    /// Who added it, if a name was given.
    pub created_by: Option<StaffName>,
    /// When it was added.
    pub created_at: chrono::DateTime<chrono::Utc>,
    /// When it was last changed.
    pub updated_at: chrono::DateTime<chrono::Utc>,
}

/// Which templates to list; the default matches all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TemplateFilter {
    /// Only templates whose name or message contains this text. The case of the letters A to Z does not matter.
    pub part: Option<Label>,
}

/// The templates of campaigns.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Templates {
    /// Adds a template.
    fn add_template(
        &mut self,
        new: &NewTemplate,
        created_by: Option<&StaffName>,
        at: DateTime<Utc>,
    ) -> Result<TemplateId, StoreError>;

    /// Changes a template. Returns whether there is one. Campaigns that have started keep the earlier message.
    fn change_template(
        &mut self,
        id: TemplateId,
        new: &NewTemplate,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Sets whether campaigns may be scheduled with a template, and changes nothing else. Returns whether there is one.
    fn switch_template(
        &mut self,
        id: TemplateId,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// The template with this id.
    fn find_template(&self, id: TemplateId) -> Result<Option<Template>, StoreError>;

    /// A part of the templates that match, newest first.
    fn list_templates(&self, filter: &TemplateFilter, page: PageRequest)
    -> Result<Vec<Template>, StoreError>;

    /// The number of templates that match.
    fn count_templates(&self, filter: &TemplateFilter) -> Result<i64, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_how_to_stop() {
        let read = |text: &str| MessageTemplate::parse(text, "{LINK}").unwrap().with_link("L");
        for says in ["{LINK} Reply STOP to end", "{LINK}\nSTOP=end", "(STOP) {LINK}"] {
            assert_eq!(read(says), says.replace("{LINK}", "L"));
        }
        for silent in [
            "Look: {LINK}",
            "NON-STOP fun: {LINK}",
            "Don't stop: {LINK}",
            "STOPS {LINK}",
        ] {
            let text = silent.replace("{LINK}", "L") + " Reply STOP to opt out.";
            assert_eq!(read(silent), text);
        }
    }

    #[test]
    fn every_placeholder_becomes_the_link() {
        let message = MessageTemplate::parse(" STOP? {LINK}! Again: {LINK} ", DEFAULT_PLACEHOLDER).unwrap();
        assert_eq!(message.text(), "STOP? {LINK}! Again: {LINK}");
        assert_eq!(
            message.with_link("https://x.org/p/1"),
            "STOP? https://x.org/p/1! Again: https://x.org/p/1"
        );
        let own = MessageTemplate::parse("STOP? [there]", "[there]").unwrap();
        assert_eq!(
            (own.with_link("L").as_str(), own.placeholder()),
            ("STOP? L", "[there]")
        );
    }

    #[test]
    fn the_first_broken_rule_is_the_error() {
        let long = |chars: usize| "a".repeat(chars) + DEFAULT_PLACEHOLDER;
        for (text, placeholder, error) in [
            ("", "{LINK}", MessageTemplateError::Blank),
            (" \n ", "{LINK}", MessageTemplateError::Blank),
            ("Look\0: {LINK}", "{LINK}", MessageTemplateError::ControlCharacter),
            ("Look: {LINK}", " ", MessageTemplateError::Placeholder),
            ("Look: {LINK}", "{\0}", MessageTemplateError::Placeholder),
            ("Look: {LINK}", "{\n}", MessageTemplateError::Placeholder),
            ("Look: {LINK}", &"x".repeat(41), MessageTemplateError::Placeholder),
            ("Look", "{LINK}", MessageTemplateError::NoLink),
            ("Look: {link}", "{LINK}", MessageTemplateError::NoLink),
            (&long(1_478), "{LINK}", MessageTemplateError::TooLong),
        ] {
            assert_eq!(
                MessageTemplate::parse(text, placeholder),
                Err(error),
                "{text} {placeholder}"
            );
        }
        assert!(MessageTemplate::parse(&long(1_477), "{LINK}").is_ok());
    }

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(Label::parse(" June ").unwrap().as_str(), "June");
        for wrong in ["", " ", "a\nb", &"x".repeat(81)] {
            assert_eq!(Label::parse(wrong), None, "{wrong:?}");
        }
    }
}
