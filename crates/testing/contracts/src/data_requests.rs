//! Requests of people for their data.

use crate::Store;
use crate::drawing_flow::kit::{drawn, entered_with_friends};
use crate::purchase_flow::{begun, on_sale};
use crate::support::{SeededEntropy, at_once, entered, messages_to, noon, phone, staff_actor};
use ::codes::{Code, CodeKey, Holder};
use chrono::{DateTime, TimeDelta, Utc};
use claims::{ClaimStatus, Claims};
use fakes::PlainSealer;
use kernel::{BrowserHash, Clock, EntrantId, PageRequest, StoreError};
use privacy::{
    Asker, DataRequest, DataRequestId, DataRequests, EXPORT_LIFE, Journal, JournalEntry, JournalError,
    RequestKey, RequestKeys, RequestStatus, RequestType,
};
use raffle::{Entrant, Entrants};
use sms::{DailyBudget, MessageKind, OptOuts, SmsCountries};
use staff::{Action, AuditFilter, AuditLog, SecondPerson};
use std::sync::Mutex;
use usecases::codes::{CodeTools, Refusal, Rejected};
use usecases::privacy::requests::{
    Asking, By, ConfirmError, DownloadError, RequestError, RequestTools, SeenRequest, confirm, download,
    expire, list, request,
};

const HOME: BrowserHash = BrowserHash::new([1; 32]);

/// The person, in one browser.
const VISITOR: By = By::Visitor(Asking {
    browser: HOME,
    network: None,
});

/// What requests are made with, so many seconds after noon.
struct Kit {
    second: i64,
    entropy: SeededEntropy,
    key: CodeKey,
    keys: RequestKeys,
    sealer: PlainSealer,
    countries: SmsCountries,
    journal: Notes,
    codes: bool,
}

#[derive(Default)]
struct Notes(Mutex<Vec<EntrantId>>);

impl Journal for Notes {
    fn append(&self, entry: JournalEntry) -> Result<(), JournalError> {
        self.0.lock().unwrap().push(entry.entrant);
        Ok(())
    }
}

impl Clock for Kit {
    fn now(&self) -> DateTime<Utc> {
        noon() + TimeDelta::seconds(self.second)
    }
}

impl Kit {
    fn new(codes: bool) -> Self {
        Self {
            second: 0,
            entropy: SeededEntropy::new(1),
            key: CodeKey::new(&[7; 32]).unwrap(),
            keys: RequestKeys {
                current: RequestKey::new(b"contract").unwrap(),
                earlier: Vec::new(),
            },
            sealer: PlainSealer::default(),
            countries: SmsCountries::default(),
            journal: Notes::default(),
            codes,
        }
    }

    fn tools(&self) -> RequestTools<'_> {
        RequestTools {
            clock: self,
            keys: &self.keys,
            journal: &self.journal,
            codes: self.codes.then(|| CodeTools {
                entropy: &self.entropy,
                key: &self.key,
                sealer: &self.sealer,
                site_name: "Tombola",
                host: "example.org",
                countries: &self.countries,
                limits: true,
                daily_budget: DailyBudget::new(1_000),
            }),
            has_account: true,
        }
    }

    fn ask<S: Store>(
        &self,
        store: &S,
        entrant: EntrantId,
        kind: RequestType,
    ) -> Result<SeenRequest, RequestError> {
        request(store, &self.tools(), VISITOR, entrant, kind)
    }

    fn staff<S: Store>(
        &self,
        store: &S,
        entrant: EntrantId,
        kind: RequestType,
    ) -> Result<SeenRequest, RequestError> {
        request(
            store,
            &self.tools(),
            By::Staff(staff_actor(), SecondPerson::NotNeeded),
            entrant,
            kind,
        )
    }

    fn confirm<S: Store>(
        &self,
        store: &S,
        by: By,
        seen: &SeenRequest,
        code: &Code,
    ) -> Result<SeenRequest, ConfirmError> {
        let DataRequest { entrant, id, .. } = seen.request;
        confirm(store, &self.tools(), by, entrant, id, code)
    }

    fn list<S: Store>(&self, store: &S, asker: Asker, entrant: EntrantId) -> Vec<RequestStatus> {
        let holder = match asker {
            Asker::Visitor => Holder::Browser(HOME),
            Asker::Staff => Holder::Staff,
        };
        let listed = list(store, &self.tools(), holder, entrant).unwrap();
        listed.into_iter().map(|seen| seen.status).collect()
    }
}

