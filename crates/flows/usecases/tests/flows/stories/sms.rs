//! A campaign reaches the entrants who consented, skips the others for a reason, and STOP ends all messages. Start here to
//! learn what `crates/domain/sms` is for.
//!
//! The flows are `usecases::{campaigns, send_messages, provider_callbacks}`; the store and the SMS provider are in
//! memory. `crates/testing/contracts` holds PostgreSQL to the same rules, and `crates/adapters/sms-twilio` talks to Twilio.

use crate::support::STAFF;
use chrono_tz::Tz;
use fakes::{FakeSms, FixedClock, MemStore, SeededEntropy, poll_once};
use fraud::{NewFlag, PublicReason};
use kernel::{Clock, Consent, ConsentAct, Origin, Phone};
use raffle::fixtures::GARDEN_BAG;
use raffle::{Entrant, SignUp};
use sms::{
    Audience, Campaign, CampaignId, Credentials, DEFAULT_PLACEHOLDER, Fence, Label, LinkBase, MessageId,
    MessageStatus, MessageTemplate, NewTemplate, OutgoingMessage, ProviderMessage, ProviderMessageId,
    ProviderStatus, SkipReason, SmsSender, Start, TemplateId,
};
use usecases::campaigns::{ScheduleCommand, SmsRules};
use usecases::provider_callbacks::InboundMessage;
use usecases::send_messages::steps::{self, ReadyMessage};

/// A site with a template for campaigns, and the lease of the one server that sends.
struct Site {
    store: MemStore,
    clock: FixedClock,
    entropy: SeededEntropy,
    provider: FakeSms,
    template: TemplateId,
    fence: Fence,
}

fn credentials() -> Credentials {
    let hex = "0123456789abcdef0123456789abcdef";
    Credentials::parse(&format!("AC{hex}"), hex, "+15550000000").unwrap()
}

/// At most one campaign message for each number in a month, at any hour.
fn rules() -> SmsRules {
    SmsRules {
        public_origin: "https://example.org".to_owned(),
        site_name: "Tombola".to_owned(),
        time_zone: Tz::UTC,
        hours: None,
        monthly_cap: 1,
        daily_budget: sms::DailyBudget::new(10_000),
        countries: sms::SmsCountries::default(),
    }
}

/// A message that the provider accepted.
struct Sent {
    id: MessageId,
    outgoing: OutgoingMessage,
    at_provider: ProviderMessage,
}

impl Site {
    fn open() -> Self {
        let (store, clock) = (MemStore::default(), FixedClock::default());
        let template = NewTemplate {
            name: Label::parse("August").unwrap(),
            raffle: GARDEN_BAG,
            message: MessageTemplate::parse("The draw is near: {LINK}", DEFAULT_PLACEHOLDER).unwrap(),
            is_active: true,
        };
        let template = usecases::sms_templates::create(&store, &clock, STAFF, None, &template).unwrap();
        let lease = steps::acquire_lease(&store, &clock, "one");
        Self {
            fence: lease.unwrap().unwrap(),
            store,
            clock,
            entropy: SeededEntropy::default(),
            provider: FakeSms::default(),
            template: template.id,
        }
    }

