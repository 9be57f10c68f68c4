//! `staff::Accounts`.

use crate::PgTx;
use crate::schema::{staff_members, staff_recovery_codes};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{StaffName, StoreError};
use staff::{
    Account, Accounts, CodeFailures, Invitation, Member, MemberId, RecoveryHash, SecondFactor, TokenHash,
    TotpStep,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = staff_members)]
pub(crate) struct Row {
    id: i64,
    name: String,
    role: String,
    state: String,
    environment: bool,
    password_hash: Option<String>,
    invitation_token: Option<Vec<u8>>,
    invitation_expires_at: Option<DateTime<Utc>>,
    totp_secret: Option<Vec<u8>>,
    totp_confirmed: bool,
    totp_last_step: Option<i64>,
    codes_failed: i32,
    codes_failed_since: Option<DateTime<Utc>>,
    codes_locked_until: Option<DateTime<Utc>>,
    active_since: Option<DateTime<Utc>>,
    last_sign_in_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

/// What changes, with `None` as NULL.
#[derive(AsChangeset)]
#[diesel(table_name = staff_members, treat_none_as_null = true)]
struct Changes<'a> {
    name: &'a str,
    role: &'a str,
    state: &'a str,
    environment: bool,
    password_hash: Option<&'a str>,
    invitation_token: Option<&'a [u8]>,
    invitation_expires_at: Option<DateTime<Utc>>,
    totp_secret: Option<&'a [u8]>,
    totp_confirmed: bool,
    totp_last_step: Option<i64>,
    codes_failed: i32,
    codes_failed_since: Option<DateTime<Utc>>,
    codes_locked_until: Option<DateTime<Utc>>,
    active_since: Option<DateTime<Utc>>,
    last_sign_in_at: Option<DateTime<Utc>>,
}

impl<'a> From<&'a Account> for Changes<'a> {
    fn from(account: &'a Account) -> Self {
        let (invitation, factor) = (account.invitation.as_ref(), account.second_factor.as_ref());
        let failures = account.code_failures;
        Self {
            name: account.member.name.as_str(),
            role: account.member.role.as_str(),
            state: account.member.state.as_str(),
            environment: account.member.environment,
            password_hash: account.password.as_deref(),
            invitation_token: invitation.map(|invitation| invitation.token_hash.as_slice()),
            invitation_expires_at: invitation.map(|invitation| invitation.expires_at),
            totp_secret: factor.map(|factor| factor.sealed_secret.as_slice()),
            totp_confirmed: factor.is_some_and(|factor| factor.confirmed),
            totp_last_step: factor.and_then(|factor| factor.last_step).map(TotpStep::get),
            codes_failed: i32::try_from(failures.count).unwrap_or(i32::MAX),
            codes_failed_since: failures.since,
            codes_locked_until: failures.locked_until,
            active_since: account.active_since,
            last_sign_in_at: account.last_sign_in_at,
        }
    }
}

impl TryFrom<Row> for Account {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("staff_members", column, row.id);
        let token = row.invitation_token.map(TokenHash::try_from).transpose();
        let token = token.map_err(|_| corrupt("invitation_token"))?;
        let second_factor = row.totp_secret.map(|sealed_secret| SecondFactor {
            sealed_secret,
            confirmed: row.totp_confirmed,
            last_step: row.totp_last_step.map(TotpStep::new),
        });
        Ok(Self {
            member: Member {
                id: MemberId::new(row.id),
                name: StaffName::parse(&row.name).ok_or_else(|| corrupt("name"))?,
                role: row.role.parse().map_err(|_| corrupt("role"))?,
                state: row.state.parse().map_err(|_| corrupt("state"))?,
                environment: row.environment,
                has_second_factor: second_factor.as_ref().is_some_and(|factor| factor.confirmed),
                created_at: row.created_at,
            },
            password: row.password_hash,
            invitation: token
                .zip(row.invitation_expires_at)
                .map(|(token_hash, expires_at)| Invitation {
                    token_hash,
                    expires_at,
                }),
            second_factor,
            code_failures: CodeFailures {
                count: u32::try_from(row.codes_failed).map_err(|_| corrupt("codes_failed"))?,
                since: row.codes_failed_since,
                locked_until: row.codes_locked_until,
            },
            active_since: row.active_since,
            last_sign_in_at: row.last_sign_in_at,
        })
    }
}

