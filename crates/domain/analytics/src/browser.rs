//! Parses user agents: devices and browsers with the `woothee` crate, bots also with a list of patterns
//! (`docs/adr/0010-user-agents.md`).

use regex::bytes::{Regex, RegexBuilder};
use std::sync::{Arc, LazyLock};
use woothee::parser::Parser;

/// The browser that a user agent names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Browser {
    /// `desktop`, `mobile` or `other`.
    pub device: Option<&'static str>,
    /// The name, such as `Chrome`. Shared, because it is cached.
    pub name: Option<Arc<str>>,
    /// Whether it is a crawler, a link preview or another bot, which is not tracked.
    pub is_bot: bool,
}

/// Patterns of known bots; lines that begin with `#` are comments.
const KNOWN_BOTS: &str = include_str!("../data/crawlers.txt");

/// Words that many bots have in their user agents. Not `bot` alone: CUBOT is a brand of phones.
const BOT_WORDS: &str = "(?i:bot[/;]|crawler|spider)";

/// Matches the user agents of bots. A test makes sure that it compiles.
static BOTS: LazyLock<Result<Regex, regex::Error>> = LazyLock::new(|| {
    let patterns = KNOWN_BOTS.lines().filter(|line| !line.starts_with('#'));
    let pattern: Vec<_> = patterns.chain([BOT_WORDS]).collect();
    RegexBuilder::new(&pattern.join("|")).unicode(false).build()
});

/// Parses a user agent. A request without one does not count as a bot.
pub fn recognize(user_agent: Option<&str>) -> Browser {
    let Some(user_agent) = user_agent else {
        return Browser::default();
    };
    let parsed = Parser::new().parse(user_agent);
    let is_crawler = parsed.as_ref().is_some_and(|result| result.category == "crawler");
    Browser {
        device: parsed.as_ref().map(|result| device(result.category)),
        name: parsed.map(|result| result.name.into()),
        is_bot: is_crawler || is_listed(user_agent),
    }
}

fn is_listed(user_agent: &str) -> bool {
    BOTS.as_ref()
        .is_ok_and(|bots| bots.is_match(user_agent.as_bytes()))
}

fn device(category: &str) -> &'static str {
    match category {
        "pc" => "desktop",
        "smartphone" | "mobilephone" => "mobile",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_not_bots() {
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/17.4 Mobile/15E148 Safari/604.1";
        let chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                      Chrome/126.0.0.0 Safari/537.36";
        let cubot = "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) \
                     Chrome/126.0.0.0 Mobile Safari/537.36";
        let phone = recognize(Some(iphone));
        assert_eq!(
            (phone.device, phone.name.as_deref(), phone.is_bot),
            (Some("mobile"), Some("Safari"), false)
        );
        let desktop = recognize(Some(chrome));
        assert_eq!(
            (desktop.device, desktop.name.as_deref(), desktop.is_bot),
            (Some("desktop"), Some("Chrome"), false)
        );
        assert!(!recognize(Some(cubot)).is_bot);
        assert!(!recognize(None).is_bot);
        assert!(!recognize(Some("curl/8.5.0")).is_bot);
        let headless = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                        HeadlessChrome/126.0.0.0 Safari/537.36";
        assert!(!recognize(Some(headless)).is_bot);
    }

    #[test]
    fn the_list_of_bots_compiles() {
        assert_eq!(BOTS.as_ref().err(), None);
    }

    #[test]
    fn bots_are_recognized_by_their_user_agents() {
        for bot in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "WhatsApp/2.23.20.0",
            "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
            "some-crawler",
            "Slack-ImgProxy (+https://api.slack.com/robots)",
            "Twitterbot/1.0",
            "TelegramBot (like TwitterBot)",
            "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
            "LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)",
            "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.1; +https://openai.com/gptbot",
            "Mozilla/5.0 (X11; Linux x86_64) Chrome/78.0.3904.97 Safari/537.36 Chrome-Lighthouse",
            "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
            "Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)",
        ] {
            assert!(recognize(Some(bot)).is_bot, "{bot}");
        }
    }
}
