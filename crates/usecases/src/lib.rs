//! One module per user-visible flow; the only place that opens a transaction or spans domains.
//!
//! A flow takes its store, clock and randomness as arguments, and reads downwards. Start at [`enter()`].

mod analyse;
mod audit;
mod buy;
mod campaigns;
mod clearing;
mod collect;
mod credentials;
mod deliver_texts;
mod draw;
mod drawings;
mod enter;
mod flagging;
mod fold;
mod hear;
mod look_up;
mod packages;
mod reconcile;
mod sign_in;
mod sms_templates;

pub use analyse::{dashboard, funnel, trends};
pub use audit::{AuditList, list_audit, newest_audit_entries};
pub use buy::{
    Begun, BuyCommand, BuyError, ConfirmCommand, ConfirmError, apply_event, begin_purchase, confirm_purchase,
    note_intent, purchase_to_confirm,
};
pub use campaigns::{
    CampaignError, CampaignList, Estimate, ScheduleCommand, SmsRules, SmsStatus, cancel_campaign,
    estimate_campaign, export_texts, find_campaign, list_campaigns, schedule_campaign, sms_figures,
    sms_status,
};
pub use clearing::{StoredData, clear_analytics, clear_campaigns, clear_referrals, clear_sms, stored_data};
pub use collect::collect;
pub use credentials::{CredentialsSource, current_credentials, save_credentials};
pub use deliver_texts::{
    DeliverError, LEASE, LOOK_UP_AFTER, ReadyText, give_lease_back, halt_for_credentials, hand_back,
    is_halted, next_texts, record_outcomes, take_doubtful, take_lease, told_by_looking_up, told_by_sending,
    turn_campaigns,
};
pub use draw::{DrawCommand, DrawError, DrawingTools, can_be_opened, perform_drawing, standing_commitment};
pub use drawings::{
    DrawingList, FindDrawingError, LogError, LogReport, OwnLeaf, drawing_proof, drawing_statistics,
    find_drawing, list_drawings, own_leaf, published_leaves, verify_drawing_log,
};
pub use enter::{EnterCommand, EnterError, Entered, enter};
pub use flagging::{FlagCommand, FlagError, FlaggedList, detect_fraud, flag_user, list_flagged, unflag_user};
pub use fold::{fold, fold_often, rebuild, verify};
pub use hear::{
    ClickCommand, ClickError, InboundText, find_text, hear_inbound, hear_status, queue_test_text, track_click,
};
pub use look_up::{LookUpError, ReferralList, Stats, find_entrant, list_referrals, stats};
pub use packages::{
    Offer, PackageError, create_package, delete_package, list_packages, offer, set_show_pricing,
    show_pricing, update_package,
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
