//! Flags, which exclude entrants from drawings: who gets one, and how it ends.
//!
//! Staff set flags, and so does detection: [`FraudRules::examine`] looks at the accounts of one network and says whom to flag
//! and why. A network that staff list as shared ([`NewSharedNetwork`]), such as that of a school, is not enough by itself.
//! Who is flagged reads why ([`Hold`]) and may appeal ([`NewAppeal`]); staff decide ([`Verdict`]). Invariants: an entrant has
//! at most one open appeal, and detection never flags again whom staff unflagged.
//!
//! A hundred students of one school enter, one an hour:
//!
//! ```
//! use chrono::{DateTime, TimeDelta};
//! use fraud::{Evidence, FraudRules, NetworkAccount};
//! use kernel::EntrantId;
//!
//! let rules = FraudRules {
//!     accounts_per_network: 5,
//!     flag_shared_networks: true,
//! };
//! let student = |n: i64| NetworkAccount {
//!     id: EntrantId::new(n),
//!     created_at: DateTime::UNIX_EPOCH + TimeDelta::hours(n),
//!     fingerprint: None,
//!     referrer: None,
//!     is_open: true,
//! };
//! let students: Vec<_> = (1..=100).map(student).collect();
//!
//! let is_shared = true;
//! assert!(rules.examine(is_shared, students.clone()).is_empty());
//!
//! let findings = rules.examine(!is_shared, students);
//! assert_eq!(findings.len(), 100);
//! assert_eq!(findings[0].evidence, [Evidence::SharedNetwork { accounts: 100 }]);
//! ```
//!
//! Start reading at [`FraudRules::examine`], then at [`Flags`].

mod appeal;
mod evidence;
mod flag;
mod ports;
mod shared_network;

pub use appeal::{
    Appeal, AppealCase, AppealId, AppealMessage, AppealMessageError, AppealOutcome, AppealStatus, Decision,
    DecisionOutcome, Hold, NewAppeal, Verdict,
};
pub use evidence::{Evidence, Finding, FraudRules, NetworkAccount};
pub use flag::{
    Detected, FlagOutcome, FlagPosition, FlaggedEntrant, FlaggedFilter, FlaggedSort, NewFlag, PublicReason,
    REASON_OF_DETECTION, REASON_WITHOUT_ADDRESS, reason_of_detection, reason_of_staff,
};
pub use ports::{Appeals, Flags, FraudStore, SharedNetworks};
pub use shared_network::{NewSharedNetwork, SharedNetwork, SharedNetworkError, SharedNetworkId};
