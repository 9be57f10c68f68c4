use crate::PgTx;
use crate::raffle::ledger::Posting;
use crate::schema::{raffle_moves, users};
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Nullable, Text, Timestamptz};
use kernel::{EntrantId, PersonSalt, PersonTag, Phone, ReferralCode, StoreError};
use raffle::{
    BrowserStanding, BrowserToken, Entrant, Entrants, Entries, EntryKind, EntryLedger, LedgerRow, NewEntrant,
    RaffleKey, RaffleMove, Recalled, SignOut,
};

const ENTER: &str = include_str!("../../sql/add_entrant.sql");

struct NewRow<'a> {
    id: i64,
    phone_number: &'a str,
    referral_code: &'a str,
    landing_page: &'a str,
    sign_up_event_id: Option<&'a str>,
    ip_address: Option<String>,
    user_agent: Option<&'a str>,
    fingerprint: Option<&'a str>,
    person_salt: &'a [u8],
    person_tag: &'a [u8],
    created_at: DateTime<Utc>,
    base_entries: i64,
    kind: &'static str,
}

values!(
    NewRow<'_>: ENTER,
    id: BigInt,
    phone_number: Text,
    referral_code: Text,
    landing_page: Text,
    sign_up_event_id: Nullable<Text>,
    ip_address: Nullable<Text>,
    user_agent: Nullable<Text>,
    fingerprint: Nullable<Text>,
    person_salt: Binary,
    person_tag: Binary,
    created_at: Timestamptz,
    base_entries: BigInt,
    kind: Text,
);

#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
struct Row {
    id: i64,
    phone_number: Option<String>,
    referral_code: String,
    landing_page: String,
    base_entries: i64,
    bonus_entries: i64,
    paid_entries: i64,
    held_entries: i64,
    created_at: DateTime<Utc>,
}

impl TryFrom<Row> for Entrant {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("users", column, row.id);
        let phone = row.phone_number.as_deref().and_then(Phone::from_e164);
        Ok(Self {
            id: EntrantId::new(row.id),
            phone: phone.ok_or_else(|| corrupt("phone_number"))?,
            referral_code: ReferralCode::parse(&row.referral_code).map_err(|_| corrupt("referral_code"))?,
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            entries: Entries {
                base: row.base_entries,
                bonus: row.bonus_entries,
                paid: row.paid_entries,
                held: row.held_entries,
            },
            created_at: row.created_at,
        })
    }
}

fn read_person(
    id: EntrantId,
    (salt, tag): &(Option<Vec<u8>>, Vec<u8>),
) -> Result<(Option<PersonSalt>, PersonTag), StoreError> {
    let bytes = |column, bytes: &[u8]| {
        bytes
            .try_into()
            .map_err(|_| StoreError::corrupt("users", column, id.get()))
    };
    let salt = salt
        .as_deref()
        .map(|salt| bytes("person_salt", salt))
        .transpose()?;
    let tag = bytes("person_tag", tag)?;
    Ok((salt.map(PersonSalt::new), PersonTag::new(tag)))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = raffle_moves)]
struct MoveRow {
    from_page: String,
    to_page: String,
    moved_at: DateTime<Utc>,
}

impl MoveRow {
    fn read(self, of: EntrantId) -> Result<RaffleMove, StoreError> {
        let corrupt = |column| StoreError::corrupt("raffle_moves", column, of.get());
        Ok(RaffleMove {
            from: self.from_page.parse().map_err(|_| corrupt("from_page"))?,
            to: self.to_page.parse().map_err(|_| corrupt("to_page"))?,
            at: self.moved_at,
        })
    }
}

impl PgTx {
    /// Takes an entrant's entries out of the ledger, and gives the base entry in the next raffle. The base entry goes first: a
    /// trigger gives the other rows its time.
    fn post_move(&mut self, entrant: EntrantId, before: Entries, number: i64) -> Result<(), StoreError> {
        let posting = |row, step| Posting { entrant, row, step };
        let free = self.free_entries_of(entrant)?;
        let (base, others): (Vec<_>, Vec<_>) = before
            .moved_out(free, number)
            .partition(|row| row.kind == EntryKind::MovedBase);
        self.add_ledger_rows(base.into_iter().map(|row| posting(row, 0)))?;
        let others = others.into_iter().map(|row| posting(row, 0));
        self.add_ledger_rows(others.chain([posting(LedgerRow::base(entrant), number)]))
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = users)]
struct SignOutRow {
    signed_out_at: Option<DateTime<Utc>>,
    kept_token_hash: Option<Vec<u8>>,
    erased_at: Option<DateTime<Utc>>,
}

fn read_sign_out(entrant: EntrantId, at: DateTime<Utc>, kept: Vec<u8>) -> Result<SignOut, StoreError> {
    let kept = kept
        .try_into()
        .map_err(|_| StoreError::corrupt("users", "kept_token_hash", entrant.get()))?;
    Ok(SignOut { at, kept })
}

