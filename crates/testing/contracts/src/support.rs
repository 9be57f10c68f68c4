use crate::Store;
use analytics::{
    Browser, Event, NewShare, NewStep, NewView, PageName, PageNames, Place, Platform, StepData, StepName,
    ViewOrigin,
};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
pub(crate) use fakes::SeededEntropy;
use fraud::FraudRules;
use kernel::{Clock, EntrantId, EventId, Origin, PersonSalt, Phone, ReferralCode, Session, StoreError};
use people::{Newest, People};
use pricing::{CapRules, EntryCap, FreeDate, Purchase};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG, KITCHEN_GARDEN};
use raffle::{Entrant, EntryLedger, LedgerRow, NewEntrant, SignUp};
use sms::{Message, Outbox};
use staff::{Actor, ClearingKind, JobFigures, JobId, JobState, SessionId};
use std::net::IpAddr;
use std::thread;
use usecases::clearing::{self, BatchSizes, StartedJob};
use usecases::entering::{EnterError, Entered};
use usecases::reconcile::{ReconcileError, ReconcileLog};
use usecases::{RunError, Runner};

pub(crate) struct Noon;

impl Clock for Noon {
    fn now(&self) -> DateTime<Utc> {
        noon()
    }
}

/// A list of a person's file, oldest first.
fn oldest_first<T>(newest: Newest<T>) -> impl Iterator<Item = T> {
    assert_eq!(newest.total, newest.rows.len() as i64, "the file has all rows");
    newest.rows.into_iter().rev()
}

/// An entrant's rows of the ledger, oldest first.
pub(crate) fn ledger_of(tx: &impl People, id: EntrantId) -> Result<Vec<LedgerRow>, StoreError> {
    let person = tx.find_person_file(id)?.unwrap();
    let row = |line: people::LedgerLine| LedgerRow {
        kind: line.kind.parse().unwrap(),
        delta: line.delta,
        cause: line.cause,
    };
    Ok(oldest_first(person.ledger).map(row).collect())
}

/// The texts to an entrant that are not erased, oldest first.
pub(crate) fn messages_to(tx: &(impl People + Outbox), id: EntrantId) -> Result<Vec<Message>, StoreError> {
    let Some(person) = tx.find_person_file(id)? else {
        return Ok(Vec::new());
    };
    let found = oldest_first(person.texts).map(|text| tx.find_message(text.id));
    found.filter_map(Result::transpose).collect()
}

/// Runs each step at once, and keeps no log.
pub(crate) struct Inline;

impl Runner for Inline {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        Ok(step())
    }
}

impl ReconcileLog for Inline {
    fn reconciled(&self, _: usize) {}

    fn failed(&self, _: Option<&Purchase>, _: &ReconcileError) {}
}

pub(crate) fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_754_049_600, 0).unwrap()
}

/// A date in UTC before which no drawing is announced.
pub(crate) fn free_date(time: DateTime<Utc>, cap: EntryCap) -> FreeDate {
    let zone = Tz::UTC;
    CapRules { cap, zone }.free_date_at(time, None)
}

pub(crate) fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).unwrap()
}

pub(crate) fn command(phone: Phone, referral_code: Option<&ReferralCode>) -> SignUp {
    SignUp {
        phone,
        raffle: Some(FRESH_SIPS),
        referral_code: referral_code.cloned(),
        event_id: None,
        consent: None,
        origin: Origin {
            address: Some([192, 0, 2, 7].into()),
            user_agent: Some("Test".to_owned()),
        },
        fingerprint: None,
        session: None,
    }
}

pub(crate) fn enter<S: Store>(
    store: &S,
    entropy: &SeededEntropy,
    phone: Phone,
    code: Option<&ReferralCode>,
) -> Result<Entered, EnterError> {
    usecases::entering::enter(store, &Noon, entropy, &command(phone, code), None)
}

/// An entrant who entered without a link.
pub fn entered<S: Store>(store: &S, n: u32) -> Entrant {
    enter(store, &SeededEntropy::new(n.into()), phone(n), None)
        .unwrap()
        .entrant
}

pub(crate) fn new_entrant(n: u32, code: &str) -> NewEntrant {
    NewEntrant {
        id: EntrantId::new(i64::from(n) + 1),
        phone: phone(n),
        person_salt: PersonSalt::new([7; 32]),
        referral_code: ReferralCode::parse(code).unwrap(),
        raffle: KITCHEN_GARDEN,
        event_id: None,
        origin: Origin::default(),
        fingerprint: None,
        created_at: noon(),
    }
}

