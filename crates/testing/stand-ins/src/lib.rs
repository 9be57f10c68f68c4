//! Stand-ins for the providers that Tombola asks: [`stripe`], [`twilio`] and [`drand`], for tests and for the demo. Never a part
//! of `tombola`.
//!
//! Each is a server and a program of its own. What they share is in [`kit`].

#![recursion_limit = "256"]

pub mod drand;
pub mod kit;
pub mod stripe;
pub mod twilio;
