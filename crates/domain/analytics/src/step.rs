//! The steps of the conversion funnel.

/// A step, in the order in which visitors take them.
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
    /// A link in a message was opened.
    SmsClick,
    /// A page was viewed.
    PageView,
    /// The visitor started the form.
    FormStart,
    /// The visitor submitted the form.
    FormSubmit,
    /// A code was sent to the number.
    CodeSent,
    /// The visitor entered that code.
    CodeVerified,
    /// An entrant was added.
    SignUp,
    /// The referral link was shared.
    SocialShare,
    /// A purchase was started.
    PurchaseStart,
    /// A purchase was paid.
    PurchaseComplete,
}

impl StepName {
    /// The steps that browsers report. The server records the others.
    pub const BY_BROWSER: [Self; 2] = [Self::FormStart, Self::FormSubmit];

    /// The name, as it is stored and sent.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn names_match_rows_and_responses() {
        let names: Vec<_> = StepName::iter().map(StepName::as_str).collect();
        let expected = [
            "smsClick",
            "pageView",
            "formStart",
            "formSubmit",
            "codeSent",
            "codeVerified",
            "signUp",
            "socialShare",
            "purchaseStart",
            "purchaseComplete",
        ];
        assert_eq!(names, expected);
        assert!("page_view".parse::<StepName>().is_err());
    }
}
