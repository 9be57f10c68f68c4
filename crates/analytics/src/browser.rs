//! What a user agent says about the browser, by the `woothee` crate.

use woothee::parser::Parser;

/// A browser, as far as its user agent tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Browser {
    /// `desktop`, `mobile` or `other`.
    pub device: Option<&'static str>,
    /// Its name, such as `Chrome`.
    pub name: Option<String>,
    /// A crawler, link preview or other machine, which is not tracked (D28).
    pub is_bot: bool,
}

/// Link previews and monitors that the parser does not know as crawlers.
const MACHINES: [&str; 12] = [
    "facebookexternalhit",
    "slackbot",
    "slack-imgproxy",
    "twitterbot",
    "whatsapp/",
    "telegrambot",
    "discordbot",
    "linkedinbot",
    "applebot",
    "gptbot",
    "lighthouse",
    "pingdom",
];

/// Endings of the words that crawlers call themselves.
const CRAWLER_WORDS: [&str; 4] = ["bot/", "bot;", "crawler", "spider"];

/// Reads a user agent. No user agent is no bot: only what says that it is one is left out.
pub fn recognize(user_agent: Option<&str>) -> Browser {
    let Some(user_agent) = user_agent else {
        return Browser::default();
    };
    let parsed = Parser::new().parse(user_agent);
    let lower = user_agent.to_ascii_lowercase();
    let is_bot = parsed.as_ref().is_some_and(|result| result.category == "crawler")
        || MACHINES
            .iter()
            .chain(&CRAWLER_WORDS)
            .any(|word| lower.contains(word));
    Browser {
        device: parsed.as_ref().map(|result| device(result.category)),
        name: parsed.map(|result| result.name.to_owned()),
        is_bot,
    }
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
    fn people_are_told_from_machines() {
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
    }

    #[test]
    fn machines_that_say_so_are_bots() {
        for bot in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "WhatsApp/2.23.20.0",
            "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
            "some-crawler",
        ] {
            assert!(recognize(Some(bot)).is_bot, "{bot}");
        }
    }
}
