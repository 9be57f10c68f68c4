use crate::schema::verifications;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{EventId, Origin, Phone, ReferralCode, StoreError};
use serde_json::{Value, json};
use verification::{BrowserHash, CodeHash, ConsentAnswer, PendingSignUp, Verification, VerificationId};

#[derive(Queryable, Selectable)]
#[diesel(table_name = verifications)]
pub(super) struct Row {
    id: Vec<u8>,
    browser_hash: Vec<u8>,
    code_hash: Vec<u8>,
    tries: i32,
    expires_at: DateTime<Utc>,
    resend_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    sign_up: Option<Value>,
}

impl TryFrom<Row> for Verification {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: VerificationId::new(bytes("id", &row.id)?),
            browser: BrowserHash::new(bytes("browser_hash", &row.browser_hash)?),
            code: CodeHash::new(bytes("code_hash", &row.code_hash)?),
            tries: u32::try_from(row.tries).map_err(|_| corrupt("tries"))?,
            expires_at: row.expires_at,
            resend_at: row.resend_at,
            is_completed: row.completed_at.is_some(),
            sign_up: row.sign_up.as_ref().map(read_sign_up).transpose()?,
        })
    }
}

/// The error for a row that is not valid. It names no row: ids are secret.
fn corrupt(column: &'static str) -> StoreError {
    StoreError::Failed(format!("corrupt verifications.{column}").into())
}

fn bytes<const N: usize>(column: &'static str, bytes: &[u8]) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| corrupt(column))
}

/// A sign-up as it is stored until its code comes.
pub(super) fn sign_up_json(sign_up: &PendingSignUp) -> Value {
    json!({
        "phoneNumber": sign_up.phone.as_e164(),
        "landingPage": sign_up.raffle.as_str(),
        "referralCode": sign_up.referral_code.as_ref().map(ReferralCode::as_str),
        "eventId": sign_up.event_id.as_ref().map(EventId::as_str),
        "consent": sign_up.consent.map(|consent| json!({
            "granted": consent.granted,
            "byDefault": consent.by_default,
        })),
        "ipAddress": sign_up.origin.address.map(|address| address.to_string()),
        "userAgent": sign_up.origin.user_agent,
        "fingerprint": sign_up.fingerprint,
        "session": sign_up.session,
    })
}

fn read_sign_up(json: &Value) -> Result<PendingSignUp, StoreError> {
    let text = |name: &str| json.get(name).and_then(Value::as_str);
    let wrong = || corrupt("sign_up");
    let consent = json.get("consent").filter(|consent| !consent.is_null());
    let answer = |consent: &Value, name: &str| consent.get(name).and_then(Value::as_bool).ok_or_else(wrong);
    let read_consent = |consent: &Value| {
        Ok::<_, StoreError>(ConsentAnswer {
            granted: answer(consent, "granted")?,
            by_default: answer(consent, "byDefault")?,
        })
    };
    let referral_code = text("referralCode").map(ReferralCode::parse).transpose();
    let event_id = text("eventId").map(EventId::parse).transpose();
    let address = text("ipAddress").map(str::parse).transpose();
    Ok(PendingSignUp {
        phone: text("phoneNumber").and_then(Phone::from_e164).ok_or_else(wrong)?,
        raffle: text("landingPage")
            .and_then(|raffle| raffle.parse().ok())
            .ok_or_else(wrong)?,
        referral_code: referral_code.map_err(|_| wrong())?,
        event_id: event_id.map_err(|_| wrong())?,
        consent: consent.map(read_consent).transpose()?,
        origin: Origin {
            address: address.map_err(|_| wrong())?,
            user_agent: text("userAgent").map(str::to_owned),
        },
        fingerprint: text("fingerprint").map(str::to_owned),
        session: text("session").map(str::to_owned),
    })
}
