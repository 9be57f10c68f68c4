//! Claims of winners through their flows, `usecases::claims`: what happens at the same time, and that no rank is skipped.
//! Nobody can set the clock of a database, so deadlines that have passed are written by hand, through the port.

mod reseal;
mod secrets;

pub use reseal::secrets_are_encrypted_again_and_read_as_before;
pub use secrets::{Cell, no_secret_of_a_claim_is_stored_in_clear};

use crate::Store;
use crate::drawing_flow::kit::{Kit, drawn, many_entrants, waiting};
use crate::messages::{claimed, fence};
use crate::support::{at_once, messages_to, new_entrant, noon, staff_actor};
use ::claims::{
    Claim, ClaimDetails, ClaimId, ClaimStatus, Claims, Deadline, EventKind, NewClaim, RejectReason, State,
    VerifiedBy, ZipCode,
};
use ::codes::Code;
use chrono::TimeDelta;
use drawing::DrawingId;
use drawing::steps::DrawingState;
use kernel::{BrowserHash, DatabaseClock, EntrantId, StoreError, StoredText};
use raffle::Entrants;
use sms::{MessageKind, OptOuts, SmsCountries};
use staff::SecondPerson;
use usecases::claims::review::{self, ReviewError, Reviewer, Step};
use usecases::claims::winner::{self, ClaimError, SendCodeError, VerifyError, Visitor};
use usecases::claims::{ClaimTools, advance, own_drawing};
use usecases::codes::Rejected;
use usecases::drawings::LogError;

const HOME: BrowserHash = BrowserHash::new([1; 32]);

/// The tools of claims.
pub(crate) fn claim_tools<'a>(kit: &'a Kit, countries: &'a SmsCountries) -> ClaimTools<'a> {
    ClaimTools {
        notices: kit.tools().claims,
        codes: kit.codes(countries),
        entropy: &kit.entropy,
        details: &kit.sealer,
        countries,
        time_zone: kit.time_zone,
    }
}

/// A drawn drawing, and what its claims need.
struct Site<'a, S> {
    store: &'a S,
    kit: Kit,
    countries: SmsCountries,
    drawing: DrawingState,
}

impl<'a, S: Store> Site<'a, S> {
    fn new(store: &'a S, entrants: u32) -> Self {
        many_entrants(store, entrants);
        let kit = Kit::new(1);
        Self {
            drawing: drawn(store, &kit),
            countries: SmsCountries::default(),
            store,
            kit,
        }
    }

    fn tools(&self) -> ClaimTools<'_> {
        claim_tools(&self.kit, &self.countries)
    }

    fn id(&self) -> DrawingId {
        self.drawing.id
    }

    fn claims(&self) -> Vec<Claim> {
        self.store.read(|tx| tx.claims_of(&[self.id()])).unwrap()
    }

    fn newest(&self) -> Claim {
        self.claims().pop().unwrap()
    }

    /// The browser that proved the number of a rank.
    fn visitor(&self, rank: u32) -> Visitor {
        Visitor {
            token: self.kit.claim_key.token(self.id(), rank),
            browser: Some(HOME),
            own: None,
            network: None,
        }
    }

    /// Changes the newest claim by hand.
    fn change(&self, change: impl Fn(&mut Claim)) -> ClaimId {
        let id = self.newest().id;
        let change = |tx: &mut S::Tx| {
            let mut claim = tx.lock_claim(id)?.unwrap();
            change(&mut claim);
            tx.save_claim(&claim)
        };
        self.store.transaction::<_, StoreError>(change).unwrap();
        id
    }

    /// A browser has proved the number of the newest claim, whose time began so many days ago.
    fn verified(&self, days: i64) -> ClaimId {
        let now = self.store.read::<_, StoreError>(|tx| tx.database_time()).unwrap();
        let began = now - TimeDelta::days(days);
        self.change(|claim| {
            claim.status = ClaimStatus::CodeVerified;
            claim.browser = Some(HOME);
            claim.verified = Some((VerifiedBy::Code, began));
            claim.deadline = Some(Deadline::starting(began));
            claim.reminders = 2;
        })
    }

    fn submit(&self, rank: u32) -> bool {
        winner::submit(self.store, self.tools(), &self.visitor(rank), &details()).is_ok()
    }

    fn take(&self, id: ClaimId, step: &Step) -> bool {
        review::take(self.store, self.tools(), owner(), id, step).is_ok()
    }

    fn ranks(&self) -> Vec<u32> {
        self.claims().iter().map(|claim| claim.rank).collect()
    }
}

