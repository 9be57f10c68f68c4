//! Requests of people for their data: a copy of everything, or its deletion.
//!
//! Where numbers are proved with codes, a code that is texted to the number confirms a request first. Staff ask for people
//! who cannot do it themselves: an export needs no code then, and an erasure needs one where one can be sent.

use super::erasure::{EraseError, erase_and};
use crate::drawings::drawings_of;
use crate::sessions::NOBODY;
use ::privacy::{
    Asker, DataRequest, DataRequestId, DataRequests, Erased, Erasure, ExportedTable, Exports, Journal,
    JournalError, NewDataRequest, RequestCodeRefusal, RequestKeys, RequestStatus, RequestToken, RequestType,
    wait_for_export,
};
use chrono::{DateTime, TimeDelta, Utc};
use drawing::FrozenEntrants;
use drawing::steps::DrawingSteps;
use kernel::code_limits::{CODE_LIFE, PER_DAY, wait_for_code};
use kernel::{Clock, Code, EntrantId, Entropy, Phone, Sealer, StoreError, UnitOfWork};
use raffle::Entrants;
use sms::{
    DailyBudget, DailyCounts, MessageBody, MessageKind, NewMessage, OptOuts, Outbox, SealedText,
    SmsCountries, next_day,
};
use staff::{
    APPROVAL_LIFE, Action, Actor, ApprovalKind, Approvals, AuditLog, NeedsApproval, NewAuditEntry,
    SecondPerson,
};

/// Codes of so long count toward the limits.
const COUNTED: TimeDelta = TimeDelta::days(1);

/// How requests are confirmed with codes.
pub struct RequestCodes<'a> {
    /// Encrypts the bodies of texts.
    pub sealer: &'a dyn Sealer<SealedText>,
    /// The site's name, for the text.
    pub site_name: &'a str,
    /// The host of the site, without a port, for browsers that fill in the code.
    pub host: &'a str,
    /// The countries whose numbers get texts.
    pub countries: &'a SmsCountries,
    /// Whether there is an account to send texts with.
    pub has_account: bool,
    /// Whether limits hold (`RATE_LIMITS`).
    pub limits: bool,
    /// How many texts may be sent on one day (`SMS_DAILY_BUDGET`).
    pub daily_budget: DailyBudget,
}

/// What requests need besides the store.
pub struct RequestTools<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Randomness for codes.
    pub entropy: &'a dyn Entropy,
    /// Makes links and hashes codes.
    pub keys: &'a RequestKeys,
    /// Where erasures are noted first.
    pub journal: &'a dyn Journal,
    /// How codes are sent; `None` while numbers are not proved (`PHONE_VERIFICATION`).
    pub codes: Option<RequestCodes<'a>>,
}

/// A request as people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenRequest {
    /// The request.
    pub request: DataRequest,
    /// Its status now.
    pub status: RequestStatus,
    /// The secret of the link to the copy, while it works.
    pub token: Option<RequestToken>,
    /// Pending: after which time another code can be sent; not negative.
    pub resend_after: Option<TimeDelta>,
}

/// Why a request was not made or carried out.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// There is no such entrant, or it was erased before.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// A claim of the person has not ended.
    #[error("a claim is open")]
    OpenClaim,
    /// A purchase of the person may still be paid.
    #[error("a purchase is open")]
    OpenPurchase,
    /// The entrant has had all copies of 24 hours; the next request passes after this time.
    #[error("too many exports")]
    TooManyExports(TimeDelta),
    /// The person was drawn, so two people must agree to the erasure.
    #[error(transparent)]
    NeedsApproval(#[from] NeedsApproval),
    /// The number gets no texts, so nobody can confirm the request.
    #[error("the number gets no texts")]
    CannotText,
    /// There is no account to send texts with.
    #[error("no account to send texts with")]
    TextsNotConfigured,
    /// The limit of codes is reached; the next request passes after this time.
    #[error("too many codes")]
    Limited(TimeDelta),
    /// The day's budget of texts is used up; the next day begins after this time.
    #[error("the day's budget of texts is used up")]
    BudgetUsed(TimeDelta),
    /// The journal of erasures cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EraseError> for RequestError {
    fn from(error: EraseError) -> Self {
        match error {
            EraseError::UnknownEntrant => Self::UnknownEntrant,
            EraseError::OpenClaim => Self::OpenClaim,
            EraseError::OpenPurchase => Self::OpenPurchase,
            EraseError::Journal(error) => Self::Journal(error),
            EraseError::Store(error) => Self::Store(error),
        }
    }
}

