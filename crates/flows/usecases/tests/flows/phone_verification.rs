//! Proving a phone number, on the fakes: what nobody can do to others, however many sign-ups they begin.

use chrono::{DateTime, TimeDelta, Utc};
use codes::{BrowserHash, BrowserSecret, Code, CodeKey};
use fakes::{FixedClock, MemStore, MemTx, PlainSealer, SeededEntropy};
use kernel::{Consent, ConsentAct, EntrantId, Origin, Phone, ReferralCode, StoreError, UnitOfWork};
use raffle::fixtures::FRESH_SIPS;
use raffle::{Entrants, SignUp};
use sms::{
    Consents, DailyBudget, DailyCounts, Message, MessageId, MessageKind, MessageStatus, Outbox, SmsCountries,
};
use std::net::IpAddr;
use usecases::campaigns::SmsRules;
use usecases::codes::{CodeTools, Refusal, Rejected};
use usecases::drawings::DrawingTimes;
use usecases::entering::{Entered, OwnEntrant, enter};
use usecases::phone_verification::{
    BeginError, BeginRequest, Begun, CompleteError, CompleteRequest, Completed, Waiting, begin, complete,
    forget,
};
use usecases::send_messages::steps::{ReadyMessage, acquire_lease, claim_next_messages, record_outcomes};

/// A site, its clock, and the people who come to it.
struct Site {
    store: MemStore,
    entropy: SeededEntropy,
    key: CodeKey,
    sealer: PlainSealer,
    budget: DailyBudget,
    countries: SmsCountries,
}

fn at(second: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
}

fn phone(digits: &str) -> Phone {
    Phone::from_e164(&format!("+1{digits}")).unwrap()
}

fn network(n: u32) -> IpAddr {
    IpAddr::from((10_u32 << 24 | n).to_be_bytes())
}

fn command(phone: &Phone) -> SignUp {
    SignUp {
        phone: phone.clone(),
        raffle: Some(FRESH_SIPS),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    }
}

impl Site {
    fn with_budget(texts: u32) -> Self {
        Self {
            store: MemStore::default(),
            entropy: SeededEntropy::default(),
            key: CodeKey::new(&[7; 32]).unwrap(),
            sealer: PlainSealer::default(),
            budget: DailyBudget::new(texts),
            countries: SmsCountries::default(),
        }
    }

    fn tools(&self) -> CodeTools<'_> {
        CodeTools {
            entropy: &self.entropy,
            key: &self.key,
            sealer: &self.sealer,
            site_name: "Tombola",
            host: "example.org",
            countries: &self.countries,
            limits: true,
            daily_budget: self.budget,
        }
    }

    /// Somebody asks for a code in a browser of their own.
    fn begin(&self, phone: &Phone, from: u32, second: i64) -> Result<(Waiting, BrowserHash), BeginError> {
        let browser = BrowserSecret::random(&self.entropy).hash();
        let request = BeginRequest {
            sign_up: command(phone),
            browser,
            own: None,
            network: Some(network(from)),
            has_account: true,
        };
        match begin(&self.store, &FixedClock::at(at(second)), &self.tools(), &request)? {
            Begun::Waiting(waiting) => Ok((waiting, browser)),
            Begun::AlreadyIn(_) => panic!("the browser has no token"),
        }
    }

    fn complete(
        &self,
        (waiting, browser): &(Waiting, BrowserHash),
        code: &str,
        second: i64,
    ) -> Result<Entered, CompleteError> {
        match self.complete_in_turn(&(*waiting, *browser), code, second, None)? {
            Completed::Entered(entered) => Ok(entered),
            Completed::NeedsTurn(link) => panic!("nobody came through {link:?}"),
        }
    }

    fn complete_in_turn(
        &self,
        (waiting, browser): &(Waiting, BrowserHash),
        code: &str,
        second: i64,
        turn: Option<&ReferralCode>,
    ) -> Result<Completed, CompleteError> {
        let request = CompleteRequest {
            id: waiting.id,
            browser: *browser,
            code: Code::parse(code).unwrap(),
            turn: turn.cloned(),
            times: DrawingTimes::DEFAULT,
        };
        complete(&self.store, &FixedClock::at(at(second)), &self.tools(), &request)
    }

    /// The texts with codes, oldest first.
    fn codes(&self) -> impl Iterator<Item = Message> {
        let message = |id| self.store.read(|tx| tx.find_message(MessageId::new(id))).unwrap();
        (1..)
            .map_while(message)
            .filter(|message| message.content.kind == MessageKind::Code)
    }

    fn code_texts(&self) -> usize {
        self.codes().count()
    }

    /// The code in the newest text that was queued.
    fn newest_code(&self) -> String {
        let body = self.codes().last().unwrap().content.body.unwrap();
        code_in(&body.open(&self.sealer).unwrap())
    }

    fn rules(&self) -> SmsRules {
        SmsRules {
            public_origin: "https://example.org".to_owned(),
            site_name: "Tombola".to_owned(),
            time_zone: chrono_tz::America::New_York,
            hours: None,
            monthly_cap: 1,
            daily_budget: self.budget,
            countries: SmsCountries::default(),
        }
    }

    /// What the sender claims within half a second at ten texts a second.
    fn claim(&self, second: i64) -> Vec<ReadyMessage> {
        let clock = FixedClock::at(at(second));
        let fence = acquire_lease(&self.store, &clock, "sender").unwrap().unwrap();
        claim_next_messages(&self.store, &clock, &self.rules(), &self.sealer, fence, 5).unwrap()
    }

    fn texts_today(&self) -> u32 {
        self.store.read(|tx| tx.texts_on(at(0).date_naive())).unwrap()
    }
}

