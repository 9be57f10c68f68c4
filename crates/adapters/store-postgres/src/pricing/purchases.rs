use crate::PgTx;
use crate::rows::rows;
use crate::schema::{purchases, users};
use crate::statement::values;
use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz};
use kernel::{EntrantId, EventId, Money, StoreError};
use pricing::{
    BeginOutcome, CapDate, CompleteOutcome, CustomerId, DisputeStatus, EntryCap, EntryCount, FreeEntries,
    IntentId, NewPurchase, PackageId, Purchase, PurchaseId, PurchaseStatus, Purchases, Reversal, next_check,
};

const COMPLETE_PURCHASE: &str = include_str!("../../sql/complete_purchase.sql");
const CLAIM_OPEN_PURCHASES: &str = include_str!("../../sql/claim_open_purchases.sql");

const SCHEDULE_CHECKS: &str = "
UPDATE purchases SET checks = checks + 1, next_check_at = due.at
FROM unnest($1, $2) AS due (id, at)
WHERE purchases.id = due.id";

const HAS_OPEN_DISPUTE: &str = "
SELECT EXISTS (
    SELECT FROM purchases
    JOIN entry_ledger AS credit ON credit.user_id = purchases.user_id AND credit.kind = 'purchase'
        AND credit.cause_id = purchases.id
    JOIN payment_reversals AS reversal
        ON reversal.stripe_payment_intent_id = purchases.stripe_payment_intent_id
    WHERE purchases.user_id = $1 AND credit.created_at < $2 AND reversal.dispute = $3
) AS has_one";

rows! {
    struct DisputeRow {
        has_one: bool,
    }
}

#[derive(Insertable)]
#[diesel(table_name = purchases)]
struct NewRow<'a> {
    user_id: i64,
    landing_page: &'a str,
    package_id: i64,
    amount: i64,
    entries_added: i64,
    event_id: &'a str,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    next_check_at: DateTime<Utc>,
    cap_month: NaiveDate,
    entry_cap: i64,
    buyer_moves: i64,
}

struct Completion {
    id: i64,
    at: DateTime<Utc>,
    kind: &'static str,
    delta: i64,
    paid: i64,
}

values!(
    Completion: COMPLETE_PURCHASE,
    id: BigInt,
    at: Timestamptz,
    kind: Text,
    delta: BigInt,
    paid: BigInt,
);

/// What is decided by when a purchase was paid.
#[derive(Queryable, Selectable)]
#[diesel(table_name = purchases)]
struct PaidRow {
    id: i64,
    status: String,
    user_id: i64,
    entries_added: i64,
    cap_month: Option<NaiveDate>,
    entry_cap: Option<i64>,
    buyer_moves: i64,
}

impl PaidRow {
    fn status(&self) -> Result<PurchaseStatus, StoreError> {
        self.status.parse().map_err(|_| self.corrupt("status"))
    }

    fn entries(&self) -> Result<EntryCount, StoreError> {
        EntryCount::new(self.entries_added).ok_or_else(|| self.corrupt("entries_added"))
    }

    /// The month whose cap its entries count toward. `None`: toward none.
    fn month(&self) -> Result<Option<CapDate>, StoreError> {
        let Some((month, entries)) = self.cap_month.zip(self.entry_cap) else {
            return Ok(None);
        };
        let cap = u32::try_from(entries).ok().and_then(EntryCap::new);
        let cap = cap.ok_or_else(|| self.corrupt("entry_cap"))?;
        Ok(Some(CapDate::first_of(month, cap)))
    }

    fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::corrupt("purchases", column, self.id)
    }
}

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
        let corrupt = |column| StoreError::corrupt("purchases", column, row.id);
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

/// A claimed purchase, and how often it was checked.
#[derive(QueryableByName)]
struct ClaimedRow {
    #[diesel(embed)]
    purchase: Row,
    #[diesel(sql_type = BigInt)]
    checks: i64,
}

/// What was true of an entrant when the lock was taken.
#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct LockedEntrant {
    landing_page: String,
    pub(crate) is_flagged: bool,
    /// How often the entrant has moved to another raffle.
    pub(crate) moves: i64,
}

impl PgTx {
    /// Locks an entrant's row until this transaction ends. `false` when there is none, or it is erased.
    pub(crate) fn lock_entrant(&self, entrant: EntrantId) -> Result<Option<LockedEntrant>, StoreError> {
        let query = users::table
            .find(entrant.get())
            .filter(users::erased_at.is_null())
            .select(LockedEntrant::as_select())
            .for_no_key_update();
        self.query(|connection| query.first(connection).optional())
    }

