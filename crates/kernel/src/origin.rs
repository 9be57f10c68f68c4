use std::net::IpAddr;

/// Where a request came from, as far as known. Never part of a public response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The client's IP address.
    pub address: Option<IpAddr>,
    /// The `User-Agent` header, shortened.
    pub user_agent: Option<String>,
}
