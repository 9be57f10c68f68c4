//! Evidence of fraud as `jsonb`: a list of objects with a kind and its figures.

use fraud::Evidence;
use kernel::EntrantId;
use serde_json::{Value, json};

/// The evidence in the form of the column.
pub(crate) fn to_json(evidence: &[Evidence]) -> Value {
    let item = |evidence: &Evidence| {
        let kind = evidence.kind();
        match *evidence {
            Evidence::SharedNetwork { accounts } | Evidence::SameFingerprint { accounts } => {
                json!({"kind": kind, "accounts": accounts})
            }
            Evidence::Burst { sign_ups } => json!({"kind": kind, "sign_ups": sign_ups}),
            Evidence::OneReferrer {
                referrer,
                referred,
                accounts,
            } => {
                json!({"kind": kind, "referrer_id": referrer.get(), "referred": referred, "accounts": accounts})
            }
        }
    };
    evidence.iter().map(item).collect()
}

/// Reads what [`to_json`] wrote; a null column is no evidence. `None` for anything else.
pub(crate) fn from_json(json: Option<&Value>) -> Option<Vec<Evidence>> {
    match json {
        None => Some(Vec::new()),
        Some(list) => list.as_array()?.iter().map(read).collect(),
    }
}

fn read(item: &Value) -> Option<Evidence> {
    let number = |name: &str| u32::try_from(item.get(name)?.as_u64()?).ok();
    Some(match item.get("kind")?.as_str()? {
        "shared_network" => Evidence::SharedNetwork {
            accounts: number("accounts")?,
        },
        "same_fingerprint" => Evidence::SameFingerprint {
            accounts: number("accounts")?,
        },
        "burst" => Evidence::Burst {
            sign_ups: number("sign_ups")?,
        },
        "one_referrer" => Evidence::OneReferrer {
            referrer: EntrantId::new(item.get("referrer_id")?.as_i64()?),
            referred: number("referred")?,
            accounts: number("accounts")?,
        },
        _ => return None,
    })
}