/// The codes that were texted to an entrant, oldest first.
fn codes<S: Store>(store: &S, entrant: EntrantId) -> Vec<Code> {
    let mut texts = store.read(|tx| messages_to(tx, entrant)).unwrap();
    texts.sort_by_key(|text| text.id);
    let codes = texts
        .into_iter()
        .filter(|text| text.content.kind == MessageKind::Code);
    codes
        .map(|text| {
            let body = text.content.body.unwrap().open(&PlainSealer::default()).unwrap();
            Code::parse(body.rsplit('#').next().unwrap()).unwrap()
        })
        .collect()
}

fn another(code: &Code) -> Code {
    let number: u32 = code.as_str().parse().unwrap();
    Code::parse(&format!("{:06}", (number + 1) % 1_000_000)).unwrap()
}

fn is_there<S: Store>(store: &S, entrant: &Entrant) -> bool {
    store.read(|tx| tx.find_entrant(entrant.id)).unwrap().is_some()
}

fn audited<S: Store>(store: &S, action: Action) -> i64 {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    let page = PageRequest {
        limit: 100,
        offset: 0,
    };
    let entries = store.read(|tx| tx.list_audit(&filter, page)).unwrap();
    i64::try_from(entries.len()).unwrap()
}

pub fn a_copy_is_made_at_once_and_its_link_works_for_three_days<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let mut kit = Kit::new(false);
    let made = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    assert_eq!((made.status, made.code), (RequestStatus::Completed, None));
    let token = made.token.unwrap();
    let tables = download(store, &kit, &token).unwrap().tables;
    let users = tables.iter().find(|table| table.name == "users").unwrap();
    assert_eq!(users.rows.len(), 1);
    for part in [entrant.id.to_string(), entrant.phone.as_e164().to_owned()] {
        assert!(users.rows[0].contains(&part), "{}", users.rows[0]);
    }
    let ledger = tables.iter().find(|table| table.name == "entry_ledger").unwrap();
    assert_eq!(ledger.rows.len(), 1);
    let other = kit.keys.current.token(DataRequestId::new(4_711));
    assert!(matches!(
        download(store, &kit, &other),
        Err(DownloadError::Unknown)
    ));

    kit.second = EXPORT_LIFE.num_seconds();
    assert!(matches!(
        download(store, &kit, &token),
        Err(DownloadError::Expired)
    ));
    let listed = list(store, &kit.tools(), Holder::Browser(HOME), entrant.id).unwrap();
    assert_eq!(
        (listed[0].status, listed[0].token),
        (RequestStatus::Completed, None)
    );
}

pub fn a_copy_names_the_drawings_that_one_took_part_in<S: Store>(store: &S) {
    let popular = entered_with_friends(store, 1, 3);
    let drawing = drawn(store, &crate::drawing_flow::kit::Kit::new(1));
    let late = entered_with_friends(store, 10, 0);
    let kit = Kit::new(false);
    let drawings_of = |entrant: &Entrant| -> Vec<String> {
        let asked = kit.ask(store, entrant.id, RequestType::Export).unwrap();
        let tables = download(store, &kit, &asked.token.unwrap()).unwrap().tables;
        let drawings = tables.into_iter().find(|table| table.name == "drawings");
        drawings.unwrap().rows
    };
    let own = usecases::drawings::own_leaf(store, drawing.id, popular.id).unwrap();
    let leaf = own.participant.leaf;
    assert_eq!(leaf.weight, 4);
    let expected = format!(
        r#"{{"drawing_id": {}, "landing_page": "fresh-sips", "period": "{}", "leaf_index": {}, "leaf_hash": "{}", "first_entry": {}, "entries": 4}}"#,
        drawing.id,
        drawing.plan.period,
        leaf.index,
        leaf.hash(),
        leaf.first_entry,
    );
    assert_eq!(drawings_of(&popular), [expected]);
    assert_eq!(drawings_of(&late), [""; 0]);
}

