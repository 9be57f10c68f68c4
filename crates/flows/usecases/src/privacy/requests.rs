//! Requests of people for their data: a copy of everything, or its deletion.
//!
//! Where numbers are proved with codes, a code that is texted to the number confirms a request first. Staff ask for people
//! who cannot do it themselves: an export needs no code then, and an erasure needs one where one can be sent.

use super::erasure::{EraseError, erase_and};
use crate::codes::{Awaited, CodeRequest, CodeTools, Refusal, Rejected};
use crate::drawings::drawings_of;
use crate::sessions::NOBODY;
use ::codes::{BrowserHash, CODE_LIFE, Code, Codes, Holder, Subject};
use ::privacy::{
    Asker, DataRequest, DataRequestId, DataRequests, Erased, Erasure, ExportPart, ExportedTable, Exports,
    Journal, JournalError, NewDataRequest, RequestKeys, RequestStatus, RequestToken, RequestType,
    wait_for_export,
};
use chrono::{DateTime, TimeDelta, Utc};
use drawing::FrozenEntrants;
use drawing::steps::DrawingSteps;
use kernel::{Clock, EntrantId, Phone, StoreError, UnitOfWork};
use raffle::Entrants;
use sms::{DailyCounts, OptOuts, Outbox};
use staff::{
    APPROVAL_LIFE, Action, Actor, ApprovalKind, Approvals, AuditLog, NeedsApproval, NewAuditEntry,
    SecondPerson,
};
use std::net::IpAddr;

/// What requests need besides the store.
pub struct RequestTools<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Makes links.
    pub keys: &'a RequestKeys,
    /// Where erasures are noted first.
    pub journal: &'a dyn Journal,
    /// How codes are sent; `None` while numbers are not proved (`PHONE_VERIFICATION`).
    pub codes: Option<CodeTools<'a>>,
    /// Whether there is an account to send texts with.
    pub has_account: bool,
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
    /// The code that confirms it, for whoever asked for that code.
    pub code: Option<Awaited>,
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
    /// No code was sent.
    #[error(transparent)]
    Refused(#[from] Refusal),
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
    /// The code was not taken, or there is no such request.
    #[error(transparent)]
    Rejected(#[from] Rejected),
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
    DataRequests + Codes + Erasure + Entrants + Outbox + OptOuts + DailyCounts + AuditLog + Approvals
{
}

impl<T> RequestTx for T where
    T: DataRequests + Codes + Erasure + Entrants + Outbox + OptOuts + DailyCounts + AuditLog + Approvals
{
}

/// The browser in which a person asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// The browser.
    pub browser: BrowserHash,
    /// The network that the request came from: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
}

/// Who makes a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The person, in a browser.
    Visitor(Asking),
    /// Staff, and whether two of them agreed, which erasing a person who was drawn needs.
    Staff(Actor, SecondPerson),
}

impl By {
    const fn asker(self) -> Asker {
        match self {
            Self::Visitor(_) => Asker::Visitor,
            Self::Staff(..) => Asker::Staff,
        }
    }

    /// Whom the codes of the request belong to.
    const fn holder(self) -> Holder {
        match self {
            Self::Visitor(asking) => Holder::Browser(asking.browser),
            Self::Staff(..) => Holder::Staff,
        }
    }

    const fn network(self) -> Option<IpAddr> {
        match self {
            Self::Visitor(asking) => asking.network,
            Self::Staff(..) => None,
        }
    }

