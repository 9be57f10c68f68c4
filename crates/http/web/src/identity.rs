//! Who somebody is: addresses, tokens, passwords and limits. Nothing here knows a route or the state.

pub(crate) mod address;
pub(crate) mod geo;
pub(crate) mod keys;
pub(crate) mod known_credentials;
pub(crate) mod limits;
pub(crate) mod password;
pub(crate) mod sign_in;
pub(crate) mod visitor_tokens;