/// The link is for whoever asked: the person finds it again, and staff see it once.
pub fn a_link_is_shown_to_whoever_asked_and_each_download_is_recorded<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(false);
    let own = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    let by_staff = kit.staff(store, entrant.id, RequestType::Export).unwrap();
    let links = |asker| -> Vec<_> {
        let listed = list(store, &kit.tools(), asker, entrant.id).unwrap();
        listed.into_iter().filter_map(|seen| seen.token).collect()
    };
    assert_eq!(links(Holder::Browser(HOME)), [own.token.unwrap()]);
    assert_eq!(links(Holder::Staff), []);
    for (made, has_details) in [(own, true), (by_staff, false)] {
        let token = made.token.unwrap();
        let before = audited(store, Action::DownloadCopy);
        let copy = download(store, &kit, &token).unwrap();
        assert_eq!(copy.has_claim_details, has_details);
        assert_eq!(audited(store, Action::DownloadCopy), before + 1);
    }
}

pub fn an_entrant_gets_five_copies_a_day<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let mut kit = Kit::new(false);
    for _ in 0..5 {
        kit.ask(store, entrant.id, RequestType::Export).unwrap();
    }
    let refused = kit.ask(store, entrant.id, RequestType::Export);
    assert!(matches!(refused, Err(RequestError::TooManyExports(wait)) if wait == TimeDelta::days(1)));
    kit.staff(store, entrant.id, RequestType::Export).unwrap();
    kit.second = 86_400;
    kit.ask(store, entrant.id, RequestType::Export).unwrap();
}

pub fn an_erasure_without_a_code_is_carried_out_at_once<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(false);
    let copy = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    let erased = kit.ask(store, entrant.id, RequestType::Erasure).unwrap();
    assert_eq!(erased.status, RequestStatus::Completed);
    assert!(!is_there(store, &entrant));
    assert_eq!(*kit.journal.0.lock().unwrap(), [entrant.id]);
    let gone = download(store, &kit, &copy.token.unwrap());
    assert!(matches!(gone, Err(DownloadError::Unknown)));
    let left = store.read(|tx| tx.list_data_requests(entrant.id)).unwrap();
    let kinds: Vec<_> = left.iter().map(|each| each.kind).collect();
    assert_eq!(kinds, [RequestType::Erasure], "earlier copies are erased too");
    for kind in [RequestType::Export, RequestType::Erasure] {
        let again = kit.ask(store, entrant.id, kind);
        assert!(matches!(again, Err(RequestError::UnknownEntrant)), "{again:?}");
    }
}

pub fn a_code_confirms_a_copy_once<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(true);
    let waiting = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    assert_eq!((waiting.status, waiting.token), (RequestStatus::Pending, None));
    assert_eq!(waiting.code.unwrap().resend_after, TimeDelta::seconds(60));
    let code = codes(store, entrant.id).remove(0);
    let wrong = kit.confirm(store, VISITOR, &waiting, &another(&code));
    assert!(matches!(
        wrong,
        Err(ConfirmError::Rejected(Rejected::Wrong { left: 4 }))
    ));
    let staff = kit.confirm(
        store,
        By::Staff(staff_actor(), SecondPerson::NotNeeded),
        &waiting,
        &code,
    );
    assert!(
        matches!(staff, Err(ConfirmError::Rejected(Rejected::Expired))),
        "it is the person's request"
    );
    let done = kit.confirm(store, VISITOR, &waiting, &code).unwrap();
    assert_eq!(done.status, RequestStatus::Completed);
    download(store, &kit, &done.token.unwrap()).unwrap();
    let again = kit.confirm(store, VISITOR, &waiting, &code).unwrap();
    assert_eq!(again, done, "the answer was lost");
    let other = kit.confirm(store, VISITOR, &waiting, &another(&code));
    assert!(matches!(other, Err(ConfirmError::Rejected(Rejected::Used))));
}

