use crate::{BrowserHash, NumberTag};
use ipnet::IpNet;
use raffle::SignUpId;
use std::fmt;
use std::net::IpAddr;

/// What a number is proved for. Each purpose has limits of its own.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum Purpose {
    /// Entering a raffle, or getting one's page back.
    SignUp,
    /// Claiming a prize.
    Claim,
    /// Getting a copy of one's data, or having it erased.
    DataRequest,
}

impl Purpose {
    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The one sign-up, claim or request that a code counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A sign-up.
    SignUp(SignUpId),
    /// The claim with this id.
    Claim(i64),
    /// The request for data with this id.
    DataRequest(i64),
}

impl Subject {
    /// What the number is proved for.
    pub const fn purpose(self) -> Purpose {
        match self {
            Self::SignUp(_) => Purpose::SignUp,
            Self::Claim(_) => Purpose::Claim,
            Self::DataRequest(_) => Purpose::DataRequest,
        }
    }
}

/// As it is stored and hashed: `sign_up:` and 32 hexadecimal digits, or `claim:` or `data_request:` and a number.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let purpose = self.purpose().as_str();
        match self {
            Self::SignUp(id) => write!(f, "{purpose}:{id}"),
            Self::Claim(id) | Self::DataRequest(id) => write!(f, "{purpose}:{id}"),
        }
    }
}

/// Whom a code belongs to: nobody else can enter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// The browser that asked for it.
    Browser(BrowserHash),
    /// Staff, who asked for a person that reads the code to them.
    Staff,
}

impl Holder {
    /// The browser, if it is one.
    pub const fn browser(&self) -> Option<&BrowserHash> {
        match self {
            Self::Browser(browser) => Some(browser),
            Self::Staff => None,
        }
    }
}

/// A request for a code, as far as limits count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// What the code is for.
    pub subject: Subject,
    /// Who asks.
    pub holder: Holder,
    /// The number that the code is sent to.
    pub number: NumberTag,
    /// The network that asks: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
}

impl Request {
    /// The block that the network lies in.
    pub fn block(&self) -> Option<IpNet> {
        self.network.map(block_of)
    }
}

/// The block of addresses that one customer of a provider may have: an IPv4 /24 or an IPv6 /48.
pub fn block_of(network: IpAddr) -> IpNet {
    let length = match network {
        IpAddr::V4(_) => 24,
        IpAddr::V6(_) => 48,
    };
    IpNet::new_assert(network, length).trunc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_a_24_or_a_48() {
        let block = |text: &str| block_of(text.parse().unwrap()).to_string();
        assert_eq!(block("192.0.2.77"), "192.0.2.0/24");
        assert_eq!(block("2001:db8:1:2::"), "2001:db8:1::/48");
    }

    #[test]
    fn a_subject_is_written_with_its_purpose() {
        let sign_up = Subject::SignUp(SignUpId::new([0xab; 16]));
        assert_eq!(sign_up.to_string(), format!("sign_up:{}", "ab".repeat(16)));
        assert_eq!(Subject::Claim(7).to_string(), "claim:7");
        assert_eq!(Subject::DataRequest(7).to_string(), "data_request:7");
    }
}
