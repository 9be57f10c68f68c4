use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The prefix of the IPv6 network that one subscriber of an internet provider has.
const SUBSCRIBER_PREFIX: u8 = 64;
/// The prefix of the IPv6 addresses that stand for IPv4 addresses.
const MAPPED_PREFIX: u8 = 96;

/// A network of IP addresses. IPv6 networks have at most 64 bits, because one subscriber has all addresses of a /64: who
/// counts people by address must count these as one (D36).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network(IpNet);

impl Network {
    /// The network of the subscriber with this address: an IPv4 address alone, or the /64 of an IPv6 address.
    pub fn of(address: IpAddr) -> Self {
        Self::new(IpNet::from(address.to_canonical()))
    }

    /// Reads an address or a network such as `192.0.2.0/24`. Bits after the prefix become 0, and what is narrower than an
    /// IPv6 /64 becomes that /64.
    pub fn parse(text: &str) -> Option<Self> {
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse::<IpNet>().or_else(|_| address()).ok()?;
        Some(Self::new(without_mapping(network)))
    }

    fn new(network: IpNet) -> Self {
        Self(match network {
            IpNet::V4(v4) => v4.trunc().into(),
            IpNet::V6(v6) => cut(v6).into(),
        })
    }

    /// The first address.
    pub fn first(self) -> IpAddr {
        self.0.network()
    }

    /// The last address.
    pub fn last(self) -> IpAddr {
        self.0.broadcast()
    }

    /// How many bits all addresses have in common.
    pub fn prefix_len(self) -> u8 {
        self.0.prefix_len()
    }

    /// Whether it is a network of IPv6 addresses.
    pub const fn is_ipv6(self) -> bool {
        matches!(self.0, IpNet::V6(_))
    }

    /// Whether all addresses of the other network are in this one.
    pub fn contains(self, other: Self) -> bool {
        self.0.contains(&other.0)
    }
}

/// The network without the bits after its prefix, at least a /64.
fn cut(network: Ipv6Net) -> Ipv6Net {
    let prefix = network.prefix_len().min(SUBSCRIBER_PREFIX);
    Ipv6Net::new(network.addr(), prefix).map_or(network, |cut| cut.trunc())
}

/// The IPv4 network that a network of IPv6 addresses such as `::ffff:192.0.2.1` stands for; any other one unchanged.
fn without_mapping(network: IpNet) -> IpNet {
    let mapped = |v6: Ipv6Net| {
        let v4 = Ipv6Addr::to_ipv4_mapped(&v6.addr())?;
        Ipv4Net::new(v4, v6.prefix_len().checked_sub(MAPPED_PREFIX)?).ok()
    };
    match network {
        IpNet::V4(_) => network,
        IpNet::V6(v6) => mapped(v6).map_or(network, IpNet::from),
    }
}

/// An IPv4 address alone, or the CIDR form.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpNet::V4(v4) if v4.prefix_len() == v4.max_prefix_len() => v4.addr().fmt(f),
            network => network.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(address: &str) -> String {
        Network::of(address.parse().unwrap()).to_string()
    }

    fn parse(text: &str) -> Option<String> {
        Network::parse(text).map(|network| network.to_string())
    }

    #[test]
    fn a_subscriber_has_an_ipv4_address_or_an_ipv6_64() {
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(of("2001:db8:1:2::"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
    }

    #[test]
    fn addresses_and_networks_are_read_without_the_bits_after_their_prefix() {
        for (text, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7/32", "192.0.2.7"),
            ("192.0.2.7/24", "192.0.2.0/24"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7/120", "192.0.2.0/24"),
            ("2001:DB8:1:2:3::9", "2001:db8:1:2::/64"),
            ("2001:db8:1:2:3::9/128", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::/48", "2001:db8:1::/48"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("::/0", "::/0"),
        ] {
            assert_eq!(parse(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in [
            "",
            "home",
            "192.0.2",
            "192.0.2.7/33",
            "2001:db8::/129",
            "192.0.2.7/-1",
            " 192.0.2.7",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_network_contains_itself_and_narrower_ones() {
        let network = |text| Network::parse(text).unwrap();
        let campus = network("192.0.2.0/24");
        assert!(campus.contains(campus) && campus.contains(network("192.0.2.255")));
        assert!(!campus.contains(network("192.0.3.0")) && !campus.contains(network("192.0.0.0/20")));
        assert!(network("2001:db8::/40").contains(network("2001:db8:ff::1")));
        assert!(!network("2001:db8::/40").contains(campus));
        assert_eq!((campus.prefix_len(), campus.is_ipv6()), (24, false));
        assert_eq!(
            (campus.first(), campus.last()),
            ([192, 0, 2, 0].into(), [192, 0, 2, 255].into())
        );
    }

    proptest! {
        #[test]
        fn a_network_is_read_back_from_its_text(address in any::<u128>(), prefix in 0..=64u8) {
            let network = Network::new(Ipv6Net::new(Ipv6Addr::from(address), prefix).unwrap().into());
            prop_assert_eq!(Network::parse(&network.to_string()), Some(network));
            prop_assert!(network.contains(Network::of(network.first())));
            prop_assert!(network.contains(Network::of(network.last())));
        }
    }
}
