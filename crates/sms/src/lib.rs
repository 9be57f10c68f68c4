//! Texts: consent, templates, campaigns, delivery and opt-outs (D18 to D25).
//!
//! Invariants: who did not consent gets no campaign text, and each consent is a row that says what was agreed to,
//! how, when and from where (D23a); a number that opted out gets no text at all (D23). Every text is first a row,
//! queued in the transaction that caused it, and what may have been sent is never sent again before the provider was
//! asked (D19): none is lost, none doubled. A text's status never goes back from an end.
//!
//! Start reading at `tests/story.rs`, then at [`Dispatching`], what sending asks of the store, and [`SmsSender`], what it
//! asks of the provider.

mod campaign;
mod campaign_dispatching;
mod campaign_report;
mod claim;
mod clearing;
mod clicks;
mod consent;
mod credentials;
mod delivery;
mod dispatching;
mod gateway;
mod keyword;
mod message;
mod opt_outs;
mod pace;
mod segments;
mod store;
mod template;
mod times;
mod tracking;
mod welcome;
mod winner_message;

pub use campaign::{
    Audience, Campaign, CampaignFigures, CampaignId, CampaignStatus, LinkBase, MAX_CUSTOM_NUMBERS,
    NewCampaign, SendingCampaign, custom_numbers,
};
pub use campaign_dispatching::{CampaignDispatching, NewCampaignMessage, Recipient};
pub use campaign_report::{AudienceSize, CampaignReport, Campaigns, ExportedMessage};
pub use claim::{Claim, ClaimQuotas, ClaimedMessage, WelcomeWindow};
pub use clearing::{SmsClearing, SmsCounts};
pub use clicks::{Clicks, NewClick, TrackedMessage};
pub use consent::{
    CAMPAIGN_WORDING, Consent, ConsentAct, ConsentDefault, Consents, NewConsent, campaign_consent,
};
pub use credentials::{Credentials, MalformedCredentials, SmsSettings};
pub use delivery::{Delivery, DeliveryReport, Outcome, Tally};
pub use dispatching::{Dispatching, Fence, Fenced, Halt, UncertainMessage};
pub use gateway::{
    Failure, MessageQuery, MessageQueryError, OutgoingMessage, ProviderMessage, ProviderMessageId,
    ProviderStatus, SendError, SmsCallbacks, SmsSender,
};
pub use keyword::{HELP_ANSWER, Keyword};
pub use message::{
    Message, MessageId, MessageKind, MessageStatus, NewMessage, OpenMessages, Outbox, SkipReason,
};
pub use opt_outs::OptOuts;
pub use pace::Pace;
pub use segments::{Encoding, MAX_CHARS, Segments, segments};
pub use store::SmsStore;
pub use template::{
    DEFAULT_PLACEHOLDER, Label, MessageTemplate, MessageTemplateError, NewTemplate, Template, TemplateId,
    Templates,
};
pub use times::{MAX_ATTEMPTS, QuietHours, month_of, wait_after};
pub use tracking::{CampaignSecret, TrackingId};
pub use welcome::{
    DEFAULT_WELCOME, WELCOME_PLACEHOLDERS, WelcomeMessage, WelcomeTemplate, WelcomeTemplates, welcome_message,
};
pub use winner_message::winner_message;
