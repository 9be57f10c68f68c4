//! The events of visitors, before they are stored.

use crate::{Browser, PageName, Place, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Origin, ReferralCode, Session};
use raffle::RaffleKey;

/// An event to be stored.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A page was viewed, or time was spent on it.
    View(NewView),
    /// A referral link was shared.
    Share(NewShare),
    /// The visitor took a step of the funnel that only the browser sees.
    Step(NewStep),
}

/// The browser that a view comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewOrigin {
    /// The browser session.
    pub session: Session,
    /// Where the request came from.
    pub origin: Origin,
    /// A hash that the browser computes from its properties.
    pub fingerprint: Option<String>,
    /// The browser that the user agent names.
    pub browser: Browser,
    /// The country and city that a trusted proxy names.
    pub place: Place,
}

/// A page view, or time spent on a page: `time_spent` is added to the view of the same session and page; if there is
/// none, a view is added (D26).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewView {
    /// The browser.
    pub visitor: ViewOrigin,
    /// The page.
    pub page: PageName,
    /// The referral code in the page's URL.
    pub referral_code: Option<ReferralCode>,
    /// The id in the URL of the page that a link in a text opens.
    pub sms_tracking_id: Option<String>,
    /// Milliseconds on the page, above 0.
    pub time_spent: Option<i32>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

impl NewView {
    /// How the visitor came: `sms` by a link in a message, `referral` by a friend's link, `direct` otherwise.
    pub fn entry_source(&self) -> &'static str {
        match self.referral_code {
            _ if self.page.as_str().starts_with("planter-") => "sms",
            Some(_) => "referral",
            None => "direct",
        }
    }
}

/// How a link is shared.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Platform {
    /// By mail.
    Email,
    /// By text message.
    Sms,
    /// In the sheet of the system, which does not say where.
    System,
    /// The link was copied.
    Copy,
}

impl Platform {
    /// The name, as it is stored and sent.
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
    /// The entrant who shared it. An unknown id is not stored.
    pub entrant: Option<EntrantId>,
    /// The platform on which it was shared.
    pub platform: Platform,
    /// The referral code of the link.
    pub referral_code: Option<ReferralCode>,
    /// The client's id for this share, which is stored once.
    pub event_id: Option<EventId>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// A step of the funnel. Only the first time counts.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStep {
    /// The browser session.
    pub session: Session,
    /// The raffle of the page.
    pub raffle: Option<RaffleKey>,
    /// The step.
    pub step: StepName,
    /// The entrant who took it, if known.
    pub entrant: Option<EntrantId>,
    /// Details of the step.
    pub data: StepData,
    /// Milliseconds since the page was opened, if known.
    pub time_spent: Option<i32>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageNames;
    use raffle::fixtures::four;
    use strum::IntoEnumIterator;

    #[test]
    fn visitors_come_by_a_text_or_a_friends_link_or_directly() {
        let source = |page: &str, code: Option<&str>| {
            let view = NewView {
                visitor: ViewOrigin {
                    session: Session::parse("one").unwrap(),
                    origin: Origin::default(),
                    fingerprint: None,
                    browser: Browser::default(),
                    place: Place::default(),
                },
                page: PageNames::of_all(&four()).classify(page).unwrap(),
                referral_code: code.map(|code| ReferralCode::parse(code).unwrap()),
                sms_tracking_id: None,
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
            Platform::iter().map(Platform::as_str).collect::<Vec<_>>(),
            ["email", "sms", "system", "copy"]
        );
        assert_eq!("sms".parse(), Ok(Platform::Sms));
    }
}