    /// Somebody enters, and answers whether campaign messages may be sent. A welcome message is queued.
    fn enter(&self, phone: &str, consents: bool) -> Entrant {
        let command = SignUp {
            phone: Phone::parse(phone).unwrap(),
            raffle: Some(GARDEN_BAG),
            referral_code: None,
            event_id: None,
            consent: Some(Consent {
                granted: consents,
                act: ConsentAct::Form,
            }),
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        let entered = usecases::entering::enter(&self.store, &self.clock, &self.entropy, &command, None);
        entered.unwrap().entrant
    }

    /// Schedules a campaign for all entrants, and starts it: its recipients are listed.
    fn start_campaign(&self) -> CampaignId {
        let command = ScheduleCommand {
            actor: STAFF,
            staff: None,
            name: Label::parse("August").unwrap(),
            template: self.template,
            start: Start::Now,
            audience: Audience::All,
            consent_basis: None,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            idempotency_key: None,
        };
        let campaign = usecases::campaigns::schedule(&self.store, &self.clock, &self.entropy, &command);
        let id = campaign.unwrap().id;
        steps::start_and_finish_campaigns(&self.store, &self.clock, self.fence).unwrap();
        id
    }

    /// Sends the next messages, and records that the provider has them: first those that wait on their own, such as
    /// welcome messages, then the campaign's.
    fn send_next(&self) -> Vec<Sent> {
        let ready = steps::claim_next_messages(
            &self.store,
            &self.clock,
            &rules(),
            &fakes::PlainSealer::default(),
            self.fence,
            100,
        );
        let send = |message: ReadyMessage| {
            let accepted = poll_once(self.provider.send_message(&credentials(), &message.outgoing)).unwrap();
            self.receive_report(message.id, &accepted);
            Sent {
                id: message.id,
                outgoing: message.outgoing,
                at_provider: accepted,
            }
        };
        ready.unwrap().into_iter().map(send).collect()
    }

    /// The provider reports the status of a message.
    fn receive_report(&self, id: MessageId, report: &ProviderMessage) {
        usecases::provider_callbacks::record_report(&self.store, &self.clock, id, report).unwrap();
    }

    /// Somebody replies.
    fn receive(&self, provider_id: &str, from: &Phone, body: &str) -> Option<String> {
        let message = InboundMessage {
            provider_id: ProviderMessageId::parse(provider_id).unwrap(),
            from: from.clone(),
            body: body.to_owned(),
            of_provider: None,
        };
        usecases::provider_callbacks::record_inbound_message(&self.store, &self.clock, "Tombola", &message)
            .unwrap()
    }

    fn status(&self, id: MessageId) -> MessageStatus {
        let message = usecases::provider_callbacks::find_message(&self.store, id).unwrap();
        message.unwrap().status
    }

    /// A campaign, and how many of its messages were skipped for each reason.
    fn report(&self, id: CampaignId) -> (Campaign, Vec<(SkipReason, i64)>) {
        let (campaign, mut report) = usecases::campaigns::find(&self.store, id, false).unwrap();
        report.skipped.sort_by_key(|(reason, _)| format!("{reason:?}"));
        (campaign, report.skipped)
    }
}

fn phones(sent: &[Sent]) -> Vec<&Phone> {
    sent.iter().map(|message| &message.outgoing.to).collect()
}

#[test]
fn a_new_entrant_is_welcomed_with_or_without_consent_to_campaigns() {
    let site = Site::open();
    let ann = site.enter("555-000-0001", false);
    let sent = site.send_next();
    assert_eq!(phones(&sent), [&ann.phone]);
    let link = format!("https://example.org/garden-bag/ref/{}", ann.referral_code);
    assert!(sent.iter().all(|welcome| welcome.outgoing.body.contains(&link)));
    assert!(site.send_next().is_empty(), "once");
}

#[test]
fn a_campaign_reaches_those_who_consented_and_says_why_it_skips_others() {
    let site = Site::open();
    let ann = site.enter("555-000-0001", true);
    let bob = site.enter("555-000-0002", true);
    let cleo = site.enter("555-000-0003", true);
    site.enter("555-000-0004", false);
    assert_eq!(site.send_next().len(), 4, "the welcome messages");

    // After the campaign starts, Bob opts out and staff flag Cleo.
    let campaign = site.start_campaign();
    let answer = site.receive("SM1", &bob.phone, "Please stop these texts");
    assert_eq!(
        answer.as_deref(),
        Some("Tombola: you get no more texts. Reply START to undo.")
    );
    let flag = NewFlag {
        entrant: cleo.id,
        reason: "Several accounts".to_owned(),
        public_reason: PublicReason::SeveralAccounts,
    };
    usecases::flags::flag(&site.store, &site.clock, STAFF, &flag).unwrap();

    let sent = site.send_next();
    assert_eq!(phones(&sent), [&ann.phone]);
    let (campaign, skipped) = site.report(campaign);
    assert_eq!(campaign.figures.recipients, 3, "those who consented");
    assert_eq!((campaign.figures.sent, campaign.figures.skipped), (1, 2));
    assert_eq!(skipped, [(SkipReason::Flagged, 1), (SkipReason::OptedOut, 1)]);
}

#[test]
fn a_number_gets_no_more_campaign_messages_in_a_month_than_the_cap() {
    let site = Site::open();
    let ann = site.enter("555-000-0001", true);
    site.send_next();
    site.start_campaign();
    assert_eq!(phones(&site.send_next()), [&ann.phone]);

    let second = site.start_campaign();
    assert!(site.send_next().is_empty());
    assert_eq!(site.report(second).1, [(SkipReason::MonthlyCap, 1)]);
}

#[test]
fn stop_ends_all_messages_until_start() {
    let site = Site::open();
    let ann = Phone::parse("555-000-0001").unwrap();
    assert_eq!(site.receive("SM1", &ann, "STOP"), None, "the provider answers");
    site.enter("555-000-0001", true);
    assert!(site.send_next().is_empty(), "not even a welcome message");

    assert_eq!(site.receive("SM2", &ann, "Start"), None);
    // The provider repeats its first call, which changes nothing.
    site.receive("SM1", &ann, "STOP");
    site.start_campaign();
    assert_eq!(phones(&site.send_next()), [&ann]);
}

#[test]
fn reports_may_come_in_any_order() {
    let site = Site::open();
    site.enter("555-000-0001", true);
    site.send_next();
    let campaign = site.start_campaign();
    let sent = site.send_next();
    let [message] = sent.as_slice() else {
        panic!("one message is sent: {}", sent.len())
    };
    assert_eq!(site.status(message.id), MessageStatus::Sent);

    let delivered = ProviderMessage {
        status: ProviderStatus::Delivered,
        ..message.at_provider.clone()
    };
    site.receive_report(message.id, &delivered);
    site.receive_report(message.id, &message.at_provider);
    assert_eq!(
        site.status(message.id),
        MessageStatus::Delivered,
        "it never goes back"
    );

    steps::start_and_finish_campaigns(&site.store, &site.clock, site.fence).unwrap();
    let (campaign, _) = site.report(campaign);
    assert_eq!((campaign.figures.sent, campaign.figures.delivered), (1, 1));
    assert_eq!(campaign.ended_at, Some(site.clock.now()));
}
