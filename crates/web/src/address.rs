//! The address and the user agent of a request (D12).

use crate::AppState;
use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web};
use ipnet::IpNet;
use kernel::{Origin, StoredText};
use std::future::{Ready, ready};
use std::net::IpAddr;

/// Networks whose `X-Forwarded-For` is trusted.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Parses addresses and networks separated by commas, such as `10.0.0.0/8, 192.0.2.1`.
    ///
    /// # Errors
    /// The first part that is neither an address nor a network.
    pub fn parse(list: &str) -> Result<Self, String> {
        let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
        let network = |part: &str| {
            let address = || part.parse::<IpAddr>().map(IpNet::from);
            part.parse::<IpNet>()
                .or_else(|_| address())
                .map_err(|_| part.to_owned())
        };
        parts.map(network).collect::<Result<_, _>>().map(Self)
    }

    fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether the connection comes from one of these proxies.
    pub(crate) fn sent(&self, request: &HttpRequest) -> bool {
        let peer = request.peer_addr();
        peer.is_some_and(|peer| self.contains(peer.ip().to_canonical()))
    }

    /// The peer's address, or the last hop that is not trusted when the peer is.
    fn client(&self, peer: IpAddr, forwarded_for: Option<&str>) -> IpAddr {
        if !self.contains(peer) {
            return peer;
        }
        let mut client = peer;
        for hop in forwarded_for.unwrap_or_default().rsplit(',') {
            // A hop that is not an address ends the trusted part of the list.
            let Ok(address) = hop.trim().parse::<IpAddr>() else {
                break;
            };
            client = address.to_canonical();
            if !self.contains(client) {
                break;
            }
        }
        client
    }
}

/// The client's address, if the connection has one.
pub(crate) fn client_address(request: &HttpRequest, proxies: &TrustedProxies) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip().to_canonical();
    // Several headers form one list.
    let values = request
        .headers()
        .get_all("x-forwarded-for")
        .filter_map(|value| value.to_str().ok());
    let forwarded_for = values.collect::<Vec<_>>().join(",");
    Some(proxies.client(peer, Some(&forwarded_for)))
}

/// The origin of a request, as the raffle stores it.
pub(crate) struct RequestOrigin(pub(crate) Origin);

/// The longest user agent that is stored, in characters.
const USER_AGENT_CHARS: usize = 512;

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

    fn client(peer: &str, forwarded_for: &str) -> String {
        let proxies = TrustedProxies::parse("10.0.0.0/8, 192.0.2.1,2001:db8::/32").unwrap();
        proxies
            .client(peer.parse().unwrap(), Some(forwarded_for))
            .to_string()
    }

    #[test]
    fn an_untrusted_peer_cannot_choose_its_address() {
        assert_eq!(client("203.0.113.9", "198.51.100.1"), "203.0.113.9");
    }

    #[test]
    fn behind_trusted_proxies_the_last_untrusted_hop_counts() {
        assert_eq!(client("10.1.2.3", "198.51.100.1"), "198.51.100.1");
        assert_eq!(
            client("10.1.2.3", "1.2.3.4, 198.51.100.1, 192.0.2.1"),
            "198.51.100.1"
        );
        assert_eq!(client("2001:db8::1", "1.2.3.4,2001:4860::8"), "2001:4860::8");
        assert_eq!(client("10.1.2.3", "::ffff:198.51.100.1"), "198.51.100.1");
    }

    #[test]
    fn without_an_untrusted_hop_the_farthest_known_hop_counts() {
        assert_eq!(client("10.1.2.3", ""), "10.1.2.3");
        assert_eq!(client("10.1.2.3", "nonsense, 10.9.9.9"), "10.9.9.9");
        assert_eq!(client("10.1.2.3", "198.51.100.1, unknown"), "10.1.2.3");
    }

    #[test]
    fn a_user_agent_is_shortened_and_stripped_of_control_characters() {
        assert_eq!(read_user_agent(b"Mozilla/5.0"), "Mozilla/5.0");
        assert_eq!(read_user_agent(b"a\x07b\xff"), "ab\u{fffd}");
        assert_eq!(read_user_agent("ü".repeat(600).as_bytes()).chars().count(), 512);
    }

    #[test]
    fn a_part_that_is_not_a_network_is_returned_as_the_error() {
        assert_eq!(TrustedProxies::parse("10.0.0.0/8,proxy").unwrap_err(), "proxy");
        assert_eq!(TrustedProxies::parse("10.0.0.0/99").unwrap_err(), "10.0.0.0/99");
        assert!(TrustedProxies::parse("").is_ok());
    }
}
