//! `DRAWING_SCHEDULE`, `DRAWING_BEACON` and `DRAWING_DELAY`: who announces drawings, and the randomness beacon that decides
//! them.

use super::read::Reader;
use beacon_drand::read_chain;
use drawing::beacon::Chain;
use std::fs;
use std::time::Duration;
use usecases::drawings::Schedule;

/// The default delay, and the least in production: enough for the seal to be seen before anybody can know the round.
const DELAY_SECONDS: u32 = 120;
/// The longest delay: a day.
const MAX_DELAY_SECONDS: u32 = 86_400;

/// How drawings are announced, and the beacon that decides them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingConfig {
    /// Who announces drawings.
    pub schedule: Schedule,
    /// The chain of rounds. Without one, drawings use no beacon.
    pub chain: Option<Chain>,
    /// How long before its round a drawing of staff is announced.
    pub delay: Duration,
}

pub(super) fn read(reader: &mut Reader, production: bool) -> Option<DrawingConfig> {
    let schedules = [("manual", Schedule::Manual), ("monthly", Schedule::Monthly)];
    let default = if production {
        Schedule::Monthly
    } else {
        Schedule::Manual
    };
    let schedule = reader.one_of("DRAWING_SCHEDULE", &schedules, default);
    let chain = read_beacon(reader, production);
    let least = if production { DELAY_SECONDS } else { 1 };
    let delay = reader.number("DRAWING_DELAY", least, MAX_DELAY_SECONDS, DELAY_SECONDS);
    Some(DrawingConfig {
        schedule: schedule?,
        chain: chain?,
        delay: Duration::from_secs(delay?.into()),
    })
}

/// The inner option is the chain, if drawings use one.
fn read_beacon(reader: &mut Reader, production: bool) -> Option<Option<Chain>> {
    let default = if production { "quicknet" } else { "off" };
    let text = reader
        .text("DRAWING_BEACON")
        .unwrap_or_else(|| default.to_owned());
    match text.as_str() {
        "off" => Some(None),
        "quicknet" => Some(Some(Chain::quicknet())),
        file => match read_file(file, production) {
            Ok(chain) => Some(Some(chain)),
            Err(problem) => {
                reader.problem(&format!("DRAWING_BEACON: {problem}"));
                None
            }
        },
    }
}

