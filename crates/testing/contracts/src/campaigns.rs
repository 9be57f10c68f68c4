mod clearing;
mod evidence;
mod history;
mod listing;
mod outcomes;
mod recipients;
mod results;

pub use clearing::*;
pub use evidence::*;
pub use history::*;
pub use listing::*;
pub use outcomes::*;
pub use recipients::*;
pub use results::*;

use crate::Store;
use crate::messages::{at, fence, lease, new_template, provider_message, record};
use crate::support::{at_once, noon, phone};
use chrono::NaiveDate;
use fraud::{Flags, NewFlag, PublicReason};
use kernel::{
    Consent, ConsentAct, EntrantId, IdempotencyKey, Origin, PageRequest, PersonSalt, Phone, ReferralCode,
    StaffName, StoreError, UniqueKey,
};
use raffle::fixtures::{FRESH_SIPS, KITCHEN_GARDEN};
use raffle::{Entrants, NewEntrant, RaffleKey};
use sms::{
    Audience, AudienceSize, Campaign, CampaignDispatching, CampaignFigures, CampaignFilter, CampaignId,
    CampaignReport, CampaignRules, CampaignSecret, CampaignStatus, Campaigns, Clicks, ConsentBasis, Consents,
    DeliveryReport, ExportedMessage, Fence, Fenced, Label, LinkBase, MessageId, NewCampaign,
    NewCampaignMessage, NewClick, NewConsent, OptOuts, ProviderStatus, Recipient, SkipReason, SmsClearing,
    SmsCountries, SmsCounts, TemplateId, Templates, TrackedMessage, TrackingId,
};

const RAFFLE: RaffleKey = FRESH_SIPS;

fn july() -> NaiveDate {
    NaiveDate::from_ymd_opt(2025, 7, 1).unwrap()
}

/// Maps a digit to a letter that is allowed in referral codes.
fn letter(digit: u8) -> char {
    char::from(b"CDFGHJKMNP"[usize::from(digit - b'0')])
}

/// Adds an entrant to a raffle without recording consent or queueing a message.
fn added_to<S: Store>(store: &S, n: u32, raffle: RaffleKey) -> EntrantId {
    added_at(store, n, phone(n), raffle)
}

/// The same with this phone number.
fn added_at<S: Store>(store: &S, n: u32, phone: Phone, raffle: RaffleKey) -> EntrantId {
    let code: String = format!("{n:08}").bytes().map(letter).collect();
    let new = NewEntrant {
        id: EntrantId::new(i64::from(n) + 1),
        phone,
        person_salt: PersonSalt::new([7; 32]),
        referral_code: ReferralCode::parse(&code).unwrap(),
        raffle,
        event_id: None,
        origin: Origin::default(),
        fingerprint: None,
        created_at: noon(),
    };
    store.transaction(|tx| tx.add_entrant(&new)).unwrap().unwrap()
}

fn consent<S: Store>(store: &S, entrant: EntrantId, granted: bool) {
    let consent = NewConsent {
        entrant,
        consent: Consent {
            granted,
            act: ConsentAct::Form,
        },
        wording: sms::FORM_WORDING,
        address: None,
        user_agent: None,
        at: noon(),
    };
    store.transaction(|tx| tx.record_consent(&consent)).unwrap();
}

fn consenting_in<S: Store>(store: &S, n: u32, raffle: RaffleKey) -> EntrantId {
    let entrant = added_to(store, n, raffle);
    consent(store, entrant, true);
    entrant
}

fn consenting<S: Store>(store: &S, n: u32) -> EntrantId {
    consenting_in(store, n, RAFFLE)
}

