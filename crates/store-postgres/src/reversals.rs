//! Refunds and disputes of payments: what was reported of them, and the entries that they take back or hold.

use crate::PgTx;
use crate::schema::{payment_reversals, purchases, users};
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz};
use kernel::{Money, StoreError};
use pricing::{DisputeId, EntryCount, IntentId, PurchaseId, PurchaseStatus, Purchases, Reversal, Reversals};

const RECORD_REVERSAL: &str = include_str!("../sql/record_reversal.sql");
const CHANGE_PURCHASED_ENTRIES: &str = include_str!("../sql/change_purchased_entries.sql");

struct NewReversal<'a> {
    id: &'a str,
    stripe_payment_intent_id: &'a str,
    refunded: Option<i64>,
    dispute: Option<&'a str>,
    at: DateTime<Utc>,
}

values!(
    NewReversal<'_>: RECORD_REVERSAL,
    id: Text,
    stripe_payment_intent_id: Text,
    refunded: Nullable<BigInt>,
    dispute: Nullable<Text>,
    at: Timestamptz,
);

struct Change {
    id: i64,
    taken: i64,
    held: i64,
    status: &'static str,
    at: DateTime<Utc>,
}

values!(
    Change: CHANGE_PURCHASED_ENTRIES,
    id: BigInt,
    taken: BigInt,
    held: BigInt,
    status: Text,
    at: Timestamptz,
);

/// What a purchase was sold for, and what was taken back and held so far.
#[derive(Queryable, Selectable)]
#[diesel(table_name = purchases)]
struct PurchaseRow {
    status: String,
    user_id: i64,
    stripe_payment_intent_id: Option<String>,
    amount: i64,
    entries_added: i64,
    entries_taken: i64,
    entries_held: i64,
}

impl PgTx {
    /// Records a reversal, and applies it to the purchase with this payment intent.
    pub(crate) fn record_and_apply(
        &mut self,
        intent: &IntentId,
        reversal: &Reversal,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let (id, refunded, dispute) = match reversal {
            Reversal::Refunded(amount) => (intent.as_str(), Some((*amount).max(0)), None),
            Reversal::Dispute(id, status) => (id.as_str(), None, Some(status.as_str())),
        };
        let new = NewReversal {
            id,
            stripe_payment_intent_id: intent.as_str(),
            refunded,
            dispute,
            at,
        };
        self.run_statement(&new)?;
        let mut purchase = self.find_purchase_by_intent(intent)?;
        if purchase.is_none() {
            // Somebody may be recording the payment intent of its purchase just now.
            self.lock_intent(intent)?;
            purchase = self.find_purchase_by_intent(intent)?;
        }
        match purchase {
            Some(purchase) => self.apply_reversals(purchase.id, at),
            None => Ok(false),
        }
    }

    /// Makes recording a reversal of a payment and recording its purchase wait for each other, until this transaction
    /// ends.
    pub(crate) fn lock_intent(&self, intent: &IntentId) -> Result<(), StoreError> {
        let lock = sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7266209184))")
            .bind::<Text, _>(intent.as_str());
        self.query(|connection| lock.execute(connection)).map(drop)
    }

    /// Takes back and holds the entries of a completed purchase as its reversals demand. The lock of the purchase makes
    /// this and its completion happen one after the other, so that the later one sees what the earlier one did.
    pub(crate) fn apply_reversals(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let query = purchases::table
            .find(id.get())
            .select(PurchaseRow::as_select())
            .for_no_key_update();
        // Whatever its status: one that is being completed just now is waited for.
        let found = self.query(|connection| query.first(connection).optional())?;
        let is_completed = |purchase: &PurchaseRow| purchase.status == PurchaseStatus::Completed.as_str();
        let Some(purchase) = found.filter(is_completed) else {
            return Ok(false);
        };
        let Some(intent) = &purchase.stripe_payment_intent_id else {
            return Ok(false);
        };
        let reversals = self.reversals_of(intent)?;
        if reversals == Reversals::default() {
            return Ok(false);
        }
        let corrupt = |column| StoreError::corrupt("purchases", column, id.get());
        let price = Money::from_cents(purchase.amount).ok_or_else(|| corrupt("amount"))?;
        let entries = EntryCount::new(purchase.entries_added).ok_or_else(|| corrupt("entries_added"))?;
        let effect = reversals.effect(price, entries);
        let (paid, held) = self.lock_entries(purchase.user_id)?;
        let change = effect.change((purchase.entries_taken, purchase.entries_held), paid, held);
        if change.is_none() && !effect.is_all_taken {
            return Ok(false);
        }
        let status = match effect.is_all_taken {
            true => PurchaseStatus::Refunded,
            false => PurchaseStatus::Completed,
        };
        let change = Change {
            id: id.get(),
            taken: change.taken,
            held: change.held,
            status: status.as_str(),
            at,
        };
        Ok(self.run_statement(&change)?.is_some())
    }

    /// An entrant's bought entries, and those that are held. They cannot change until this transaction ends.
    fn lock_entries(&self, entrant: i64) -> Result<(i64, i64), StoreError> {
        let query = users::table
            .find(entrant)
            .select((users::paid_entries, users::held_entries))
            .for_no_key_update();
        self.query(|connection| query.first(connection))
    }

    fn reversals_of(&self, intent: &str) -> Result<Reversals, StoreError> {
        let query = payment_reversals::table
            .filter(payment_reversals::stripe_payment_intent_id.eq(intent))
            .select((
                payment_reversals::id,
                payment_reversals::refunded,
                payment_reversals::dispute,
            ));
        let rows: Vec<(String, Option<i64>, Option<String>)> =
            self.query(|connection| query.load(connection))?;
        let mut reversals = Reversals::default();
        for (id, refunded, dispute) in rows {
            let reversal = match (refunded, dispute) {
                (Some(amount), _) => Some(Reversal::Refunded(amount)),
                (None, dispute) => DisputeId::parse(&id)
                    .zip(dispute.and_then(|status| status.parse().ok()))
                    .map(|(id, status)| Reversal::Dispute(id, status)),
            };
            // Constraints of the table exclude anything else.
            let corrupt = || StoreError::Failed(format!("the reversal {id} cannot be read").into());
            reversals.record(&reversal.ok_or_else(corrupt)?);
        }
        Ok(reversals)
    }
}