fn details() -> ClaimDetails {
    let line = |text| StoredText::line(text, 100).unwrap();
    ClaimDetails {
        name: line("Ada Lovelace"),
        address_line1: line("12 Example Street"),
        address_line2: None,
        city: line("Springfield"),
        state: State::parse("IL").unwrap(),
        postal_code: ZipCode::parse("62701").unwrap(),
        publicity: true,
    }
}

fn note(text: &str) -> StoredText {
    StoredText::lines(text, 500).unwrap()
}

fn reject() -> Step {
    Step::Reject {
        reason: RejectReason::Residence,
        note: note("You live abroad."),
    }
}

/// As whoever owns the tables could make one: another entrant than the drawn one has the claim of a rank, or even of the winner.
pub fn who_was_not_drawn_gets_no_text_code_proof_or_approval<S: Store>(store: &S) {
    let site = Site::new(store, 4);
    assert_eq!(usecases::drawings::verify_log(store).unwrap().drawings, 1);
    let ranks = &site.drawing.result.as_ref().unwrap().step.ranks;
    let friend = ranks[3].entrant;
    let foreign = NewClaim {
        drawing: site.id(),
        rank: 1,
        entrant: friend,
        token: site.kit.claim_key.token(site.id(), 1).hash(),
        at: noon(),
    };
    let id = store.transaction(|tx| tx.add_claim(&foreign)).unwrap().unwrap();
    let visitor = site.visitor(1);
    let code = winner::send_code(store, site.tools(), &visitor, HOME, true);
    assert!(matches!(code, Err(SendCodeError::CannotText)), "{code:?}");
    assert!(!site.take(id, &Step::Resend));
    let any = Code::parse("123456").unwrap();
    let verified = winner::verify(store, site.tools(), &visitor, &any, HOME);
    assert!(
        matches!(verified, Err(VerifyError::Claim(ClaimError::NotDrawn))),
        "{verified:?}"
    );
    site.change(|claim| claim.needs_call = true);
    assert!(site.take(id, &Step::ConfirmNumber(note("It was the friend."))));
    let proved = winner::prove(store, site.tools(), &visitor, HOME);
    assert!(matches!(proved, Err(ClaimError::NotDrawn)), "{proved:?}");
    site.verified(1);
    assert!(site.submit(1), "details alone give nothing");
    let file = review::open(store, site.tools(), owner(), id).unwrap();
    assert!(!file.number_matches);
    let approved = review::take(store, site.tools(), owner(), id, &Step::Approve);
    assert!(
        matches!(approved, Err(ReviewError::NumberChanged)),
        "{approved:?}"
    );
    assert!(store.read(|tx| messages_to(tx, friend)).unwrap().is_empty());
    let verified = usecases::drawings::verify_log(store);
    assert!(
        matches!(verified, Err(LogError::Claim(claim)) if claim == id),
        "{verified:?}"
    );
}

