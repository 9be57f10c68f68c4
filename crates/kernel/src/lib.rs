//! Words that more than one domain needs, and the ports that every flow uses.
//!
//! Nothing here knows a database, a web server or a provider. Invariants:
//! a [`Phone`] is E.164, a [`ReferralCode`] can be written in a link as it stands,
//! and a [`LandingPage`] is one of the four raffles.
//!
//! Start reading at [`UnitOfWork`]: it is how a flow talks to what is stored.

mod clock;
mod entropy;
mod event_id;
mod idempotency_key;
mod ids;
mod landing_page;
mod money;
mod origin;
mod page;
mod phone;
mod referral_code;
mod sealer;
mod store;

pub use clock::Clock;
pub use entropy::{Entropy, pick};
pub use event_id::{EventId, EventIdError};
pub use idempotency_key::IdempotencyKey;
pub use ids::EntrantId;
pub use landing_page::{LandingPage, UnknownLandingPage};
pub use money::Money;
pub use origin::Origin;
pub use page::Page;
pub use phone::{Phone, PhoneError};
pub use referral_code::{ReferralCode, ReferralCodeError};
pub use sealer::Sealer;
pub use store::{StoreError, UniqueKey, UnitOfWork};