fn flag<S: Store>(store: &S, entrant: EntrantId) {
    let flag = NewFlag {
        entrant,
        reason: "Test".to_owned(),
        public_reason: PublicReason::Rules,
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}

fn opt_out<S: Store>(store: &S, n: u32) {
    store.transaction(|tx| tx.opt_out(&phone(n), noon())).unwrap();
}

fn template<S: Store>(store: &S) -> TemplateId {
    let new = new_template("Template", "Look: [there]");
    store
        .transaction(|tx| tx.add_template(&new, None, noon()))
        .unwrap()
}

fn new_campaign(template: TemplateId, audience: Audience) -> NewCampaign {
    let basis = || ConsentBasis::parse("They asked for it.").unwrap();
    NewCampaign {
        name: Label::parse("July").unwrap(),
        template,
        scheduled_at: noon(),
        consent_basis: matches!(audience, Audience::Custom(_)).then(basis),
        audience,
        link_base: LinkBase::parse("https://example.org").unwrap(),
        secret: CampaignSecret::new([7; 32]),
        idempotency_key: None,
        created_by: StaffName::parse("anna"),
        at: noon(),
    }
}

fn add<S: Store>(store: &S, new: &NewCampaign) -> CampaignId {
    store.transaction(|tx| tx.add_campaign(new)).unwrap()
}

fn added<S: Store>(store: &S, audience: Audience) -> CampaignId {
    let template = template(store);
    add(store, &new_campaign(template, audience))
}

fn list_of(numbers: impl IntoIterator<Item = u32>) -> Audience {
    Audience::Custom(numbers.into_iter().map(phone).collect())
}

fn begin<S: Store>(store: &S, fence: Fence, second: i64) -> Vec<CampaignId> {
    let begin = |tx: &mut S::Tx| tx.start_due_campaigns(fence, at(second));
    store.transaction::<_, StoreError>(begin).unwrap().unwrap()
}

/// A campaign that has started.
fn begun<S: Store>(store: &S, fence: Fence, audience: Audience) -> CampaignId {
    let id = added(store, audience);
    assert_eq!(begin(store, fence, 0), [id]);
    id
}

/// A campaign to one number that has started.
pub(crate) fn sending_to<S: Store>(store: &S, fence: Fence, phone: Phone) -> CampaignId {
    begun(store, fence, Audience::Custom(vec![phone]))
}

/// The message of a campaign's only recipient, being sent.
pub(crate) fn taken_from<S: Store>(store: &S, fence: Fence, campaign: CampaignId) -> MessageId {
    take(store, fence, campaign, 1)[0].0
}

fn campaign<S: Store>(store: &S, id: CampaignId) -> Campaign {
    store.read(|tx| tx.find_campaign(id)).unwrap().unwrap()
}

fn figures<S: Store>(store: &S, id: CampaignId) -> CampaignFigures {
    campaign(store, id).figures
}

fn link(campaign: CampaignId, phone: &Phone) -> TrackingId {
    let name = format!("fresh-{campaign}-{}", phone.last_four());
    TrackingId::parse(&name).unwrap()
}

fn message_for(campaign: CampaignId, recipient: Recipient) -> NewCampaignMessage {
    let tracking_id = link(campaign, &recipient.phone);
    let tracking_url = tracking_id.link("https://example.org");
    NewCampaignMessage {
        body: format!("Look: {tracking_url}"),
        recipient,
        tracking_id,
        tracking_url,
        wait_until: None,
    }
}

const fn rules_of(month: NaiveDate, monthly_cap: u32, countries: &SmsCountries) -> CampaignRules<'_> {
    CampaignRules {
        month,
        monthly_cap,
        countries,
    }
}

/// Takes recipients and adds their messages in one transaction, as the use case does.
fn take_in<S: Store>(
    store: &S,
    fence: Fence,
    id: CampaignId,
    limit: u32,
    (month, cap): (NaiveDate, u32),
) -> Result<Vec<(MessageId, Recipient)>, Fenced> {
    let countries = SmsCountries::default();
    let take = |tx: &mut S::Tx| -> Result<_, StoreError> {
        let recipients = match tx.take_recipients(fence, id, limit, &rules_of(month, cap, &countries))? {
            Ok(recipients) => recipients,
            Err(fenced) => return Ok(Err(fenced)),
        };
        let messages: Vec<_> = recipients
            .iter()
            .map(|recipient| message_for(id, recipient.clone()))
            .collect();
        let ids = tx.add_campaign_messages(fence, id, &messages, noon())?;
        Ok(Ok(ids.into_iter().zip(recipients).collect()))
    };
    store.transaction(take).unwrap()
}

