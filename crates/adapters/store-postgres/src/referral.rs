use crate::PgTx;
use crate::raffle::ledger::Posting;
use crate::rows::rows;
use crate::schema::{referrals, users};
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::dsl::{count, count_star};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{EntrantId, PageRequest, Phone, ReferralCode, StoreError};
use referral::{Credit, CreditChange, FriendCounts, NewReferral, Referral, Referrals, reward_for};

const CREDIT_REFERRAL: &str = include_str!("../sql/credit_referral.sql");

struct NewRow<'a> {
    referrer_id: i64,
    referred_user_id: i64,
    referred_phone_number: &'a str,
    ip_address: Option<String>,
    created_at: DateTime<Utc>,
    kind: &'static str,
    delta: i64,
    bonus: i64,
}

values!(
    NewRow<'_>: CREDIT_REFERRAL,
    referrer_id: BigInt,
    referred_user_id: BigInt,
    referred_phone_number: Text,
    ip_address: Nullable<Text>,
    created_at: Timestamptz,
    kind: Text,
    delta: BigInt,
    bonus: BigInt,
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

/// The credits of these friends, which nobody changes until this transaction ends. Their referrers do not move to another raffle
/// either. Referrals that were cleared are not there any more.
const LOCK_CREDITS: &str = "
SELECT referrer_id, referred_user_id, delta AS earned, referrals.is_reversed, reversals,
       referrer_moves < referrer.moves AS is_moved_out
FROM referrals
JOIN users AS referrer ON referrer.id = referrer_id
JOIN entry_ledger ON user_id = referrer_id AND kind = 'referral' AND cause_id = referred_user_id
WHERE referred_user_id = ANY ($1)
ORDER BY referrals.id
FOR NO KEY UPDATE OF referrals, referrer";

const CHANGE_CREDITS: &str = "
UPDATE referrals SET is_reversed = change.is_reversed, reversals = change.reversals
FROM unnest($1, $2, $3) AS change (referred_user_id, is_reversed, reversals)
WHERE referrals.referred_user_id = change.referred_user_id";

rows! {
    struct CreditRow {
        referrer_id: i64,
        referred_user_id: i64,
        earned: i64,
        is_reversed: bool,
        reversals: i64,
        is_moved_out: bool,
    }
}

impl From<CreditRow> for Credit {
    fn from(row: CreditRow) -> Self {
        Self {
            referrer: EntrantId::new(row.referrer_id),
            friend: EntrantId::new(row.referred_user_id),
            earned: row.earned,
            is_reversed: row.is_reversed,
            reversals: row.reversals,
            is_moved_out: row.is_moved_out,
        }
    }
}

impl PgTx {
    /// Changes the credits of these friends, in the ledger and the counters, too. A statement of its own: the one that flags
    /// cannot change a referrer whom it also flags.
    pub(crate) fn change_credits(
        &mut self,
        friends: &[i64],
        change: fn(Credit) -> Option<CreditChange>,
    ) -> Result<(), StoreError> {
        let lock = sql_query(LOCK_CREDITS).bind::<Array<BigInt>, _>(friends);
        let rows: Vec<CreditRow> = self.query(|connection| lock.load(connection))?;
        let changed: Vec<_> = rows.into_iter().filter_map(|row| change(row.into())).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let credits = || changed.iter().map(|(credit, _)| credit);
        let store = sql_query(CHANGE_CREDITS)
            .bind::<Array<BigInt>, _>(credits().map(|credit| credit.friend.get()).collect::<Vec<_>>())
            .bind::<Array<Bool>, _>(credits().map(|credit| credit.is_reversed).collect::<Vec<_>>())
            .bind::<Array<BigInt>, _>(credits().map(|credit| credit.reversals).collect::<Vec<_>>());
        self.query(|connection| store.execute(connection))?;
        let postings = changed.iter().filter_map(|(credit, row)| {
            Some(Posting {
                entrant: credit.referrer,
                row: (*row)?,
                step: credit.reversals,
            })
        });
        self.add_ledger_rows(postings)
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

    fn credit_referral(&mut self, referral: &NewReferral) -> Result<bool, StoreError> {
        let reward = reward_for(referral.referred);
        let row = NewRow {
            referrer_id: referral.referrer.get(),
            referred_user_id: referral.referred.get(),
            referred_phone_number: referral.referred_phone.as_e164(),
            ip_address: referral.address.map(|address| address.to_string()),
            created_at: referral.created_at,
            kind: reward.kind.as_str(),
            delta: reward.delta,
            bonus: reward.change().bonus,
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
