//! Development or production, and where development may be reached from (D10).

use super::Environment;
use super::read::Reader;
use std::net::SocketAddr;

/// What to set when the environment was not chosen, but strangers may reach the server.
const CHOOSE: &str =
    "set APP_ENV=production for a real site, or APP_ENV=development if no stranger can reach this server";

/// The environment. Development unless `APP_ENV` names another one.
pub(super) fn read(reader: &mut Reader) -> Option<Environment> {
    let names = [
        ("development", Environment::Development),
        ("production", Environment::Production),
    ];
    reader.one_of("APP_ENV", &names, Environment::Development)
}

/// Development has public keys, so a server that others may reach must not become one because a variable was forgotten.
pub(super) fn check_reach(reader: &mut Reader, bind: Option<SocketAddr>, public_origin: Option<&str>) {
    if reader.text("APP_ENV").is_some() {
        return;
    }
    let bind = bind.filter(|bind| !bind.ip().to_canonical().is_loopback());
    let is_https = public_origin.is_some_and(|origin| origin.starts_with("https://"));
    if is_https {
        reader.problem(&format!(
            "APP_ENV: must be set when PUBLIC_ORIGIN is https: {CHOOSE}"
        ));
    } else if let Some(bind) = bind {
        reader.problem(&format!(
            "APP_ENV: must be set when BIND_ADDR ({bind}) can be reached from other machines: {CHOOSE}"
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    /// The problems of a configuration with these variables and a database.
    fn problems(variables: &[(&str, &str)]) -> Vec<String> {
        let database = [("DATABASE_URL", "postgresql://tombola@localhost/tombola")];
        let all = [&database, variables].concat();
        let value = |name: &str| all.iter().find(|(given, _)| *given == name);
        let read = Config::read(|name| value(name).map(|(_, value)| (*value).to_owned()));
        read.err().map_or_else(Vec::new, |problems| problems.0)
    }

    #[test]
    fn without_app_env_a_server_that_others_may_reach_does_not_start() {
        for reachable in [
            ("PUBLIC_ORIGIN", "https://example.org"),
            ("PUBLIC_ORIGIN", "HTTPS://example.org:8443"),
            ("BIND_ADDR", "0.0.0.0:8080"),
            ("BIND_ADDR", "[::]:8080"),
            ("BIND_ADDR", "192.0.2.1:8080"),
            ("BIND_ADDR", "[::ffff:192.0.2.1]:8080"),
        ] {
            for more in [vec![], vec![("APP_ENV", "")]] {
                let lines = problems(&[&more[..], &[reachable]].concat());
                assert_eq!(lines.len(), 1, "{reachable:?}: {lines:?}");
                let line = &lines[0];
                assert!(line.starts_with("APP_ENV: must be set when "), "{line}");
                for said in [reachable.0, "APP_ENV=production", "APP_ENV=development"] {
                    assert!(line.contains(said), "{said} in {line}");
                }
            }
            assert_eq!(problems(&[reachable, ("APP_ENV", "development")]), [""; 0]);
        }
    }

    #[test]
    fn one_line_tells_that_app_env_is_missing() {
        let both = [
            ("PUBLIC_ORIGIN", "https://example.org"),
            ("BIND_ADDR", "0.0.0.0:80"),
        ];
        assert_eq!(problems(&both).len(), 1);
    }

    #[test]
    fn without_app_env_a_server_on_this_machine_is_for_development() {
        for local in [
            ("BIND_ADDR", "127.0.0.1:9000"),
            ("BIND_ADDR", "127.8.8.8:9000"),
            ("BIND_ADDR", "[::1]:9000"),
            ("BIND_ADDR", "[::ffff:127.0.0.1]:9000"),
            ("PUBLIC_ORIGIN", "http://localhost:9000"),
            ("PUBLIC_ORIGIN", "http://example.org"),
        ] {
            assert_eq!(problems(&[local]), [""; 0], "{local:?}");
        }
    }
}
