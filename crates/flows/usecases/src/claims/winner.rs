//! What a winner does with the link of a claim.

use super::reading::{Reach, drawing_of, is_drawn_person, lock, sealed_at};
use super::{ClaimTools, ClaimTx, asking};
use crate::codes::{Awaited, CodeRequest, Refusal, Rejected};
use ::claims::{
    CallCode, Claim, ClaimDetails, ClaimId, ClaimRefusal, ClaimToken, Claims, EventKind, NewEvent,
};
use ::codes::{Code, Codes, Holder, Subject};
use chrono::{DateTime, TimeDelta, Utc};
use drawing::Prize;
use drawing::steps::DrawingState;
use kernel::{BrowserHash, EntrantId, Phone, StoreError, StoredText, UnitOfWork};
use raffle::RaffleKey;
use std::net::IpAddr;

/// Visitor tokens name the second in which they were issued.
const TOKEN_PRECISION: TimeDelta = TimeDelta::seconds(1);

/// The browser that opened the link of a claim.
#[derive(Debug, Clone, Copy)]
pub struct Visitor {
    /// The token of the link.
    pub token: ClaimToken,
    /// The browser, if it has asked for a code or proved the number of a claim before.
    pub browser: Option<BrowserHash>,
    /// The entrant whom the browser's visitor token names, and when the token was issued.
    pub own: Option<(EntrantId, DateTime<Utc>)>,
    /// The network that the request came from: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
}

impl Visitor {
    /// The same visitor, in a browser that is known from now on.
    fn in_browser(self, browser: BrowserHash) -> Self {
        Self {
            browser: Some(browser),
            ..self
        }
    }
}

/// What a winner sees of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPage {
    /// The claim.
    pub claim: Claim,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The prize, as the seal has it.
    pub prize: Prize,
    /// The number of the entrant who was drawn.
    pub phone: Phone,
    /// Whether this browser proved the number.
    pub is_this_browser: bool,
    /// Whether a code can be sent.
    pub can_text: bool,
    /// Whether the number sent STOP.
    pub has_opted_out: bool,
    /// Whether this browser can be bound without a code.
    pub can_prove: bool,
    /// The code that can be entered in this browser.
    pub code: Option<Awaited>,
}

/// Why a winner's step was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// No claim has this token.
    #[error("unknown claim")]
    UnknownClaim,
    /// The claim's entrant does not make the drawn leaf.
    #[error("not the person who was drawn")]
    NotDrawn,
    /// The claim does not allow it.
    #[error(transparent)]
    Refused(#[from] ClaimRefusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no code was sent.
#[derive(Debug, thiserror::Error)]
pub enum SendCodeError {
    /// The claim does not allow it, or is unknown.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The number gets no texts.
    #[error("the number gets no texts")]
    CannotText,
    /// A limit, the budget, or no account.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a number was not proved with a code.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The claim does not allow it, or is unknown.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The code was not taken.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The claim of a link.
///
/// # Errors
/// [`ClaimError::UnknownClaim`].
pub fn show<S>(store: &S, tools: ClaimTools<'_>, visitor: &Visitor) -> Result<ClaimPage, ClaimError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.snapshot(|tx| {
        let claim = find(tx, visitor)?;
        page(tx, tools, visitor, claim)
    })
}

/// Sends a code to the number of the drawn entrant, for a browser. `has_account`: whether there is an account to send texts with.
///
/// # Errors
/// [`SendCodeError`]; the code before stays valid then.
pub fn send_code<S>(
    store: &S,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    browser: BrowserHash,
    has_account: bool,
) -> Result<ClaimPage, SendCodeError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let (claim, now) = find_and_lock(tx, visitor)?;
        claim.check_provable(now).map_err(ClaimError::from)?;
        let reach = Reach::of(tx, tools, &claim)?;
        if !reach.may_text {
            return Err(SendCodeError::CannotText);
        }
        tx.add_claim_event(&NewEvent::new(claim.id, EventKind::CodeSent, now))?;
        let code = CodeRequest {
            subject: subject(claim.id),
            holder: Holder::Browser(browser),
            network: visitor.network,
            is_own: is_own(tx, &drawing_of(tx, claim.drawing)?, visitor, &claim)?,
            has_account,
            phone: &reach.phone,
            entrant: Some(claim.entrant),
        };
        let message = tools.codes.send(tx, &code, now)?;
        tx.link_claim_text(claim.id, message)?;
        Ok(page(tx, tools, &visitor.in_browser(browser), claim)?)
    })
}

