use crate::beacon::{BeaconSignature, HostAnswer, Round};
use crate::{Hash, InvalidDetails, text};
use chrono::{DateTime, Utc};
use raffle::RaffleKey;
use serde::{Deserialize, Serialize};

/// What an entry `seal_refused` says: the seal of this announcement came too late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefusalDetails {
    /// The hash of the announcement's entry.
    #[serde(with = "text")]
    pub opening: Hash,
    /// The announced round.
    #[serde(with = "text::round_or_zero")]
    pub round: Option<Round>,
    /// When the seal should have been committed.
    #[serde(with = "text::moment")]
    pub seal_before: DateTime<Utc>,
}

/// What an entry `drawing_void` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoidDetails {
    /// Why the drawing is void.
    pub reason: String,
    /// What the hosts of the beacon answered when staff made a sealed drawing void.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostAnswer>,
}

/// What an entry `late_round` says: the round of a void drawing came after the seal of the one that replaces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LateRoundDetails {
    /// The hash of the void drawing's seal.
    #[serde(with = "text")]
    pub seal: Hash,
    /// The round.
    #[serde(with = "text::round_or_zero")]
    pub round: Option<Round>,
    /// Its signature.
    #[serde(with = "text")]
    pub signature: BeaconSignature,
    /// The entry that would have won.
    pub entry_number: u64,
}

/// What an entry `checkpoint` says about data that is not in the log. Rows that are added later with an earlier time
/// change the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckpointDetails {
    /// The number of rows in the ledger of entries from before that time.
    pub ledger_rows: i64,
    /// The sum of their entries.
    pub ledger_sum: i64,
    /// That time.
    #[serde(with = "text::moment")]
    pub before: DateTime<Utc>,
    /// The number of the last entry in the audit log; 0 when it is empty.
    pub audit_log_last_id: i64,
    /// The hash of that entry. `None` when the log is empty.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_hash")]
    pub audit_log_hash: Option<Hash>,
}

/// What an entry `raffle_opens` or `raffle_closes` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpeningDetails {
    /// The raffle.
    #[serde(with = "text")]
    pub landing_page: RaffleKey,
    /// When it opens or closes.
    #[serde(with = "text::moment")]
    pub at: DateTime<Utc>,
    /// Whether it does not after all.
    pub taken_back: bool,
    /// Why it closes at once.
    #[serde(deserialize_with = "text::null_or")]
    pub reason: Option<String>,
}

macro_rules! details {
    ($name:ident) => {
        impl $name {
            /// The details of the entry, as one line of JSON.
            pub fn details(&self) -> String {
                // It cannot fail: all keys are strings.
                serde_json::to_string(self).unwrap_or_default()
            }

            /// Reads the details of an entry.
            ///
            /// # Errors
            /// When a member is missing, unknown, or spelled in another way.
            pub fn from_details(details: &str) -> Result<Self, InvalidDetails> {
                serde_json::from_str(details).map_err(|error| InvalidDetails(error.to_string()))
            }
        }
    };
}

details!(RefusalDetails);
details!(VoidDetails);
details!(LateRoundDetails);
details!(CheckpointDetails);
details!(OpeningDetails);

/// A hash as a text, if there is one.
mod optional_hash {
    use crate::Hash;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(hash: &Option<Hash>, serializer: S) -> Result<S::Ok, S::Error> {
        match hash {
            Some(hash) => serializer.collect_str(hash),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Hash>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Some).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_one_line_and_read_back() {
        let refusal = RefusalDetails {
            opening: Hash::new([1; 32]),
            round: Round::new(7),
            seal_before: DateTime::UNIX_EPOCH,
        };
        let text = format!(
            r#"{{"opening":"{}","round":7,"sealBefore":"1970-01-01T00:00:00.000000Z"}}"#,
            "01".repeat(32)
        );
        assert_eq!(refusal.details(), text);
        assert_eq!(RefusalDetails::from_details(&text), Ok(refusal));

        let void = VoidDetails {
            reason: "the \"beacon\"\nis away".to_owned(),
            hosts: Vec::new(),
        };
        assert_eq!(void.details(), r#"{"reason":"the \"beacon\"\nis away"}"#);
        assert_eq!(VoidDetails::from_details(&void.details()), Ok(void));

        let asked = VoidDetails {
            reason: "nobody has it".to_owned(),
            hosts: vec![HostAnswer {
                host: "api.drand.sh".to_owned(),
                answer: HostAnswer::NOT_PUBLISHED.to_owned(),
            }],
        };
        let text = r#"{"reason":"nobody has it","hosts":[{"host":"api.drand.sh","answer":"the round is not published"}]}"#;
        assert_eq!(asked.details(), text);
        assert_eq!(VoidDetails::from_details(text), Ok(asked));

        let late = LateRoundDetails {
            seal: Hash::new([2; 32]),
            round: Round::new(7),
            signature: BeaconSignature::new([3; 48]),
            entry_number: 9,
        };
        let text = format!(
            r#"{{"seal":"{}","round":7,"signature":"{}","entryNumber":9}}"#,
            "02".repeat(32),
            "03".repeat(48)
        );
        assert_eq!(late.details(), text);
        assert_eq!(LateRoundDetails::from_details(&text), Ok(late));
    }

    #[test]
    fn a_checkpoint_names_the_hash_of_the_audit_log_only_when_it_has_entries() {
        let mut checkpoint = CheckpointDetails {
            ledger_rows: 3,
            ledger_sum: 5,
            before: DateTime::UNIX_EPOCH,
            audit_log_last_id: 0,
            audit_log_hash: None,
        };
        let text =
            r#"{"ledgerRows":3,"ledgerSum":5,"before":"1970-01-01T00:00:00.000000Z","auditLogLastId":0}"#;
        assert_eq!(checkpoint.details(), text);
        assert_eq!(CheckpointDetails::from_details(text), Ok(checkpoint.clone()));
        checkpoint.audit_log_last_id = 9;
        checkpoint.audit_log_hash = Some(Hash::new([3; 32]));
        let hash = format!(r#""auditLogLastId":9,"auditLogHash":"{}"}}"#, "03".repeat(32));
        assert!(checkpoint.details().ends_with(&hash));
        assert_eq!(
            CheckpointDetails::from_details(&checkpoint.details()),
            Ok(checkpoint)
        );
        assert!(CheckpointDetails::from_details("{}").is_err());
    }
}