/// Why a code did not carry out a request.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// It is another code; so many tries are left.
    #[error("wrong code")]
    WrongCode {
        /// The tries that are left.
        left: u32,
    },
    /// There is no such request of this entrant, or its code is too old or was tried too often.
    #[error("expired")]
    Expired,
    /// The request was carried out before.
    #[error("used")]
    Used,
    /// It is the code, but the request cannot be carried out. It has failed.
    #[error(transparent)]
    Failed(RequestError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why there is no copy to download.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// No copy has this link.
    #[error("unknown link")]
    Unknown,
    /// The link does not work any more.
    #[error("expired")]
    Expired,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The store ports that requests use. Every type that implements them implements this.
pub trait RequestTx:
    DataRequests + Erasure + Entrants + Outbox + OptOuts + DailyCounts + AuditLog + Approvals
{
}

impl<T> RequestTx for T where
    T: DataRequests + Erasure + Entrants + Outbox + OptOuts + DailyCounts + AuditLog + Approvals
{
}

/// Who makes a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The person, in the browser that entered.
    Visitor,
    /// Staff, and whether two of them agreed, which erasing a person who was drawn needs.
    Staff(Actor, SecondPerson),
}

impl By {
    const fn asker(self) -> Asker {
        match self {
            Self::Visitor => Asker::Visitor,
            Self::Staff(..) => Asker::Staff,
        }
    }

    /// What the log says, if staff did it.
    fn entry(self, kind: RequestType, entrant: EntrantId, at: DateTime<Utc>) -> Option<NewAuditEntry> {
        let Self::Staff(actor, _) = self else {
            return None;
        };
        let action = match kind {
            RequestType::Export => Action::ExportPerson,
            RequestType::Erasure => Action::ErasePerson,
        };
        Some(NewAuditEntry::new(actor, action, at).target(entrant))
    }
}

/// Makes a request. Without a code it is carried out at once. With one, the same request again while it is pending has
/// another code sent, but not within a minute.
///
/// # Errors
/// [`RequestError`]; nothing has changed then.
pub fn request<S>(
    store: &S,
    tools: &RequestTools<'_>,
    by: By,
    entrant: EntrantId,
    kind: RequestType,
) -> Result<SeenRequest, RequestError>
where
    S: UnitOfWork<Tx: RequestTx>,
{
    let begun = store.transaction(|tx| begin(tx, tools, by, entrant, kind))?;
    match begun {
        Some(request) => Ok(request),
        None => erase_now(store, tools, by, entrant),
    }
}

/// Whether the entrant was drawn.
///
/// # Errors
/// When the store fails.
pub fn is_winner<S>(store: &S, entrant: EntrantId) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Erasure>,
{
    store.read(|tx| tx.is_winner(entrant))
}

