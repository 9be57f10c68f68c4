//! Text messages: consent, templates, campaigns, delivery and opt-outs.
//!
//! Invariants: an entrant who did not consent gets no campaign message, and each consent is a row with its wording, way,
//! time and origin; a number that opted out gets no message of any kind. Every message is queued as a row in
//! the transaction that causes it, and a message that may have been sent is looked up at the provider before it is sent
//! again, so that none is lost or sent twice. A final status of a message never changes.
//!
//! A number gets texts by the clock of its area code, and STOP is understood however it is typed:
//!
//! ```
//! use chrono_tz::Tz;
//! use kernel::Phone;
//! use sms::{Keyword, RecipientHours, WaitReason, segments};
//!
//! let hours = RecipientHours::new(None, Tz::UTC).unwrap();
//! let new_york = Phone::parse("212-555-0123").unwrap();
//! let wait_at = |time: &str| hours.wait(&new_york, time.parse().unwrap());
//! assert_eq!(wait_at("2026-06-30T13:00:00Z"), None, "9:00 in New York");
//!
//! let night = wait_at("2026-06-30T02:00:00Z").unwrap();
//! assert_eq!(night.reason, WaitReason::QuietHours);
//! assert_eq!(night.until.to_rfc3339(), "2026-06-30T12:00:00+00:00", "8:00 in New York");
//!
//! assert_eq!(Keyword::read(" Stop. "), Some(Keyword::Stop));
//! assert_eq!([160, 161].map(|length| segments(&"a".repeat(length)).count), [1, 2]);
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/sms.rs`, then at [`Dispatching`], the sender's port to the store,
//! and [`SmsSender`], its port to the provider.

mod addressee;
mod body;
mod budget;
mod campaign;
mod campaign_dispatching;
mod campaign_list;
mod campaign_report;
mod campaign_results;
mod claim;
mod clearing;
mod clicks;
mod consent;
mod consent_basis;
mod countries;
mod credentials;
mod delivery;
mod dispatching;
mod evidence;
mod fence;
mod gateway;
mod holidays;
mod keyword;
mod message;
mod opt_outs;
mod opting_out;
mod pace;
mod recipient_hours;
mod replies;
mod request_hash;
mod segments;
mod site_name;
mod start;
mod store;
mod template;
mod times;
mod tracking;
mod welcome;
mod winner_message;

pub use addressee::{AddressedEntrant, Addressee, CampaignRules, WaitingMessage};
pub use body::{MessageBody, SealedText, code_text};
pub use budget::{DailyBudget, DailyCounts, OverBudget, next_day};
pub use campaign::{
    Audience, Campaign, CampaignFigures, CampaignId, CampaignStatus, LinkBase, MAX_CUSTOM_NUMBERS,
    NewCampaign, SendingCampaign, custom_numbers,
};
pub use campaign_dispatching::{CampaignDispatching, NewCampaignMessage, Recipient};
pub use campaign_list::{CampaignFilter, CampaignSort};
pub use campaign_report::{AudienceSize, CampaignReport, Campaigns, ExportedMessage};
pub use campaign_results::{
    CampaignOutcomes, CampaignResults, ClicksInHour, FunnelStep, OUTCOME_DAYS, SentTexts, StepCount, funnel,
    total_segments,
};
pub use claim::{
    CODE_LIFE, Claim, ClaimQuotas, Claimed, ClaimedMessage, RecipientRules, Verdict, WelcomeWindow,
};
pub use clearing::{MessageCut, SmsClearing, SmsCounts};
pub use clicks::{Clicks, NewClick, TrackedMessage};
pub use consent::{
    ConsentAnswer, ConsentDefault, ConsentId, Consents, FORM_WORDING, NewConsent, SWITCH_WORDING,
    StoredConsent, Wording, campaign_consent, restored_by_start, revoked_by_stop,
};
pub use consent_basis::ConsentBasis;
pub use countries::{SmsCountries, UnknownCountry};
pub use credentials::{Credentials, MalformedCredentials, SmsSettings};
pub use delivery::{Delivery, DeliveryReport, LOOK_UP_AFTER, Outcome, Tally};
pub use dispatching::{Dispatching, Halt, UncertainMessage};
pub use evidence::{MessageEvidence, OptOutChange, SendingEvidence, local_times, opt_out_changes};
pub use fence::{Fence, Fenced};
pub use gateway::{
    Failure, MessageQuery, MessageQueryError, OPTED_OUT, OutgoingMessage, ProviderMessage, ProviderMessageId,
    ProviderStatus, SendError, SmsCallbacks, SmsSender,
};
pub use kernel::MessageId;
pub use keyword::Keyword;
pub use message::{
    Message, MessageKind, MessageStatus, NewMessage, OpenMessages, Outbox, PutOff, SkipReason,
};
pub use opt_outs::OptOuts;
pub use pace::Pace;
pub use recipient_hours::{HoursNow, NeverOpen, RecipientHours, Wait, WaitReason};
pub use replies::{NewReply, Replies, Reply, ReplyFilter, ReplyId, ReplyKind, ReplyOrder};
pub use request_hash::RequestHash;
pub use segments::{Encoding, MAX_CHARS, Segments, segments};
pub use site_name::{MAX_SITE_NAME, is_site_name};
pub use start::Start;
pub use store::SmsStore;
pub use template::{
    DEFAULT_PLACEHOLDER, Label, MessageTemplate, MessageTemplateError, NewTemplate, Template, TemplateFilter,
    TemplateId, Templates,
};
pub use times::{MAX_ATTEMPTS, QuietHours, month_of};
pub use tracking::{CampaignSecret, TrackingId};
pub use welcome::{
    WELCOME_PLACEHOLDERS, WelcomeMessage, WelcomeTemplate, WelcomeTemplates, default_welcome, welcome_message,
};
pub use winner_message::{claim_approved, claim_rejected, claim_reminder, winner_message};
