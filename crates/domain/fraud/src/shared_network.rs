//! Networks that many people share, such as those of a school: fraud detection flags nobody only for being on one.

use chrono::{DateTime, Utc};
use kernel::{Network, StoredText, StoredTextError};

kernel::id_type! {
    /// The id of a shared network.
    pub struct SharedNetworkId
}

/// The widest shared networks, so that a slip of the hand does not switch detection off.
const WIDEST_IPV4: u8 = 20;
const WIDEST_IPV6: u8 = 40;

/// A shared network to be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSharedNetwork {
    network: Network,
    label: StoredText,
}

/// Why a text is not a shared network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SharedNetworkError {
    /// It is neither an address nor a network.
    #[error("Must be an address or a network such as 192.0.2.0/24 or 2001:db8:1::/48")]
    NotANetwork,
    /// It is wider than a /20, or than a /40 of IPv6.
    #[error("Must not be wider than /20, or /40 for IPv6")]
    TooWide,
}

impl NewSharedNetwork {
    /// The longest label, in characters.
    pub const LABEL_CHARS: usize = 80;

    /// A shared network, with what it is called.
    pub const fn new(network: Network, label: StoredText) -> Self {
        Self { network, label }
    }

    /// Reads an address or a network, as [`Network::parse`] does.
    ///
    /// # Errors
    /// When it is no network, or a wide one.
    pub fn read_network(text: &str) -> Result<Network, SharedNetworkError> {
        let network = Network::parse(text.trim()).ok_or(SharedNetworkError::NotANetwork)?;
        let widest = if network.is_ipv6() {
            WIDEST_IPV6
        } else {
            WIDEST_IPV4
        };
        if network.prefix_len() < widest {
            return Err(SharedNetworkError::TooWide);
        }
        Ok(network)
    }

    /// Reads a label: one line.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn read_label(text: &str) -> Result<StoredText, StoredTextError> {
        StoredText::line(text, Self::LABEL_CHARS)
    }

    /// The network.
    pub const fn network(&self) -> Network {
        self.network
    }

    /// What it is called.
    pub fn label(&self) -> &str {
        self.label.as_str()
    }
}

/// A shared network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedNetwork {
    /// The id.
    pub id: SharedNetworkId,
    /// The network.
    pub network: Network,
    /// What it is called.
    pub label: String,
    /// When it was listed.
    pub created_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, SharedNetworkError> {
        NewSharedNetwork::read_network(text).map(|network| network.to_string())
    }

    #[test]
    fn a_shared_network_is_not_wide() {
        for (text, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            (" 192.0.2.7/24 ", "192.0.2.0/24"),
            ("198.51.111.255/20", "198.51.96.0/20"),
            ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("2001:db8:1ff::/40", "2001:db8:100::/40"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
        for wide in ["198.51.100.0/19", "0.0.0.0/0", "2001:db8::/39", "::/0"] {
            assert_eq!(read(wide), Err(SharedNetworkError::TooWide), "{wide}");
        }
        for wrong in ["", "the school", "192.0.2.0/", "192.0.2.0/24/24"] {
            assert_eq!(read(wrong), Err(SharedNetworkError::NotANetwork), "{wrong}");
        }
    }
}