/// Checks that a person can be erased now. Changes nothing.
///
/// # Errors
/// [`RequestError::UnknownEntrant`], [`RequestError::OpenClaim`], [`RequestError::OpenPurchase`].
pub fn check_erasure<S>(store: &S, tools: &RequestTools<'_>, entrant: EntrantId) -> Result<(), RequestError>
where
    S: UnitOfWork<Tx: Erasure>,
{
    let now = tools.clock.now();
    store.read(|tx| refuse_erasure(tx.check_erasure(entrant, now)?))
}

const fn refuse_erasure(found: Erased) -> Result<(), RequestError> {
    match found {
        Erased::Done => Ok(()),
        Erased::Before | Erased::Unknown => Err(RequestError::UnknownEntrant),
        Erased::OpenClaim => Err(RequestError::OpenClaim),
        Erased::OpenPurchase => Err(RequestError::OpenPurchase),
    }
}

/// The request, if it waits for a code or is an export; `None` for an erasure that needs no code.
fn begin<T: RequestTx>(
    tx: &mut T,
    tools: &RequestTools<'_>,
    by: By,
    entrant: EntrantId,
    kind: RequestType,
) -> Result<Option<SeenRequest>, RequestError> {
    let now = tools.clock.now();
    if !tx.lock_requester(entrant)? {
        return Err(RequestError::UnknownEntrant);
    }
    let earlier = tx.list_data_requests(entrant)?;
    check(tx, by, entrant, kind, &earlier, now)?;
    if let Some(codes) = codes_for(tx, tools, by, entrant, kind)? {
        return send_code(tx, tools, codes, by, entrant, kind, earlier).map(Some);
    }
    match kind {
        RequestType::Erasure => Ok(None),
        RequestType::Export => {
            let mut request = add(tx, by, entrant, kind, now)?;
            complete_export(tx, tools, by, &mut request, now)?;
            Ok(Some(seen(tools, request, now)))
        }
    }
}

fn check(
    tx: &impl RequestTx,
    by: By,
    entrant: EntrantId,
    kind: RequestType,
    earlier: &[DataRequest],
    now: DateTime<Utc>,
) -> Result<(), RequestError> {
    if kind == RequestType::Erasure {
        refuse_erasure(tx.check_erasure(entrant, now)?)?;
        return check_second_person(tx, by, entrant, now);
    }
    let copies = earlier.iter().filter(|each| each.kind == RequestType::Export);
    let wait = wait_for_export(copies.filter_map(|each| each.completed_at), now);
    match wait.filter(|_| by == By::Visitor) {
        Some(wait) => Err(RequestError::TooManyExports(wait)),
        None => Ok(()),
    }
}

/// Staff erase a person who was drawn with a second one. An approval counts for a day: then more codes may be sent, and one of
/// them confirms the request.
fn check_second_person(
    tx: &(impl Erasure + Approvals),
    by: By,
    entrant: EntrantId,
    now: DateTime<Utc>,
) -> Result<(), RequestError> {
    let By::Staff(_, second) = by else {
        return Ok(());
    };
    let (kind, target) = (ApprovalKind::EraseWinner, entrant.to_string());
    match tx.is_winner(entrant)? && !tx.was_approved(kind, &target, now - APPROVAL_LIFE)? {
        true => Ok(second.check()?),
        false => Ok(()),
    }
}

/// How the request is confirmed, if it has to be. Staff need no code for an export, nor for an erasure where none can be sent.
fn codes_for<'a>(
    tx: &impl RequestTx,
    tools: &'a RequestTools<'_>,
    by: By,
    entrant: EntrantId,
    kind: RequestType,
) -> Result<Option<&'a RequestCodes<'a>>, RequestError> {
    let Some(codes) = &tools.codes else {
        return Ok(None);
    };
    if by == By::Visitor {
        return Ok(Some(codes));
    }
    let phone = phone_of(tx, entrant)?;
    let is_needed = kind == RequestType::Erasure && codes.has_account && may_text(tx, codes, &phone)?;
    Ok(Some(codes).filter(|_| is_needed))
}

fn may_text(tx: &impl OptOuts, codes: &RequestCodes<'_>, phone: &Phone) -> Result<bool, StoreError> {
    Ok(codes.countries.permit(phone) && !tx.has_opted_out(phone)?)
}

fn phone_of(tx: &impl Entrants, entrant: EntrantId) -> Result<Phone, RequestError> {
    let found = tx.find_entrant(entrant)?;
    Ok(found.ok_or(RequestError::UnknownEntrant)?.phone)
}

fn add(
    tx: &mut impl DataRequests,
    by: By,
    entrant: EntrantId,
    kind: RequestType,
    at: DateTime<Utc>,
) -> Result<DataRequest, StoreError> {
    tx.add_data_request(&NewDataRequest {
        entrant,
        kind,
        asker: by.asker(),
        at,
    })
}

