use std::net::IpAddr;

/// Where a request came from, as far as is known. Never part of a public answer (D4).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The client's address (D12).
    pub address: Option<IpAddr>,
    /// What the browser calls itself, shortened.
    pub user_agent: Option<String>,
}
