//! The purchases as staff see them.

use crate::PgTx;
use crate::rows::{CountRow, rows};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamptz};
use kernel::{EntrantId, Money, PageRequest, Phone, StoreError};
use pricing::{
    DisputeStatus, EntryCount, IntentId, ListedPurchase, PackageId, PurchaseFilter, PurchaseId, PurchaseList,
    PurchaseSearch, PurchaseState, PurchaseStatus, Sold, SoldLine,
};
use strum::IntoEnumIterator;

const COLUMNS: &str = "
SELECT purchases.id, user_id, phone_number, purchases.landing_page, package_id, entries_added, amount, amount_returned,
       status, stripe_payment_intent_id, purchases.created_at, completed_at";

/// The purchases that a filter lets through. Its values are known when the statement is planned, so what is not asked for costs
/// nothing.
const MATCHING: &str = "
WHERE ($1 IS NULL OR purchases.landing_page = $1)
    AND ($2 IS NULL OR user_id = ANY ($2))
    AND ($3 IS NULL OR stripe_payment_intent_id = $3)
    AND ($4 IS NULL OR completed_at >= $4)
    AND ($5 IS NULL OR completed_at < $5)
    AND ($6 IS NULL OR purchases.id < $6)";

const SOLD: &str = "
SELECT date_trunc('month', completed_at AT TIME ZONE $3)::date AS month, landing_page, package_id,
       count(*) AS purchases, sum(amount)::bigint AS gross, sum(amount_returned)::bigint AS returned
FROM purchases
WHERE completed_at IS NOT NULL AND ($1 IS NULL OR completed_at >= $1) AND ($2 IS NULL OR completed_at < $2)
GROUP BY 1, 2, 3";

rows! {
    struct Row {
        id: i64,
        user_id: i64,
        phone_number: Option<String>,
        landing_page: String,
        package_id: i64,
        entries_added: i64,
        amount: i64,
        amount_returned: i64,
        status: String,
        stripe_payment_intent_id: Option<String>,
        created_at: DateTime<Utc>,
        completed_at: Option<DateTime<Utc>>,
        is_disputed: bool,
    }

    struct SoldRow {
        month: NaiveDate,
        landing_page: String,
        package_id: i64,
        purchases: i64,
        gross: i64,
        returned: i64,
    }
}

impl TryFrom<Row> for ListedPurchase {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("purchases", column, row.id);
        let phone = row.phone_number.as_deref().map(Phone::from_e164);
        let intent = row.stripe_payment_intent_id.as_deref().map(IntentId::parse);
        let status: PurchaseStatus = row.status.parse().map_err(|_| corrupt("status"))?;
        Ok(Self {
            id: PurchaseId::new(row.id),
            entrant: EntrantId::new(row.user_id),
            phone: match phone {
                Some(None) => return Err(StoreError::corrupt("users", "phone_number", row.user_id)),
                phone => phone.flatten(),
            },
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            package: PackageId::new(row.package_id),
            entries: EntryCount::new(row.entries_added).ok_or_else(|| corrupt("entries_added"))?,
            price: Money::from_cents(row.amount).ok_or_else(|| corrupt("amount"))?,
            returned: row.amount_returned,
            state: PurchaseState::of(status, row.amount_returned, row.is_disputed),
            intent: match intent {
                Some(None) => return Err(corrupt("stripe_payment_intent_id")),
                intent => intent.flatten(),
            },
            begun_at: row.created_at,
            paid_at: row.completed_at,
        })
    }
}

impl TryFrom<SoldRow> for SoldLine {
    type Error = StoreError;

    fn try_from(row: SoldRow) -> Result<Self, StoreError> {
        let raffle = row.landing_page.parse();
        Ok(Self {
            month: row.month,
            raffle: raffle.map_err(|_| StoreError::corrupt("purchases", "landing_page", row.package_id))?,
            package: PackageId::new(row.package_id),
            sold: Sold {
                purchases: row.purchases,
                gross: row.gross,
                returned: row.returned,
            },
        })
    }
}

