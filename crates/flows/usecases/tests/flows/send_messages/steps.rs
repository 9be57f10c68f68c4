//! The steps of sending messages, on the fakes. The rules of the store are tested in `contracts`.

mod claims;
mod fixture;
mod hours;
mod lease;
