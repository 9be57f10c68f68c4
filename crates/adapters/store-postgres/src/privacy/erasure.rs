//! `privacy::Erasure`: erasing people.
//!
//! An erasure is one transaction. It locks in this order: folding, the entrant, campaigns by id, texts by id. Whatever adds
//! rows for an entrant waits for the entrant (by a foreign key) or for the campaign, and finds the person erased then.
//! `docs/privacy.md` says of every column what happens to it; a test compares it with the schema, and another one searches
//! every column for what was erased.

mod statements;

use crate::PgTx;
use crate::rows::{FoundRow, NumberRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz};
use kernel::{EntrantId, Phone, StoreError};
use pricing::{Purchase, PurchaseStatus};
use privacy::{Erased, Erasure};
use sms::SkipReason;
use statements::{
    APPEND_ONLY, CHECK, ERASE_CLICKS, ERASE_ENTRANT, ERASE_TEXTS, FORGET_NETWORK, IS_WINNER, LEAVE_CAMPAIGNS,
    LEAVE_LISTS, LOCK, LOCK_CAMPAIGNS, LOCK_TEXTS, MOVE_LAST_RECIPIENT, OF_ENTRANT, OF_NUMBER,
};

rows! {
    struct CheckRow {
        is_erased: bool,
        has_claim: bool,
        has_purchase: bool,
    }

    struct TextRow {
        id: i64,
        is_pending: bool,
    }

    struct AddressRow {
        ip_address: Option<String>,
    }
}

impl PgTx {
    /// Runs a statement about one number.
    fn about_number(&mut self, statement: &str, phone: &str) -> Result<(), StoreError> {
        let query = sql_query(statement).bind::<Text, _>(phone);
        self.query(|connection| query.execute(connection)).map(drop)
    }

    /// Runs a statement about one entrant.
    pub(crate) fn about_entrant(&mut self, statement: &str, entrant: EntrantId) -> Result<(), StoreError> {
        let query = sql_query(statement).bind::<BigInt, _>(entrant.get());
        self.query(|connection| query.execute(connection)).map(drop)
    }

    fn leave_campaigns(&mut self, phone: &str) -> Result<(), StoreError> {
        for statement in [LEAVE_CAMPAIGNS, LEAVE_LISTS, MOVE_LAST_RECIPIENT] {
            self.about_number(statement, phone)?;
        }
        Ok(())
    }

    fn erase_texts(&mut self, entrant: EntrantId, phone: &str) -> Result<(), StoreError> {
        let lock = sql_query(LOCK_TEXTS)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Text, _>(phone);
        let texts: Vec<TextRow> = self.query(|connection| lock.load(connection))?;
        let ids: Vec<i64> = texts.iter().map(|text| text.id).collect();
        for statement in [ERASE_CLICKS, ERASE_TEXTS] {
            let erase = sql_query(statement).bind::<Array<BigInt>, _>(&ids);
            self.query(|connection| erase.execute(connection))?;
        }
        let pending: Vec<i64> = texts
            .iter()
            .filter(|text| text.is_pending)
            .map(|text| text.id)
            .collect();
        self.update_messages(&pending, |_, delivery| delivery.skip(SkipReason::NoConsent))
            .map(drop)
    }

    /// The entrant's row: the statements before read from it what they erase.
    fn erase_entrant(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let address = sql_query("SELECT host(ip_address) AS ip_address FROM users WHERE id = $1")
            .bind::<BigInt, _>(entrant.get());
        let row: AddressRow = self.query(|connection| address.get_result(connection))?;
        let erase = sql_query(ERASE_ENTRANT)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| erase.execute(connection))?;
        let forget = sql_query(FORGET_NETWORK).bind::<Nullable<Text>, _>(row.ip_address.as_deref());
        self.query(|connection| forget.execute(connection)).map(drop)
    }

    fn erase_number(
        &mut self,
        entrant: EntrantId,
        phone: &Phone,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.expect_few_rows()?;
        self.run(LOCK_CAMPAIGNS)?;
        self.keep_number(entrant, phone, at)?;
        self.leave_campaigns(phone.as_e164())?;
        self.erase_texts(entrant, phone.as_e164())?;
        for statement in OF_NUMBER {
            self.about_number(statement, phone.as_e164())?;
        }
        for statement in OF_ENTRANT {
            self.about_entrant(statement, entrant)?;
        }
        self.erase_entrant(entrant, at)?;
        // These demand that the entrant is erased.
        for statement in APPEND_ONLY {
            self.about_entrant(statement, entrant)?;
        }
        Ok(())
    }
}

impl Erasure for PgTx {
    fn erase_person(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError> {
        self.begin_folding()?;
        let lock = sql_query(LOCK).bind::<BigInt, _>(entrant.get());
        let found: Option<NumberRow> = self.query(|connection| lock.get_result(connection).optional())?;
        let refusal = self.check_erasure(entrant, at)?;
        if refusal != Erased::Done {
            return Ok(refusal);
        }
        let number = found.and_then(|row| row.phone_number);
        let phone = number
            .as_deref()
            .and_then(Phone::from_e164)
            .ok_or(StoreError::corrupt("users", "phone_number", entrant.get()))?;
        self.erase_number(entrant, &phone, at)?;
        Ok(Erased::Done)
    }

    fn check_erasure(&self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError> {
        let check = sql_query(CHECK)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(at - Purchase::OPEN_FOR)
            .bind::<Array<Text>, _>(PurchaseStatus::names(PurchaseStatus::is_open));
        let row: Option<CheckRow> = self.query(|connection| check.get_result(connection).optional())?;
        Ok(match row {
            None => Erased::Unknown,
            Some(row) if row.is_erased => Erased::Before,
            Some(row) if row.has_claim => Erased::OpenClaim,
            Some(row) if row.has_purchase => Erased::OpenPurchase,
            Some(_) => Erased::Done,
        })
    }

    fn is_winner(&self, entrant: EntrantId) -> Result<bool, StoreError> {
        let query = sql_query(IS_WINNER).bind::<BigInt, _>(entrant.get());
        let row: FoundRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.found)
    }

    fn forget_numbers(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        self.forget_kept(now)
    }
}
