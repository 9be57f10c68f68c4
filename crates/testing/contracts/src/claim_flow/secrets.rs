//! What a claim leaves in the store: nothing that is secret can be read there.

use super::{HOME, Site, owner};
use crate::Store;
use crate::support::messages_to;
use ::claims::{Claim, ClaimDetails, State, ZipCode};
use ::codes::Code;
use kernel::{BrowserHash, StoredText};
use raffle::Entrants;
use sms::{Message, MessageKind};
use usecases::claims::review::{self, Step};
use usecases::claims::winner::{self, VerifyError, Visitor};
use usecases::codes::Rejected;

const FIRST_NAME: &str = "Quillfeather";
const LAST_NAME: &str = "Zyzzogeton";
const STREET: &str = "12 Hollowmere Street";
const UNIT: &str = "Unit 7B-Zed";
const CITY: &str = "Brackenwold";
const ZIP: &str = "62701-4321";
const PHONE_COLUMN: &str = "users.phone_number";
const PUBLIC_COLUMN: &str = "winner_verification.public_name";

/// Everything that a store holds but its times, as texts. Bytes stand there in hexadecimal digits, and as text where they
/// are text.
pub struct Cell {
    /// Its table and column.
    pub column: String,
    /// What it holds.
    pub text: String,
}

/// The columns that contain a text, in any case, in clear or in hexadecimal digits.
fn columns_with<'a>(cells: &'a [Cell], secret: &str) -> Vec<&'a str> {
    let secret = secret.to_lowercase();
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let has_it = |cell: &&Cell| {
        let text = cell.text.to_lowercase();
        text.contains(&secret) || text.contains(&hex)
    };
    let found = cells.iter().filter(has_it);
    found.map(|cell| cell.column.as_str()).collect()
}

/// The columns that contain a code: these digits, and no letter or digit beside them. Longer numbers contain it by chance.
fn columns_with_code<'a>(cells: &'a [Cell], code: &Code) -> Vec<&'a str> {
    let has_it = |cell: &&Cell| {
        let mut words = cell.text.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.any(|word| word == code.as_str())
    };
    let found = cells.iter().filter(has_it);
    found.map(|cell| cell.column.as_str()).collect()
}

fn details() -> ClaimDetails {
    let line = |text: &str| StoredText::line(text, 100).unwrap();
    ClaimDetails {
        name: line(&format!("{FIRST_NAME} {LAST_NAME}")),
        address_line1: line(STREET),
        address_line2: Some(line(UNIT)),
        city: line(CITY),
        state: State::parse("IL").unwrap(),
        postal_code: ZipCode::parse(ZIP).unwrap(),
        publicity: true,
    }
}

impl<S: Store> Site<'_, S> {
    pub(super) fn texts_to(&self, claim: &Claim, kind: MessageKind) -> Vec<Message> {
        let messages = self.store.read(|tx| messages_to(tx, claim.entrant));
        let mut messages = messages.unwrap();
        messages.retain(|message| message.content.kind == kind);
        messages
    }

    pub(super) fn body_of_newest(&self, claim: &Claim, kind: MessageKind) -> String {
        let message = self.texts_to(claim, kind).pop().unwrap();
        message.content.body.unwrap().open(&self.kit.sealer).unwrap()
    }

    pub(super) fn send_code(&self, visitor: &Visitor, browser: BrowserHash) -> Code {
        winner::send_code(self.store, self.tools(), visitor, browser, true).unwrap();
        let body = self.body_of_newest(&self.newest(), MessageKind::Code);
        Code::parse(body.rsplit('#').next().unwrap()).unwrap()
    }
}

fn assert_hidden(cells: &[Cell], secrets: &[&str], codes: &[&Code]) {
    for secret in secrets {
        let found = columns_with(cells, secret);
        assert!(found.is_empty(), "{secret} can be read in {found:?}");
    }
    for code in codes {
        let found = columns_with_code(cells, code);
        assert!(found.is_empty(), "the code {code:?} can be read in {found:?}");
    }
}

/// The caller says how to read everything that the store holds.
pub fn no_secret_of_a_claim_is_stored_in_clear<S: Store>(store: &S, everything: impl Fn() -> Vec<Cell>) {
    let site = Site::new(store, 3);
    let claim = site.newest();
    let visitor = site.visitor(0);
    let code = site.send_code(&visitor, HOME);
    let wrong = Code::parse(if code.as_str() == "000000" {
        "000001"
    } else {
        "000000"
    })
    .unwrap();
    let browser = HOME;
    let refused = winner::verify(store, site.tools(), &visitor, &wrong, browser);
    assert!(
        matches!(refused, Err(VerifyError::Rejected(Rejected::Wrong { left: 4 }))),
        "{refused:?}"
    );
    let token = visitor.token.to_text();
    let link = site.body_of_newest(&claim, MessageKind::Victory);
    assert!(link.contains(&token), "{link}");
    assert_hidden(&everything(), &[&token, "/claim/"], &[&code]);

    winner::verify(store, site.tools(), &visitor, &code, browser).unwrap();
    winner::submit(store, site.tools(), &visitor, &details()).unwrap();
    let secrets = [FIRST_NAME, LAST_NAME, STREET, UNIT, CITY, ZIP, &token, "/claim/"];
    let cells = everything();
    assert_hidden(&cells, &secrets, &[&code]);
    let phone = store
        .read(|tx| tx.find_entrant(claim.entrant))
        .unwrap()
        .unwrap()
        .phone;
    assert!(
        columns_with(&cells, phone.as_e164()).contains(&PHONE_COLUMN),
        "the search finds what is there"
    );

    let looked = review::open(store, site.tools(), owner(), claim.id).unwrap();
    assert_eq!(looked.details, Some(details()));
    assert!(site.take(claim.id, &Step::Approve) && site.take(claim.id, &Step::Deliver));
    let cells = everything();
    assert_hidden(&cells, &secrets[1..], &[&code]);
    assert_eq!(
        columns_with(&cells, FIRST_NAME),
        [PUBLIC_COLUMN],
        "the winner agreed to that"
    );
}