    /// Locks a purchase until this transaction ends.
    fn lock_purchase(&self, id: PurchaseId) -> Result<Option<PaidRow>, StoreError> {
        let query = purchases::table
            .find(id.get())
            .select(PaidRow::as_select())
            .for_no_key_update();
        self.query(|connection| query.first(connection).optional())
    }

    /// What becomes of a purchase that was paid. Locks the buyer after the purchase: in this order, as reversing does.
    fn when_paid(&self, purchase: &PaidRow) -> Result<CompleteOutcome, StoreError> {
        let status = purchase.status()?;
        if !status.may_be_refused() {
            return Ok(CompleteOutcome::Unchanged);
        }
        let buyer = self.lock_entrant(EntrantId::new(purchase.user_id))?;
        let has_moved = buyer
            .as_ref()
            .is_some_and(|buyer| purchase.buyer_moves < buyer.moves);
        // That of an erased person does not fit: the money goes back.
        status.when_paid(has_moved, || Ok(buyer.is_some() && self.fits(purchase)?))
    }

    /// Whether a purchase still fits under the cap of its month.
    fn fits(&self, purchase: &PaidRow) -> Result<bool, StoreError> {
        let buyer = EntrantId::new(purchase.user_id);
        let Some(month) = purchase.month()? else {
            return Ok(true);
        };
        let used = self.capped_entries(buyer, month)?;
        Ok(month.has_room(used, purchase.entries()?))
    }
}

impl Purchases for PgTx {
    fn begin_purchase(
        &mut self,
        new: &NewPurchase,
        most_open: u32,
        day: CapDate,
    ) -> Result<BeginOutcome, StoreError> {
        let Some(buyer) = self.lock_entrant(new.entrant)? else {
            return Ok(BeginOutcome::UnknownEntrant);
        };
        let used = self.capped_entries(new.entrant, day)?;
        let open = self.open_purchases(new.entrant)?;
        let open = open.iter().map(|purchase| purchase.sold.at);
        if let Some(refusal) = new.refusal(buyer.is_flagged, day, used, open, most_open) {
            return Ok(refusal);
        }
        let row = NewRow {
            user_id: new.entrant.get(),
            landing_page: &buyer.landing_page,
            package_id: new.package.get(),
            amount: new.price.cents(),
            entries_added: new.entries.get(),
            event_id: new.event_id.as_str(),
            created_at: new.at,
            updated_at: new.at,
            next_check_at: next_check(new.at, 0, new.at),
            cap_month: day.month(),
            entry_cap: day.cap().get(),
            buyer_moves: buyer.moves,
        };
        let insert = diesel::insert_into(purchases::table)
            .values(row)
            .returning(purchases::id);
        let id = self.query(|connection| insert.get_result(connection))?;
        Ok(BeginOutcome::Begun(PurchaseId::new(id)))
    }

