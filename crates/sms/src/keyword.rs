/// What somebody tells us with a text (D23).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyword {
    /// No more texts.
    Stop,
    /// Texts again.
    Start,
    /// What is this.
    Help,
}

/// The provider's own lists of words, in English.
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

/// What we answer to [`Keyword::Help`].
pub const HELP_ANSWER: &str = "Tombola: a free monthly prize raffle, at most 1 text per month. Reply STOP to get no \
                               more texts, START to get them again.";

impl Keyword {
    /// The keyword that a text is, if it is one: alone, in any case, with spaces or punctuation around it.
    pub fn read(body: &str) -> Option<Self> {
        let word = body.trim_matches(|c: char| !c.is_alphanumeric()).to_uppercase();
        let is_in = |words: &[&str]| words.contains(&word.as_str());
        match () {
            () if is_in(&STOP) => Some(Self::Stop),
            () if is_in(&START) => Some(Self::Start),
            () if is_in(&HELP) => Some(Self::Help),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_stand_alone_in_any_case() {
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
