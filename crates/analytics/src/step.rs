//! The steps of the conversion funnel (D27).

use std::{fmt, str::FromStr};

/// A step, in the order in which people take them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepName {
    /// A link in a text was opened.
    SmsClick,
    /// A page was seen.
    PageView,
    /// The form got its first touch.
    FormStart,
    /// The form was sent.
    FormSubmit,
    /// Somebody entered.
    SignUp,
    /// The referral link was shared.
    SocialShare,
    /// A purchase was begun.
    PurchaseStart,
    /// A purchase was paid.
    PurchaseComplete,
}

/// The text is no step's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown step")]
pub struct UnknownStep;

impl StepName {
    /// All of them, in order.
    pub const ALL: [Self; 8] = [
        Self::SmsClick,
        Self::PageView,
        Self::FormStart,
        Self::FormSubmit,
        Self::SignUp,
        Self::SocialShare,
        Self::PurchaseStart,
        Self::PurchaseComplete,
    ];

    /// Those that browsers report; the server sees the others happen.
    pub const BY_BROWSER: [Self; 2] = [Self::FormStart, Self::FormSubmit];

    /// Its name, as it is stored and sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SmsClick => "smsClick",
            Self::PageView => "pageView",
            Self::FormStart => "formStart",
            Self::FormSubmit => "formSubmit",
            Self::SignUp => "signUp",
            Self::SocialShare => "socialShare",
            Self::PurchaseStart => "purchaseStart",
            Self::PurchaseComplete => "purchaseComplete",
        }
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StepName {
    type Err = UnknownStep;

    fn from_str(name: &str) -> Result<Self, UnknownStep> {
        Self::ALL
            .into_iter()
            .find(|step| step.name() == name)
            .ok_or(UnknownStep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for step in StepName::ALL {
            assert_eq!(step.name().parse(), Ok(step));
        }
        assert_eq!("page_view".parse::<StepName>(), Err(UnknownStep));
    }
}
