use crate::PgTx;
use crate::statement::{Statement, values};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use kernel::{EntrantId, StoreError};
use sign_up::{SignUp, SignUps};
use sms::FORM_WORDING;
use std::marker::PhantomData;
use uuid::Uuid;

const SIGN_UP: &str = include_str!("../sql/sign_up.sql");

/// An array for each column.
#[derive(Default)]
struct Columns<'a> {
    consent_version: &'static str,
    reward: i64,
    id: Vec<i64>,
    phone_number: Vec<&'a str>,
    referral_code: Vec<&'a str>,
    landing_page: Vec<&'a str>,
    sign_up_event_id: Vec<Option<&'a str>>,
    ip_address: Vec<Option<String>>,
    user_agent: Vec<Option<&'a str>>,
    fingerprint: Vec<Option<&'a str>>,
    person_salt: Vec<&'a [u8]>,
    person_tag: Vec<Vec<u8>>,
    created_at: Vec<DateTime<Utc>>,
    friend_code: Vec<Option<&'a str>>,
    consent_act: Vec<Option<&'a str>>,
    is_granted: Vec<Option<bool>>,
    session_key: Vec<Option<Uuid>>,
    session_id: Vec<Option<&'a str>>,
    number_hmacs: Vec<Vec<u8>>,
    statement: PhantomData<&'a ()>,
}

values!(
    Columns<'_>: SIGN_UP,
    consent_version: Text,
    reward: BigInt,
    id: Array<BigInt>,
    phone_number: Array<Text>,
    referral_code: Array<Text>,
    landing_page: Array<Text>,
    sign_up_event_id: Array<Nullable<Text>>,
    ip_address: Array<Nullable<Text>>,
    user_agent: Array<Nullable<Text>>,
    fingerprint: Array<Nullable<Text>>,
    person_salt: Array<Binary>,
    person_tag: Array<Binary>,
    created_at: Array<Timestamptz>,
    friend_code: Array<Nullable<Text>>,
    consent_act: Array<Nullable<Text>>,
    is_granted: Array<Nullable<Bool>>,
    session_key: Array<Nullable<SqlUuid>>,
    session_id: Array<Nullable<Text>>,
    number_hmacs: Array<Binary>,
);

impl<'a> Columns<'a> {
    fn push(&mut self, sign_up: &'a SignUp) {
        let new = &sign_up.entrant;
        let session = sign_up.session.as_ref();
        self.id.push(new.id.get());
        self.phone_number.push(new.phone.as_e164());
        self.referral_code.push(new.referral_code.as_str());
        self.landing_page.push(new.raffle.as_str());
        self.sign_up_event_id
            .push(new.event_id.as_ref().map(|id| id.as_str()));
        self.ip_address
            .push(new.origin.address.map(|address| address.to_string()));
        self.user_agent.push(new.origin.user_agent.as_deref());
        self.fingerprint.push(new.fingerprint.as_deref());
        self.person_salt.push(new.person_salt.as_bytes());
        self.person_tag.push(new.person_tag().as_bytes().to_vec());
        self.created_at.push(new.created_at);
        self.friend_code
            .push(sign_up.friend_code.as_ref().map(|code| code.as_str()));
        self.consent_act
            .push(sign_up.consent.map(|consent| consent.act.as_str()));
        self.is_granted
            .push(sign_up.consent.map(|consent| consent.granted));
        self.session_key.push(session.map(|session| session.key()));
        self.session_id.push(session.map(|session| session.as_str()));
    }
}

impl SignUps for PgTx {
    fn sign_up(&mut self, sign_ups: &[SignUp]) -> Result<Vec<EntrantId>, StoreError> {
        let mut in_order: Vec<_> = sign_ups.iter().collect();
        in_order.sort_by_key(|sign_up| sign_up.entrant.phone.as_e164());
        let mut columns = Columns {
            consent_version: FORM_WORDING.version,
            reward: referral::REWARD,
            ..Columns::default()
        };
        for sign_up in in_order {
            columns.push(sign_up);
            columns.number_hmacs.extend(self.hashes(&sign_up.entrant.phone));
        }
        let ids: Vec<i64> = self.query(|connection| Statement(&columns).load(connection))?;
        Ok(ids.into_iter().map(EntrantId::new).collect())
    }
}
