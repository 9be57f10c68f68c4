//! The address of a request.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderValue;
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

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

    /// Whether the address is one of these proxies.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether the connection comes from one of these proxies.
    pub(crate) fn sent(&self, request: &HttpRequest) -> bool {
        let peer = request.peer_addr();
        peer.is_some_and(|peer| self.contains(peer.ip().to_canonical()))
    }

    /// The peer's address, or the last hop that is not trusted when the peer is. `forwarded_for` holds the header's
    /// lines in their order.
    ///
    /// Every proxy appends the address that it was called from, so only what trusted proxies appended can be believed.
    /// It is read from its end, as bytes: what a visitor put before it, in whatever encoding, is never looked at.
    fn client<'a>(&self, peer: IpAddr, forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>) -> IpAddr {
        if !self.contains(peer) {
            return peer;
        }
        let hops = forwarded_for
            .rev()
            .flat_map(|line| line.rsplit(|byte| *byte == b','))
            .map(<[u8]>::trim_ascii)
            .filter(|hop| !hop.is_empty());
        let mut client = peer;
        for hop in hops {
            // A hop that is not an address ends the trusted part of the list.
            let Some(address) = hop_address(hop) else {
                break;
            };
            client = address;
            if !self.contains(client) {
                break;
            }
        }
        client
    }
}

/// The address of a hop: `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`. An
/// IPv4 address that is written as IPv6 is an IPv4 address.
fn hop_address(hop: &[u8]) -> Option<IpAddr> {
    let hop = str::from_utf8(hop).ok()?;
    let without_brackets = hop
        .strip_prefix('[')
        .and_then(|hop| hop.strip_suffix(']'))
        .unwrap_or(hop);
    let address = without_brackets.parse::<IpAddr>().ok();
    let with_port = || hop.parse::<SocketAddr>().map(|socket| socket.ip()).ok();
    address.or_else(with_port).map(|address| address.to_canonical())
}

/// The client's address, if the connection has one.
pub(crate) fn client_address(request: &HttpRequest, proxies: &TrustedProxies) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip().to_canonical();
    // Several headers form one list.
    let lines = request.headers().get_all("x-forwarded-for");
    Some(proxies.client(peer, lines.map(HeaderValue::as_bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;
    use proptest::prelude::*;

    fn proxies() -> TrustedProxies {
        TrustedProxies::parse("10.0.0.0/8, 192.0.2.1,2001:db8::/32").unwrap()
    }

    fn client(peer: &str, forwarded_for: &str) -> String {
        let peer = peer.parse().unwrap();
        let lines = forwarded_for.split('\n').map(str::as_bytes);
        proxies().client(peer, lines).to_string()
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
    fn a_hop_may_have_a_port_and_brackets() {
        for hop in ["198.51.100.1:4711", "[::ffff:198.51.100.1]:4711"] {
            assert_eq!(client("10.1.2.3", hop), "198.51.100.1", "{hop}");
        }
        for hop in [
            "2001:4860::8",
            "[2001:4860::8]",
            "[2001:4860::8]:443",
            "\t[2001:4860::8]:443 ",
        ] {
            assert_eq!(client("10.1.2.3", hop), "2001:4860::8", "{hop}");
        }
        assert_eq!(
            client("10.1.2.3", "1.2.3.4, 198.51.100.1:80, [2001:db8::5]:1"),
            "198.51.100.1"
        );
        for wrong in [
            "198.51.100.1:65536",
            "[2001:4860::8",
            "2001:4860::8]:1",
            "198.51.100.1:",
        ] {
            assert_eq!(client("10.1.2.3", wrong), "10.1.2.3", "{wrong}");
        }
    }

    #[test]
    fn several_lines_are_one_list_and_empty_elements_count_for_nothing() {
        assert_eq!(
            client("10.1.2.3", "1.2.3.4\n198.51.100.1\n192.0.2.1"),
            "198.51.100.1"
        );
        assert_eq!(client("10.1.2.3", "198.51.100.1, ,\n,"), "198.51.100.1");
    }

    #[test]
    fn bytes_that_are_not_ascii_hide_no_later_hop() {
        let request = TestRequest::default()
            .peer_addr("10.1.2.3:4711".parse().unwrap())
            .append_header((
                "x-forwarded-for",
                HeaderValue::from_bytes(b"\xff\xfe, 1.2.3.4").unwrap(),
            ))
            .append_header((
                "x-forwarded-for",
                HeaderValue::from_bytes("für, 198.51.100.1".as_bytes()).unwrap(),
            ))
            .to_http_request();
        let address = client_address(&request, &proxies());
        assert_eq!(address.unwrap().to_string(), "198.51.100.1");
    }

    /// An address outside of [`proxies`], and one way to write it.
    fn hop() -> impl Strategy<Value = (IpAddr, String)> {
        let address = prop_oneof![
            any::<[u8; 4]>().prop_map(IpAddr::from),
            any::<[u16; 8]>().prop_map(IpAddr::from)
        ];
        let stranger = address.prop_map(|address| address.to_canonical());
        let stranger = stranger.prop_filter("trusted", |address| !proxies().contains(*address));
        (stranger, any::<u16>(), 0..4u8).prop_map(|(address, port, form)| {
            let text = match (form, address) {
                (0, _) => SocketAddr::new(address, port).to_string(),
                (1, IpAddr::V4(v4)) => v4.to_ipv6_mapped().to_string(),
                (2, IpAddr::V4(v4)) => format!("[{}]:{port}", v4.to_ipv6_mapped()),
                (2, IpAddr::V6(v6)) => format!("[{v6}]"),
                (1 | 3.., _) => address.to_string(),
            };
            (address, text)
        })
    }

    /// Lines of a header that anybody may have sent.
    fn garbage() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let byte = prop_oneof![any::<u8>(), prop::sample::select(&b", :[].\"0123456789"[..])];
        prop::collection::vec(prop::collection::vec(byte, 0..40), 0..5)
    }

    proptest! {
        #[test]
        fn whatever_a_visitor_sends_the_hop_that_the_proxy_appended_counts(
            mut lines in garbage(),
            (address, text) in hop(),
            on_own_line in any::<bool>(),
        ) {
            match lines.last_mut().filter(|_| !on_own_line) {
                Some(line) => line.extend_from_slice(format!(", {text}").as_bytes()),
                None => lines.push(text.into_bytes()),
            }
            let peer = IpAddr::from([10, 1, 2, 3]);
            prop_assert_eq!(proxies().client(peer, lines.iter().map(Vec::as_slice)), address);
        }

        #[test]
        fn an_untrusted_peer_is_the_client_whatever_it_sends(lines in garbage(), (peer, _) in hop()) {
            prop_assert_eq!(proxies().client(peer, lines.iter().map(Vec::as_slice)), peer);
        }
    }

    #[test]
    fn a_part_that_is_not_a_network_is_returned_as_the_error() {
        assert_eq!(TrustedProxies::parse("10.0.0.0/8,proxy").unwrap_err(), "proxy");
        assert_eq!(TrustedProxies::parse("10.0.0.0/99").unwrap_err(), "10.0.0.0/99");
        assert!(TrustedProxies::parse("").is_ok());
    }
}