const fn subject(claim: ClaimId) -> Subject {
    Subject::Claim(claim.get())
}

/// Binds a browser that brings the code that was sent for it. A wrong code counts as a try. A repeated call gets the same answer.
///
/// # Errors
/// [`VerifyError`]; no browser was bound then.
pub fn verify<S>(
    store: &S,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    code: &Code,
    browser: BrowserHash,
) -> Result<ClaimPage, VerifyError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    // The inner result commits, also when it is an error: wrong tries are counted.
    let tried = store.transaction::<_, VerifyError>(|tx| {
        let (mut claim, now) = find_and_lock(tx, visitor)?;
        check_drawn_person(tx, &claim)?;
        claim.check_provable(now).map_err(ClaimError::from)?;
        let (subject, holder) = (subject(claim.id), Holder::Browser(browser));
        if let Err(rejected) = tools.codes.attempt(tx, subject, holder, code, now)? {
            return Ok(Err(rejected));
        }
        if claim.is_bound_to(Some(&browser)) {
            return Ok(Ok(page(tx, tools, visitor, claim)?));
        }
        claim.prove_by_code(browser, now).map_err(ClaimError::from)?;
        tx.save_claim(&claim)?;
        tx.complete_codes(subject, holder, claim.entrant)?;
        Ok(Ok(bound(tx, tools, visitor, claim, browser, now)?))
    })?;
    Ok(tried?)
}

/// Binds the browser in which the code of a call is entered, and returns the token of the claim's link.
///
/// # Errors
/// [`ClaimError::UnknownClaim`] when no claim has the code; [`ClaimError`].
pub fn open_after_call<S>(
    store: &S,
    tools: ClaimTools<'_>,
    code: &CallCode,
    browser: BrowserHash,
) -> Result<ClaimToken, ClaimError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    let hash = tools.notices.key.hash_call_code(code);
    store.transaction(|tx| {
        let found = tx.find_claim_by_call_code(&hash)?;
        let id = found.ok_or(ClaimError::UnknownClaim)?.id;
        let (mut claim, now) = lock(tx, id)?.ok_or(ClaimError::UnknownClaim)?;
        // Another browser may have entered it just now.
        if claim.call_code.is_none_or(|(stored, _)| stored != hash) {
            return Err(ClaimError::UnknownClaim);
        }
        check_drawn_person(tx, &claim)?;
        claim.bind_after_call(browser, now)?;
        tx.save_claim(&claim)?;
        tx.add_claim_event(&NewEvent::new(claim.id, EventKind::NumberVerified, now))?;
        Ok(tools.notices.token(tx, &claim)?)
    })
}

/// Binds a browser without a code: one that holds the winner's visitor token from before the seal, where no code can be sent.
///
/// # Errors
/// [`ClaimError`]; [`ClaimRefusal::AnotherBrowser`] when this browser proves nothing.
pub fn prove<S>(
    store: &S,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    browser: BrowserHash,
) -> Result<ClaimPage, ClaimError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let (mut claim, now) = find_and_lock(tx, visitor)?;
        claim.check_provable(now)?;
        check_drawn_person(tx, &claim)?;
        if !is_own(tx, &drawing_of(tx, claim.drawing)?, visitor, &claim)? {
            return Err(ClaimRefusal::AnotherBrowser.into());
        }
        let is_reached = Reach::of(tx, tools, &claim)?.is_reached();
        claim.prove_by_token(browser, is_reached, now)?;
        tx.save_claim(&claim)?;
        bound(tx, tools, visitor, claim, browser, now)
    })
}

fn bound<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    claim: Claim,
    browser: BrowserHash,
    now: DateTime<Utc>,
) -> Result<ClaimPage, ClaimError> {
    tx.add_claim_event(&NewEvent::new(claim.id, EventKind::NumberVerified, now))?;
    page(tx, tools, &visitor.in_browser(browser), claim)
}

/// Stores the winner's details, encrypted.
///
/// # Errors
/// [`ClaimError`].
pub fn submit<S>(
    store: &S,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    details: &ClaimDetails,
) -> Result<ClaimPage, ClaimError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let (mut claim, now) = find_and_lock(tx, visitor)?;
        let sealed = details.seal(tools.details, claim.id);
        claim.submit(visitor.browser.as_ref(), sealed, now)?;
        finish(tx, tools, visitor, claim, EventKind::Submitted, now)
    })
}

