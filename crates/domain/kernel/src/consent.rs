use serde::{Deserialize, Serialize};

/// How an entrant consented or refused.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConsentAct {
    /// With the checkbox on the form.
    Form,
    /// Without an answer, where that counts as consent.
    Default,
    /// With the switch on the entrant's page.
    Switch,
    /// With a text that says START, after one that said STOP.
    StartKeyword,
}

impl ConsentAct {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An entrant's consent to campaign messages, or refusal of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// Whether messages may be sent.
    pub granted: bool,
    /// How the entrant said so.
    pub act: ConsentAct,
}
