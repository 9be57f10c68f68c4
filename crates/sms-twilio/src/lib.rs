//! The texts gateway over Twilio's HTTP API; it also verifies the signatures of Twilio's callbacks (D18, D23).
//!
//! It has no work until texts are sent.
