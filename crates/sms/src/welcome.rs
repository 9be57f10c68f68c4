use crate::MAX_CHARS;
use chrono::{DateTime, Utc};
use kernel::Raffle;
use kernel::StoreError;

/// The forms in which a welcome message may ask for the entrant's referral link (spec section 5).
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

/// What a new entrant is told where staff have written nothing else (D24).
pub const DEFAULT_WELCOME: &str = "You're entered in our free monthly raffle. Share your link and get +1 entry \
                                   for each friend who joins: [your-link] Reply STOP to get no more texts.";

/// Room for the longest referral link there can be.
const LINK_CHARS: usize = 100;

/// What new entrants of one raffle are told. A link in it is welcome, and not needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WelcomeMessage(String);

impl WelcomeMessage {
    /// The message without spaces around it; `None` when it is blank, or would be longer than the provider takes.
    pub fn parse(text: &str) -> Option<Self> {
        let message = Self(text.trim().to_owned());
        let longest = message.with_link(&"x".repeat(LINK_CHARS));
        let fits =
            (1..=MAX_CHARS).contains(&longest.chars().count()) && message.0.chars().count() <= MAX_CHARS;
        fits.then_some(message)
    }

    /// As staff wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As one entrant gets it: every placeholder becomes their referral link.
    pub fn with_link(&self, link: &str) -> String {
        welcome_message(&self.0, link)
    }
}

/// The message as one entrant gets it.
pub fn welcome_message(message: &str, link: &str) -> String {
    // In one pass, so that nothing in a link is taken for a placeholder.
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
    /// Whose.
    pub raffle: Raffle,
    /// What it says.
    pub message: WelcomeMessage,
    /// Since when there is one.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
}

/// What new entrants are told, by raffle.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait WelcomeTemplates {
    /// Adds the message of a raffle; whether there was none.
    fn add_welcome(
        &mut self,
        raffle: Raffle,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Changes the message of a raffle; whether there was one.
    fn change_welcome(
        &mut self,
        raffle: Raffle,
        message: &WelcomeMessage,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Deletes the message of a raffle; whether there was one.
    fn delete_welcome(&mut self, raffle: Raffle) -> Result<bool, StoreError>;

    /// All of them, in the order of the raffles.
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
        assert_eq!(WelcomeMessage::parse(" \n "), None);
        assert_eq!(WelcomeMessage::parse(&"x".repeat(1_601)), None);
        assert_eq!(WelcomeMessage::parse(&("x".repeat(1_501) + "[LINK]")), None);
        assert!(WelcomeMessage::parse(&("x".repeat(1_500) + "[LINK]")).is_some());
    }

    #[test]
    fn the_default_message_is_one_and_has_the_link() {
        let message = WelcomeMessage::parse(DEFAULT_WELCOME).unwrap();
        let text = message.with_link("https://example.org/garden-bag/ref/ABCD2345");
        assert!(text.contains("https://example.org/garden-bag/ref/ABCD2345 Reply STOP"));
        assert!(text.is_ascii(), "so that it is sent in as few parts as can be");
    }
}
