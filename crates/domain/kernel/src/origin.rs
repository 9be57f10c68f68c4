use serde::{Deserialize, Serialize};
use std::net::IpAddr;

/// Where a request came from, as far as known. Never part of a public response.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The client's IP address.
    #[serde(rename = "ipAddress")]
    pub address: Option<IpAddr>,
    /// The `User-Agent` header, shortened.
    pub user_agent: Option<String>,
}
