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

/// The provider's default English keywords.
const STOP: [&str; 9] = [
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

    /// The keyword that a message consists of, if it does: in any case, with spaces or punctuation around it.
    pub fn read(body: &str) -> Option<Self> {
        let word = body.trim_matches(|c: char| !c.is_alphanumeric()).to_uppercase();
        let is_one_of = |words: &[&str]| words.contains(&word.as_str());
        match () {
            () if is_one_of(&STOP) => Some(Self::Stop),
            () if is_one_of(&START) => Some(Self::Start),
            () if is_one_of(&HELP) => Some(Self::Help),
            () => None,
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

    /// Our answer to it, if we give one. The provider answers STOP and START.
    pub fn answer(self, site_name: &str) -> Option<String> {
        let help = || {
            format!(
                "{site_name}: a free monthly prize raffle, at most 1 text per month. Reply STOP to get no more texts, START \
                 to get them again."
            )
        };
        (self == Self::Help).then(help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_help_is_one_text_with_any_name_that_a_site_may_have() {
        let text = Keyword::Help.answer(&"n".repeat(crate::MAX_SITE_NAME)).unwrap();
        assert_eq!(crate::segments(&text).count, 1, "{text}");
        assert!(text.contains("STOP"));
    }

    #[test]
    fn the_provider_answers_stop_and_start() {
        for keyword in [Keyword::Stop, Keyword::Start] {
            assert_eq!(keyword.answer("Tombola"), None, "{keyword:?}");
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
        for other in ["", "please stop", "stopping", "no", "STOP it"] {
            assert_eq!(Keyword::read(other), None, "{other}");
        }
    }
}
