//! The steps of the conversion funnel (D27).

/// A step, in the order in which people take them.
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
    strum::Display,
)]
#[strum(serialize_all = "camelCase")]
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

impl StepName {
    /// Those that browsers report; the server sees the others happen.
    pub const BY_BROWSER: [Self; 2] = [Self::FormStart, Self::FormSubmit];

    /// Its name, as it is stored and sent.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn names_are_those_of_rows_and_answers() {
        let names: Vec<_> = StepName::iter().map(StepName::as_str).collect();
        let expected = [
            "smsClick",
            "pageView",
            "formStart",
            "formSubmit",
            "signUp",
            "socialShare",
            "purchaseStart",
            "purchaseComplete",
        ];
        assert_eq!(names, expected);
        assert!("page_view".parse::<StepName>().is_err());
    }
}