impl Entrants for PgTx {
    fn add_entrant(&mut self, entrant: &NewEntrant) -> Result<Option<EntrantId>, StoreError> {
        let person_tag = entrant.person_tag();
        let base = LedgerRow::base(entrant.id);
        let row = NewRow {
            id: entrant.id.get(),
            phone_number: entrant.phone.as_e164(),
            referral_code: entrant.referral_code.as_str(),
            landing_page: entrant.raffle.as_str(),
            sign_up_event_id: entrant.event_id.as_ref().map(|id| id.as_str()),
            ip_address: entrant.origin.address.map(|address| address.to_string()),
            user_agent: entrant.origin.user_agent.as_deref(),
            fingerprint: entrant.fingerprint.as_deref(),
            person_salt: entrant.person_salt.as_bytes(),
            person_tag: person_tag.as_bytes(),
            created_at: entrant.created_at,
            base_entries: base.delta,
            kind: base.kind.as_str(),
        };
        Ok(self.run_statement(&row)?.map(EntrantId::new))
    }

    fn recall_number(
        &mut self,
        id: EntrantId,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Recalled, StoreError> {
        self.recall(id, phone, now)
    }

    fn flag_again(&mut self, id: EntrantId) -> Result<(), StoreError> {
        self.recall_flag(id)
    }

    fn find_entrant(&self, id: EntrantId) -> Result<Option<Entrant>, StoreError> {
        let query = users::table
            .find(id.get())
            .filter(users::erased_at.is_null())
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Entrant::try_from)
            .transpose()
    }

    fn find_entrant_by_phone(&self, phone: &Phone) -> Result<Option<Entrant>, StoreError> {
        let query = users::table
            .filter(users::phone_number.eq(phone.as_e164()))
            .select(Row::as_select());
        self.query(|connection| query.first(connection).optional())?
            .map(Entrant::try_from)
            .transpose()
    }

    fn find_person(&self, id: EntrantId) -> Result<Option<(Option<PersonSalt>, PersonTag)>, StoreError> {
        let query = users::table
            .find(id.get())
            .select((users::person_salt, users::person_tag));
        let row = self.query(|connection| query.first(connection).optional())?;
        row.map(|row: (Option<Vec<u8>>, Vec<u8>)| read_person(id, &row))
            .transpose()
    }

    fn browser_standing(&self, token: &BrowserToken) -> Result<BrowserStanding, StoreError> {
        let query = users::table
            .find(token.entrant.get())
            .select(SignOutRow::as_select());
        let row: Option<SignOutRow> = self.query(|connection| query.first(connection).optional())?;
        let Some(row) = row else {
            return Ok(BrowserStanding::Unknown);
        };
        let sign_out = row.signed_out_at.zip(row.kept_token_hash);
        let sign_out = sign_out.map(|(at, kept)| read_sign_out(token.entrant, at, kept));
        Ok(BrowserStanding::of(
            token,
            row.erased_at.is_some(),
            sign_out.transpose()?,
        ))
    }

    fn sign_out_others(&mut self, token: &BrowserToken, at: DateTime<Utc>) -> Result<(), StoreError> {
        let entrant = users::table
            .find(token.entrant.get())
            .filter(users::erased_at.is_null());
        let update = diesel::update(entrant).set((
            users::signed_out_at.eq(at),
            users::kept_token_hash.eq(token.hash.as_slice()),
        ));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn move_entrant(&mut self, id: EntrantId, from: RaffleKey, to: RaffleKey) -> Result<bool, StoreError> {
        // First, as whoever adds rows to the ledger and locks entrants does.
        self.begin_writing()?;
        let query = users::table
            .find(id.get())
            .filter(users::landing_page.eq(from.as_str()))
            .filter(users::erased_at.is_null())
            .select((Row::as_select(), users::moves))
            .for_no_key_update();
        let row: Option<(Row, i64)> = self.query(|connection| query.first(connection).optional())?;
        let Some((row, moves)) = row else {
            return Ok(false);
        };
        let (before, number) = (Entrant::try_from(row)?.entries, moves + 1);
        self.post_move(id, before, number)?;
        let add = diesel::insert_into(raffle_moves::table).values((
            raffle_moves::user_id.eq(id.get()),
            raffle_moves::number.eq(number),
            raffle_moves::from_page.eq(from.as_str()),
            raffle_moves::to_page.eq(to.as_str()),
        ));
        self.query(|connection| add.execute(connection))?;
        let update = diesel::update(users::table.find(id.get()))
            .set((users::landing_page.eq(to.as_str()), users::moves.eq(number)));
        self.query(|connection| update.execute(connection))?;
        Ok(true)
    }

    fn moves_of(&self, id: EntrantId) -> Result<Vec<RaffleMove>, StoreError> {
        let query = raffle_moves::table
            .filter(raffle_moves::user_id.eq(id.get()))
            .order(raffle_moves::number)
            .select(MoveRow::as_select());
        let rows: Vec<MoveRow> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(|row| row.read(id)).collect()
    }

    fn has_entrants(&self) -> Result<bool, StoreError> {
        let any = users::table.select(users::id);
        Ok(self
            .query(|connection| any.first::<i64>(connection).optional())?
            .is_some())
    }
}
