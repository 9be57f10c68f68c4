//! The flow of sending messages, on the fakes and in paused time: a test that waits an hour takes a moment.

mod credentials;
mod fixture;
mod lease;
mod pace;
mod steps;
mod uncertain;