/// Whether an inquiry or a dispute of a purchase is not decided. There are few: they are looked up once.
fn is_disputed() -> String {
    let undecided = DisputeStatus::iter().filter(|status| !status.is_decided());
    let names: Vec<_> = undecided.map(|status| format!("'{}'", status.as_str())).collect();
    format!(
        "coalesce(stripe_payment_intent_id IN (
             SELECT stripe_payment_intent_id FROM payment_reversals WHERE dispute IN ({})
         ), false)",
        names.join(", ")
    )
}

/// The condition that a purchase is in a state: all that makes it so.
fn is_in(state: PurchaseState) -> String {
    let both = [false, true];
    let facts = PurchaseStatus::iter()
        .flat_map(|status| both.map(|is_returned| (status, is_returned)))
        .flat_map(|(status, is_returned)| both.map(|is_disputed| (status, is_returned, is_disputed)))
        .filter(|(status, is_returned, is_disputed)| {
            PurchaseState::of(*status, i64::from(*is_returned), *is_disputed) == state
        })
        .map(|(status, is_returned, is_disputed)| {
            format!("('{}', {is_returned}, {is_disputed})", status.as_str())
        });
    let facts: Vec<_> = facts.collect();
    format!(
        "(status, amount_returned > 0, {}) IN ({})",
        is_disputed(),
        facts.join(", ")
    )
}

fn matching(filter: &PurchaseFilter) -> String {
    match filter.state {
        Some(state) => format!(
            "FROM purchases JOIN users ON users.id = user_id {MATCHING} AND {}",
            is_in(state)
        ),
        None => format!("FROM purchases JOIN users ON users.id = user_id {MATCHING}"),
    }
}

fn bound(filter: &PurchaseFilter, sql: String) -> BoxedSqlQuery<'static, Pg, SqlQuery> {
    let (buyers, intent) = match &filter.search {
        Some(PurchaseSearch::Buyers(buyers)) => (Some(buyers), None),
        Some(PurchaseSearch::Payment(intent)) => (None, Some(intent)),
        None => (None, None),
    };
    let buyers = buyers.map(|buyers| buyers.iter().map(|id| id.get()).collect::<Vec<_>>());
    sql_query(sql)
        .into_boxed()
        .bind::<Nullable<Text>, _>(filter.raffle.map(|raffle| raffle.to_string()))
        .bind::<Nullable<Array<BigInt>>, _>(buyers)
        .bind::<Nullable<Text>, _>(intent.map(|intent| intent.as_str().to_owned()))
        .bind::<Nullable<Timestamptz>, _>(filter.paid_from)
        .bind::<Nullable<Timestamptz>, _>(filter.paid_until)
        .bind::<Nullable<BigInt>, _>(filter.after.map(PurchaseId::get))
}

impl PurchaseList for PgTx {
    fn list_purchases(
        &self,
        filter: &PurchaseFilter,
        page: PageRequest,
    ) -> Result<Vec<ListedPurchase>, StoreError> {
        let sql = format!(
            "{COLUMNS}, {} AS is_disputed {} ORDER BY purchases.id DESC LIMIT $7 OFFSET $8",
            is_disputed(),
            matching(filter)
        );
        let query = bound(filter, sql)
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(ListedPurchase::try_from).collect()
    }

    fn count_purchases(&self, filter: &PurchaseFilter, most: u32) -> Result<i64, StoreError> {
        let sql = format!(
            "SELECT count(*) AS n FROM (SELECT {} LIMIT $7) AS part",
            matching(filter)
        );
        let query = bound(filter, sql).bind::<BigInt, _>(i64::from(most));
        let row: CountRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.n)
    }

    fn sold(
        &self,
        from: Option<DateTime<Utc>>,
        until: Option<DateTime<Utc>>,
        zone: Tz,
    ) -> Result<Vec<SoldLine>, StoreError> {
        let query = sql_query(SOLD)
            .bind::<Nullable<Timestamptz>, _>(from)
            .bind::<Nullable<Timestamptz>, _>(until)
            .bind::<Text, _>(zone.name());
        let rows: Vec<SoldRow> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(SoldLine::try_from).collect()
    }
}