/// The code in a text.
fn code_in(text: &str) -> String {
    let last = text.lines().last().unwrap();
    last.strip_prefix("@example.org #").unwrap().to_owned()
}

#[test]
fn a_flood_from_a_thousand_addresses_stays_under_every_limit() {
    let site = Site::with_budget(1_000);
    let clock = FixedClock::at(at(0));
    let known = phone("2125550000");
    enter(&site.store, &clock, &site.entropy, &command(&known), None).unwrap();
    // Ten thousand numbers, over a thousand addresses of four blocks, in 1,000 seconds.
    let mut sent = 0;
    for n in 0..10_000_u32 {
        let number = phone(&format!("2{:05}{:04}", n % 10_000, n));
        let begun = site.begin(&number, n % 1_000, i64::from(n / 10));
        match begun {
            Ok(_) => sent += 1,
            Err(BeginError::Refused(Refusal::Limited(_) | Refusal::BudgetUsed(_))) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(sent, 800, "four fifths of the day's budget");
    assert_eq!(site.texts_today(), 800);
    // Nobody learns from the answer who is in.
    let until_midnight = TimeDelta::days(1) - TimeDelta::seconds(1_002);
    for number in [&known, &phone("3125550001")] {
        let refused = site.begin(number, 500_000, 1_002);
        let wait = match refused {
            Err(BeginError::Refused(Refusal::BudgetUsed(wait))) => wait,
            other => panic!("{other:?}"),
        };
        assert_eq!(wait, until_midnight);
    }
    assert!(
        site.claim(1_000 + 700).is_empty(),
        "all codes of the flood are too late by now"
    );
    let tomorrow = 24 * 60 * 60;
    assert!(site.begin(&phone("3125550001"), 500_000, tomorrow).is_ok());
}

/// Somebody asks for codes for a stranger's number from so many networks, every minute for a day.
fn shut_out(networks: u32) -> (Site, Phone) {
    let site = Site::with_budget(10_000);
    let victim = phone("2125550000");
    for minute in 0..24 * 60 {
        for network in 1..=networks {
            let asked = site.begin(&victim, network * 256, minute * 60);
            assert!(matches!(
                asked,
                Ok(_) | Err(BeginError::Refused(Refusal::Limited(_)))
            ));
        }
    }
    (site, victim)
}

#[test]
fn two_networks_cannot_shut_a_number_out_and_three_can_for_a_day() {
    for (networks, is_let_in) in [(1, true), (2, true), (3, false), (10, false)] {
        let (site, victim) = shut_out(networks);
        let noon = 12 * 60 * 60;
        let codes = site.code_texts();
        assert_eq!(codes, usize::try_from(3 * networks).unwrap().min(9));
        // Half a day into it.
        let (earlier, own) = (site.begin(&victim, 9_999 * 256, noon), is_let_in);
        assert_eq!(earlier.is_ok(), own, "{networks} networks");
        if let Ok(waiting) = earlier {
            assert!(site.complete(&waiting, &site.newest_code(), noon + 5).is_ok());
        }
    }
}

#[test]
fn a_network_that_completes_its_sign_ups_goes_on() {
    let site = Site::with_budget(10_000);
    for n in 0..100_u32 {
        let second = i64::from(n) * 10;
        let waiting = site.begin(&phone(&format!("416555{n:04}")), 1, second).unwrap();
        site.complete(&waiting, &site.newest_code(), second + 5).unwrap();
    }
    assert_eq!(site.store.count_entrants(), 100);
    let unfinished = (0..1_000_u32).filter(|n| {
        let number = phone(&format!("312555{n:04}"));
        site.begin(&number, 1, 2_000 + i64::from(*n)).is_ok()
    });
    assert_eq!(unfinished.count(), 60);
}

#[test]
fn guessing_does_not_find_a_code() {
    let site = Site::with_budget(10_000);
    let victim = phone("2125550000");
    let mut guesses = 0;
    for second in 0..24 * 60 {
        let Ok(waiting) = site.begin(&victim, u32::try_from(second % 5).unwrap(), second * 60) else {
            continue;
        };
        let right = site.newest_code();
        for guess in (0..).map(|n| format!("{n:06}")).filter(|guess| *guess != right) {
            match site.complete(&waiting, &guess, second * 60 + 1) {
                Err(CompleteError::Rejected(Rejected::Wrong { .. })) => guesses += 1,
                Err(CompleteError::Rejected(Rejected::Expired)) => break,
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(
        guesses, 45,
        "nine codes a day with five tries each, of a million codes"
    );
    assert_eq!(site.store.count_entrants(), 0);
}

#[test]
fn sign_ups_without_their_code_are_forgotten() {
    let site = Site::with_budget(10_000);
    let waiting = site.begin(&phone("2125550000"), 1, 0).unwrap();
    let forget_at = |second| forget(&site.store, &FixedClock::at(at(second))).unwrap();
    assert_eq!(forget_at(599), 0);
    assert_eq!(forget_at(600), 1);
    let late = site.complete(&waiting, &site.newest_code(), 600);
    assert!(matches!(late, Err(CompleteError::Rejected(Rejected::Expired))));
    assert_eq!(
        forget_at(24 * 60 * 60 + 1),
        2,
        "and what limits counted, after a day"
    );
}

#[test]
fn a_code_is_erased_once_it_was_sent() {
    let site = Site::with_budget(10_000);
    site.begin(&phone("2125550000"), 1, 0).unwrap();
    let claimed = site.claim(1);
    let id = claimed[0].id;
    let find = || site.store.read(|tx| tx.find_message(id)).unwrap().unwrap();
    assert!(find().content.body.is_some(), "it may have to be sent again");
    let sent = sms::Outcome {
        message: id,
        attempt: 1,
        report: sms::DeliveryReport::AtProvider(sms::ProviderMessage {
            id: sms::ProviderMessageId::parse(&format!("SM{}", "0".repeat(32))).unwrap(),
            status: sms::ProviderStatus::Accepted,
            failure: None,
        }),
    };
    let clock = FixedClock::at(at(2));
    record_outcomes(&site.store, &clock, &[sent]).unwrap();
    assert_eq!((find().status, find().content.body), (MessageStatus::Sent, None));
}

#[test]
fn a_sign_up_through_a_link_is_completed_in_a_turn_of_that_link() {
    let site = Site::with_budget(1_000);
    let entered = |digits| {
        let entered = enter(
            &site.store,
            &FixedClock::at(at(0)),
            &site.entropy,
            &command(&phone(digits)),
            None,
        );
        entered.unwrap().entrant
    };
    let (friend, stranger) = (entered("2125550001"), entered("2125550002"));
    let request = BeginRequest {
        sign_up: SignUp {
            referral_code: Some(friend.referral_code.clone()),
            ..command(&phone("2125550003"))
        },
        browser: BrowserSecret::random(&site.entropy).hash(),
        own: None,
        network: Some(network(1)),
        has_account: true,
    };
    let begun = begin(&site.store, &FixedClock::at(at(0)), &site.tools(), &request);
    let Begun::Waiting(waiting) = begun.unwrap() else {
        panic!("the browser has no token")
    };
    let code = site.newest_code();
    let complete = |turn| site.complete_in_turn(&(waiting, request.browser), &code, 1, turn);
    let bonus = || {
        site.store
            .read(|tx| tx.find_entrant(friend.id))
            .unwrap()
            .unwrap()
            .entries
            .bonus
    };

    for other_turn in [None, Some(&stranger.referral_code)] {
        let needs_turn = Completed::NeedsTurn(friend.referral_code.clone());
        assert_eq!(complete(other_turn).unwrap(), needs_turn);
        assert_eq!(bonus(), 0);
    }
    let completed = complete(Some(&friend.referral_code));
    assert!(matches!(completed, Ok(Completed::Entered(entered)) if entered.is_new));
    assert_eq!(bonus(), 1);
}

#[test]
fn a_ticked_box_counts_again_once_a_code_or_the_token_proves_the_number() {
    let site = Site::with_budget(1_000);
    let phone = phone("2125551234");
    let ticked = SignUp {
        consent: Some(Consent {
            granted: true,
            act: ConsentAct::Form,
        }),
        ..command(&phone)
    };
    let begin_as = |own: Option<EntrantId>, second| {
        let times = DrawingTimes::DEFAULT;
        let request = BeginRequest {
            sign_up: ticked.clone(),
            browser: BrowserSecret::random(&site.entropy).hash(),
            own: own.map(|id| OwnEntrant { id, times }),
            network: Some(network(1)),
            has_account: true,
        };
        let begun = begin(&site.store, &FixedClock::at(at(second)), &site.tools(), &request).unwrap();
        (begun, request.browser)
    };
    let consents = |id| site.store.read(|tx| tx.has_campaign_consent(id)).unwrap();
    let begun = site.begin(&phone, 1, 0).unwrap();
    let id = site.complete(&begun, &site.newest_code(), 1).unwrap().entrant.id;
    assert!(!consents(id));

    let (Begun::Waiting(waiting), browser) = begin_as(None, 100) else {
        panic!("the browser has no token");
    };
    assert!(!consents(id), "anybody may type the number");
    site.complete(&(waiting, browser), &site.newest_code(), 101)
        .unwrap();
    assert!(consents(id));

    let stop = |tx: &mut MemTx| tx.revoke_consents(&phone, at(200));
    site.store.transaction::<_, StoreError>(stop).unwrap();
    assert!(!consents(id));
    begin_as(Some(id), 300);
    assert!(consents(id));
}
