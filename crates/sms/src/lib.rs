//! Texts: consent, and later templates, audiences, caps, quiet hours and delivery (D18 to D25).
//!
//! Invariant: who did not consent gets no campaign text, and each consent is a row that says what was agreed to,
//! how, when and from where (D23a).

mod consent;
mod ports;

pub use consent::{CAMPAIGN_WORDING, Consent, ConsentAct, ConsentDefault, campaign_consent};
pub use ports::{Consents, NewConsent};