/// Somebody who has the link tries codes while the winner enters the right one, and asks for one too.
pub fn another_browser_cannot_keep_the_winner_from_proving_the_number<S: Store>(store: &S) {
    const STRANGER: BrowserHash = BrowserHash::new([2; 32]);
    let site = Site::new(store, 2);
    let (winner, stranger) = (
        site.visitor(0),
        Visitor {
            browser: Some(STRANGER),
            ..site.visitor(0)
        },
    );
    let code = site.send_code(&winner, HOME);
    let seen = winner::show(store, site.tools(), &stranger).unwrap();
    assert_eq!(seen.code, None);
    let verify = |visitor: &Visitor, browser| winner::verify(store, site.tools(), visitor, &code, browser);
    let answers = at_once(8, |n| match n {
        0 => verify(&winner, HOME).map(drop),
        1 => winner::send_code(store, site.tools(), &stranger, STRANGER, true)
            .map(drop)
            .map_err(|_| VerifyError::Rejected(Rejected::Expired)),
        _ => verify(&stranger, STRANGER).map(drop),
    });
    assert!(answers[0].is_ok(), "{answers:?}");
    assert!(answers[2..].iter().all(Result::is_err), "{answers:?}");
    let again = verify(&winner, HOME).unwrap();
    assert!(again.is_this_browser, "a lost answer comes again");
    let claim = site.newest();
    assert_eq!(claim.browser, Some(HOME));
    let events = store.read(|tx| tx.list_claim_events(claim.id)).unwrap();
    let proved = events
        .iter()
        .filter(|event| event.kind == EventKind::NumberVerified);
    assert_eq!(proved.count(), 1);
}

pub fn the_code_of_a_call_opens_the_claim_in_one_browser<S: Store>(store: &S) {
    let site = Site::new(store, 2);
    let id = site.change(|claim| claim.needs_call = true);
    let confirm = Step::ConfirmNumber(note("She knew the date of entry."));
    let file = review::take(store, site.tools(), owner(), id, &confirm).unwrap();
    let code = file.call_code.unwrap().code;
    assert!(!format!("{:?}", site.newest()).contains(code.as_str()));
    let opened = at_once(8, |n| {
        let browser = BrowserHash::new([u8::try_from(n).unwrap(); 32]);
        winner::open_after_call(store, site.tools(), &code, browser)
    });
    let tokens: Vec<_> = opened.iter().filter_map(|opened| opened.as_ref().ok()).collect();
    assert_eq!(tokens, [&site.visitor(0).token], "{opened:?}");
    let browser = opened.iter().position(Result::is_ok).unwrap();
    let bound = BrowserHash::new([u8::try_from(browser).unwrap(); 32]);
    assert_eq!(site.newest().browser, Some(bound));
}

pub fn each_rank_is_asked_in_turn_until_nobody_is_left<S: Store>(store: &S) {
    let site = Site::new(store, 4);
    assert_eq!(site.drawing.result.as_ref().unwrap().step.ranks.len(), 4);
    for rank in 0..4 {
        assert_eq!(site.newest().rank, rank);
        site.verified(14);
        let advanced = at_once(6, |_| advance(store, site.tools()).unwrap());
        assert!(advanced.iter().all(|advanced| advanced.failures.is_empty()));
        assert_eq!(site.claims()[rank as usize].status, ClaimStatus::Expired);
    }
    assert_eq!(
        site.ranks(),
        [0, 1, 2, 3],
        "one claim for each rank, and no redraw"
    );
    let entrants: Vec<_> = site.claims().iter().map(|claim| claim.entrant).collect();
    let ranks = &site.drawing.result.as_ref().unwrap().step.ranks;
    assert_eq!(
        entrants,
        ranks.iter().map(|rank| rank.entrant).collect::<Vec<_>>()
    );
}

pub fn of_decline_and_deadline_at_once_the_next_rank_is_asked_once<S: Store>(store: &S) {
    let site = Site::new(store, 8);
    for rank in 0..7 {
        // One second before the deadline, so that either may come first.
        site.verified(13);
        let seconds = TimeDelta::days(1) - TimeDelta::milliseconds(200);
        site.change(|claim| {
            let began = claim.deadline.unwrap().started_at - seconds;
            claim.deadline = Some(Deadline::starting(began));
        });
        let visitor = site.visitor(rank);
        while site.newest().rank == rank {
            at_once(4, |n| match n {
                0 => drop(winner::decline(store, site.tools(), &visitor)),
                _ => drop(advance(store, site.tools()).unwrap()),
            });
        }
        let status = site.claims()[rank as usize].status;
        assert!(
            matches!(status, ClaimStatus::Declined | ClaimStatus::Expired),
            "{status:?}"
        );
        assert_eq!(site.ranks(), (0..=rank + 1).collect::<Vec<_>>());
    }
}

