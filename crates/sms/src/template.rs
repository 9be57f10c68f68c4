use crate::MAX_CHARS;
use chrono::{DateTime, Utc};
use kernel::Raffle;
use kernel::StoreError;

kernel::id_type! {
    /// The id of a template.
    pub struct TemplateId
}

/// A name that staff give: not blank, one line, at most 80 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label(String);

impl Label {
    /// The longest, in characters.
    pub const MAX_CHARS: usize = 80;

    /// The name without spaces around it, if it can be one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits =
            (1..=Self::MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        fits.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The placeholder that stands for the link, unless another is given.
pub const DEFAULT_PLACEHOLDER: &str = "{LINK}";
/// Room for the longest link there can be: an origin, `/planter/` and a tracking id.
const LINK_CHARS: usize = 100;

/// What a campaign says, with a placeholder where each recipient's own link is to stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate {
    text: String,
    placeholder: String,
}

/// Why a text cannot be a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageTemplateError {
    /// There is nothing in it.
    Blank,
    /// The placeholder is blank, longer than 40 characters, or more than one line.
    Placeholder,
    /// It does not contain the placeholder.
    NoLink,
    /// With links in it, it would be longer than the provider takes.
    TooLong,
}

impl MessageTemplate {
    /// The message, if it can be one.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn parse(text: &str, placeholder: &str) -> Result<Self, MessageTemplateError> {
        let (text, placeholder) = (text.trim(), placeholder.trim());
        if text.is_empty() {
            return Err(MessageTemplateError::Blank);
        }
        let is_line = !placeholder.chars().any(char::is_control);
        if !(1..=40).contains(&placeholder.chars().count()) || !is_line {
            return Err(MessageTemplateError::Placeholder);
        }
        let links = text.matches(placeholder).count();
        if links == 0 {
            return Err(MessageTemplateError::NoLink);
        }
        let rest = text.replace(placeholder, "").chars().count();
        if text.chars().count() > MAX_CHARS || rest + links * LINK_CHARS > MAX_CHARS {
            return Err(MessageTemplateError::TooLong);
        }
        Ok(Self {
            text: text.to_owned(),
            placeholder: placeholder.to_owned(),
        })
    }

    /// As staff wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands for the link.
    pub fn placeholder(&self) -> &str {
        &self.placeholder
    }

    /// As one recipient gets it.
    pub fn with_link(&self, link: &str) -> String {
        self.text.replace(&self.placeholder, link)
    }
}

/// What staff say of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTemplate {
    /// What it is called.
    pub name: Label,
    /// Whose raffle it tells of: for recipients who are in none.
    pub raffle: Raffle,
    /// What it says.
    pub message: MessageTemplate,
    /// Whether campaigns may be scheduled with it.
    pub is_active: bool,
}

/// A template that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Which.
    pub id: TemplateId,
    /// What staff said of it last.
    pub content: NewTemplate,
    /// Since when.
    pub created_at: chrono::DateTime<chrono::Utc>,
    /// When it was last changed.
    pub updated_at: chrono::DateTime<chrono::Utc>,
}

/// What campaigns say.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Templates {
    /// Adds a template.
    fn add_template(&mut self, new: &NewTemplate, at: DateTime<Utc>) -> Result<TemplateId, StoreError>;

    /// Changes a template; whether there is one. Campaigns that have begun are not changed.
    fn change_template(
        &mut self,
        id: TemplateId,
        new: &NewTemplate,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// The template with this number.
    fn find_template(&self, id: TemplateId) -> Result<Option<Template>, StoreError>;

    /// All of them, newest first.
    fn list_templates(&self) -> Result<Vec<Template>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_its_placeholder_and_gives_each_recipient_their_link() {
        let message = MessageTemplate::parse(" Look: {LINK}! Again: {LINK} ", DEFAULT_PLACEHOLDER).unwrap();
        assert_eq!(message.text(), "Look: {LINK}! Again: {LINK}");
        assert_eq!(
            message.with_link("https://x.org/p/1"),
            "Look: https://x.org/p/1! Again: https://x.org/p/1"
        );
        let own = MessageTemplate::parse("Look: [there]", "[there]").unwrap();
        assert_eq!(
            (own.with_link("L").as_str(), own.placeholder()),
            ("Look: L", "[there]")
        );
    }

    #[test]
    fn what_can_be_no_message_says_why() {
        let long = |chars: usize| "a".repeat(chars) + DEFAULT_PLACEHOLDER;
        for (text, placeholder, error) in [
            ("", "{LINK}", MessageTemplateError::Blank),
            (" \n ", "{LINK}", MessageTemplateError::Blank),
            ("Look: {LINK}", " ", MessageTemplateError::Placeholder),
            ("Look: {LINK}", "{\n}", MessageTemplateError::Placeholder),
            ("Look: {LINK}", &"x".repeat(41), MessageTemplateError::Placeholder),
            ("Look", "{LINK}", MessageTemplateError::NoLink),
            ("Look: {link}", "{LINK}", MessageTemplateError::NoLink),
            (&long(1_501), "{LINK}", MessageTemplateError::TooLong),
        ] {
            assert_eq!(
                MessageTemplate::parse(text, placeholder),
                Err(error),
                "{text} {placeholder}"
            );
        }
        assert!(MessageTemplate::parse(&long(1_500), "{LINK}").is_ok());
    }

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(Label::parse(" June ").unwrap().as_str(), "June");
        for wrong in ["", " ", "a\nb", &"x".repeat(81)] {
            assert_eq!(Label::parse(wrong), None, "{wrong:?}");
        }
    }
}
