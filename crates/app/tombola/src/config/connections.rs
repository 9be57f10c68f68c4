//! The URLs of PostgreSQL and Redis, and what production demands of them: connections stay on this machine, or they are
//! encrypted and the server proves its name.

use super::Redis;
use super::read::Reader;
use redis::ConnectionAddr;
use secrecy::SecretString;
use std::net::IpAddr;
use store_postgres::{ConnInfo, Endpoint, check_root_certificates};

/// The modes of libpq in which it may connect without TLS. libpq's own default is `prefer`; this program has TLS only with
/// `verify-full`, because the modes in between encrypt without knowing to whom.
const WITHOUT_TLS: [&str; 3] = ["disable", "allow", "prefer"];
const VERIFY: &str =
    "sslmode=verify-full and sslrootcert=FILE (the certificate of its authority, or sslrootcert=system)";

pub(super) fn read_database_url(reader: &mut Reader, production: bool) -> Option<SecretString> {
    let Some(url) = reader.text("DATABASE_URL") else {
        reader.problem("DATABASE_URL: is not set; `make run` starts its own database");
        return None;
    };
    match check_database(&url, production) {
        Ok(()) => Some(url.into()),
        Err(problem) => {
            reader.problem(&format!("DATABASE_URL: {problem}"));
            None
        }
    }
}

/// The URL of the owner of the tables. `None` also when it is wrong, which is a problem then.
pub(super) fn read_migration_url(reader: &mut Reader, production: bool) -> Option<SecretString> {
    let url = reader.text("MIGRATION_DATABASE_URL")?;
    match check_database(&url, production) {
        Ok(()) => Some(url.into()),
        Err(problem) => {
            reader.problem(&format!("MIGRATION_DATABASE_URL: {problem}"));
            None
        }
    }
}

fn check_database(url: &str, production: bool) -> Result<(), String> {
    let info = ConnInfo::parse(url).map_err(|error| error.to_string())?;
    let endpoints = info.endpoints().map_err(|error| error.to_string())?;
    match info.get("sslmode") {
        Some("verify-full") => return check_tls(&info, &endpoints),
        Some(mode) if !WITHOUT_TLS.contains(&mode) => {
            return Err(format!(
                "this sslmode does not check whom the connection goes to; use {VERIFY}"
            ));
        }
        _ if !production => return Ok(()),
        _ => {}
    }
    if endpoints.is_empty() {
        return Err("must name a host in production".to_owned());
    }
    if info.get("service").is_some() {
        return Err("cannot use a service in production, because it could name another host".to_owned());
    }
    match endpoints.iter().find(|endpoint| !endpoint.is_local()) {
        Some(endpoint) => Err(format!(
            "{:?} is another machine, so production needs {VERIFY}",
            endpoint.host
        )),
        None => Ok(()),
    }
}

fn check_tls(info: &ConnInfo, endpoints: &[Endpoint]) -> Result<(), String> {
    if endpoints.is_empty() {
        return Err("must name a host for sslmode=verify-full".to_owned());
    }
    let supported = ["sslmode", "sslrootcert"];
    let other = info
        .names()
        .find(|name| (name.starts_with("ssl") && !supported.contains(name)) || *name == "service");
    if let Some(name) = other {
        return Err(format!("{name} is not supported with sslmode=verify-full"));
    }
    if info.get("channel_binding") == Some("require") {
        return Err("channel_binding=require is not supported".to_owned());
    }
    let Some(file) = info.get("sslrootcert") else {
        return Err(format!("sslrootcert is not set; use {VERIFY}"));
    };
    check_root_certificates(file).map_err(|error| format!("sslrootcert: {}", error.reason()))
}

pub(super) fn read_redis(reader: &mut Reader, production: bool) -> Option<Redis> {
    let file = reader.text("REDIS_CA_FILE");
    let authorities = file.as_ref().and_then(|file| read_authorities(reader, file));
    let Some(url) = reader.text("REDIS_URL") else {
        if file.is_some() {
            reader.problem("REDIS_URL: is not set, but REDIS_CA_FILE is");
        }
        return None;
    };
    match check_redis(&url, file.is_some(), production) {
        Ok(()) => Some(Redis {
            url: url.into(),
            authorities,
        }),
        Err(problem) => {
            reader.problem(&format!("REDIS_URL: {problem}"));
            None
        }
    }
}

/// The file's content, if it holds certificates in PEM.
fn read_authorities(reader: &mut Reader, file: &str) -> Option<Vec<u8>> {
    if let Err(error) = check_root_certificates(file) {
        reader.problem(&format!("REDIS_CA_FILE: {}", error.reason()));
        return None;
    }
    std::fs::read(file).ok()
}

fn check_redis(url: &str, has_authorities: bool, production: bool) -> Result<(), &'static str> {
    let wrong = "must be a Redis URL, such as redis://localhost:6379";
    if url.contains('#') {
        return Err(
            "#insecure would turn off the check of the server's certificate; set REDIS_CA_FILE instead",
        );
    }
    let client = redis::Client::open(url).map_err(|_| wrong)?;
    match client.get_connection_info().addr() {
        ConnectionAddr::TcpTls { .. } => Ok(()),
        _ if has_authorities => Err("must begin with rediss:// if REDIS_CA_FILE is set"),
        ConnectionAddr::Tcp(host, _) if production && !is_loopback(host) => {
            Err("is another machine, so production needs rediss:// (TLS)")
        }
        _ => Ok(()),
    }
}

/// Whether a host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests;