/// Texts a code for a new request, or another one for the same request that waits already.
fn send_code<T: RequestTx>(
    tx: &mut T,
    tools: &RequestTools<'_>,
    codes: &RequestCodes<'_>,
    by: By,
    entrant: EntrantId,
    kind: RequestType,
    earlier: Vec<DataRequest>,
) -> Result<SeenRequest, RequestError> {
    let now = tools.clock.now();
    let phone = phone_of(tx, entrant)?;
    if !may_text(tx, codes, &phone)? {
        return Err(RequestError::CannotText);
    }
    if !codes.has_account {
        return Err(RequestError::TextsNotConfigured);
    }
    let sent: Vec<_> = earlier.iter().flat_map(|each| each.codes_sent.clone()).collect();
    let is_same = |each: &DataRequest| {
        each.kind == kind && each.asker == by.asker() && each.status_at(now) == RequestStatus::Pending
    };
    let waiting = earlier.into_iter().find(is_same);
    let sent = sent
        .into_iter()
        .filter(|at| *at > now - COUNTED)
        .collect::<Vec<_>>();
    let wait = wait_for_code(&sent, PER_DAY, now).filter(|_| codes.limits);
    let mut request = match (waiting, wait) {
        (Some(waiting), Some(_)) => return Ok(seen(tools, waiting, now)),
        (None, Some(wait)) => return Err(RequestError::Limited(wait)),
        (Some(waiting), None) => waiting,
        (None, None) => add(tx, by, entrant, kind, now)?,
    };
    let code = Code::random(tools.entropy);
    request.send_code(tools.keys.current.hash_code(request.id, &code), now);
    tx.save_data_request(&request)?;
    queue_code(tx, codes, entrant, phone, &code, now)?;
    Ok(seen(tools, request, now))
}

/// Last in its transaction, because everybody who sends a code waits for the day's count.
fn queue_code(
    tx: &mut (impl Outbox + DailyCounts),
    codes: &RequestCodes<'_>,
    entrant: EntrantId,
    phone: Phone,
    code: &Code,
    at: DateTime<Utc>,
) -> Result<(), RequestError> {
    let text = sms::code_text(codes.site_name, code.as_str(), codes.host);
    tx.queue_message(&NewMessage {
        kind: MessageKind::Code,
        entrant: Some(entrant),
        phone,
        body: Some(MessageBody::seal(codes.sealer, &text)),
        at,
    })?;
    match tx.count_text(at, codes.daily_budget.for_codes(false))? {
        true => Ok(()),
        false => Err(RequestError::BudgetUsed(next_day(at) - at)),
    }
}

fn complete_export<T: RequestTx>(
    tx: &mut T,
    tools: &RequestTools<'_>,
    by: By,
    request: &mut DataRequest,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    request.complete_export(tools.keys.current.token(request.id).hash(), now);
    tx.save_data_request(request)?;
    match by.entry(request.kind, request.entrant, now) {
        Some(entry) => tx.record_audit(&entry).map(drop),
        None => Ok(()),
    }
}

/// Erases a person whom no code has to confirm.
fn erase_now<S>(
    store: &S,
    tools: &RequestTools<'_>,
    by: By,
    entrant: EntrantId,
) -> Result<SeenRequest, RequestError>
where
    S: UnitOfWork<Tx: RequestTx>,
{
    let now = tools.clock.now();
    let mut done = None;
    erase_and(store, tools.journal, entrant, now, |tx| {
        let mut request = add(tx, by, entrant, RequestType::Erasure, now)?;
        finish_erasure(tx, by, &mut request, now)?;
        done = Some(request);
        Ok::<_, RequestError>(())
    })?;
    let request = done.ok_or(RequestError::UnknownEntrant)?;
    Ok(seen(tools, request, now))
}

/// In the transaction that erases: the person may have been drawn since the request was checked.
fn finish_erasure<T: RequestTx>(
    tx: &mut T,
    by: By,
    request: &mut DataRequest,
    now: DateTime<Utc>,
) -> Result<(), RequestError> {
    check_second_person(tx, by, request.entrant, now)?;
    request.complete_erasure(now);
    tx.save_data_request(request)?;
    if let Some(entry) = by.entry(request.kind, request.entrant, now) {
        tx.record_audit(&entry)?;
    }
    Ok(())
}