/// Runs `work` for each number in 0..count on its own thread, all at once. Returns their results.
pub(crate) fn at_once<T: Send>(count: u32, work: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let gate = std::sync::Barrier::new(count as usize);
    thread::scope(|scope| {
        let (gate, work) = (&gate, &work);
        let run = move |n| {
            gate.wait();
            work(n)
        };
        let threads: Vec<_> = (0..count).map(|n| scope.spawn(move || run(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Rows in the order of the ids of their entrants, which are random.
pub(crate) fn by_id<T>(rows: impl IntoIterator<Item = (EntrantId, T)>) -> Vec<(EntrantId, T)> {
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(id, _)| *id);
    rows
}

pub(crate) fn assert_balanced<S: Store>(store: &S) {
    assert_eq!(store.read(|tx| tx.unbalanced_entrants()).unwrap(), []);
}

pub(crate) fn code(text: &str) -> ReferralCode {
    ReferralCode::parse(text).unwrap()
}

/// An entrant who entered through this referral code.
pub fn entered_through<S: Store>(store: &S, n: u32, code: &ReferralCode) -> Entrant {
    enter(store, &SeededEntropy::new(n.into()), phone(n), Some(code))
        .unwrap()
        .entrant
}

/// An entrant who entered from this address.
pub(crate) fn entered_from<S: Store>(store: &S, n: u32, address: IpAddr) -> Entrant {
    let mut command = command(phone(n), None);
    command.origin.address = Some(address);
    usecases::entering::enter(store, &Noon, &SeededEntropy::new(n.into()), &command, None)
        .unwrap()
        .entrant
}

/// An entrant who entered from this address through this referral code.
pub(crate) fn entered_from_through<S: Store>(
    store: &S,
    n: u32,
    address: IpAddr,
    code: &ReferralCode,
) -> Entrant {
    let mut command = command(phone(n), Some(code));
    command.origin.address = Some(address);
    usecases::entering::enter(store, &Noon, &SeededEntropy::new(n.into()), &command, None)
        .unwrap()
        .entrant
}

/// Folds until everything is in the roll-ups, even if other threads fold too.
pub(crate) fn fold<S: Store>(store: &S) {
    fold_in(store, Tz::UTC);
}

pub(crate) fn fold_in<S: Store>(store: &S, zone: Tz) {
    usecases::rollups::fold(store, zone).unwrap();
}

/// Flags the entrants of suspicious networks as staff do, and returns how many were flagged.
pub fn flag_suspicious<S: Store>(store: &S, rules: &FraudRules) -> i64 {
    usecases::flags::flag_suspicious(store, &Noon, Tz::UTC, staff_actor(), rules).unwrap()
}

pub(crate) fn session(id: &str) -> Session {
    Session::parse(id).unwrap()
}

pub(crate) fn page(name: &str) -> PageName {
    PageNames::of_all(&raffle::fixtures::four())
        .classify(name)
        .unwrap()
}

pub(crate) fn new_view(id: &str, name: &str, second: i64) -> NewView {
    NewView {
        visitor: ViewOrigin {
            session: session(id),
            origin: Origin::default(),
            fingerprint: None,
            browser: Browser::default(),
            place: Place::default(),
        },
        page: page(name),
        referral_code: None,
        sms_tracking_id: None,
        time_spent: None,
        at: noon() + TimeDelta::seconds(second),
    }
}

/// A view at this second after noon.
pub(crate) fn view(id: &str, name: &str, second: i64) -> Event {
    Event::View(new_view(id, name, second))
}

pub(crate) fn view_with(id: &str, name: &str, code: &ReferralCode, second: i64) -> Event {
    Event::View(NewView {
        referral_code: Some(code.clone()),
        ..new_view(id, name, second)
    })
}

pub(crate) fn timed(id: &str, name: &str, milliseconds: i32, second: i64) -> Event {
    Event::View(NewView {
        time_spent: Some(milliseconds),
        ..new_view(id, name, second)
    })
}

pub(crate) fn step(id: &str, step: StepName, second: i64) -> Event {
    Event::Step(NewStep {
        session: session(id),
        raffle: Some(GARDEN_BAG),
        step,
        entrant: None,
        data: StepData::default(),
        time_spent: None,
        at: noon() + TimeDelta::seconds(second),
    })
}

pub(crate) fn share(sharer: Option<&Entrant>, platform: Platform, event_id: Option<EventId>) -> Event {
    Event::Share(NewShare {
        session: Some(session("one")),
        origin: Origin::default(),
        entrant: sharer.map(|entrant| entrant.id),
        platform,
        referral_code: sharer.map(|entrant| entrant.referral_code.clone()),
        event_id,
        at: noon() + TimeDelta::seconds(60),
    })
}

/// The staff session of the tests, which have no sign-in.
pub(crate) fn staff_actor() -> Actor {
    Actor {
        member: None,
        session: SessionId::new(1),
        address: None,
    }
}

/// Starts a clearing of a kind that is not running.
pub(crate) fn new_job<S: Store>(store: &S, kind: ClearingKind) -> JobId {
    let started = clearing::start(store, &Noon, staff_actor(), kind).unwrap();
    assert!(matches!(started, StartedJob::New(_)), "{started:?}");
    let (StartedJob::New(id) | StartedJob::Running(id)) = started;
    id
}

/// Runs a clearing until it ends, in batches so small that it needs several. Returns what it deleted.
pub(crate) fn clear<S: Store>(store: &S, kind: ClearingKind) -> JobFigures {
    let (StartedJob::New(id) | StartedJob::Running(id)) =
        clearing::start(store, &Noon, staff_actor(), kind).unwrap();
    loop {
        clearing::run(store, &Noon, id, SMALL_BATCHES, || true).unwrap();
        let job = clearing::find(store, id).unwrap().unwrap();
        if job.state == JobState::Completed {
            return job.deleted;
        }
        assert_eq!(job.state, JobState::Running, "{job:?}");
        thread::yield_now();
    }
}

pub(crate) const SMALL_BATCHES: BatchSizes = BatchSizes {
    entrants: 2,
    messages: 2,
};

/// The figures of a clearing in the order of their kind.
pub(crate) fn figures(kind: ClearingKind, deleted: &JobFigures) -> Vec<i64> {
    kind.figure_names().iter().map(|name| deleted.get(name)).collect()
}
