use crate::MAX_CHARS;
use chrono::{DateTime, Utc};
use kernel::{StaffName, StoreError, StoredText, StoredTextError};
use raffle::RaffleKey;

/// The forms in which a welcome message may ask for the entrant's referral link.
pub const WELCOME_PLACEHOLDERS: [&str; 8] = [
    "[your-link]",
    "{your-link}",
    "[LINK]",
    "{LINK}",
    "[USER_LINK]",
    "{USER_LINK}",
    "[REFERRAL_LINK]",
    "{REFERRAL_LINK}",
];

/// The welcome message of a raffle for which staff have written none.
pub fn default_welcome(site_name: &str) -> String {
    format!(
        "{site_name}: you're entered in our free monthly raffle. Share your link and get +1 entry for each friend who \
         joins: [your-link] Reply STOP to get no more texts."
    )
}

/// The room that is left for a referral link, in characters.
const LINK_CHARS: usize = 100;

/// The welcome message to new entrants of one raffle. It may contain placeholders for the entrant's referral link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WelcomeMessage(String);

impl WelcomeMessage {
    /// Parses a message, which may have several lines.
    ///
    /// # Errors
    /// The first rule that it breaks. It is also too long if it would be longer than [`MAX_CHARS`] with its links.
    pub fn parse(text: &str) -> Result<Self, StoredTextError> {
        let message = Self(StoredText::lines(text, MAX_CHARS)?.into());
        let longest = message.with_link(&"x".repeat(LINK_CHARS));
        if longest.chars().count() > MAX_CHARS {
            return Err(StoredTextError::TooLong);
        }
        Ok(message)
    }

    /// The message as staff wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The message with the entrant's referral link in place of every placeholder.
    pub fn with_link(&self, link: &str) -> String {
        welcome_message(&self.0, link)
    }
}

/// The message with the entrant's referral link in place of every placeholder.
pub fn welcome_message(message: &str, link: &str) -> String {
    // In one pass, so that a placeholder within the link is not replaced.
    let mut text = String::with_capacity(message.len() + link.len());
    let mut rest = message;
    while let Some((at, placeholder)) = first_placeholder(rest) {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        text.push_str(link);
        rest = after.strip_prefix(placeholder).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

fn first_placeholder(text: &str) -> Option<(usize, &'static str)> {
    WELCOME_PLACEHOLDERS
        .into_iter()
        .filter_map(|placeholder| Some((text.find(placeholder)?, placeholder)))
        .min()
}

/// The welcome message of one raffle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WelcomeTemplate {
    /// The raffle.
    pub raffle: RaffleKey,
    /// The message.
    pub message: WelcomeMessage,
    /// Whether new entrants get a text. An inactive message is not replaced by the default one.
    pub is_active: bool,
    /// Who added it, if a name was given.
    pub created_by: Option<StaffName>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
}

/// The welcome messages, by raffle.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait WelcomeTemplates {
    /// Adds the message of a raffle as active. Returns `false`, and changes nothing, if there is one.
    fn add_welcome(
        &mut self,
        raffle: RaffleKey,
        message: &WelcomeMessage,
        created_by: Option<&StaffName>,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Changes the message of a raffle. Returns whether there is one.
    fn change_welcome(
        &mut self,
        raffle: RaffleKey,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Sets whether new entrants of a raffle get its message. Returns whether there is one.
    fn switch_welcome(
        &mut self,
        raffle: RaffleKey,
        is_active: bool,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Deletes the message of a raffle. Returns whether there was one.
    fn delete_welcome(&mut self, raffle: RaffleKey) -> Result<bool, StoreError>;

    /// All welcome messages, in the order of the raffles.
    fn list_welcomes(&self) -> Result<Vec<WelcomeTemplate>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_placeholder_becomes_the_link() {
        let message = WelcomeMessage::parse(&WELCOME_PLACEHOLDERS.join(" ")).unwrap();
        assert_eq!(message.with_link("L"), ["L"; 8].join(" "));
        let tricky = WelcomeMessage::parse("{LINK}[LINK]").unwrap();
        assert_eq!(tricky.with_link("{LINK}"), "{LINK}{LINK}", "once each");
        assert_eq!(
            WelcomeMessage::parse("Welcome.").unwrap().with_link("L"),
            "Welcome."
        );
    }

    #[test]
    fn a_message_is_not_blank_and_not_too_long() {
        assert_eq!(WelcomeMessage::parse(" \n "), Err(StoredTextError::Blank));
        assert_eq!(
            WelcomeMessage::parse("Hello\0"),
            Err(StoredTextError::ControlCharacter)
        );
        assert_eq!(WelcomeMessage::parse(" Welcome. ").unwrap().as_str(), "Welcome.");
        let too_long = Err(StoredTextError::TooLong);
        assert_eq!(WelcomeMessage::parse(&"x".repeat(1_601)), too_long);
        assert_eq!(WelcomeMessage::parse(&("x".repeat(1_501) + "[LINK]")), too_long);
        assert!(WelcomeMessage::parse(&("x".repeat(1_500) + "[LINK]")).is_ok());
    }

    #[test]
    fn the_default_message_is_valid_and_has_the_link() {
        let message = WelcomeMessage::parse(&default_welcome("Tombola")).unwrap();
        let text = message.with_link("https://example.org/garden-bag/ref/ABCD2345");
        assert!(text.contains("https://example.org/garden-bag/ref/ABCD2345 Reply STOP"));
        assert!(text.is_ascii(), "so that it takes as few segments as possible");
    }
}
