//! The data of the store, by domain. It knows no ports.

pub(crate) mod analytics;
pub(crate) mod claims;
pub(crate) mod codes;
pub(crate) mod drawing;
pub(crate) mod erasure;
pub(crate) mod fraud;
pub(crate) mod people;
pub(crate) mod pricing;
pub(crate) mod privacy;
pub(crate) mod push;
pub(crate) mod raffles;
pub(crate) mod sms;
pub(crate) mod staff;
pub(crate) mod steps;

use self::analytics::AnalyticsState;
use self::claims::ClaimState;
use self::codes::CodeState;
use self::drawing::DrawingState;
use self::erasure::ErasureState;
use self::fraud::FraudState;
use self::people::PeopleState;
use self::pricing::PricingState;
use self::privacy::RequestState;
use self::push::PushState;
use self::raffles::RaffleState;
use self::sms::SmsState;
use self::staff::StaffState;
use crate::store_clock::StoreClock;
use ::analytics::PageNames;
use ::sms::{ConsentId, StoredConsent};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PersonSalt, PersonTag, SortOrder, StoreError};
use raffle::{Entrant, EntryKind, LedgerRow, RaffleKey, RaffleMove, SignOut};
use referral::{Credit, Referral};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::net::IpAddr;

#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) addresses: Vec<(EntrantId, Option<IpAddr>)>,
    pub(crate) user_agents: BTreeMap<EntrantId, String>,
    pub(crate) fingerprints: BTreeMap<EntrantId, String>,
    pub(crate) persons: BTreeMap<EntrantId, (PersonSalt, PersonTag)>,
    pub(crate) sign_outs: BTreeMap<EntrantId, SignOut>,
    pub(crate) ledger: Vec<PostedRow>,
    /// The moves to other raffles, oldest first.
    pub(crate) moves: Vec<(EntrantId, RaffleMove)>,
    pub(crate) clock: StoreClock,
    pub(crate) referrals: Vec<(EntrantId, EntrantId, Referral)>,
    /// What the referrals earned, by friend, and how often the referrer had moved to another raffle by then.
    pub(crate) credits: BTreeMap<EntrantId, (Credit, usize)>,
    pub(crate) consents: Vec<StoredConsent>,
    pub(crate) analytics: AnalyticsState,
    pub(crate) fraud: FraudState,
    pub(crate) staff: StaffState,
    pub(crate) drawing: DrawingState,
    pub(crate) pricing: PricingState,
    pub(crate) sms: SmsState,
    pub(crate) codes: CodeState,
    pub(crate) claims: ClaimState,
    pub(crate) people: PeopleState,
    pub(crate) erasure: ErasureState,
    pub(crate) requests: RequestState,
    pub(crate) push: PushState,
    pub(crate) raffles: RaffleState,
}

/// A row of the ledger, with its entrant and the time that the store set.
#[derive(Clone, Copy)]
pub(crate) struct PostedRow {
    pub(crate) of: EntrantId,
    pub(crate) row: LedgerRow,
    pub(crate) at: DateTime<Utc>,
}

impl State {
    /// The raffles that were ever open.
    pub(crate) fn public_raffles(&self) -> Vec<RaffleKey> {
        let now = self.clock.now();
        self.raffles
            .list
            .public_at(now)
            .map(|raffle| raffle.key)
            .collect()
    }

    /// The pages of all raffles, and the others.
    pub(crate) fn page_names(&self) -> PageNames {
        PageNames::of_all(&self.raffles.list)
    }

    /// Adds a row to the ledger, and changes the counters as it counts.
    pub(crate) fn post(&mut self, of: EntrantId, row: LedgerRow) {
        self.post_at(of, row, self.clock.now());
    }

    pub(crate) fn post_at(&mut self, of: EntrantId, row: LedgerRow, at: DateTime<Utc>) {
        self.ledger.push(PostedRow { of, row, at });
        if let Some(entries) = self.counters_mut(of) {
            *entries = entries.plus(row.change());
        }
    }

    /// An entrant's moves, oldest first.
    pub(crate) fn moves_of(&self, id: EntrantId) -> impl Iterator<Item = &RaffleMove> {
        let own = self.moves.iter().filter(move |(of, _)| *of == id);
        own.map(|(_, each)| each)
    }

    /// How often an entrant has moved to another raffle.
    pub(crate) fn move_count(&self, id: EntrantId) -> usize {
        self.moves_of(id).count()
    }

    /// The raffle that an entrant was in after so many moves.
    pub(crate) fn raffle_after(&self, entrant: &Entrant, moves: usize) -> RaffleKey {
        let next = self.moves_of(entrant.id).nth(moves);
        next.map_or(entrant.raffle, |next| next.from)
    }

    /// An entrant's rows, oldest first.
    pub(crate) fn rows_of(&self, id: EntrantId) -> impl Iterator<Item = LedgerRow> {
        let rows = self.ledger.iter().filter(move |posted| posted.of == id);
        rows.map(|posted| posted.row)
    }

    /// Whether this entrant ever bought entries.
    pub(crate) fn has_bought(&self, id: EntrantId) -> bool {
        self.rows_of(id).any(|row| row.kind == EntryKind::Purchase)
    }

    /// Erases where the consents of an entrant came from.
    pub(crate) fn erase_consent_origins(&mut self, entrant: EntrantId) {
        let own = self
            .consents
            .iter_mut()
            .filter(|consent| consent.entrant == entrant);
        own.for_each(|consent| consent.address = None);
    }

    /// The newest consent or refusal of an entrant.
    pub(crate) fn newest_consent(&self, entrant: EntrantId) -> Option<&StoredConsent> {
        let mut newest_first = self.consents.iter().rev();
        newest_first.find(|consent| consent.entrant == entrant)
    }

    /// The consent of an entrant that stands.
    pub(crate) fn campaign_consent(&self, entrant: EntrantId) -> Option<ConsentId> {
        self.addressee(Some(entrant), true).consent()
    }
}

/// Refuses text that PostgreSQL cannot store, so that tests on the fakes see it.
pub(crate) fn storable<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<(), StoreError> {
    match texts.into_iter().any(|text| text.contains('\0')) {
        true => Err(StoreError::Failed("a text contains NUL".into())),
        false => Ok(()),
    }
}

/// Which of two rows comes first, if this is how their columns compare.
pub(crate) const fn directed(order: SortOrder, columns: Ordering) -> Ordering {
    match order {
        SortOrder::Ascending => columns,
        SortOrder::Descending => columns.reverse(),
    }
}

pub(crate) fn count<T>(rows: impl Iterator<Item = T>) -> i64 {
    i64::try_from(rows.count()).unwrap_or(i64::MAX)
}

pub(crate) fn next_id(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX).saturating_add(1)
}
