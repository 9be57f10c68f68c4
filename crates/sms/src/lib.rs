//! Texts: consent, and later templates, audiences, caps, quiet hours and delivery (D18 to D25).
//!
//! Invariants: who did not consent gets no campaign text, and each consent is a row that says what was agreed to,
//! how, when and from where (D23a). Every text is first queued in the transaction that caused it (D19).

mod consent;
mod credentials;
mod gateway;
mod ports;
mod victory;

pub use consent::{CAMPAIGN_WORDING, Consent, ConsentAct, ConsentDefault, campaign_consent};
pub use credentials::{Credentials, MalformedCredentials};
pub use gateway::{
    Failure, LookUpError, OutgoingText, ProviderStatus, ProviderText, ProviderTextId, SendError,
    SmsCallbacks, SmsSender, SoughtText,
};
pub use ports::{Consents, NewConsent, NewText, Outbox, TextKind};
pub use victory::victory_text;