fn take<S: Store>(store: &S, fence: Fence, id: CampaignId, limit: u32) -> Vec<(MessageId, Recipient)> {
    take_in(store, fence, id, limit, (july(), 9)).unwrap()
}

fn skips(taken: &[(MessageId, Recipient)]) -> Vec<Option<SkipReason>> {
    taken.iter().map(|(_, recipient)| recipient.skip).collect()
}

fn end<S: Store>(store: &S, second: i64) -> Vec<CampaignId> {
    store.transaction(|tx| tx.finish_campaigns(at(second))).unwrap()
}

fn report<S: Store>(store: &S, id: CampaignId) -> CampaignReport {
    store.snapshot(|tx| tx.report_campaign(id)).unwrap()
}

fn exported<S: Store>(store: &S, id: CampaignId) -> Vec<ExportedMessage> {
    let export = |tx: &S::Tx| tx.export_messages(id, MessageId::new(0), 1_000);
    store.read::<_, StoreError>(export).unwrap()
}

fn size<S: Store>(store: &S, audience: &Audience, cap: u32) -> AudienceSize {
    let countries = SmsCountries::default();
    let size = |tx: &S::Tx| tx.audience_size(audience, &rules_of(july(), cap, &countries));
    store.snapshot::<_, StoreError>(size).unwrap()
}

fn sent<S: Store>(store: &S, message: MessageId) {
    let provider_message = provider_message(u32::try_from(message.get()).unwrap(), ProviderStatus::Accepted);
    record(store, message, 1, DeliveryReport::AtProvider(provider_message), 1);
}

pub fn a_campaign_reads_back<S: Store>(store: &S) {
    let template = template(store);
    let many = list_of(0..150);
    let audiences = [
        Audience::All,
        Audience::Raffle(RAFFLE),
        list_of([3, 1]),
        many.clone(),
    ];
    let mut plans = audiences.map(|audience| new_campaign(template, audience));
    plans[1].idempotency_key = IdempotencyKey::parse("one");
    plans[2].scheduled_at = at(500);
    let ids = [0, 1, 2, 3].map(|n| add(store, &plans[n]));
    let renamed = new_template("Renamed", "Look: [there]");
    store
        .transaction(|tx| tx.change_template(template, &renamed, noon()))
        .unwrap();
    let expected = |n: usize, custom_number_count| Campaign {
        id: ids[n],
        plan: plans[n].clone(),
        template_name: "Renamed".to_owned(),
        custom_number_count,
        status: CampaignStatus::Pending,
        figures: CampaignFigures::default(),
        started_at: None,
        ended_at: None,
    };
    for (n, count) in [(0, 0), (1, 0), (2, 2)] {
        assert_eq!(campaign(store, ids[n]), expected(n, count));
    }
    let long = campaign(store, ids[3]);
    assert_eq!(long.custom_number_count, 150);
    assert_eq!(long.plan.audience, list_of(0..100), "only the first numbers");
    let numbers = |id| store.read(|tx| tx.list_custom_numbers(id)).unwrap();
    assert_eq!(Audience::Custom(numbers(ids[3])), many);
    assert_eq!(numbers(ids[0]), []);
    assert_eq!(numbers(CampaignId::new(i64::MAX)), []);
    let list = |limit, offset| {
        let page = PageRequest { limit, offset };
        listed(store, &CampaignFilter::default(), page)
            .into_iter()
            .map(|campaign| campaign.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(list(10, 0), [ids[3], ids[2], ids[1], ids[0]]);
    assert_eq!((list(2, 1), list(2, 4)), (vec![ids[2], ids[1]], vec![]));
    assert_eq!(count(store, &CampaignFilter::default()), 4);
    let by_key = |key| {
        let key = IdempotencyKey::parse(key).unwrap();
        store.read(|tx| tx.find_campaign_by_key(&key)).unwrap()
    };
    assert_eq!((by_key("one"), by_key("two")), (Some(expected(1, 0)), None));
    let unknown = CampaignId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.find_campaign(unknown)).unwrap(), None);
}