fn read(row: Option<Row>) -> Result<Option<Account>, StoreError> {
    row.map(Account::try_from).transpose()
}

fn read_all(rows: Vec<Row>) -> Result<Vec<Account>, StoreError> {
    rows.into_iter().map(Account::try_from).collect()
}

impl Accounts for PgTx {
    fn add_account(&mut self, account: &Account) -> Result<MemberId, StoreError> {
        let created = staff_members::created_at.eq(account.member.created_at);
        let named = (
            staff_members::name.eq(account.member.name.as_str()),
            staff_members::role.eq(account.member.role.as_str()),
            staff_members::state.eq(account.member.state.as_str()),
            created,
        );
        let insert = diesel::insert_into(staff_members::table)
            .values(named)
            .returning(staff_members::id);
        let id: i64 = self.query(|connection| insert.get_result(connection))?;
        let mut added = account.clone();
        added.member.id = MemberId::new(id);
        self.save_account(&added)?;
        Ok(added.member.id)
    }

    fn find_account(&self, id: MemberId) -> Result<Option<Account>, StoreError> {
        let query = staff_members::table.find(id.get()).select(Row::as_select());
        read(self.query(|connection| query.first(connection).optional())?)
    }

    fn find_account_by_name(&self, name: &StaffName) -> Result<Option<Account>, StoreError> {
        let query = staff_members::table
            .filter(staff_members::name.eq(name.as_str()))
            .select(Row::as_select());
        read(self.query(|connection| query.first(connection).optional())?)
    }

    fn find_account_by_invitation(&self, token: &TokenHash) -> Result<Option<Account>, StoreError> {
        let query = staff_members::table
            .filter(staff_members::invitation_token.eq(token.as_slice()))
            .select(Row::as_select());
        read(self.query(|connection| query.first(connection).optional())?)
    }

    fn list_accounts(&self) -> Result<Vec<Account>, StoreError> {
        let query = staff_members::table
            .order(staff_members::id)
            .select(Row::as_select());
        read_all(self.query(|connection| query.load(connection))?)
    }

    fn lock_account(&mut self, id: MemberId) -> Result<Option<Account>, StoreError> {
        let query = staff_members::table
            .find(id.get())
            .select(Row::as_select())
            .for_update();
        read(self.query(|connection| query.first(connection).optional())?)
    }

    fn lock_accounts(&mut self) -> Result<Vec<Account>, StoreError> {
        let query = staff_members::table
            .order(staff_members::id)
            .select(Row::as_select())
            .for_update();
        read_all(self.query(|connection| query.load(connection))?)
    }

    fn save_account(&mut self, account: &Account) -> Result<(), StoreError> {
        let row = staff_members::table.find(account.member.id.get());
        let update = diesel::update(row).set(Changes::from(account));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn replace_recovery_codes(&mut self, member: MemberId, codes: &[RecoveryHash]) -> Result<(), StoreError> {
        let old = staff_recovery_codes::table.filter(staff_recovery_codes::member_id.eq(member.get()));
        self.query(|connection| diesel::delete(old).execute(connection))?;
        let rows: Vec<_> = codes
            .iter()
            .map(|code| {
                (
                    staff_recovery_codes::member_id.eq(member.get()),
                    staff_recovery_codes::code_hash.eq(code.as_slice()),
                )
            })
            .collect();
        let insert = diesel::insert_into(staff_recovery_codes::table).values(rows);
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn take_recovery_code(&mut self, member: MemberId, code: &RecoveryHash) -> Result<bool, StoreError> {
        let row = staff_recovery_codes::table.find((member.get(), code.as_slice()));
        let taken = self.query(|connection| diesel::delete(row).execute(connection))?;
        Ok(taken > 0)
    }

    fn count_recovery_codes(&self, member: MemberId) -> Result<i64, StoreError> {
        let query = staff_recovery_codes::table
            .filter(staff_recovery_codes::member_id.eq(member.get()))
            .count();
        self.query(|connection| query.get_result(connection))
    }
}