/// Carries out a pending request of an entrant with its code. A wrong code counts as a try. Staff confirm what staff asked
/// for, and the person what the person asked for.
///
/// # Errors
/// [`ConfirmError`].
pub fn confirm<S>(
    store: &S,
    tools: &RequestTools<'_>,
    by: By,
    entrant: EntrantId,
    id: DataRequestId,
    code: &Code,
) -> Result<SeenRequest, ConfirmError>
where
    S: UnitOfWork<Tx: RequestTx>,
{
    let now = tools.clock.now();
    // The inner result commits, also when it is an error: wrong tries are counted.
    let tried = store.transaction(|tx| try_code(tx, tools, by, entrant, id, code))?;
    let request = tried?;
    match request.kind {
        RequestType::Export => Ok(seen(tools, request, now)),
        RequestType::Erasure => erase_confirmed(store, tools, by, request),
    }
}

/// The request, whose code this is. An export is completed.
fn try_code<T: RequestTx>(
    tx: &mut T,
    tools: &RequestTools<'_>,
    by: By,
    entrant: EntrantId,
    id: DataRequestId,
    code: &Code,
) -> Result<Result<DataRequest, ConfirmError>, StoreError> {
    let now = tools.clock.now();
    tx.lock_requester(entrant)?;
    let found = tx.find_data_request(id)?;
    let own = found.filter(|found| found.entrant == entrant && found.asker == by.asker());
    let Some(mut request) = own else {
        return Ok(Err(ConfirmError::Expired));
    };
    if request.kind == RequestType::Erasure {
        // The person may have been drawn since the code was sent.
        match check_second_person(tx, by, entrant, now) {
            Ok(()) => {}
            Err(RequestError::Store(error)) => return Err(error),
            Err(refused) => return Ok(Err(ConfirmError::Failed(refused))),
        }
    }
    match request.check_code(&tools.keys.current, code, now) {
        Ok(()) => {}
        Err(RequestCodeRefusal::Wrong { left }) => {
            tx.save_data_request(&request)?;
            return Ok(Err(ConfirmError::WrongCode { left }));
        }
        Err(RequestCodeRefusal::Expired) => return Ok(Err(ConfirmError::Expired)),
        Err(RequestCodeRefusal::Used) => return Ok(Err(ConfirmError::Used)),
    }
    if request.kind == RequestType::Export {
        complete_export(tx, tools, by, &mut request, now)?;
    }
    Ok(Ok(request))
}

/// Erases a person whose code was right. The code stays valid until then, so that a failure in between costs nobody a text.
fn erase_confirmed<S>(
    store: &S,
    tools: &RequestTools<'_>,
    by: By,
    request: DataRequest,
) -> Result<SeenRequest, ConfirmError>
where
    S: UnitOfWork<Tx: RequestTx>,
{
    let now = tools.clock.now();
    let mut done = request.clone();
    let erased = erase_and(store, tools.journal, request.entrant, now, |tx| {
        done = request.clone();
        finish_erasure(tx, by, &mut done, now)
    });
    match erased {
        Ok(()) => Ok(seen(tools, done, now)),
        Err(RequestError::Store(error)) => Err(error.into()),
        // Two tabs confirmed at once.
        Err(RequestError::UnknownEntrant) => Err(ConfirmError::Used),
        Err(
            error @ (RequestError::OpenClaim | RequestError::OpenPurchase | RequestError::NeedsApproval(_)),
        ) => {
            store.transaction::<_, StoreError>(|tx| {
                let mut failed = request.clone();
                failed.fail();
                tx.save_data_request(&failed)
            })?;
            Err(ConfirmError::Failed(error))
        }
        Err(error) => Err(ConfirmError::Failed(error)),
    }
}

/// The requests of an entrant, newest first. The person does not see those of staff that still wait for a code. A link stands
/// in the list of the person who asked for the copy; staff see it once, in the answer to their own request.
///
/// # Errors
/// When the store fails.
pub fn list<S>(
    store: &S,
    tools: &RequestTools<'_>,
    asker: Asker,
    entrant: EntrantId,
) -> Result<Vec<SeenRequest>, StoreError>
where
    S: UnitOfWork<Tx: DataRequests>,
{
    let now = tools.clock.now();
    let requests = store.read(|tx| tx.list_data_requests(entrant))?;
    let all = requests.into_iter().map(|request| {
        let own = asker == Asker::Visitor && request.asker == Asker::Visitor;
        let seen = seen(tools, request, now);
        SeenRequest {
            token: seen.token.filter(|_| own),
            ..seen
        }
    });
    let is_shown = |each: &SeenRequest| {
        asker == Asker::Staff
            || each.request.asker == Asker::Visitor
            || each.status == RequestStatus::Completed
    };
    Ok(all.filter(is_shown).collect())
}

