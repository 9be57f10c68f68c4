//! Messages that a browser shows when a raffle is drawn.
//!
//! Invariants: a message goes only to the push services that browsers use, so that nobody makes the server send requests
//! to a host of their choice; it says nothing about a person; and a subscription gets one message about each drawing. A
//! message that may have arrived is sent again after a crash: it has the same topic and the browser shows it in the same
//! place.
//!
//! Which addresses the server sends to:
//!
//! ```
//! use push::{Endpoint, EndpointError, EndpointRules};
//!
//! let parse = |text| Endpoint::parse(text, EndpointRules::KnownServices);
//! let endpoint = parse("https://fcm.googleapis.com/fcm/send/secret").unwrap();
//! assert_eq!(endpoint.origin(), "https://fcm.googleapis.com");
//! assert_eq!(parse("https://example.com/fcm/send/secret"), Err(EndpointError::Unknown));
//! assert_eq!(parse("https://127.0.0.1/"), Err(EndpointError::Unknown));
//! ```
//!
//! Start reading at [`Subscriptions`] and [`Deliveries`], the ports to the store, and [`PushService`], the port to the
//! push services.

mod delivery;
mod endpoint;
mod keys;
mod message;
mod service;
mod store;
mod subscription;

pub use delivery::{Attempt, Next, Waiting, next_step};
pub use endpoint::{Endpoint, EndpointError, EndpointRules};
pub use keys::{KeysError, SubscriptionKeys};
pub use message::{MESSAGE_LIFE, result_message, topic_of};
pub use service::{PushMessage, PushOutcome, PushService};
pub use store::{Deliveries, PushStore, Subscriptions};
pub use subscription::{DeliveryId, NewSubscription, SUBSCRIPTIONS_PER_ENTRANT, SubscriptionId};