pub fn of_two_submits_and_the_deadline_at_once_one_counts<S: Store>(store: &S) {
    let site = Site::new(store, 3);
    site.verified(1);
    let submitted = at_once(6, |_| site.submit(0));
    assert_eq!(submitted.iter().filter(|done| **done).count(), 1);
    assert_eq!(site.newest().status, ClaimStatus::Submitted);
    advance(store, site.tools()).unwrap();
    assert_eq!(site.ranks(), [0], "a submitted claim does not expire");
}

pub fn of_approval_and_rejection_by_two_people_one_counts<S: Store>(store: &S) {
    let site = Site::new(store, 3);
    let id = site.verified(1);
    assert!(site.submit(0));
    let approve = Step::Approve;
    let taken = at_once(2, |n| match n {
        0 => site.take(id, &approve),
        _ => site.take(id, &reject()),
    });
    match site.newest().status {
        ClaimStatus::Verified => assert!(taken[0]),
        ClaimStatus::Rejected => assert_eq!(taken, [false, true]),
        other => panic!("{other:?}"),
    }
    assert_eq!(site.ranks(), [0], "the objection window is open");
}

/// The texts stand in the transaction that decides: of a race, only the decision that counted is told.
pub fn the_winner_is_told_of_approval_and_rejection<S: Store>(store: &S) {
    let site = Site::new(store, 3);
    let id = site.verified(1);
    let link = site.body_of_newest(&site.newest(), MessageKind::Victory);
    let link = link
        .split_whitespace()
        .find(|word| word.contains("/claim/"))
        .unwrap()
        .to_owned();
    let claim = site.newest();
    let texts = || site.texts_to(&claim, MessageKind::Victory).len();
    let newest = || site.body_of_newest(&claim, MessageKind::Victory);
    assert!(site.submit(0));
    assert_eq!(texts(), 1);
    assert!(site.take(id, &reject()));
    assert!(
        newest().contains("could not approve your claim") && newest().contains(&link),
        "{}",
        newest()
    );
    assert!(!site.take(id, &reject()));
    assert_eq!(texts(), 2);
    at_once(4, |_| site.take(id, &Step::Approve));
    assert!(
        newest().contains("approved it") && newest().contains(&link),
        "{}",
        newest()
    );
    assert!(site.take(id, &Step::Deliver));
    assert_eq!(texts(), 3);
    advance(store, site.tools()).unwrap();
    assert!(!site.newest().needs_call, "nothing waits for the winner");
}

/// Nobody is asked after a rejection until seven days have passed, whatever staff do.
pub fn staff_cannot_skip_a_rank<S: Store>(store: &S) {
    let site = Site::new(store, 3);
    let id = site.newest().id;
    for step in [Step::Approve, reject(), Step::Deliver, Step::GiveUp] {
        assert!(!site.take(id, &step), "{step:?}");
    }
    site.verified(1);
    for step in [Step::Approve, reject(), Step::Deliver, Step::GiveUp] {
        assert!(!site.take(id, &step), "{step:?}");
    }
    assert!(site.submit(0) && site.take(id, &reject()));
    at_once(4, |_| advance(store, site.tools()).unwrap());
    assert_eq!(site.ranks(), [0]);
    site.change(|claim| {
        let rejection = claim.rejection.as_mut().unwrap();
        rejection.at -= TimeDelta::days(7);
    });
    assert!(!site.take(id, &Step::Approve), "the window is over");
    at_once(4, |_| advance(store, site.tools()).unwrap());
    assert_eq!(site.ranks(), [0, 1]);
}

pub fn an_approved_claim_ends_with_the_delivery_and_asks_nobody_else<S: Store>(store: &S) {
    let site = Site::new(store, 3);
    let id = site.verified(1);
    assert!(site.submit(0) && site.take(id, &Step::Approve) && site.take(id, &Step::Deliver));
    advance(store, site.tools()).unwrap();
    let claim = site.newest();
    assert_eq!(
        (claim.status, claim.ended_at),
        (ClaimStatus::Delivered, claim.delivered_at)
    );
    let public = claim.public_winner.unwrap();
    assert_eq!((public.first_name.as_str(), public.state.as_str()), ("Ada", "IL"));
    assert_eq!(site.ranks(), [0]);
}

