use crate::PgTx;
use crate::schema::purchases;
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text, Timestamptz};
use kernel::{EntrantId, EventId, Money, StoreError};
use pricing::{
    EntryCount, IntentId, NewPurchase, PackageId, Purchase, PurchaseId, PurchaseStatus, Purchases, Reversal,
};
use strum::IntoEnumIterator;

const BEGIN_PURCHASE: &str = include_str!("../sql/begin_purchase.sql");
const COMPLETE_PURCHASE: &str = include_str!("../sql/complete_purchase.sql");
const CLAIM_OPEN_PURCHASES: &str = include_str!("../sql/claim_open_purchases.sql");

struct NewRow<'a> {
    user_id: i64,
    package_id: i64,
    amount: i64,
    entries_added: i64,
    event_id: &'a str,
    created_at: DateTime<Utc>,
}

values!(
    NewRow<'_>: BEGIN_PURCHASE,
    user_id: BigInt,
    package_id: BigInt,
    amount: BigInt,
    entries_added: BigInt,
    event_id: Text,
    created_at: Timestamptz,
);

struct Completion {
    id: i64,
    at: DateTime<Utc>,
}

values!(Completion: COMPLETE_PURCHASE, id: BigInt, at: Timestamptz);

#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = purchases)]
struct Row {
    id: i64,
    user_id: i64,
    package_id: i64,
    stripe_payment_intent_id: Option<String>,
    amount: i64,
    entries_added: i64,
    status: String,
    event_id: String,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for Purchase {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::Corrupt {
            table: "purchases",
            column,
            row: row.id,
        };
        let intent = match row.stripe_payment_intent_id {
            Some(name) => Some(IntentId::parse(&name).ok_or_else(|| corrupt("stripe_payment_intent_id"))?),
            None => None,
        };
        let sold = NewPurchase {
            entrant: EntrantId::new(row.user_id),
            package: PackageId::new(row.package_id),
            price: Money::from_cents(row.amount).ok_or_else(|| corrupt("amount"))?,
            entries: EntryCount::new(row.entries_added).ok_or_else(|| corrupt("entries_added"))?,
            event_id: EventId::parse(&row.event_id).map_err(|_| corrupt("event_id"))?,
            at: row.created_at,
        };
        Ok(Self {
            id: PurchaseId::new(row.id),
            sold,
            intent,
            status: row.status.parse().map_err(|_| corrupt("status"))?,
        })
    }
}

impl Purchases for PgTx {
    fn begin_purchase(&mut self, new: &NewPurchase) -> Result<Option<PurchaseId>, StoreError> {
        let row = NewRow {
            user_id: new.entrant.get(),
            package_id: new.package.get(),
            amount: new.price.cents(),
            entries_added: new.entries.get(),
            event_id: new.event_id.as_str(),
            created_at: new.at,
        };
        Ok(self.run_statement(&row)?.map(PurchaseId::new))
    }

    fn record_intent_id(&mut self, id: PurchaseId, intent: &IntentId) -> Result<(), StoreError> {
        self.lock_intent(intent)?;
        let without_intent = purchases::table
            .find(id.get())
            .filter(purchases::stripe_payment_intent_id.is_null());
        let update =
            diesel::update(without_intent).set(purchases::stripe_payment_intent_id.eq(intent.as_str()));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn find_purchase(&self, id: PurchaseId) -> Result<Option<Purchase>, StoreError> {
        let query = purchases::table.find(id.get()).select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Purchase::try_from)
            .transpose()
    }

    fn find_purchase_by_intent(&self, intent: &IntentId) -> Result<Option<Purchase>, StoreError> {
        let query = purchases::table
            .filter(purchases::stripe_payment_intent_id.eq(intent.as_str()))
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Purchase::try_from)
            .transpose()
    }

    /// Takes the append lock first, because clearing referrals truncates a table that the statement writes to.
    fn complete_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        self.begin_writing()?;
        let completion = Completion { id: id.get(), at };
        let completed = self.run_statement(&completion)?.is_some();
        if completed {
            self.apply_reversals(id, at)?;
        }
        Ok(completed)
    }

    fn reverse_purchase(
        &mut self,
        intent: &IntentId,
        reversal: &Reversal,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.record_and_apply(intent, reversal, at)
    }

    fn end_purchase(
        &mut self,
        id: PurchaseId,
        status: PurchaseStatus,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        if !matches!(status, PurchaseStatus::Failed | PurchaseStatus::Canceled) {
            return Ok(false);
        }
        let before = PurchaseStatus::iter().filter(|before| before.may_become(status));
        let purchase = purchases::table
            .find(id.get())
            .filter(purchases::status.eq_any(before.map(PurchaseStatus::as_str)));
        let update = diesel::update(purchase).set((
            purchases::status.eq(status.as_str()),
            purchases::updated_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn claim_open_purchases(
        &mut self,
        before: DateTime<Utc>,
        limit: u32,
        now: DateTime<Utc>,
    ) -> Result<Vec<Purchase>, StoreError> {
        let query = sql_query(CLAIM_OPEN_PURCHASES)
            .bind::<Timestamptz, _>(before)
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Timestamptz, _>(now);
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Purchase::try_from).collect()
    }
}
