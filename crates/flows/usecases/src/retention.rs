//! Erasing and deleting what is too old: daily on a server, and when the operator asks for it.
//!
//! Each batch is a transaction of its own, so nobody waits for it, and a run that stops loses nothing: the next one goes on.

use ::privacy::Erasure;
use ::privacy::retention::{Dropped, Limits, Retention, Source, Terms, last_run, months_to_make};
use chrono::{DateTime, Utc};
use kernel::{Clock, StoreError, UnitOfWork};
use staff::{Action, Actor, AuditLog, NewAuditEntry, SessionId};

/// How many rows one transaction looks at.
const BATCH: u32 = 5_000;
/// The order of a run. Times and stray views of dropped months come last, because they need what was dropped before.
const SOURCES: [Source; 10] = [
    Source::Views,
    Source::SignUps,
    Source::Consents,
    Source::Referrals,
    Source::Shares,
    Source::Clicks,
    Source::PushSubscriptions,
    Source::ProviderEvents,
    Source::ViewTimes,
    Source::StrayViews,
];
/// The session of the audit log's entries that the server makes itself.
const SERVER: i64 = 0;

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// The number of views in months that were dropped.
    pub dropped_views: i64,
    /// The number of rows of each source whose addresses were erased, or that were deleted.
    pub rows: Vec<(Source, i64)>,
    /// The number of erased people of whose numbers nothing but STOP is kept any more.
    pub forgotten_numbers: u64,
    /// Whether nothing too old is left. If not, the run was stopped, or others used what it was to drop.
    pub is_complete: bool,
}

/// Makes places for the views of this month and the next ones. Returns how many were missing.
///
/// # Errors
/// [`StoreError`]; views are stored all the same.
pub fn make_months<S>(store: &S, now: DateTime<Utc>) -> Result<usize, StoreError>
where
    S: UnitOfWork<Tx: Retention>,
{
    let mut made = 0;
    for month in months_to_make(now) {
        made += usize::from(store.transaction(|tx| tx.add_month(month))?);
    }
    Ok(made)
}

/// Runs if no server has within the last day.
///
/// # Errors
/// As [`run`].
pub fn run_if_due<S>(
    store: &S,
    clock: &dyn Clock,
    terms: Terms,
    goes_on: impl FnMut() -> bool,
) -> Result<Option<Cleaned>, StoreError>
where
    S: UnitOfWork<Tx: Retention + Erasure + AuditLog>,
{
    let now = clock.now();
    match store.transaction(|tx| tx.begin_run(now, last_run(now)))? {
        true => run(store, clock, terms, goes_on).map(Some),
        false => Ok(None),
    }
}

/// Drops and erases everything that is too old, and records the run in the audit log. Stops between two batches when
/// `goes_on` says so.
///
/// # Errors
/// [`StoreError`]; earlier batches stay done, without an entry in the audit log.
pub fn run<S>(
    store: &S,
    clock: &dyn Clock,
    terms: Terms,
    mut goes_on: impl FnMut() -> bool,
) -> Result<Cleaned, StoreError>
where
    S: UnitOfWork<Tx: Retention + Erasure + AuditLog>,
{
    let now = clock.now();
    let limits = terms.limits(now);
    let mut cleaned = drop_months(store, &limits, &mut goes_on)?;
    for source in SOURCES {
        let (rows, is_complete) = clean(store, source, &limits, &mut goes_on)?;
        cleaned.rows.push((source, rows));
        cleaned.is_complete &= is_complete;
    }
    cleaned.forgotten_numbers = store.transaction(|tx| tx.forget_numbers(now))?;
    store.transaction(|tx| tx.record_audit(&entry(&cleaned, terms, now)))?;
    Ok(cleaned)
}

fn drop_months<S>(
    store: &S,
    limits: &Limits,
    goes_on: &mut impl FnMut() -> bool,
) -> Result<Cleaned, StoreError>
where
    S: UnitOfWork<Tx: Retention>,
{
    let mut cleaned = Cleaned {
        dropped_views: 0,
        rows: Vec::new(),
        forgotten_numbers: 0,
        is_complete: false,
    };
    while goes_on() {
        match store.transaction(|tx| tx.drop_month(limits.views))? {
            Dropped::Views(views) => cleaned.dropped_views += views,
            Dropped::Busy => break,
            Dropped::None => {
                cleaned.is_complete = true;
                break;
            }
        }
    }
    Ok(cleaned)
}

/// Returns the number of rows, and whether none is left.
fn clean<S>(
    store: &S,
    source: Source,
    limits: &Limits,
    goes_on: &mut impl FnMut() -> bool,
) -> Result<(i64, bool), StoreError>
where
    S: UnitOfWork<Tx: Retention>,
{
    let mut rows = 0;
    while goes_on() {
        let part = store.transaction(|tx| tx.clean(source, limits.of(source), BATCH))?;
        rows += part.rows;
        if part.is_last {
            return Ok((rows, true));
        }
    }
    Ok((rows, false))
}

fn entry(cleaned: &Cleaned, terms: Terms, now: DateTime<Utc>) -> NewAuditEntry {
    let server = Actor {
        member: None,
        session: SessionId::new(SERVER),
        address: None,
    };
    let entry = NewAuditEntry::new(server, Action::RunRetention, now)
        .number("days", terms.days.into())
        .number("droppedViews", cleaned.dropped_views)
        .number(
            "forgottenNumbers",
            i64::try_from(cleaned.forgotten_numbers).unwrap_or(i64::MAX),
        )
        .number("incomplete", (!cleaned.is_complete).into());
    let counts = cleaned.rows.iter();
    counts.fold(entry, |entry, (source, rows)| {
        entry.number(source.as_str(), *rows)
    })
}
