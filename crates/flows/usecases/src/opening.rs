//! What a site needs before it opens: texts, payments, a sponsor, a beacon and a next drawing.

use crate::credentials::Account;
use crate::drawings::{self, DrawingTools, FlowTx, Schedule};
use crate::{packages, rules};
use chrono::{DateTime, Utc};
use drawing::rules::Rules;
use drawing::steps::{DrawingState, DrawingSteps};
use kernel::{StoreError, UnitOfWork};
use pricing::PricingSettings;
use raffle::RaffleKey;
use sms::{Dispatching, Halt};

/// What the configuration of the server says.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The account that texts are sent with.
    pub account: Account,
    /// Whether sign-ups need a code.
    pub codes: bool,
    /// Whether card payments are set up.
    pub payments: bool,
    /// The settings about the sponsor and the contact that are not set.
    pub unnamed: Vec<&'static str>,
}

/// Whether texts can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    /// They can.
    Ready,
    /// There is no account.
    NoAccount {
        /// Whether sign-ups need a code, so that nobody can enter.
        codes: bool,
    },
    /// The saved account cannot be opened with the keys that are configured.
    Unreadable,
    /// The provider refused the account.
    Refused,
}

/// Whether packages can be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payments {
    /// Card payments are set up, and packages are shown.
    Selling,
    /// Card payments are set up, and packages are hidden.
    Hidden,
    /// Card payments are not set up.
    NoAccount,
}

/// When the next drawing is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextDrawing {
    /// At this moment.
    At(DateTime<Utc>),
    /// The server announces it by itself, and has not yet.
    Scheduled,
    /// Staff have announced none.
    NotAnnounced,
    /// The announced drawings of these raffles cannot be sealed, because their seeds were sealed with another key.
    Unreadable(Vec<RaffleKey>),
}

/// How far a site is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Texts.
    pub texts: Texts,
    /// Payments.
    pub payments: Payments,
    /// The settings about the sponsor and the contact that are not set.
    pub unnamed: Vec<&'static str>,
    /// Whether a beacon decides new drawings.
    pub beacon: bool,
    /// The next drawing.
    pub drawing: NextDrawing,
    /// The official rules of this month, if there are any.
    pub rules: Option<Rules>,
}

/// Looks at everything that a site needs.
pub fn examine<S>(store: &S, tools: DrawingTools, setup: Setup) -> Result<Opening, StoreError>
where
    S: UnitOfWork<Tx: FlowTx + DrawingSteps + Dispatching + PricingSettings>,
{
    let halt = store.read(|tx| tx.halt())?;
    let shown = packages::show_pricing(store)?;
    let beacon = tools.beacon.is_some();
    Ok(Opening {
        texts: texts(&setup, halt),
        payments: match (setup.payments, shown) {
            (true, true) => Payments::Selling,
            (true, false) => Payments::Hidden,
            (false, _) => Payments::NoAccount,
        },
        unnamed: setup.unnamed,
        beacon,
        drawing: next_drawing(store, tools)?,
        rules: store.read(|tx| rules::of_this_month(tx, tools.time_zone))?,
    })
}

fn texts(setup: &Setup, halt: Option<Halt>) -> Texts {
    match (&setup.account, halt) {
        (Account::Unreadable, _) => Texts::Unreadable,
        (Account::Missing, _) => Texts::NoAccount { codes: setup.codes },
        (Account::InUse(..), Some(Halt::CredentialsRefused)) => Texts::Refused,
        (Account::InUse(..), None) => Texts::Ready,
    }
}

fn next_drawing<S>(store: &S, tools: DrawingTools) -> Result<NextDrawing, StoreError>
where
    S: UnitOfWork<Tx: FlowTx + DrawingSteps>,
{
    let unreadable = drawings::unreadable_secrets(store, tools)?;
    if !unreadable.is_empty() {
        let raffles = unreadable.into_iter().map(|(_, raffle)| raffle);
        return Ok(NextDrawing::Unreadable(raffles.collect()));
    }
    let (raffles, _) = drawings::overview(store, tools)?;
    let first = raffles.iter().filter_map(|raffle| raffle.open.as_ref());
    Ok(match (first.map(draws_at).min(), tools.schedule) {
        (Some(at), _) => NextDrawing::At(at),
        (None, Schedule::Monthly) => NextDrawing::Scheduled,
        (None, Schedule::Manual) => NextDrawing::NotAnnounced,
    })
}

/// When an announced drawing is drawn: at the round of its beacon, or without one when it is sealed.
fn draws_at(state: &DrawingState) -> DateTime<Utc> {
    let announced = &state.announcement.step;
    announced.round_at.unwrap_or(announced.seal_due_at)
}
