//! Reads single variables and collects the problems.

use sms::QuietHours;
use std::str::FromStr;
use url::{Host, Url};

type Variable<'a> = dyn Fn(&str) -> Option<String> + 'a;

pub(super) struct Reader<'a> {
    variable: Box<Variable<'a>>,
    problems: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(variable: impl Fn(&str) -> Option<String> + 'a) -> Self {
        Self {
            variable: Box::new(variable),
            problems: Vec::new(),
        }
    }

    pub(super) fn problems(self) -> Vec<String> {
        self.problems
    }

    pub(super) fn problem(&mut self, line: &str) {
        self.problems.push(line.to_owned());
    }

    /// Adds a problem that repeats the value. Not for secrets.
    pub(super) fn wrong(&mut self, name: &str, value: &str, expected: &str) {
        self.problems.push(format!("{name}: {value:?} is not {expected}"));
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        (self.variable)(name)
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty())
    }

    pub(super) fn optional<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let text = self.text(name)?;
        text.parse().map_err(|_| self.wrong(name, &text, expected)).ok()
    }

    pub(super) fn parsed<T: FromStr>(&mut self, name: &str, expected: &str, default: &str) -> Option<T> {
        let text = self.text(name).unwrap_or_else(|| default.to_owned());
        text.parse().map_err(|_| self.wrong(name, &text, expected)).ok()
    }

    pub(super) fn number(&mut self, name: &str, min: u32, max: u32, default: u32) -> Option<u32> {
        let Some(text) = self.text(name) else {
            return Some(default);
        };
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        if number.is_none() {
            self.wrong(name, &text, &format!("a whole number from {min} to {max}"));
        }
        number
    }

    pub(super) fn one_of<T: Copy>(&mut self, name: &str, choices: &[(&str, T)], default: T) -> Option<T> {
        let Some(text) = self.text(name) else {
            return Some(default);
        };
        let choice = choices
            .iter()
            .find(|(word, _)| *word == text)
            .map(|(_, choice)| *choice);
        if choice.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            self.wrong(name, &text, &words.join(" or "));
        }
        choice
    }

    /// A key with one of these prefixes, which tell its kind.
    pub(super) fn prefixed(&mut self, name: &str, prefixes: &[&str]) -> Option<String> {
        let text = self.text(name)?;
        if !prefixes.iter().any(|prefix| text.starts_with(prefix)) {
            self.problem(&format!("{name}: must begin with {}", prefixes.join(" or ")));
        }
        Some(text)
    }

    /// The root URL of a provider's API, without a path.
    pub(super) fn root(&mut self, name: &str, default: &str) -> Option<String> {
        let text = self.text(name).unwrap_or_else(|| default.to_owned());
        let root = origin(&text);
        if root.is_none() {
            self.wrong(
                name,
                &text,
                &format!("an origin without a path, such as {default}"),
            );
        }
        root
    }

    /// The same for a provider, to whom secrets are sent: production needs https, unless it is on this machine (D74).
    pub(super) fn provider(&mut self, name: &str, default: &str, production: bool) -> Option<String> {
        let root = self.root(name, default)?;
        if production && !root.starts_with("https://") && !is_on_this_machine(&root) {
            self.problem(&format!(
                "{name}: must be https in production, because secrets are sent there"
            ));
            return None;
        }
        Some(root)
    }

    /// Values that must be set together or not at all.
    pub(super) fn all_or_none<const N: usize>(
        &mut self,
        values: [(&str, Option<String>); N],
    ) -> Option<[String; N]> {
        let set: Vec<&str> = values
            .iter()
            .filter(|(_, value)| value.is_some())
            .map(|(name, _)| *name)
            .collect();
        if !set.is_empty() {
            for (name, _) in values.iter().filter(|(_, value)| value.is_none()) {
                self.problem(&format!("{name}: is not set, but {} is", set.join(" and ")));
            }
        }
        let values: Vec<String> = values.into_iter().filter_map(|(_, value)| value).collect();
        values.try_into().ok()
    }
}

/// Parses `scheme://host[:port]` without anything after it, and normalizes it.
pub(super) fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_origin = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    is_origin.then(|| url.origin().ascii_serialization())
}

/// Whether the host of a URL is this machine.
pub(super) fn is_on_this_machine(url: &str) -> bool {
    match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether this is an email address that can be written into a `mailto:` link as it is.
pub(super) fn is_email(text: &str) -> bool {
    let Some((mailbox, domain)) = text.split_once('@') else {
        return false;
    };
    let is_mailbox = (1..=64).contains(&mailbox.len())
        && mailbox
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte))
        && mailbox.split('.').all(|part| !part.is_empty());
    is_mailbox && domain.len() <= 253 && domain.contains('.') && domain.split('.').all(is_host_label)
}

fn is_host_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Parses hours such as `21:00-08:00`.
pub(super) fn quiet_hours(text: &str) -> Option<QuietHours> {
    let minute = |time: &str| {
        let (hours, minutes) = time.split_once(':')?;
        let number = |digits: &str, below: u16| {
            let is_two_digits = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<u16>().ok().filter(|n| is_two_digits && *n < below)
        };
        Some(number(hours, 24)? * 60 + number(minutes, 60)?)
    };
    let (from, until) = text.split_once('-')?;
    let (from, until) = (minute(from)?, minute(until)?);
    (from != until).then_some(QuietHours { from, until })
}
