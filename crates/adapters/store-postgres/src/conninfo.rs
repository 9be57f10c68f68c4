//! Connection strings of PostgreSQL, as URLs or as `name=value` pairs (the documentation of libpq, "Connection Strings").
//! libpq has the last word about them; this reads what decides where a connection goes and how it is protected.

use std::net::IpAddr;

const DEFAULT_PORT: u16 = 5432;

/// A connection string that cannot be read. It names no value, because values may be secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConnInfoError {
    /// It is neither a URL nor a list of pairs.
    #[error("must be a PostgreSQL URL, such as postgresql://user@host/tombola")]
    Syntax,
    /// A port is not a number, or their count is not that of the hosts.
    #[error("needs one port, or one for each host")]
    Ports,
    /// The counts of `host` and `hostaddr` differ.
    #[error("needs one hostaddr for each host")]
    Addresses,
}

/// One server of a connection string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The host's name or address, or the folder of a Unix socket. Certificates are checked for it.
    pub host: String,
    /// Where the connection goes: `hostaddr`, or else the host.
    pub address: String,
    /// The port.
    pub port: u16,
}

impl Endpoint {
    /// Whether it is a Unix socket.
    pub fn is_socket(&self) -> bool {
        self.address.starts_with(['/', '@'])
    }

    /// Whether connections stay on this machine.
    pub fn is_local(&self) -> bool {
        let ip = self.address.parse::<IpAddr>();
        let is_loopback = ip.is_ok_and(|ip| ip.to_canonical().is_loopback());
        self.is_socket() || is_loopback || self.address == "localhost"
    }
}

/// A parsed connection string.
#[derive(Clone, PartialEq, Eq)]
pub struct ConnInfo {
    parameters: Vec<(String, String)>,
}

impl ConnInfo {
    /// Parses a connection string.
    ///
    /// # Errors
    /// [`ConnInfoError::Syntax`].
    pub fn parse(text: &str) -> Result<Self, ConnInfoError> {
        let url = ["postgresql://", "postgres://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme));
        let parameters = match url {
            Some(url) => parse_url(url),
            None if text.contains("://") => None,
            None => parse_pairs(text).filter(|pairs| !pairs.is_empty()),
        };
        let parameters = parameters.ok_or(ConnInfoError::Syntax)?;
        Ok(Self { parameters })
    }

    /// The value of a parameter. Empty values count as absent, as in libpq.
    pub fn get(&self, name: &str) -> Option<&str> {
        let last = self.parameters.iter().rfind(|(given, _)| given == name);
        last.map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The names of the parameters that are set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|(name, _)| name.as_str())
    }

    /// The servers, in the order in which libpq tries them. Without a host there is none, and libpq decides.
    ///
    /// # Errors
    /// [`ConnInfoError::Ports`] and [`ConnInfoError::Addresses`].
    pub fn endpoints(&self) -> Result<Vec<Endpoint>, ConnInfoError> {
        let list = |name| -> Vec<&str> {
            self.get(name)
                .map_or_else(Vec::new, |text| text.split(',').collect())
        };
        let (hosts, addresses) = (list("host"), list("hostaddr"));
        if !hosts.is_empty() && !addresses.is_empty() && hosts.len() != addresses.len() {
            return Err(ConnInfoError::Addresses);
        }
        let count = hosts.len().max(addresses.len());
        let ports = self.ports(count)?;
        let endpoint = |(n, port): (usize, u16)| {
            let address = addresses.get(n).copied().filter(|address| !address.is_empty());
            let host = hosts.get(n).copied().or(address).unwrap_or_default();
            Endpoint {
                host: host.to_owned(),
                address: address.unwrap_or(host).to_owned(),
                port,
            }
        };
        Ok(ports.into_iter().enumerate().map(endpoint).collect())
    }

    fn ports(&self, count: usize) -> Result<Vec<u16>, ConnInfoError> {
        let text = self.get("port").unwrap_or_default();
        let number = |part: &str| match part {
            "" => Ok(DEFAULT_PORT),
            part => part.parse().map_err(|_| ConnInfoError::Ports),
        };
        let ports: Vec<u16> = text.split(',').map(number).collect::<Result<_, _>>()?;
        match ports[..] {
            [port] => Ok(vec![port; count]),
            _ if ports.len() == count => Ok(ports),
            _ => Err(ConnInfoError::Ports),
        }
    }

