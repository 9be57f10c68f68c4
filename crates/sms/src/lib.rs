//! Texts: consent, templates, campaigns, delivery and opt-outs (D18 to D25).
//!
//! Invariants: who did not consent gets no campaign text, and each consent is a row that says what was agreed to,
//! how, when and from where (D23a); a number that opted out gets no text at all (D23). Every text is first a row,
//! queued in the transaction that caused it, and what may have been sent is never sent again before the provider was
//! asked (D19): none is lost, none doubled. A text's status never goes back from an end.
//!
//! Start reading at [`Dispatching`], what sending asks of the store, and [`SmsSender`], what it asks of the provider.

mod campaign;
mod consent;
mod credentials;
mod gateway;
mod keyword;
mod pace;
mod ports;
mod segments;
mod template;
mod text;
mod times;
mod tracking;
mod victory;
mod welcome;

pub use campaign::{
    Audience, Campaign, CampaignFigures, CampaignId, CampaignStatus, LinkBase, MAX_CUSTOM_NUMBERS,
    NewCampaign, SendingCampaign, custom_numbers,
};
pub use consent::{CAMPAIGN_WORDING, Consent, ConsentAct, ConsentDefault, campaign_consent};
pub use credentials::{Credentials, MalformedCredentials};
pub use gateway::{
    Failure, LookUpError, OutgoingText, ProviderStatus, ProviderText, ProviderTextId, SendError,
    SmsCallbacks, SmsSender, SoughtText,
};
pub use keyword::{HELP_ANSWER, Keyword};
pub use pace::Pace;
pub use ports::{
    AudienceSize, CampaignDispatching, CampaignReport, Campaigns, Claim, ClaimedText, Clicks, Consents,
    Dispatching, DoubtfulText, ExportedText, Fence, Fenced, Halt, NewCampaignText, NewClick, NewConsent,
    OpenTexts, OptOuts, Outbox, Recipient, SmsClearing, SmsCounts, SmsSettings, Templates, TrackedText,
    WelcomeTemplates,
};
pub use segments::{Encoding, MAX_CHARS, Segments, segments};
pub use template::{DEFAULT_PLACEHOLDER, Label, Message, MessageError, NewTemplate, Template, TemplateId};
pub use text::{NewText, Outcome, SkipReason, Tally, Text, TextId, TextKind, TextStatus, Told};
pub use times::{MAX_ATTEMPTS, QuietHours, month_of, wait_after};
pub use tracking::{CampaignSecret, TrackingId};
pub use victory::victory_text;
pub use welcome::{DEFAULT_WELCOME, WELCOME_PLACEHOLDERS, WelcomeMessage, WelcomeTemplate, welcome_text};
