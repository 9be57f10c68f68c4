use crate::PgTx;
use crate::schema::{referrals, users};
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::dsl::{count, count_star};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz};
use kernel::{EntrantId, PageRequest, Phone, ReferralCode, StoreError};
use referral::{FriendCounts, NewReferral, Referral, Referrals};

const CREDIT_REFERRAL: &str = include_str!("../sql/credit_referral.sql");

struct NewRow<'a> {
    referrer_id: i64,
    referred_user_id: i64,
    referred_phone_number: &'a str,
    ip_address: Option<String>,
    created_at: DateTime<Utc>,
    reward: i64,
}

values!(
    NewRow<'_>: CREDIT_REFERRAL,
    referrer_id: BigInt,
    referred_user_id: BigInt,
    referred_phone_number: Text,
    ip_address: Nullable<Text>,
    created_at: Timestamptz,
    reward: BigInt,
);

#[derive(Queryable, Selectable)]
#[diesel(table_name = referrals)]
struct Row {
    id: i64,
    referred_phone_number: Option<String>,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for Referral {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = || StoreError::corrupt("referrals", "referred_phone_number", row.id);
        let number = row.referred_phone_number.as_deref();
        let referred_phone = number.map(|number| Phone::from_e164(number).ok_or_else(corrupt));
        Ok(Self {
            id: row.id,
            referred_phone: referred_phone.transpose()?,
            created_at: row.created_at,
        })
    }
}

impl Referrals for PgTx {
    fn find_referrer(&self, code: &ReferralCode) -> Result<Option<EntrantId>, StoreError> {
        let query = users::table
            .filter(users::referral_code.eq(code.as_str()))
            .filter(users::erased_at.is_null())
            .select(users::id);
        Ok(self
            .query(|connection| query.first(connection).optional())?
            .map(EntrantId::new))
    }

    fn credit_referral(&mut self, referral: &NewReferral, reward: i64) -> Result<bool, StoreError> {
        let row = NewRow {
            referrer_id: referral.referrer.get(),
            referred_user_id: referral.referred.get(),
            referred_phone_number: referral.referred_phone.as_e164(),
            ip_address: referral.address.map(|address| address.to_string()),
            created_at: referral.created_at,
            reward,
        };
        Ok(self.run_statement(&row)?.is_some())
    }

    fn count_referrals(&self, referrer: EntrantId) -> Result<FriendCounts, StoreError> {
        let on_hold = count(referrals::id).aggregate_filter(referrals::is_reversed);
        let query = referrals::table
            .filter(referrals::referrer_id.eq(referrer.get()))
            .select((count_star(), on_hold));
        let (all, on_hold) = self.query(|connection| query.get_result(connection))?;
        Ok(FriendCounts { all, on_hold })
    }

    fn list_referrals(&self, referrer: EntrantId, page: PageRequest) -> Result<Vec<Referral>, StoreError> {
        let query = referrals::table
            .filter(referrals::referrer_id.eq(referrer.get()))
            .order(referrals::id.desc())
            .limit(page.limit.into())
            .offset(page.offset.into())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Referral::try_from).collect()
    }
}