    fn open_purchases(&self, entrant: EntrantId) -> Result<Vec<Purchase>, StoreError> {
        let query = purchases::table
            .filter(purchases::user_id.eq(entrant.get()))
            .filter(purchases::status.eq_any(PurchaseStatus::names(PurchaseStatus::is_open)))
            .order((purchases::created_at, purchases::id))
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Purchase::try_from).collect()
    }

    fn paid_purchases(&self, entrant: EntrantId, limit: u32) -> Result<Vec<Purchase>, StoreError> {
        let query = purchases::table
            .filter(purchases::user_id.eq(entrant.get()))
            .filter(purchases::status.eq_any(PurchaseStatus::names(PurchaseStatus::is_paid)))
            .order(purchases::id.desc())
            .limit(limit.into())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Purchase::try_from).collect()
    }

    fn find_customer(&self, entrant: EntrantId) -> Result<Option<CustomerId>, StoreError> {
        let query = users::table.find(entrant.get()).select(users::stripe_customer_id);
        let found: Option<Option<String>> = self.query(|connection| query.first(connection).optional())?;
        let corrupt = || StoreError::corrupt("users", "stripe_customer_id", entrant.get());
        let read = |id: String| CustomerId::parse(&id).ok_or_else(corrupt);
        found.flatten().map(read).transpose()
    }

    fn record_customer(
        &mut self,
        entrant: EntrantId,
        customer: &CustomerId,
    ) -> Result<Option<CustomerId>, StoreError> {
        let without_one = users::table
            .find(entrant.get())
            .filter(users::stripe_customer_id.is_null());
        let update = diesel::update(without_one).set(users::stripe_customer_id.eq(customer.as_str()));
        self.query(|connection| update.execute(connection))?;
        self.find_customer(entrant)
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
    fn complete_purchase(
        &mut self,
        id: PurchaseId,
        at: DateTime<Utc>,
    ) -> Result<CompleteOutcome, StoreError> {
        self.begin_writing()?;
        let Some(purchase) = self.lock_purchase(id)? else {
            return Ok(CompleteOutcome::Unchanged);
        };
        let outcome = self.when_paid(&purchase)?;
        match outcome {
            CompleteOutcome::Unchanged => {}
            CompleteOutcome::OverCap | CompleteOutcome::Moved => drop(self.refuse_purchase(id, at)?),
            CompleteOutcome::Credited => {
                let credit = id.credit(purchase.entries()?);
                let reversals = self.run_statement(&Completion {
                    id: id.get(),
                    at,
                    kind: credit.kind.as_str(),
                    delta: credit.delta,
                    paid: credit.change().paid,
                })?;
                if reversals != Some(0) {
                    self.apply_reversals(id, at)?;
                }
            }
        }
        Ok(outcome)
    }

    fn refuse_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let before = PurchaseStatus::names(PurchaseStatus::may_be_refused);
        let purchase = purchases::table
            .find(id.get())
            .filter(purchases::status.eq_any(before));
        let update = diesel::update(purchase).set((
            purchases::status.eq(PurchaseStatus::Refunding.as_str()),
            purchases::amount_returned.eq(purchases::amount),
            purchases::completed_at.eq(at),
            purchases::updated_at.eq(at),
            purchases::next_check_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn end_refund(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let refunding = purchases::table
            .find(id.get())
            .filter(purchases::status.eq(PurchaseStatus::Refunding.as_str()));
        let update = diesel::update(refunding).set((
            purchases::status.eq(PurchaseStatus::Refunded.as_str()),
            purchases::refunded_at.eq(at),
            purchases::updated_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn reverse_purchase(
        &mut self,
        intent: &IntentId,
        reversal: &Reversal,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.record_and_apply(intent, reversal, at)
    }

    fn has_open_dispute(
        &self,
        entrant: EntrantId,
        credited_before: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let find = sql_query(HAS_OPEN_DISPUTE)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(credited_before)
            .bind::<Text, _>(DisputeStatus::Open.as_str());
        let row: DisputeRow = self.query(|connection| find.get_result(connection))?;
        Ok(row.has_one)
    }

    fn end_purchase(
        &mut self,
        id: PurchaseId,
        status: PurchaseStatus,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let before = PurchaseStatus::names(|before| before.may_end_as(status));
        let purchase = purchases::table
            .find(id.get())
            .filter(purchases::status.eq_any(before));
        let update = diesel::update(purchase).set((
            purchases::status.eq(status.as_str()),
            purchases::updated_at.eq(at),
        ));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn claim_open_purchases(&mut self, limit: u32, now: DateTime<Utc>) -> Result<Vec<Purchase>, StoreError> {
        let query = sql_query(CLAIM_OPEN_PURCHASES)
            .bind::<Timestamptz, _>(now)
            .bind::<Array<Text>, _>(PurchaseStatus::names(PurchaseStatus::is_checked))
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<ClaimedRow> = self.query(|connection| query.load(connection))?;
        let next = |row: &ClaimedRow| {
            let checks = u32::try_from(row.checks + 1).unwrap_or(u32::MAX);
            next_check(row.purchase.created_at, checks, now)
        };
        let (ids, times): (Vec<_>, Vec<_>) = rows.iter().map(|row| (row.purchase.id, next(row))).unzip();
        let update = sql_query(SCHEDULE_CHECKS)
            .bind::<Array<BigInt>, _>(ids)
            .bind::<Array<Timestamptz>, _>(times);
        self.query(|connection| update.execute(connection))?;
        rows.into_iter()
            .map(|row| Purchase::try_from(row.purchase))
            .collect()
    }

    fn recheck_open_purchases(&mut self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let later = purchases::table
            .filter(purchases::status.eq_any(PurchaseStatus::names(PurchaseStatus::is_open)))
            .filter(purchases::created_at.le(now))
            .filter(purchases::next_check_at.gt(now));
        let update = diesel::update(later).set(purchases::next_check_at.eq(now));
        self.query(|connection| update.execute(connection)).map(drop)
    }
}
