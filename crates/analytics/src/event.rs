//! What visitors do, before it is stored.

use crate::{Browser, PageName, Session, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Origin, Raffle, ReferralCode};

/// Something to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A page was seen, or time was spent on it.
    View(NewView),
    /// A referral link was shared.
    Share(NewShare),
    /// A step was taken that only the browser sees.
    Step(NewStep),
}

/// Whose browser it is, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewOrigin {
    /// The browser session.
    pub session: Session,
    /// Where the request came from.
    pub origin: Origin,
    /// A hash that the browser makes of its traits.
    pub fingerprint: Option<String>,
    /// What the user agent says.
    pub browser: Browser,
}

/// A view, or time spent on one: `time_spent` adds to the view of that session and page, and makes one only when there
/// is none (D26).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewView {
    /// Who saw it.
    pub visitor: ViewOrigin,
    /// Which page.
    pub page: PageName,
    /// The code in its address.
    pub referral_code: Option<ReferralCode>,
    /// Milliseconds, above 0.
    pub time_spent: Option<i32>,
    /// Now.
    pub at: DateTime<Utc>,
}

impl NewView {
    /// How the visitor came: by a text, by a friend's link, or otherwise.
    pub fn entry_source(&self) -> &'static str {
        match self.referral_code {
            _ if self.page.as_str().starts_with("planter-") => "sms",
            Some(_) => "referral",
            None => "direct",
        }
    }
}

/// How a link is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Platform {
    /// By mail.
    Email,
    /// By text.
    Sms,
}

impl Platform {
    /// Its name, as it is stored and sent.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A referral link was shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShare {
    /// The browser session, for the funnel.
    pub session: Option<Session>,
    /// Where the request came from.
    pub origin: Origin,
    /// Who shared; unknown ids are left out when it is stored.
    pub entrant: Option<EntrantId>,
    /// How.
    pub platform: Platform,
    /// Whose link.
    pub referral_code: Option<ReferralCode>,
    /// The client's name for this share, by which it is stored once.
    pub event_id: Option<EventId>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// A step of the funnel. The first time counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStep {
    /// The browser session.
    pub session: Session,
    /// Whose pages.
    pub raffle: Option<Raffle>,
    /// Which step.
    pub step: StepName,
    /// Who took it, once that is known.
    pub entrant: Option<EntrantId>,
    /// Milliseconds since the page was opened.
    pub time_spent: Option<i32>,
    /// Now.
    pub at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify;

    #[test]
    fn visitors_come_by_a_text_or_a_friends_link_or_directly() {
        let source = |page: &str, code: Option<&str>| {
            let view = NewView {
                visitor: ViewOrigin {
                    session: Session::parse("one").unwrap(),
                    origin: Origin::default(),
                    fingerprint: None,
                    browser: Browser::default(),
                },
                page: classify(page).unwrap(),
                referral_code: code.map(|code| ReferralCode::parse(code).unwrap()),
                time_spent: None,
                at: DateTime::UNIX_EPOCH,
            };
            view.entry_source()
        };
        assert_eq!(source("garden-bag", None), "direct");
        assert_eq!(source("garden-bag", Some("CDFG3467")), "referral");
        assert_eq!(source("planter-garden", None), "sms");
        assert_eq!(source("planter-garden", Some("CDFG3467")), "sms");
    }

    #[test]
    fn platforms_have_the_names_that_are_stored_and_sent() {
        assert_eq!(
            [Platform::Email, Platform::Sms].map(Platform::as_str),
            ["email", "sms"]
        );
        assert_eq!("sms".parse(), Ok(Platform::Sms));
    }
}