    /// The same connection with other values. An empty value removes a parameter.
    #[must_use]
    pub fn with(mut self, changes: &[(&str, &str)]) -> Self {
        self.parameters
            .retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
        let changes = changes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        self.parameters.extend(changes);
        self
    }

    /// The string of `name='value'` pairs that libpq reads. An empty value is kept: it keeps libpq from taking the value
    /// from its own environment variables.
    pub fn to_pairs(&self) -> String {
        let quoted = |value: &str| value.replace('\\', "\\\\").replace('\'', "\\'");
        let pairs = self.parameters.iter();
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}='{}'", quoted(value)))
            .collect();
        pairs.join(" ")
    }
}

/// What follows the scheme: `[user[:password]@][host][:port][,...][/dbname][?name=value[&...]]`.
fn parse_url(rest: &str) -> Option<Vec<(String, String)>> {
    let mut parameters = Vec::new();
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            parameters.push((name.to_owned(), decode(value)?));
        }
        Some(())
    };
    let (userinfo, rest) = match rest.find(['@', '/']) {
        Some(at) if rest[at..].starts_with('@') => (&rest[..at], &rest[at + 1..]),
        _ => ("", rest),
    };
    let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
    add("user", user)?;
    add("password", password)?;

    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (hosts, database) = rest.split_once('/').unwrap_or((rest, ""));
    add("dbname", database)?;
    let (hosts, ports): (Vec<_>, Vec<_>) = hosts.split(',').map(host_and_port).collect::<Option<_>>()?;
    if hosts.iter().any(|host| !host.is_empty()) {
        add("host", &hosts.join(","))?;
    }
    if ports.iter().any(|port| !port.is_empty()) {
        add("port", &ports.join(","))?;
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=')?;
        match (name, value) {
            ("ssl", "true") => parameters.push(("sslmode".to_owned(), "require".to_owned())),
            _ => parameters.push((decode(name)?, decode(value)?)),
        }
    }
    Some(parameters)
}

/// `host`, `host:port`, `[IPv6]` or `[IPv6]:port`.
fn host_and_port(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix('[') {
        let (host, port) = rest.split_once(']')?;
        return match port.strip_prefix(':') {
            Some(port) => Some((host, port)),
            None => port.is_empty().then_some((host, "")),
        };
    }
    Some(text.split_once(':').unwrap_or((text, "")))
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok().filter(|byte| *byte != 0)?);
    }
    String::from_utf8(bytes).ok()
}

/// `name = value` pairs; a value with spaces stands in single quotes, and `\` escapes a character.
fn parse_pairs(text: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = read_value(after.trim_start())?;
        let name = name.trim_end();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        pairs.push((name.to_owned(), value));
        rest = after.trim_start();
    }
    Some(pairs)
}