fn read_file(file: &str, production: bool) -> Result<Chain, String> {
    let text = fs::read_to_string(file)
        .map_err(|error| format!("{file:?} is not quicknet or off, and cannot be read as a file: {error}"))?;
    let chain = read_chain(&text).map_err(|error| format!("{file:?}: {error}"))?;
    let insecure = chain.hosts.iter().find(|host| !host.starts_with("https://"));
    match insecure.filter(|_| production) {
        Some(host) => Err(format!("{file:?}: production needs https, and {host:?} has none")),
        None => Ok(chain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;
    use serde_json::{Value, json};
    use std::path::Path;

    fn read(environment: Environment, variables: &[(&str, &str)]) -> Result<DrawingConfig, Vec<String>> {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let variable = |name: &str| value(name).map(|(_, value)| (*value).to_owned());
        let mut reader = Reader::new(variable);
        let config = super::read(&mut reader, environment == Environment::Production);
        let problems = reader.problems();
        config.filter(|_| problems.is_empty()).ok_or(problems)
    }

    /// The problems of a chain file with this text.
    fn file_problems(environment: Environment, text: &str) -> Vec<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, text).unwrap();
        read(environment, &[("DRAWING_BEACON", path(file.path()))]).unwrap_err()
    }

    fn path(file: &Path) -> &str {
        file.to_str().unwrap()
    }

    /// The chain file of quicknet with other hosts.
    fn quicknet(hosts: &[&str]) -> Value {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/beacon-vectors.json");
        let mut vectors: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        vectors["chain"]["hosts"] = json!(hosts);
        vectors["chain"].take()
    }

    const BOTH: [Environment; 2] = [Environment::Development, Environment::Production];

    #[test]
    fn production_has_a_beacon_unless_it_is_off_and_development_has_none() {
        let [development, production] = BOTH.map(|environment| read(environment, &[]).unwrap());
        assert_eq!(development.chain, None);
        assert_eq!(production.chain, Some(Chain::quicknet()));
        for environment in BOTH {
            let chain = |value| read(environment, &[("DRAWING_BEACON", value)]).unwrap().chain;
            assert_eq!(chain("off"), None);
            assert_eq!(chain("quicknet"), Some(Chain::quicknet()));
        }
    }

    #[test]
    fn staff_announce_drawings_in_development_and_the_server_in_production() {
        let schedule =
            |environment, variables: &[(&str, &str)]| read(environment, variables).unwrap().schedule;
        let [development, production] = BOTH.map(|environment| schedule(environment, &[]));
        assert_eq!((development, production), (Schedule::Manual, Schedule::Monthly));
        for environment in BOTH {
            let chosen = |value| schedule(environment, &[("DRAWING_SCHEDULE", value)]);
            assert_eq!(
                (chosen("manual"), chosen("monthly")),
                (Schedule::Manual, Schedule::Monthly)
            );
            let problems = read(environment, &[("DRAWING_SCHEDULE", "weekly")]).unwrap_err();
            assert!(problems[0].starts_with("DRAWING_SCHEDULE:"), "{problems:?}");
        }
    }

    #[test]
    fn the_delay_is_two_minutes_and_in_production_no_less() {
        let delay = |environment, value| {
            let read = read(environment, &[("DRAWING_DELAY", value)]);
            read.map(|beacon| beacon.delay.as_secs())
        };
        for environment in BOTH {
            assert_eq!(delay(environment, ""), Ok(120));
            assert_eq!(delay(environment, "120"), Ok(120));
            assert_eq!(delay(environment, "3600"), Ok(3600));
            for wrong in ["0", "-1", "1.5", "120s", "86401"] {
                let problems = delay(environment, wrong).unwrap_err();
                assert!(problems[0].starts_with("DRAWING_DELAY:"), "{problems:?}");
            }
        }
        assert_eq!(delay(Environment::Development, "1"), Ok(1));
        for short in ["1", "119"] {
            assert!(delay(Environment::Production, short).is_err(), "{short}");
        }
    }

    #[test]
    fn a_chain_file_is_a_beacon_and_production_needs_https_hosts() {
        let secure = quicknet(&["https://beacon.example"]).to_string();
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, secure).unwrap();
        for environment in BOTH {
            let beacon = read(environment, &[("DRAWING_BEACON", path(file.path()))]).unwrap();
            assert_eq!(beacon.chain.unwrap().hosts, ["https://beacon.example"]);
        }
        let one_is_plain = quicknet(&["https://beacon.example", "http://127.0.0.1:8001"]).to_string();
        fs::write(&file, &one_is_plain).unwrap();
        assert!(read(Environment::Development, &[("DRAWING_BEACON", path(file.path()))]).is_ok());
        let problems = file_problems(Environment::Production, &one_is_plain);
        assert!(
            problems[0].contains("needs https") && problems[0].contains("127.0.0.1:8001"),
            "{problems:?}"
        );
    }

    #[test]
    fn a_file_that_is_no_chain_is_a_problem() {
        let mut damaged = quicknet(&["https://beacon.example"]);
        damaged["period"] = json!(4);
        for environment in BOTH {
            for text in ["", "{}", &damaged.to_string()] {
                let problems = file_problems(environment, text);
                assert_eq!(problems.len(), 1);
                assert!(problems[0].starts_with("DRAWING_BEACON:"), "{problems:?}");
            }
            let missing = read(environment, &[("DRAWING_BEACON", "/nowhere/chain.json")]).unwrap_err();
            assert!(missing[0].contains("/nowhere/chain.json"), "{missing:?}");
            let both = [("DRAWING_BEACON", "Quicknet"), ("DRAWING_DELAY", "0")];
            assert_eq!(
                read(environment, &both).unwrap_err().len(),
                2,
                "all problems are found"
            );
        }
    }
}
