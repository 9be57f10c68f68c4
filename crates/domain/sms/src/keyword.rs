use crate::opting_out::{Says, says};

/// A keyword that a recipient replies with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Keyword {
    /// Opts out of all messages.
    Stop,
    /// Opts in again.
    Start,
    /// Asks for an explanation.
    Help,
}

/// What the provider takes for STOP by itself, and answers.
const OF_PROVIDER: [&str; 9] = [
    "STOP",
    "STOPALL",
    "STOP ALL",
    "UNSUBSCRIBE",
    "CANCEL",
    "END",
    "QUIT",
    "REVOKE",
    "OPTOUT",
];
const START: [&str; 3] = ["START", "YES", "UNSTOP"];
const HELP: [&str; 2] = ["HELP", "INFO"];

impl Keyword {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// What a message asks for: STOP in many words (D66), or START or HELP as its only word, in any case, with spaces or
    /// punctuation around it.
    pub fn read(body: &str) -> Option<Self> {
        if says(body) == Says::Stop {
            return Some(Self::Stop);
        }
        let word = body.trim_matches(|c: char| !c.is_alphanumeric()).to_uppercase();
        let is_one_of = |words: &[&str]| words.contains(&word.as_str());
        match () {
            () if is_one_of(&START) => Some(Self::Start),
            () if is_one_of(&HELP) => Some(Self::Help),
            () => None,
        }
    }

    /// Reads the provider's own verdict on a message: `STOP`, `START` or `HELP`.
    pub fn of_provider(verdict: &str) -> Option<Self> {
        match verdict {
            "STOP" => Some(Self::Stop),
            "START" => Some(Self::Start),
            "HELP" => Some(Self::Help),
            _ => None,
        }
    }

    /// Whether a number that says it has opted out from then on. `None` if it changes nothing.
    pub const fn opts_out(self) -> Option<bool> {
        match self {
            Self::Stop => Some(true),
            Self::Start => Some(false),
            Self::Help => None,
        }
    }

    /// Our answer to HELP.
    pub fn help(site_name: &str) -> String {
        format!(
            "{site_name}: a free monthly raffle. At most 1 text per month about upcoming ones. Reply STOP to get no more \
             texts, START to undo."
        )
    }

    /// Our answer to whoever opted out in words that the provider does not answer.
    pub fn stopped(site_name: &str) -> String {
        format!("{site_name}: you get no more texts. Reply START to undo.")
    }
}

/// Whether the provider takes a message for STOP by itself, and answers it.
pub(crate) fn is_answered_by_provider(body: &str) -> bool {
    OF_PROVIDER.contains(&body.trim().to_uppercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_is_one_text_with_any_name_that_a_site_may_have() {
        let name = "n".repeat(crate::MAX_SITE_NAME);
        for text in [Keyword::help(&name), Keyword::stopped(&name)] {
            assert_eq!(crate::segments(&text).count, 1, "{text}");
        }
        assert!(Keyword::help("Tombola").contains("STOP"));
    }

    #[test]
    fn the_provider_answers_its_own_words_only() {
        for word in ["STOP", " stop\n", "StopAll", "quit"] {
            assert!(is_answered_by_provider(word), "{word:?}");
        }
        for words in ["Stop.", "please stop", "ALTO", "stop it"] {
            assert!(!is_answered_by_provider(words), "{words:?}");
        }
    }

    #[test]
    fn stop_opts_out_start_opts_in_and_help_changes_nothing() {
        let opts_out = [Keyword::Stop, Keyword::Start, Keyword::Help].map(Keyword::opts_out);
        assert_eq!(opts_out, [Some(true), Some(false), None]);
    }

    #[test]
    fn a_message_that_is_only_a_keyword_is_recognized_in_any_case() {
        for stop in [
            "STOP",
            "stop",
            " Stop. ",
            "\"unsubscribe\"",
            "StopAll",
            "stop all",
            "quit!",
        ] {
            assert_eq!(Keyword::read(stop), Some(Keyword::Stop), "{stop}");
        }
        for start in ["START", "yes", "Unstop"] {
            assert_eq!(Keyword::read(start), Some(Keyword::Start), "{start}");
        }
        for help in ["HELP", "info?"] {
            assert_eq!(Keyword::read(help), Some(Keyword::Help), "{help}");
        }
        for other in ["", "stopping", "no", "yes please", "help me win"] {
            assert_eq!(Keyword::read(other), None, "{other}");
        }
    }
}
