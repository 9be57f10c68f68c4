//! The push services of browsers over HTTP: the protocol (RFC 8030), the encryption of messages (RFC 8291 with RFC 8188)
//! and the identification of this server (VAPID, RFC 8292).
//!
//! Nothing is retried here: the caller decides by [`push::PushOutcome`]. Neither errors nor logs contain endpoints, keys or
//! messages. Start reading at [`WebPush`].

mod encryption;
mod service;
mod vapid;

pub use service::{Timeouts, WebPush};
pub use vapid::{Vapid, VapidError, VapidKeys};