/// The number said STOP before it was drawn, so its text was skipped. START and a code prove it all the same.
pub fn after_stop_and_start_a_code_can_be_sent<S: Store>(store: &S) {
    let site = Site::new(store, 2);
    let claim = site.newest();
    let phone = store
        .read(|tx| tx.find_entrant(claim.entrant))
        .unwrap()
        .unwrap()
        .phone;
    let say = |opts_out: bool| {
        let change = |tx: &mut S::Tx| match opts_out {
            true => tx.opt_out(&phone, noon()),
            false => tx.opt_in(&phone, noon()),
        };
        store.transaction::<_, StoreError>(change).unwrap();
    };
    let send = || winner::send_code(store, site.tools(), &site.visitor(0), HOME, true);
    say(true);
    let fence = fence(store);
    let messages = claimed(store, fence, 10, 1);
    assert!(messages.iter().all(|message| message.phone != phone));
    advance(store, site.tools()).unwrap();
    assert!(site.newest().needs_call);
    assert!(matches!(send(), Err(SendCodeError::CannotText)));
    say(false);
    assert!(send().unwrap().can_text);
    advance(store, site.tools()).unwrap();
    assert!(!site.newest().needs_call, "the code is on its way");
}

/// Who was asked finds the claim, and the others that they took part, until the next list is frozen.
pub fn entrants_are_told_of_the_last_drawing<S: Store>(store: &S) {
    let site = Site::new(store, 3);
    let own = |id| own_drawing(store, site.tools().notices, id).unwrap();
    let ranks = &site.drawing.result.as_ref().unwrap().step.ranks;
    let (winner, other) = (ranks[0].entrant, ranks[1].entrant);
    let found = own(winner).unwrap();
    assert_eq!(found.id, site.id());
    let claim = found.claim.unwrap();
    let token = site.kit.claim_key.token(site.id(), 0).to_text();
    assert!(claim.link.ends_with(&format!("/claim/{token}")), "{}", claim.link);
    assert_eq!((claim.id, claim.status), (site.newest().id, ClaimStatus::Pending));
    assert_eq!(own(other).unwrap().claim, None);
    assert_eq!(own(EntrantId::new(7)), None);
    let late = raffle::NewEntrant {
        raffle: site.drawing.plan.raffle,
        ..new_entrant(90, "CDFG3499")
    };
    let late = store.transaction(|tx| tx.add_entrant(&late)).unwrap().unwrap();

    let next = waiting(store, &Kit::with_beacon(91));
    assert_eq!(next.plan.raffle, site.drawing.plan.raffle);
    assert_eq!((own(other), own(late)), (None, None), "the next list is frozen");
    assert_eq!(own(winner).unwrap().id, site.id(), "the claim is open");
    site.verified(1);
    assert!(winner::decline(store, site.tools(), &site.visitor(0)).is_ok());
    assert_eq!(own(winner), None);
}

/// A changed number is not the drawn one: no text goes to it, and it cannot be approved. No flow changes numbers, so the
/// caller says how.
pub fn a_number_that_was_not_drawn_gets_no_text_and_no_prize<S: Store>(
    store: &S,
    change_number: impl FnOnce(EntrantId),
) {
    let site = Site::new(store, 3);
    site.verified(1);
    assert!(site.submit(0));
    let claim = site.newest();
    let texts = || store.read(|tx| messages_to(tx, claim.entrant)).unwrap().len();
    let before = texts();
    change_number(claim.entrant);
    assert!(!site.take(claim.id, &Step::Approve));
    let sent = winner::send_code(store, site.tools(), &site.visitor(0), HOME, true);
    assert!(matches!(sent, Err(SendCodeError::CannotText)), "{sent:?}");
    site.take(claim.id, &Step::Resend);
    assert_eq!(texts(), before);
}

/// Staff who see the winners' details.
pub(crate) fn owner() -> Reviewer {
    Reviewer {
        second: SecondPerson::NotNeeded,
        actor: staff_actor(),
        sees_details: true,
        decides: true,
    }
}