pub fn an_idempotency_key_belongs_to_one_campaign<S: Store>(store: &S) {
    let mut new = new_campaign(template(store), Audience::All);
    let key = IdempotencyKey::parse("one-request").unwrap();
    new.idempotency_key = Some(key.clone());
    let hash_of = |key: &IdempotencyKey| store.read(|tx| tx.request_hash_of(key)).unwrap();
    assert_eq!(hash_of(&key), None);
    let added = at_once(20, |_| store.transaction(|tx| tx.add_campaign(&new)));
    assert_eq!(added.iter().flatten().count(), 1);
    let refused = added.into_iter().filter_map(Result::err);
    for error in refused {
        assert!(
            matches!(error, StoreError::Duplicate(UniqueKey::CampaignKey)),
            "{error}"
        );
    }
    assert_eq!(count(store, &CampaignFilter::default()), 1);
    assert_eq!(hash_of(&key), Some(new.request_hash()));
}

pub fn only_a_pending_campaign_is_cancelled<S: Store>(store: &S) {
    let cancel = |id| store.transaction(|tx| tx.cancel_campaign(id)).unwrap();
    let fence = fence(store);
    let id = added(store, Audience::All);
    assert!(cancel(id) && !cancel(id));
    assert_eq!(campaign(store, id).status, CampaignStatus::Cancelled);
    assert_eq!(begin(store, fence, 100), []);
    let id = begun(store, fence, Audience::All);
    assert!(!cancel(id) && !cancel(CampaignId::new(i64::MAX)));
    assert_eq!(campaign(store, id).status, CampaignStatus::Sending);
}

pub fn only_a_pending_campaign_is_changed<S: Store>(store: &S) {
    let change = |id, new: &NewCampaign| store.transaction(|tx| tx.change_campaign(id, new)).unwrap();
    let other = template(store);
    let mut first = new_campaign(template(store), list_of([1, 2]));
    first.idempotency_key = IdempotencyKey::parse("one");
    let id = add(store, &first);
    let changed = NewCampaign {
        name: Label::parse("August").unwrap(),
        scheduled_at: at(9),
        link_base: LinkBase::parse("https://example.com").unwrap(),
        secret: CampaignSecret::new([8; 32]),
        created_by: None,
        at: at(5),
        ..new_campaign(other, Audience::Raffle(RAFFLE))
    };
    let kept = |new: &NewCampaign| NewCampaign {
        secret: first.secret,
        idempotency_key: first.idempotency_key.clone(),
        created_by: first.created_by.clone(),
        at: first.at,
        ..new.clone()
    };
    assert!(change(id, &changed));
    let found = campaign(store, id);
    assert_eq!((found.plan, found.custom_number_count), (kept(&changed), 0));
    let listed = new_campaign(other, list_of([3, 4, 5]));
    assert!(change(id, &listed));
    let found = campaign(store, id);
    assert_eq!((found.plan, found.custom_number_count), (kept(&listed), 3));
    assert!(!change(CampaignId::new(i64::MAX), &changed));
    let cancelled = added(store, Audience::All);
    assert!(store.transaction(|tx| tx.cancel_campaign(cancelled)).unwrap());
    let started = begun_only(store, id);
    for ended in [cancelled, started] {
        let before = campaign(store, ended);
        assert!(!change(ended, &changed));
        assert_eq!(campaign(store, ended), before);
    }
}