pub fn a_code_confirms_an_erasure<S: Store>(store: &S) {
    let (entrant, other) = (entered(store, 1), entered(store, 2));
    let kit = Kit::new(true);
    let waiting = kit.ask(store, entrant.id, RequestType::Erasure).unwrap();
    let code = codes(store, entrant.id).remove(0);
    let stranger = confirm(store, &kit.tools(), VISITOR, other.id, waiting.request.id, &code);
    assert!(matches!(stranger, Err(ConfirmError::Rejected(Rejected::Expired))));
    assert!(is_there(store, &entrant));
    let done = kit.confirm(store, VISITOR, &waiting, &code).unwrap();
    assert_eq!(done.status, RequestStatus::Completed);
    assert!(!is_there(store, &entrant));
}

pub fn codes_confirmed_at_once_erase_once<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(true);
    let waiting = kit.ask(store, entrant.id, RequestType::Erasure).unwrap();
    let code = codes(store, entrant.id).remove(0);
    let outcomes = at_once(8, |_| kit.confirm(store, VISITOR, &waiting, &code));
    for outcome in &outcomes {
        let status = outcome.as_ref().map(|done| done.status).ok();
        assert_eq!(status, Some(RequestStatus::Completed), "{outcome:?}");
    }
    assert_eq!(
        kit.list(store, Asker::Visitor, entrant.id),
        [RequestStatus::Completed]
    );
}

pub fn the_same_request_again_has_another_code_sent_after_a_minute<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let mut kit = Kit::new(true);
    let waiting = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    kit.second = 30;
    let same = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    assert_eq!(
        (same.request.id, same.code.unwrap().resend_after),
        (waiting.request.id, TimeDelta::seconds(30))
    );
    assert_eq!(codes(store, entrant.id).len(), 1);
    let other = kit.ask(store, entrant.id, RequestType::Erasure);
    assert!(
        matches!(other, Err(RequestError::Refused(Refusal::Limited(wait))) if wait == TimeDelta::seconds(30))
    );

    kit.second = 60;
    let again = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    assert_eq!(again.request.id, waiting.request.id);
    let sent = codes(store, entrant.id);
    assert_eq!(sent.len(), 2);
    let old = kit.confirm(store, VISITOR, &waiting, &sent[0]);
    assert!(matches!(old, Err(ConfirmError::Rejected(Rejected::Wrong { .. }))));
    kit.confirm(store, VISITOR, &waiting, &sent[1]).unwrap();
}

pub fn a_request_expires_with_its_code<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let mut kit = Kit::new(true);
    let waiting = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    let code = codes(store, entrant.id).remove(0);
    assert_eq!(expire(store, &kit).unwrap(), 0);
    kit.second = 600;
    assert_eq!(
        kit.list(store, Asker::Visitor, entrant.id),
        [RequestStatus::Expired]
    );
    let late = kit.confirm(store, VISITOR, &waiting, &code);
    assert!(matches!(late, Err(ConfirmError::Rejected(Rejected::Expired))));
    assert_eq!(expire(store, &kit).unwrap(), 1);
    assert_eq!(expire(store, &kit).unwrap(), 0);
    let stored = store
        .read(|tx| tx.find_data_request(waiting.request.id))
        .unwrap()
        .unwrap();
    assert_eq!(stored.status, RequestStatus::Expired);
    let fresh = kit.ask(store, entrant.id, RequestType::Export).unwrap();
    assert_ne!(fresh.request.id, waiting.request.id);
}

pub fn a_number_that_said_stop_gets_no_code<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(true);
    store
        .transaction::<_, StoreError>(|tx| tx.opt_out(&phone(1), noon()))
        .unwrap();
    let refused = kit.ask(store, entrant.id, RequestType::Erasure);
    assert!(matches!(refused, Err(RequestError::CannotText)));
    assert_eq!(codes(store, entrant.id), []);
    let done = kit.staff(store, entrant.id, RequestType::Erasure).unwrap();
    assert_eq!(done.status, RequestStatus::Completed, "nobody could confirm it");
    assert_eq!(audited(store, Action::ErasePerson), 1);
}

