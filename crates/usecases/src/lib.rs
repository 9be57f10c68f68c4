//! One module per user-visible flow; the only place that opens a transaction or spans domains.
//!
//! A flow takes its store, clock and randomness as arguments, and reads downwards. Start at [`enter()`].

mod analytics;
mod audit;
mod campaigns;
mod clearing;
mod collect;
mod credentials;
mod deliver_messages;
mod drawings;
mod enter;
mod entrants;
mod flags;
mod fold;
mod packages;
mod perform_drawing;
mod provider_callbacks;
mod purchases;
mod reconcile;
mod sign_in;
mod sms_templates;
mod store;

pub use analytics::{dashboard, funnel, trends};
pub use audit::{AuditList, list_audit, newest_audit_entries};
pub use campaigns::{
    CampaignError, CampaignList, Estimate, ScheduleCommand, SmsRules, SmsStatus, cancel_campaign,
    estimate_campaign, export_messages, find_campaign, list_campaigns, schedule_campaign, sms_figures,
    sms_status,
};
pub use clearing::{StoredData, clear_analytics, clear_campaigns, clear_referrals, clear_sms, stored_data};
pub use collect::collect;
pub use credentials::{CredentialsSource, current_credentials, save_credentials};
pub use deliver_messages::{
    DeliverError, LEASE, LOOK_UP_AFTER, ReadyMessage, acquire_lease, claim_next_messages, claim_uncertain,
    halt_for_credentials, is_halted, record_outcomes, release_claims, release_lease, report_of_lookup,
    report_of_send, start_and_finish_campaigns,
};
pub use drawings::{
    DrawingList, FindDrawingError, LogError, LogReport, OwnLeaf, drawing_proof, drawing_statistics,
    find_drawing, list_drawings, own_leaf, published_leaves, verify_drawing_log,
};
pub use enter::{EnterCommand, EnterError, Entered, enter};
pub use entrants::{FindEntrantError, ReferralList, Stats, find_entrant, list_referrals, stats};
pub use flags::{FlagCommand, FlagError, FlaggedList, detect_fraud, flag_user, list_flagged, unflag_user};
pub use fold::{fold, fold_often, rebuild, verify};
pub use packages::{
    Offer, PackageError, create_package, delete_package, list_packages, offer, set_show_pricing,
    show_pricing, update_package,
};
pub use perform_drawing::{
    DrawingTools, PerformDrawingCommand, PerformDrawingError, can_be_opened, ensure_open_commitment,
    find_open_commitment, perform_drawing,
};
pub use provider_callbacks::{
    ClickCommand, ClickError, InboundMessage, find_message, queue_test_message, record_inbound_message,
    record_report, track_click,
};
pub use purchases::{
    ConfirmCommand, ConfirmError, PurchaseCommand, PurchaseError, PurchaseStarted, apply_event,
    begin_purchase, confirm_purchase, purchase_to_confirm, record_intent_id,
};
pub use reconcile::{ReconcileError, reconcile};
pub use sign_in::{
    AttemptError, SessionError, SignInCommand, find_session, reserve_attempt, sign_in, sign_out,
    take_back_attempt,
};
pub use sms_templates::{
    TemplateError, create_template, create_welcome, delete_welcome, list_templates, list_welcomes,
    update_template, update_welcome,
};
pub use store::{Ports, Store};
