//! `scripts/stand-ins/twilio-client/test.sh` compares the stand-in with Twilio's client.

mod callbacks;
mod client;
mod failures;
mod incoming;
mod messages;
mod receiver;