pub fn staff_copy_without_a_code_and_erase_with_one<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(true);
    let staff = By::Staff(staff_actor(), SecondPerson::NotNeeded);
    let copy = kit.staff(store, entrant.id, RequestType::Export).unwrap();
    assert_eq!(copy.status, RequestStatus::Completed);
    assert_eq!(audited(store, Action::ExportPerson), 1);
    let waiting = kit.staff(store, entrant.id, RequestType::Erasure).unwrap();
    assert_eq!(waiting.status, RequestStatus::Pending);
    assert_eq!(audited(store, Action::ErasePerson), 0, "not carried out yet");
    let both = [RequestStatus::Pending, RequestStatus::Completed];
    assert_eq!(kit.list(store, Asker::Staff, entrant.id), both);
    assert_eq!(kit.list(store, Asker::Visitor, entrant.id), both[1..]);
    let code = codes(store, entrant.id).remove(0);
    let visitor = kit.confirm(store, VISITOR, &waiting, &code);
    assert!(matches!(visitor, Err(ConfirmError::Rejected(Rejected::Expired))));
    kit.confirm(store, staff, &waiting, &code).unwrap();
    assert!(!is_there(store, &entrant));
    assert_eq!(audited(store, Action::ErasePerson), 1);
}

/// Nobody had been drawn when the code was sent, so one person could ask.
pub fn a_code_does_not_let_one_person_erase_somebody_who_was_drawn_since<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let kit = Kit::new(true);
    let alone = By::Staff(staff_actor(), SecondPerson::Missing);
    let waiting = request(store, &kit.tools(), alone, entrant.id, RequestType::Erasure).unwrap();
    let code = codes(store, entrant.id).remove(0);
    let drawing = drawn(store, &crate::drawing_flow::kit::Kit::new(1));
    let decline = |tx: &mut S::Tx| {
        let id = tx.claims_of(&[drawing.id])?.remove(0).id;
        let mut claim = tx.lock_claim(id)?.unwrap();
        claim.status = ClaimStatus::Declined;
        claim.ended_at = Some(noon());
        tx.save_claim(&claim)
    };
    store.transaction(decline).unwrap();
    let refused = kit.confirm(store, alone, &waiting, &code);
    assert!(
        matches!(refused, Err(ConfirmError::Failed(RequestError::NeedsApproval(_)))),
        "{refused:?}"
    );
    assert!(is_there(store, &entrant));
    assert!(
        kit.journal.0.lock().unwrap().is_empty(),
        "a replay erases nobody either"
    );
    let by_two = By::Staff(staff_actor(), SecondPerson::Agreed);
    kit.confirm(store, by_two, &waiting, &code).unwrap();
    assert!(!is_there(store, &entrant));
}

pub fn an_open_purchase_stands_against_an_erasure_and_its_confirmation<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let mut kit = Kit::new(true);
    let waiting = kit.ask(store, entrant.id, RequestType::Erasure).unwrap();
    let package = on_sale(store);
    begun(store, 1, entrant.id, package);
    kit.second = 60;
    let refused = kit.ask(store, entrant.id, RequestType::Erasure);
    assert!(matches!(refused, Err(RequestError::OpenPurchase)));
    let code = codes(store, entrant.id).remove(0);
    let failed = kit.confirm(store, VISITOR, &waiting, &code);
    assert!(matches!(
        failed,
        Err(ConfirmError::Failed(RequestError::OpenPurchase))
    ));
    assert_eq!(
        kit.list(store, Asker::Visitor, entrant.id),
        [RequestStatus::Failed]
    );
    assert!(is_there(store, &entrant));
}

pub fn a_number_of_nobody_has_no_requests<S: Store>(store: &S) {
    let kit = Kit::new(false);
    let nobody = EntrantId::new(4_711);
    let asked = kit.ask(store, nobody, RequestType::Export);
    assert!(matches!(asked, Err(RequestError::UnknownEntrant)));
    assert_eq!(kit.list(store, Asker::Staff, nobody), []);
}