    const fn is_visitor(self) -> bool {
        matches!(self, Self::Visitor(_))
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
            Ok(Some(seen(tx, tools, by.holder(), request, now)?))
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
    match wait.filter(|_| by.is_visitor()) {
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
) -> Result<Option<&'a CodeTools<'a>>, RequestError> {
    let Some(codes) = &tools.codes else {
        return Ok(None);
    };
    if by.is_visitor() {
        return Ok(Some(codes));
    }
    let phone = phone_of(tx, entrant)?;
    let is_needed = kind == RequestType::Erasure && tools.has_account && may_text(tx, codes, &phone)?;
    Ok(Some(codes).filter(|_| is_needed))
}

fn may_text(tx: &impl OptOuts, codes: &CodeTools<'_>, phone: &Phone) -> Result<bool, StoreError> {
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
    codes: &CodeTools<'_>,
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
    let is_same = |each: &DataRequest| {
        each.kind == kind && each.asker == by.asker() && each.status_at(now) == RequestStatus::Pending
    };
    let mut request = match earlier.into_iter().find(is_same) {
        Some(waiting) => waiting,
        None => add(tx, by, entrant, kind, now)?,
    };
    let before = codes.awaited(tx, subject(request.id), by.holder(), now)?;
    if before.is_some_and(|before| !before.resend_after.is_zero()) {
        return Ok(seen(tx, tools, by.holder(), request, now)?);
    }
    request.wait_until(now + CODE_LIFE);
    tx.save_data_request(&request)?;
    let code = CodeRequest {
        subject: subject(request.id),
        holder: by.holder(),
        network: by.network(),
        is_own: by.is_visitor(),
        has_account: tools.has_account,
        phone: &phone,
        entrant: Some(entrant),
    };
    codes.send(tx, &code, now)?;
    Ok(seen(tx, tools, by.holder(), request, now)?)
}

const fn subject(request: DataRequestId) -> Subject {
    Subject::DataRequest(request.get())
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
    Ok(carried_out(tools, request, now))
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

/// Carries out a pending request of an entrant with its code, in the browser that asked for the code. A wrong code counts as a try. The same
/// code again gets the same answer. Staff confirm what staff asked for.
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
    match (request.kind, request.status_at(now)) {
        (RequestType::Erasure, RequestStatus::Pending) => erase_confirmed(store, tools, by, request),
        _ => Ok(carried_out(tools, request, now)),
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
    let Some(codes) = &tools.codes else {
        return Ok(Err(Rejected::Expired.into()));
    };
    tx.lock_requester(entrant)?;
    let found = tx.find_data_request(id)?;
    let own = found.filter(|found| found.entrant == entrant && found.asker == by.asker());
    let Some(mut request) = own else {
        return Ok(Err(Rejected::Expired.into()));
    };
    let status = request.status_at(now);
    if (request.kind, status) == (RequestType::Erasure, RequestStatus::Pending) {
        // The person may have been drawn since the code was sent.
        match check_second_person(tx, by, entrant, now) {
            Ok(()) => {}
            Err(RequestError::Store(error)) => return Err(error),
            Err(refused) => return Ok(Err(ConfirmError::Failed(refused))),
        }
    }
    if let Err(rejected) = codes.attempt(tx, subject(id), by.holder(), code, now)? {
        return Ok(Err(rejected.into()));
    }
    match status {
        RequestStatus::Pending => tx.complete_codes(subject(id), by.holder(), entrant)?,
        RequestStatus::Completed => return Ok(Ok(request)),
        RequestStatus::Failed | RequestStatus::Expired => return Ok(Err(Rejected::Expired.into())),
    }
    if request.kind == RequestType::Export {
        complete_export(tx, tools, by, &mut request, now)?;
    }
    Ok(Ok(request))
}

/// Erases a person whose code was right. The same code is right once more, so a failure in between costs nobody a text.
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
        Ok(()) => Ok(carried_out(tools, done, now)),
        // The same code came twice at the same time.
        Err(RequestError::UnknownEntrant) => erased_before(store, tools, request.id),
        Err(RequestError::Store(error)) => Err(error.into()),
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

fn erased_before<S>(
    store: &S,
    tools: &RequestTools<'_>,
    id: DataRequestId,
) -> Result<SeenRequest, ConfirmError>
where
    S: UnitOfWork<Tx: RequestTx>,
{
    let found = store.read(|tx| tx.find_data_request(id))?;
    let done = found.filter(|found| found.status == RequestStatus::Completed);
    let done = done.ok_or(Rejected::Expired)?;
    Ok(carried_out(tools, done, tools.clock.now()))
}

/// The requests of an entrant, newest first, as a browser or staff see them. The person does not see those of staff that still
/// wait for a code. A link stands in the list of the person who asked for the copy; staff see it once, in the answer to their own
/// request.
///
/// # Errors
/// When the store fails.
pub fn list<S>(
    store: &S,
    tools: &RequestTools<'_>,
    holder: Holder,
    entrant: EntrantId,
) -> Result<Vec<SeenRequest>, StoreError>
where
    S: UnitOfWork<Tx: RequestTx>,
{
    let now = tools.clock.now();
    let is_staff = holder == Holder::Staff;
    let is_shown = |each: &SeenRequest| {
        is_staff || each.request.asker == Asker::Visitor || each.status == RequestStatus::Completed
    };
    store.read(|tx| {
        let requests = tx.list_data_requests(entrant)?.into_iter();
        let seen = requests.map(|request| {
            let is_own = !is_staff && request.asker == Asker::Visitor;
            let seen = seen(tx, tools, holder, request, now)?;
            Ok(SeenRequest {
                token: seen.token.filter(|_| is_own),
                ..seen
            })
        });
        let all = seen.collect::<Result<Vec<_>, StoreError>>()?;
        Ok(all.into_iter().filter(is_shown).collect())
    })
}

/// A request as its holder sees it: with the code that confirms it.
fn seen(
    tx: &(impl Codes + Outbox),
    tools: &RequestTools<'_>,
    holder: Holder,
    request: DataRequest,
    now: DateTime<Utc>,
) -> Result<SeenRequest, StoreError> {
    let code = match &tools.codes {
        Some(codes) if request.status_at(now) == RequestStatus::Pending => {
            codes.awaited(tx, subject(request.id), holder, now)?
        }
        _ => None,
    };
    Ok(SeenRequest {
        code,
        ..carried_out(tools, request, now)
    })
}

/// A request that waits for no code, with what the keys and the time make of it.
fn carried_out(tools: &RequestTools<'_>, request: DataRequest, now: DateTime<Utc>) -> SeenRequest {
    let hash = request.token.filter(|_| request.is_downloadable(now));
    SeenRequest {
        status: request.status_at(now),
        token: hash.and_then(|hash| tools.keys.find_token(request.id, &hash)),
        code: None,
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
        part: ExportPart::Drawings,
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
