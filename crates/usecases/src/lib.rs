//! One module per user-visible flow; the only place that opens a transaction or spans domains.
//!
//! A flow takes its store, clock and randomness as arguments, and reads downwards. Start at [`enter()`].

mod analyse;
mod audit;
mod buy;
mod clearing;
mod collect;
mod draw;
mod drawings;
mod enter;
mod flagging;
mod fold;
mod look_up;
mod packages;
mod reconcile;
mod sign_in;

pub use analyse::{dashboard, funnel, trends};
pub use audit::{AuditList, list_audit, newest_audit_entries};
pub use buy::{
    Begun, BuyCommand, BuyError, ConfirmCommand, ConfirmError, apply_event, begin_purchase, confirm_purchase,
    note_intent, purchase_to_confirm,
};
pub use clearing::{StoredData, clear_analytics, clear_referrals, stored_data};
pub use collect::collect;
pub use draw::{DrawCommand, DrawError, DrawingTools, can_be_opened, perform_drawing, standing_commitment};
pub use drawings::{
    DrawingList, FindDrawingError, LogError, LogReport, OwnLeaf, drawing_proof, drawing_statistics,
    find_drawing, list_drawings, own_leaf, published_leaves, verify_drawing_log,
};
pub use enter::{EnterCommand, EnterError, Entered, enter};
pub use flagging::{FlagCommand, FlagError, FlaggedList, detect_fraud, flag_user, list_flagged, unflag_user};
pub use fold::{fold, fold_often, rebuild, verify};
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