/// Starts this campaign, the only one that is due.
fn begun_only<S: Store>(store: &S, id: CampaignId) -> CampaignId {
    let fence = fence(store);
    assert_eq!(begin(store, fence, 100), [id]);
    id
}

pub fn a_campaign_cancelled_while_it_starts_is_either_cancelled_or_started<S: Store>(store: &S) {
    let fence = fence(store);
    for _ in 0..20 {
        let id = added(store, list_of([1]));
        let won = at_once(2, |n| match n {
            0 => store.transaction(|tx| tx.cancel_campaign(id)).unwrap(),
            _ => begin(store, fence, 0) == [id],
        });
        assert_ne!(won[0], won[1], "exactly one succeeds");
        let expected = match won[0] {
            true => CampaignStatus::Cancelled,
            false => CampaignStatus::Sending,
        };
        assert_eq!(campaign(store, id).status, expected);
    }
}

pub fn campaigns_start_once_when_they_are_due<S: Store>(store: &S) {
    let template = template(store);
    let scheduled = |second| {
        let mut new = new_campaign(template, list_of([1]));
        new.scheduled_at = at(second);
        add(store, &new)
    };
    let (last, later, first, past) = (scheduled(30), scheduled(20), scheduled(10), scheduled(-9_999));
    let fence = fence(store);
    assert_eq!(begin(store, fence, 9), [past], "a late one, as after a pause");
    let begun = at_once(20, |_| begin(store, fence, 20));
    assert_eq!(begun.concat(), [first, later], "earliest first");
    let started = campaign(store, first);
    assert_eq!(
        (started.status, started.started_at, started.figures.recipients),
        (CampaignStatus::Sending, Some(at(20)), 1)
    );
    let next = || store.read(|tx| tx.next_campaign()).unwrap();
    for expected in [past, first, later] {
        let sending = next().unwrap();
        assert_eq!(sending.id, expected);
        assert_eq!(
            (sending.raffle, sending.link_base.as_str(), sending.secret),
            (
                KITCHEN_GARDEN,
                "https://example.org",
                CampaignSecret::new([7; 32])
            )
        );
        take(store, fence, expected, 1);
    }
    assert_eq!(next(), None);
    let later = lease(store, "two", 60).unwrap();
    let refused = |tx: &mut S::Tx| tx.start_due_campaigns(fence, at(60));
    assert_eq!(store.transaction::<_, StoreError>(refused).unwrap(), Err(Fenced));
    assert_eq!(campaign(store, last).status, CampaignStatus::Pending);
    assert_eq!(begin(store, later, 60), [last]);
}

pub fn changing_a_template_does_not_change_a_started_campaign<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..2));
    let message = || store.read(|tx| tx.next_campaign()).unwrap().unwrap().message;
    let before = message();
    assert_eq!(before.text(), "Look: [there]");
    take(store, fence, id, 1);
    let template = campaign(store, id).plan.template;
    let changed = new_template("Changed", "Another: [there]");
    store
        .transaction(|tx| tx.change_template(template, &changed, noon()))
        .unwrap();
    assert_eq!(message(), before);
    let next = added(store, list_of([1]));
    assert_eq!(begin(store, fence, 1), [next]);
    take(store, fence, id, 1);
    assert_eq!(message().text(), "Look: [there]");
}

fn click<S: Store>(store: &S, link: &TrackingId, cta: bool, second: i64) -> Option<TrackedMessage> {
    let click = NewClick {
        tracking_id: link.clone(),
        cta,
        address: Some([192, 0, 2, 7].into()),
        user_agent: Some("Test".to_owned()),
        at: at(second),
    };
    store.transaction(|tx| tx.record_click(&click)).unwrap()
}

fn counts<S: Store>(store: &S) -> SmsCounts {
    store.read(|tx| tx.count_sms()).unwrap()
}
