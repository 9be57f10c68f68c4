//! Refunds and disputes of payments: what was reported of them, and the entries that they take back or hold.

use crate::PgTx;
use crate::named_lock::LockGroup;
use crate::raffle::ledger::Posting;
use crate::schema::{payment_reversals, purchases, users};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{EntrantId, Money, StoreError};
use pricing::{
    DisputeId, EntryCount, IntentId, PurchaseId, PurchaseStatus, Purchases, RefundId, Reversal, Reversals,
    Reversed,
};

/// What is known of the refunds of a payment, or of a dispute.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = payment_reversals)]
struct ReversalRow {
    id: String,
    refunded: Option<i64>,
    refund: Option<String>,
    dispute: Option<String>,
}

impl ReversalRow {
    fn new(intent: &IntentId, reversal: &Reversal) -> Self {
        let row = |id: &str| Self {
            id: id.to_owned(),
            refunded: None,
            refund: None,
            dispute: None,
        };
        match reversal {
            Reversal::Refunded(amount) => Self {
                refunded: Some(*amount),
                ..row(intent.as_str())
            },
            Reversal::Refund(id, amount, status) => Self {
                refunded: Some(*amount),
                refund: Some(status.as_str().to_owned()),
                ..row(id.as_str())
            },
            Reversal::Dispute(id, status) => Self {
                dispute: Some(status.as_str().to_owned()),
                ..row(id.as_str())
            },
        }
    }

    /// Constraints of the table exclude any other row.
    fn read(self) -> Result<Reversal, StoreError> {
        let Self {
            id,
            refunded,
            refund,
            dispute,
        } = self;
        let read = match (refunded, refund, dispute) {
            (Some(amount), None, None) => Some(Reversal::Refunded(amount)),
            (Some(amount), Some(status), None) => {
                let known = RefundId::parse(&id).zip(status.parse().ok());
                known.map(|(id, status)| Reversal::Refund(id, amount, status))
            }
            (None, None, Some(status)) => {
                let known = DisputeId::parse(&id).zip(status.parse().ok());
                known.map(|(id, status)| Reversal::Dispute(id, status))
            }
            _ => None,
        };
        read.ok_or_else(|| StoreError::Failed(format!("the reversal {id} cannot be read").into()))
    }
}

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
    reversals: i64,
    buyer_moves: i64,
}

/// A buyer's bought entries, those that are held, and how often the buyer has moved to another raffle.
#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
struct BuyerRow {
    paid_entries: i64,
    held_entries: i64,
    moves: i64,
}

impl PgTx {
    /// Records a reversal, and applies it to the purchase with this payment intent.
    pub(crate) fn record_and_apply(
        &mut self,
        intent: &IntentId,
        reversal: &Reversal,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.record_reversal(intent, reversal, at)?;
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

    /// Records a reversal beside what is known. The lock of its row makes reports of the same refunds or dispute happen one
    /// after the other.
    fn record_reversal(
        &self,
        intent: &IntentId,
        reversal: &Reversal,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut all = Reversals::default();
        let new = ReversalRow::new(intent, &all.record(reversal));
        let insert = diesel::insert_into(payment_reversals::table)
            .values((
                &new,
                payment_reversals::stripe_payment_intent_id.eq(intent.as_str()),
                payment_reversals::created_at.eq(at),
                payment_reversals::updated_at.eq(at),
            ))
            .on_conflict_do_nothing();
        if self.query(|connection| insert.execute(connection))? > 0 {
            return Ok(());
        }
        let row = payment_reversals::table.find(&new.id);
        let lock = row.select(ReversalRow::as_select()).for_no_key_update();
        let known: ReversalRow = self.query(|connection| lock.first(connection))?;
        let known = ReversalRow::new(intent, &all.record(&known.read()?));
        let update = diesel::update(row).set((known, payment_reversals::updated_at.eq(at)));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    /// Makes recording a reversal of a payment and recording its purchase wait for each other, until this transaction
    /// ends.
    pub(crate) fn lock_intent(&self, intent: &IntentId) -> Result<(), StoreError> {
        self.lock_name(LockGroup::PaymentIntent, intent.as_str())
    }

    /// Takes back and holds the entries of a completed purchase as its reversals demand. The lock of the purchase makes
    /// this and its completion happen one after the other, so that the later one sees what the earlier one did.
    pub(crate) fn apply_reversals(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let query = purchases::table
            .find(id.get())
            .select(PurchaseRow::as_select())
            .for_no_key_update();
        // Whatever its status: one that is being completed just now is waited for.
        let found: Option<PurchaseRow> = self.query(|connection| query.first(connection).optional())?;
        let corrupt = |column| StoreError::corrupt("purchases", column, id.get());
        let Some(purchase) = found else {
            return Ok(false);
        };
        let mut before = Reversed {
            status: purchase.status.parse().map_err(|_| corrupt("status"))?,
            taken: purchase.entries_taken,
            held: purchase.entries_held,
            steps: purchase.reversals,
            is_moved_out: false,
        };
        if !before.was_credited() {
            return Ok(false);
        }
        let Some(intent) = &purchase.stripe_payment_intent_id else {
            return Ok(false);
        };
        let reversals = self.reversals_of(intent)?;
        if reversals == Reversals::default() {
            return Ok(false);
        }
        let price = Money::from_cents(purchase.amount).ok_or_else(|| corrupt("amount"))?;
        let entries = EntryCount::new(purchase.entries_added).ok_or_else(|| corrupt("entries_added"))?;
        let returned = purchases::amount_returned.eq(reversals.returned(price));
        let update = diesel::update(purchases::table.find(id.get())).set(returned);
        self.query(|connection| update.execute(connection))?;
        let effect = reversals.effect(price, entries);
        let buyer = self.lock_buyer(purchase.user_id)?;
        before.is_moved_out = purchase.buyer_moves < buyer.moves;
        let Some(change) = effect.change(&before, buyer.paid_entries, buyer.held_entries) else {
            return Ok(false);
        };
        let step = purchase.reversals + 1;
        let is_refunded = change.status == PurchaseStatus::Refunded;
        let update = diesel::update(purchases::table.find(id.get())).set((
            purchases::entries_taken.eq(purchase.entries_taken + change.taken),
            purchases::entries_held.eq(purchase.entries_held + change.held),
            purchases::reversals.eq(step),
            purchases::status.eq(change.status.as_str()),
            purchases::updated_at.eq(at),
            purchases::refunded_at.eq(is_refunded.then_some(at)),
        ));
        self.query(|connection| update.execute(connection))?;
        let entrant = EntrantId::new(purchase.user_id);
        let rows = change.rows(id).map(|row| Posting { entrant, row, step });
        self.add_ledger_rows(rows)?;
        Ok(true)
    }

    /// What a buyer has, which cannot change until this transaction ends.
    fn lock_buyer(&self, entrant: i64) -> Result<BuyerRow, StoreError> {
        let query = users::table
            .find(entrant)
            .select(BuyerRow::as_select())
            .for_no_key_update();
        self.query(|connection| query.first(connection))
    }

    fn reversals_of(&self, intent: &str) -> Result<Reversals, StoreError> {
        let query = payment_reversals::table
            .filter(payment_reversals::stripe_payment_intent_id.eq(intent))
            .select(ReversalRow::as_select());
        let rows: Vec<ReversalRow> = self.query(|connection| query.load(connection))?;
        let mut reversals = Reversals::default();
        for row in rows {
            reversals.record(&row.read()?);
        }
        Ok(reversals)
    }
}