/// A request with what the keys and the time make of it.
fn seen(tools: &RequestTools<'_>, request: DataRequest, now: DateTime<Utc>) -> SeenRequest {
    let status = request.status_at(now);
    let hash = request.token.filter(|_| request.is_downloadable(now));
    let wait = wait_for_code(&request.codes_sent, PER_DAY, now).unwrap_or_default();
    let is_limited = tools.codes.as_ref().is_some_and(|codes| codes.limits);
    let resend_after = match is_limited {
        true => wait.min(CODE_LIFE),
        false => TimeDelta::zero(),
    };
    SeenRequest {
        status,
        token: hash.and_then(|hash| tools.keys.find_token(request.id, &hash)),
        resend_after: (status == RequestStatus::Pending).then_some(resend_after),
        request,
    }
}

/// A copy of everything that is stored about a person.
#[derive(Debug)]
pub struct PersonCopy {
    /// The stored rows.
    pub tables: Vec<ExportedTable>,
    /// Whether the name and the address that a winner gave may be opened in it.
    pub has_claim_details: bool,
}

/// The copy whose link this is. The download stands in the audit log.
///
/// # Errors
/// [`DownloadError`].
pub fn download<S>(store: &S, clock: &dyn Clock, token: &RequestToken) -> Result<PersonCopy, DownloadError>
where
    S: UnitOfWork<Tx: DataRequests + Exports + AuditLog + DrawingSteps + FrozenEntrants + Entrants>,
{
    let now = clock.now();
    let (request, tables) = store.snapshot(|tx| {
        let found = tx.find_export(&token.hash())?;
        let request = found.ok_or(DownloadError::Unknown)?;
        if !request.is_downloadable(now) {
            return Err(DownloadError::Expired);
        }
        let mut tables = tx.export_person(request.entrant)?.ok_or(DownloadError::Unknown)?;
        tables.push(drawings_table(tx, request.entrant)?);
        Ok((request, tables))
    })?;
    let entry = NewAuditEntry::new(NOBODY, Action::DownloadCopy, now)
        .target(request.entrant)
        .number("request", request.id.get())
        .text("askedBy", request.asker.as_str());
    store.transaction(|tx| tx.record_audit(&entry))?;
    Ok(PersonCopy {
        tables,
        has_claim_details: request.asker.gets_claim_details(),
    })
}

/// The drawings that a person took part in: the lists have no names or numbers, so no table of the database says it.
fn drawings_table<T>(tx: &T, entrant: EntrantId) -> Result<ExportedTable, StoreError>
where
    T: DrawingSteps + FrozenEntrants + Entrants,
{
    let rows = drawings_of(tx, entrant)?.into_iter().map(|(state, participant)| {
        let (raffle, period, leaf) = (state.plan.raffle, state.plan.period, participant.leaf);
        format!(
            r#"{{"drawing_id": {}, "landing_page": "{raffle}", "period": "{period}", "leaf_index": {}, "leaf_hash": "{}", "first_entry": {}, "entries": {}}}"#,
            state.id,
            leaf.index,
            leaf.hash(),
            leaf.first_entry,
            leaf.weight
        )
    });
    Ok(ExportedTable {
        name: "drawings",
        about: "The drawings that you took part in: your line in each list, and your entries.",
        rows: rows.collect(),
    })
}

/// Notes which requests have expired. Returns how many there were.
///
/// # Errors
/// When the store fails.
pub fn expire<S>(store: &S, clock: &dyn Clock) -> Result<u64, StoreError>
where
    S: UnitOfWork<Tx: DataRequests>,
{
    let now = clock.now();
    store.transaction(|tx| tx.expire_data_requests(now))
}
