//! Which keys encrypted the secrets that are stored, for the operator who wants to remove one.

use crate::PgTx;
use crate::rows::rows;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Integer;
use kernel::StoreError;

/// The secrets that are stored encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum Sealed {
    /// The second factors of staff.
    SecondFactors,
    /// The account of the provider of texts that staff saved.
    SmsAccount,
    /// Such accounts in proposals that nobody decided yet.
    ProposedSmsAccounts,
    /// The names and addresses of winners.
    ClaimDetails,
    /// The seeds and salt keys of announced drawings. After the seal nobody decrypts them.
    DrawingSecrets,
    /// Texts with codes and links that were not sent yet.
    Texts,
}

impl Sealed {
    /// The table and column.
    pub const fn column(self) -> (&'static str, &'static str) {
        match self {
            Self::SecondFactors => ("staff_members", "totp_secret"),
            Self::SmsAccount => ("system_settings", "value"),
            Self::ProposedSmsAccounts => ("staff_approvals", "sealed"),
            Self::ClaimDetails => ("winner_verification", "verification_data"),
            Self::DrawingSecrets => ("drawings", "sealed_secrets"),
            Self::Texts => ("sms_sent_messages", "sealed_body"),
        }
    }

    /// The rows that have one, by the first `$1` bytes of the secret.
    const fn sql(self) -> &'static str {
        match self {
            Self::SecondFactors => {
                "SELECT substring(totp_secret FOR $1) AS key, count(*) AS count FROM staff_members
                 WHERE totp_secret IS NOT NULL GROUP BY 1"
            }
            Self::SmsAccount => {
                "SELECT decode(left(value, 2 * $1), 'hex') AS key, count(*) AS count FROM system_settings
                 WHERE key = 'sms_credentials' GROUP BY 1"
            }
            Self::ProposedSmsAccounts => {
                "SELECT substring(sealed FOR $1) AS key, count(*) AS count FROM staff_approvals
                 WHERE sealed IS NOT NULL GROUP BY 1"
            }
            Self::ClaimDetails => {
                "SELECT substring(verification_data FOR $1) AS key, count(*) AS count FROM winner_verification
                 WHERE verification_data IS NOT NULL GROUP BY 1"
            }
            Self::DrawingSecrets => {
                "SELECT substring(sealed_secrets FOR $1) AS key, count(*) AS count FROM drawings
                 WHERE status = 'announced' GROUP BY 1"
            }
            // A body is erased with the end of its text; the statuses let the indexes find the others.
            Self::Texts => {
                "SELECT substring(sealed_body FOR $1) AS key, count(*) AS count FROM sms_sent_messages
                 WHERE status IN ('pending', 'sending', 'unknown') AND sealed_body IS NOT NULL GROUP BY 1"
            }
        }
    }
}

rows! {
    /// How many secrets of a kind begin with the same bytes.
    #[derive(Debug, PartialEq, Eq)]
    pub struct SealedCount {
        /// The first bytes, which name the key.
        pub key: Vec<u8>,
        /// How many there are.
        pub count: i64,
    }
}

impl PgTx {
    /// Counts the secrets of a kind by their first bytes.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub fn count_sealed(&self, kind: Sealed, bytes: usize) -> Result<Vec<SealedCount>, StoreError> {
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        let query = sql_query(kind.sql()).bind::<Integer, _>(bytes);
        self.query(|connection| query.load(connection))
    }
}
