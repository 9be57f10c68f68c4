//! The address and the user agent of a request.

use crate::AppState;
use crate::http::description::Describe;
use crate::identity::address::client_address;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use kernel::{Origin, StoredText};
use std::future::{Ready, ready};

/// The origin of a request, as the raffle stores it.
pub(crate) struct RequestOrigin(pub(crate) Origin);

/// The longest user agent that is stored, in characters.
const USER_AGENT_CHARS: usize = 512;

impl Describe for RequestOrigin {}

impl FromRequest for RequestOrigin {
    type Error = crate::ApiError;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(state) = request.app_data::<web::Data<AppState>>() else {
            return ready(Err(crate::ApiError::internal()));
        };
        let user_agent = request.headers().get(header::USER_AGENT);
        let user_agent = user_agent.map(|value| read_user_agent(value.as_bytes()));
        let address = client_address(request, &state.trusted_proxies);
        ready(Ok(Self(Origin { address, user_agent })))
    }
}

fn read_user_agent(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    // In the common case no characters must be removed.
    if text.len() <= USER_AGENT_CHARS && !text.contains(char::is_control) {
        return text.into_owned();
    }
    StoredText::cleaned(&text, USER_AGENT_CHARS).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agent_is_shortened_and_stripped_of_control_characters() {
        assert_eq!(read_user_agent(b"Mozilla/5.0"), "Mozilla/5.0");
        assert_eq!(read_user_agent(b"a\x07b\xff"), "ab\u{fffd}");
        assert_eq!(read_user_agent("ü".repeat(600).as_bytes()).chars().count(), 512);
    }
}