/// The winner does not want the prize: the next rank is asked.
///
/// # Errors
/// [`ClaimError`].
pub fn decline<S>(store: &S, tools: ClaimTools<'_>, visitor: &Visitor) -> Result<ClaimPage, ClaimError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let (mut claim, now) = find_and_lock(tx, visitor)?;
        claim.decline(visitor.browser.as_ref(), now)?;
        finish(tx, tools, visitor, claim, EventKind::Declined, now)
    })
}

/// The rejected winner objects, once.
///
/// # Errors
/// [`ClaimError`].
pub fn object<S>(
    store: &S,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    message: &StoredText,
) -> Result<ClaimPage, ClaimError>
where
    S: UnitOfWork<Tx: ClaimTx>,
{
    store.transaction(|tx| {
        let (mut claim, now) = find_and_lock(tx, visitor)?;
        claim.object(visitor.browser.as_ref(), message, now)?;
        finish(tx, tools, visitor, claim, EventKind::Objected, now)
    })
}

/// Saves what a step changed, with its event, and asks the next rank if the claim has ended without a prize.
fn finish<T: ClaimTx>(
    tx: &mut T,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    claim: Claim,
    event: EventKind,
    now: DateTime<Utc>,
) -> Result<ClaimPage, ClaimError> {
    tx.save_claim(&claim)?;
    tx.add_claim_event(&NewEvent::new(claim.id, event, now))?;
    asking::pass_on(tx, tools.notices, &claim, now)?;
    page(tx, tools, visitor, claim)
}

fn find(tx: &impl ClaimTx, visitor: &Visitor) -> Result<Claim, ClaimError> {
    let found = tx.find_claim_by_token(&visitor.token.hash())?;
    let claim = found.ok_or(ClaimError::UnknownClaim)?;
    match tx.find_entrant(claim.entrant)? {
        Some(_) => Ok(claim),
        None => Err(ClaimError::UnknownClaim), // erased
    }
}

fn find_and_lock<T: ClaimTx>(tx: &mut T, visitor: &Visitor) -> Result<(Claim, DateTime<Utc>), ClaimError> {
    let id = find(tx, visitor)?.id;
    lock(tx, id)?.ok_or(ClaimError::UnknownClaim)
}

fn check_drawn_person(tx: &impl ClaimTx, claim: &Claim) -> Result<(), ClaimError> {
    match is_drawn_person(tx, claim)? {
        true => Ok(()),
        false => Err(ClaimError::NotDrawn),
    }
}

fn page<T: ClaimTx>(
    tx: &T,
    tools: ClaimTools<'_>,
    visitor: &Visitor,
    claim: Claim,
) -> Result<ClaimPage, ClaimError> {
    let now = tx.database_time()?;
    let state = drawing_of(tx, claim.drawing)?;
    let reach = Reach::of(tx, tools, &claim)?;
    let is_this_browser = claim.is_bound_to(visitor.browser.as_ref());
    let is_own = is_own(tx, &state, visitor, &claim)?;
    let code = match visitor.browser {
        Some(browser) => tools
            .codes
            .awaited(tx, subject(claim.id), Holder::Browser(browser), now)?,
        None => None,
    };
    let can_prove = is_own && !is_this_browser && !reach.is_reached() && claim.check_provable(now).is_ok();
    Ok(ClaimPage {
        raffle: state.plan.raffle,
        prize: state.plan.prize.words.clone(),
        is_this_browser,
        can_text: reach.may_text,
        has_opted_out: reach.has_opted_out,
        can_prove,
        code,
        phone: reach.phone,
        claim,
    })
}

/// Whether the browser holds the winner's visitor token from before the seal.
fn is_own(
    tx: &impl ClaimTx,
    state: &DrawingState,
    visitor: &Visitor,
    claim: &Claim,
) -> Result<bool, StoreError> {
    let Some((named, issued_at)) = visitor.own else {
        return Ok(false);
    };
    let is_older = sealed_at(state).is_some_and(|sealed| issued_at + TOKEN_PRECISION <= sealed);
    let entrant = tx.find_entrant(named)?;
    Ok(is_older && entrant.is_some_and(|entrant| entrant.id == claim.entrant))
}