/// The first value, and what follows it.
fn read_value(text: &str) -> Option<(String, &str)> {
    let (is_quoted, text) = match text.strip_prefix('\'') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => value.push(chars.next()?.1),
            '\'' if is_quoted => return Some((value, text.get(at + 1..)?)),
            char if !is_quoted && char.is_whitespace() => return Some((value, text.get(at..)?)),
            char => value.push(char),
        }
    }
    (!is_quoted).then_some((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoints(text: &str) -> Vec<(String, String, u16)> {
        let endpoints = ConnInfo::parse(text).unwrap().endpoints().unwrap();
        endpoints
            .into_iter()
            .map(|end| (end.host, end.address, end.port))
            .collect()
    }

    fn hosts(text: &str) -> Vec<(String, u16)> {
        endpoints(text)
            .into_iter()
            .map(|(_, address, port)| (address, port))
            .collect()
    }

    fn one(host: &str, port: u16) -> Vec<(String, u16)> {
        vec![(host.to_owned(), port)]
    }

    #[test]
    fn the_servers_of_every_form_are_found() {
        assert_eq!(hosts("postgresql://a:b@db.example/c"), one("db.example", 5432));
        assert_eq!(hosts("postgres://db:6432"), one("db", 6432));
        assert_eq!(hosts("postgresql://a@[::1]:6432/c"), one("::1", 6432));
        assert_eq!(hosts("postgresql://[2001:db8::1]/c"), one("2001:db8::1", 5432));
        assert_eq!(hosts("postgresql://%2Frun%2Fpg/c"), one("/run/pg", 5432));
        assert_eq!(
            hosts("postgresql://a@localhost/c?host=/run/pg"),
            one("/run/pg", 5432)
        );
        assert_eq!(
            hosts("postgresql://a@localhost/c?host=%2Frun%2Fpg&port=7"),
            one("/run/pg", 7)
        );
        assert_eq!(hosts("host=db dbname=c"), one("db", 5432));
        assert_eq!(hosts(" host = 'db' port= 7 "), one("db", 7));
        for nowhere in [
            "postgresql://",
            "postgresql:///c",
            "postgresql://a@/c",
            "dbname=c",
            "host='' dbname=c",
        ] {
            assert_eq!(hosts(nowhere), [], "{nowhere}");
        }
    }

    #[test]
    fn every_server_of_a_list_is_found() {
        let three = [("a".to_owned(), 1), ("b".to_owned(), 5432), ("/c".to_owned(), 3)];
        assert_eq!(hosts("postgresql://x@a:1,b,%2Fc:3/db"), three);
        assert_eq!(hosts("host=a,b,/c port=1,,3"), three);
        assert_eq!(
            hosts("host=a,b port=7"),
            [("a".to_owned(), 7), ("b".to_owned(), 7)]
        );
        let addresses = endpoints("host=a,b hostaddr=192.0.2.1,127.0.0.1");
        assert_eq!(addresses[0], ("a".to_owned(), "192.0.2.1".to_owned(), 5432));
        assert_eq!(addresses[1].1, "127.0.0.1");
        assert_eq!(endpoints("hostaddr=192.0.2.1")[0].0, "192.0.2.1");
        let wrong = |text| ConnInfo::parse(text).unwrap().endpoints();
        assert_eq!(wrong("host=a,b,c port=1,2"), Err(ConnInfoError::Ports));
        assert_eq!(wrong("host=a port=many"), Err(ConnInfoError::Ports));
        assert_eq!(
            wrong("host=a,b hostaddr=192.0.2.1"),
            Err(ConnInfoError::Addresses)
        );
    }

    #[test]
    fn only_sockets_and_loopback_stay_on_this_machine() {
        for (text, is_local) in [
            ("host=/run/pg", true),
            ("host=@abstract", true),
            ("host=localhost", true),
            ("host=127.8.8.8", true),
            ("host=::1", true),
            ("host=localhost hostaddr=127.0.0.1", true),
            ("host=db hostaddr=127.0.0.1", true),
            ("host=localhost hostaddr=192.0.2.1", false),
            ("host=localhost.example.org", false),
            ("host=127.0.0.1.example.org", false),
            ("host=10.0.0.1", false),
            ("host=db", false),
        ] {
            let endpoint = ConnInfo::parse(text).unwrap().endpoints().unwrap().remove(0);
            assert_eq!(endpoint.is_local(), is_local, "{text}");
        }
    }

    #[test]
    fn the_last_value_counts_and_quotes_and_escapes_are_read() {
        let get = |text: &str, name: &str| ConnInfo::parse(text).unwrap().get(name).map(str::to_owned);
        assert_eq!(
            get("postgresql://a@b/c?sslmode=disable&sslmode=require", "sslmode").unwrap(),
            "require"
        );
        assert_eq!(get("postgresql://a@b/c?ssl=true", "sslmode").unwrap(), "require");
        assert_eq!(get("postgresql://a:p%40%2F%25@b/c", "password").unwrap(), "p@/%");
        assert_eq!(
            get(r"password='it\'s \\ here' host=db", "password").unwrap(),
            r"it's \ here"
        );
        assert_eq!(get("host=db sslmode=''", "sslmode"), None);
        let info = ConnInfo::parse(r"password='it\'s \\ here' host=db").unwrap();
        assert_eq!(
            ConnInfo::parse(&info.to_pairs()).unwrap().parameters,
            info.parameters
        );
        let changed = info.with(&[("host", "other"), ("hostaddr", "")]);
        assert_eq!(
            (changed.get("host"), changed.get("hostaddr")),
            (Some("other"), None)
        );
        assert!(changed.to_pairs().ends_with("host='other' hostaddr=''"));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for wrong in [
            "",
            "  ",
            "nonsense",
            "mysql://db",
            "postgresql://a@[::1/c",
            "postgresql://a@[::1]x/c",
            "postgresql://a@b/c?sslmode",
            "postgresql://a@b/%zz",
            "postgresql://a@b/%",
            "postgresql://a@b/%00",
            "host='db",
            "=db",
            "two words=db",
        ] {
            assert_eq!(
                ConnInfo::parse(wrong).err(),
                Some(ConnInfoError::Syntax),
                "{wrong}"
            );
        }
    }
}
